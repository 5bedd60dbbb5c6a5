//! `bouton generate`: from a ruleset to a table.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bouton_generator::{
    Estimate, GenerateError, Least, Options, Resources, Summary, estimate, generate_with, least_memory,
    throw_away,
};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::program::note;
use bouton_tables::rulesets::{Named, find};
use bouton_tables::{Map, NotPlaced, OpenError, Part, Ruleset, Table, with_rules};

use super::first_steps::first_steps;
use super::info::summary;
use super::{Done, bytes, bytes_enough, count, duration, grouped, target};
use crate::args::Generate;
use crate::memory::Fit;
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
        let least = least_memory(&ruleset, options);
        io::stdout().write_all(estimated(&needs, least).as_bytes())?;
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
    let limit = args.memory.unwrap_or_else(memory::available);
    let folder = work_folder(&file);
    if !args.allow_memory {
        match threads.install(|| memory::fit(&ruleset, options, limit)) {
            Fit::Whole => {}
            Fit::Folder(whole, most) => writeln!(
                out,
                "All at once takes about {} of memory: what does not fit in {} is kept in {}, up to {}.",
                bytes(whole),
                bytes(limit),
                printable_path(&folder),
                bytes(most),
            )?,
            Fit::Not(shortage) => {
                let error = too_large(&ruleset, options, &shortage);
                return Err(format!("{error}, and --allow-memory begins all the same").into());
            }
        }
    }

    if args.restart {
        throw_away(&folder)?;
    }
    let began = Instant::now();
    stop::ask_first()?;
    let mut part = Part::beside(&file).map_err(|error| target::cannot_write(&file, &error))?;
    let resources = Resources {
        memory: if args.allow_memory { u64::MAX } else { limit },
        folder: Some(&folder),
        pause: Duration::from_secs(args.checkpoint),
    };
    let making = Making::new(args.quiet);
    let made = match threads.install(|| generate_with(&ruleset, options, &resources, part.file(), &making)) {
        Ok(made) => made,
        Err(GenerateError::Cancelled) => {
            if folder.exists() {
                writeln!(out, "{}", kept_in(&folder))?;
            }
            return Ok(stop::INTERRUPTED);
        }
        Err(GenerateError::Memory) => {
            return Err(too_large(&ruleset, options, "more memory than there is").into());
        }
        Err(error @ (GenerateError::Unproved(_) | GenerateError::Work(_))) => return Err(error.into()),
        Err(GenerateError::Write(error)) => return Err(target::cannot_write(&file, &error)),
    };
    let table = checked(&part, &made)?;
    place(part, &file, &ruleset, args)?;
    // The table is in its place: what is left beside it is in nobody's way. A folder that was not used is of another one.
    if making.moved().is_some()
        && let Err(error) = throw_away(&folder)
    {
        note("bouton", &error);
    }
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
    if let Some((read, written)) = making.moved() {
        writeln!(out, "  disk       {} written and {} read beside the table", bytes(written), bytes(read))?;
    }
    write!(out, "{}", first_steps(&table, &file)?)?;
    Ok(FINE)
}

/// The folder for work that does not fit memory, and for checkpoints.
fn work_folder(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".work");
    name.into()
}

/// What to say of work that is kept.
fn kept_in(folder: &Path) -> String {
    format!("The work so far is kept in {}: the same command goes on with it.", printable_path(folder))
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

fn estimated(needs: &Estimate, least: Option<Least>) -> String {
    let least = least.filter(|least| least.memory < needs.memory).map_or(String::new(), |least| {
        let (memory, folder) = (bytes_enough(least.memory), bytes(least.folder));
        format!("at least   {memory}, with up to {folder} on disk beside the table (--memory)\n")
    });
    format!(
        "positions  {}\nmemory     about {} ({} available)\n{least}file       about {}\ntime       about {}\n",
        grouped(needs.positions),
        bytes(needs.memory),
        bytes(memory::available()),
        bytes(needs.file),
        duration(needs.time),
    )
}
