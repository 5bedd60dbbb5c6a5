//! `bouton generate`: from a ruleset to a table.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use bouton_generator::{Estimate, estimate, generate};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::rulesets::{Named, find};
use bouton_tables::{OpenError, Ruleset, Table, with_rules, write_whole};

use super::first_steps::first_steps;
use super::info::summary;
use super::{Done, bytes, count, grouped, target};
use crate::FINE;
use crate::args::Generate;
use crate::memory;
use crate::progress::bar;

pub(crate) fn run(args: &Generate) -> Done {
    let Named { name, ruleset } = find(&args.which.ruleset, &args.which.settings)?;
    let depths = !args.no_depth;
    let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.bouton")));
    let file = target::behind_link(&file);
    let needs = estimate(&ruleset, depths);
    if args.estimate {
        io::stdout().write_all(estimated(&needs).as_bytes())?;
        return Ok(FINE);
    }
    // All that can fail is tried before the work is begun.
    let there = look_at_target(&file, &ruleset, depths, args.force)?;
    let mut out: Box<dyn Write> =
        if args.quiet { Box::new(io::sink()) } else { Box::new(io::stdout().lock()) };
    if there {
        writeln!(
            out,
            "{} is there already: the very table asked for, whole and undamaged.",
            printable_path(&file)
        )?;
        return Ok(FINE);
    }
    if let Some(shortage) = memory::shortage(needs.memory) {
        let smaller = with_rules!(&ruleset, |rules| rules.smaller());
        let no_depth_helps = depths && memory::shortage(estimate(&ruleset, false).memory).is_none();
        let no_depth = if no_depth_helps { ", or add --no-depth" } else { "" };
        return Err(format!(
            "a table of {} positions, about {} long, takes {shortage} to make; ask for {smaller}{no_depth}; --estimate tells \
             beforehand what a table takes",
            grouped(needs.positions),
            bytes(needs.file),
        )
        .into());
    }

    let began = Instant::now();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into()).build()?;
    let bar = bar(needs.steps, "solving", args.quiet);
    let made = threads.install(|| generate(&ruleset, depths, &|steps| bar.inc(steps)));
    bar.finish_and_clear();
    match write_whole(&file, &made, args.force) {
        Ok(()) => {}
        // Somebody else made it meanwhile: fine if it is the same.
        Err(error)
            if error.kind() == io::ErrorKind::AlreadyExists
                && look_at_target(&file, &ruleset, depths, false)? => {}
        Err(error) => return Err(target::cannot_write(&file, &error)),
    }
    let seconds = began.elapsed().as_secs_f64();

    let table = Table::open(made)?;
    writeln!(out, "{}: every position of {}, solved", printable_path(&file), printable(&name))?;
    for line in summary(table.header(), &table) {
        writeln!(out, "  {line}")?;
    }
    writeln!(
        out,
        "  time       {seconds:.2} s on {}",
        count(threads.current_num_threads() as u64, "thread", "threads")
    )?;
    write!(out, "{}", first_steps(&table, &file)?)?;
    Ok(FINE)
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
        "positions  {}\nmemory     at most about {} ({} available)\nfile       about {}\n",
        grouped(needs.positions),
        bytes(needs.memory),
        bytes(memory::available()),
        bytes(needs.file),
    )
}
