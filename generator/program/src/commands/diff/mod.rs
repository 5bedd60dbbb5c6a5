//! `bouton diff`: what a change of the rules does.

mod report;

use std::io::{self, Write};

use bouton_study::diff::{self, Options, comparable, diff};

use super::Done;
use crate::args::Diff;
use crate::progress::bar;
use crate::{FINE, NO, source};

pub(crate) fn run(args: &Diff) -> Done {
    let (a, b) = source::look_at_both(&args.of)?;
    let depths = !args.no_depth;
    // Before anything is solved.
    comparable((a.ruleset(), a.has_depths(depths)), (b.ruleset(), b.has_depths(depths)), args.only)?;
    let (a, b) = (a.open(depths, args.quiet)?, b.open(depths, args.quiet)?);
    let steps = diff::steps(&a.table.header().ruleset, &b.table.header().ruleset);
    let bar = bar(steps, "comparing", args.quiet);
    let options = Options {
        names: [a.name, b.name],
        // Where only the exit status tells, there is nothing to list.
        limit: if args.quiet { 0 } else { args.limit as usize },
        witness: !args.quiet,
        only: args.only,
    };
    let found = diff(&a.table, &b.table, &options, &|steps| bar.inc(steps))?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else if !args.quiet {
        out.write_all(report::report(&found).as_bytes())?;
    }
    Ok(if found.is_same() { FINE } else { NO })
}
