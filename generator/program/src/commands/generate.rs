//! `bouton generate`: from a ruleset to a table.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use bouton_generator::{Estimate, GenerateError, Options, Summary, estimate, generate};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::rulesets::{Named, find};
use bouton_tables::{Map, NotPlaced, OpenError, Part, Ruleset, Table, with_rules};

use super::first_steps::first_steps;
use super::info::summary;
use super::{Done, bytes, count, duration, grouped, target};
use crate::args::Generate;
use crate::progress::Making;
use crate::{FINE, memory, stop};

pub(crate) fn run(args: &Generate) -> Done {
    let Named { name, ruleset } = find(&args.which.ruleset, &args.which.settings)?;
    let options = Options { depths: !args.no_depth };
    let threads = || rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into()).build();
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.bouton")));
    let file = target::behind_link(&file);
    if args.estimate {
        let needs = threads()?.install(|| estimate(&ruleset, options));
        io::stdout().write_all(estimated(&needs).as_bytes())?;
        return Ok(FINE);
    }
    // All that can fail is tried before the work is begun.
    let there = look_at_target(&file, &ruleset, options.depths, args.force)?;
    let mut out: Box<dyn Write> =
        if args.quiet { Box::new(io::sink()) } else { Box::new(io::stdout().lock()) };
    if there {
        writeln!(out, "{} is there already: a table of these rules, undamaged.", printable_path(&file))?;
        return Ok(FINE);
    }
    let threads = threads()?;
    if !args.allow_memory
        && let Some(shortage) = threads.install(|| memory::shortage(&ruleset, options))
    {
        let error = too_large(&ruleset, options, &shortage);
        return Err(format!("{error}, and --allow-memory begins all the same").into());
    }

    let began = Instant::now();
    stop::ask_first()?;
    let mut part = Part::beside(&file).map_err(|error| target::cannot_write(&file, &error))?;
    let made = match threads.install(|| generate(&ruleset, options, part.file(), &Making::new(args.quiet))) {
        Ok(made) => made,
        Err(GenerateError::Cancelled) => return Ok(stop::INTERRUPTED),
        Err(GenerateError::Memory) => {
            return Err(too_large(&ruleset, options, "more memory than there is").into());
        }
        Err(error @ GenerateError::Unproved(_)) => return Err(error.into()),
        Err(GenerateError::Write(error)) => return Err(target::cannot_write(&file, &error)),
    };
    let table = checked(&part, &made)?;
    place(part, &file, &ruleset, args)?;
    let seconds = began.elapsed().as_secs_f64();

    writeln!(out, "{}: every position of {}, solved", printable_path(&file), printable(&name))?;
    for line in summary(table.header(), &table) {
        writeln!(out, "  {line}")?;
    }
    let threads = count(threads.current_num_threads() as u64, "thread", "threads");
    writeln!(out, "  time       {seconds:.2} s on {threads}")?;
    if let Some(peak) = memory::peak() {
        writeln!(out, "  memory     {}", bytes(peak))?;
    }
    write!(out, "{}", first_steps(&table, &file)?)?;
    Ok(FINE)
}

/// What to say of a table that cannot be made for want of memory.
fn too_large(ruleset: &Ruleset, options: Options, takes: &str) -> String {
    let smaller = with_rules!(ruleset, |rules| rules.smaller());
    let no_depth = if memory::fits_without_depths(ruleset, options) { ", or add --no-depth" } else { "" };
    format!(
        "a table of {} positions takes {takes} to make; ask for {smaller}{no_depth}; --estimate tells beforehand what a table takes",
        grouped(ruleset.positions()),
    )
}

/// The table just made, after a check of what is in the file.
fn checked(part: &Part, made: &Summary) -> Result<Table<Map>, Box<dyn Error>> {
    let table = Table::map(part.path())?;
    table.check_sums()?;
    if (table.header(), table.digest()) != (&made.header, made.digest) {
        return Err("the file does not hold what was written to it; check the disk, and try again".into());
    }
    Ok(table)
}

/// Puts the table in its place. If that has been taken meanwhile, the table is kept beside it.
fn place(part: Part, file: &Path, ruleset: &Ruleset, args: &Generate) -> Result<(), Box<dyn Error>> {
    let NotPlaced { error, part } = match part.place(args.force) {
        Ok(()) => return Ok(()),
        Err(not_placed) => not_placed,
    };
    // Somebody else made it meanwhile: fine if it is the same.
    let taken = error.kind() == io::ErrorKind::AlreadyExists;
    if taken && look_at_target(file, ruleset, !args.no_depth, false).unwrap_or(false) {
        return Ok(());
    }
    match part.map(Part::keep) {
        Some(Ok(kept)) if taken => Err(format!(
            "{} was made by another program meanwhile; the new table is {}: rename it to replace the other one",
            printable_path(file),
            printable_path(&kept),
        )
        .into()),
        Some(Ok(kept)) => {
            let error = target::cannot_write(file, &error);
            Err(format!("{error}; the table is {}", printable_path(&kept)).into())
        }
        Some(Err(_)) | None => Err(target::cannot_write(file, &error)),
    }
}

/// Whether the file is the very table asked for. Any other file in its place is an error, unless it may be
/// replaced.
fn look_at_target(file: &Path, ruleset: &Ruleset, depths: bool, force: bool) -> Result<bool, Box<dyn Error>> {
    if file.is_file() {
        let found = Table::map(file);
        if let Ok(table) = &found
            && (&table.header().ruleset, table.header().depths) == (ruleset, depths)
            && table.check_whole().is_ok()
        {
            return Ok(true);
        }
        if let (Err(error @ OpenError::Io { .. }), false) = (found, force) {
            return Err(error.into());
        }
    }
    target::check(file, force, "exists and is not this table")?;
    Ok(false)
}

fn estimated(needs: &Estimate) -> String {
    format!(
        "positions  {}\nmemory     about {} ({} available)\nfile       about {}\ntime       about {}\n",
        grouped(needs.positions),
        bytes(needs.memory),
        bytes(memory::available()),
        bytes(needs.file),
        duration(needs.time),
    )
}
