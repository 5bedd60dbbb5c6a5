//! `bouton diff`: compares two tables, or rulesets, position by position.

mod report;

use std::io::{self, Write};

use bouton_study::diff::{self, DiffOptions, comparable, diff};
use bouton_tables::program::Output;
use serde::Serialize;

use super::ExitResult;
use crate::args::DiffArgs;
use crate::progress::{bar, on_bar};
use crate::{FINE, NO, source};

pub(crate) fn run(args: &DiffArgs) -> ExitResult {
    let (a, b) = source::read_inputs(&args.of)?;
    source::check_no_depth(args.no_depth, &[&a, &b])?;
    let depths = !args.no_depth;
    // Check the inputs before anything is solved.
    comparable((a.ruleset(), a.has_depths(depths)), (b.ruleset(), b.has_depths(depths)), args.only)?;
    let steps = if args.starts { diff::steps_of_starts } else { diff::steps }(a.ruleset(), b.ruleset())?;
    let (a, b) = (a.open(depths, args.quiet)?, b.open(depths, args.quiet)?);
    let bar = bar(steps, "comparing", args.quiet);
    if args.starts {
        let found = diff::starts(&a.table, &b.table, &[a.name, b.name], &on_bar(&bar))?;
        bar.finish_and_clear();
        tell(args, &found, report::of_starts)?;
        return Ok(if found.starts.differ == 0 { FINE } else { NO });
    }
    let options = DiffOptions {
        names: [a.name, b.name],
        // With --quiet, only the exit status matters: list nothing.
        limit: if args.quiet { 0 } else { args.limit as usize },
        witness: !args.quiet,
        only: args.only,
    };
    let found = diff(&a.table, &b.table, &options, &on_bar(&bar))?;
    bar.finish_and_clear();
    tell(args, &found, report::report)?;
    Ok(if found.is_same() { FINE } else { NO })
}

fn tell<T: Serialize>(args: &DiffArgs, found: &T, in_words: impl Fn(&T) -> String) -> io::Result<()> {
    let mut out = Output::of(args.json);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(found)?)
    } else if args.quiet {
        Ok(())
    } else {
        write!(out, "{}", in_words(found))
    }
}
