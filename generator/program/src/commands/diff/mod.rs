//! `bouton diff`: compares two tables, or rulesets, position by position.

mod report;

use bouton_study::diff::{self, DiffOptions, comparable, diff};

use super::{ExitResult, print};
use crate::args::DiffArgs;
use crate::progress::with_bar;
use crate::{ANSWER_NO, SUCCESS, source};

pub(crate) fn run(args: &DiffArgs) -> ExitResult {
    let (mut a, mut b) = source::read_inputs(&args.inputs)?;
    source::check_no_depth(args.no_depth, &[&a, &b])?;
    let depths = !args.no_depth;
    // Check the inputs before anything is solved.
    comparable((&a.ruleset, a.has_depths(depths)), (&b.ruleset, b.has_depths(depths)), args.only)?;
    let steps = if args.starts { diff::steps_of_starts } else { diff::steps }(&a.ruleset, &b.ruleset)?;
    let (table_a, table_b) = (a.take_table(depths, args.quiet)?, b.take_table(depths, args.quiet)?);
    if args.starts {
        let found = with_bar(steps, "comparing", args.quiet, |progress| {
            diff::starts(&table_a, &table_b, &[a.name, b.name], progress)
        })?;
        print(&found, args.json, args.quiet, report::report_starts)?;
        return Ok(if found.starts.differ == 0 { SUCCESS } else { ANSWER_NO });
    }
    let options = DiffOptions {
        names: [a.name, b.name],
        // With --quiet, only the exit status matters: list nothing.
        limit: if args.quiet { 0 } else { args.limit as usize },
        witness: !args.quiet,
        only: args.only,
    };
    let found =
        with_bar(steps, "comparing", args.quiet, |progress| diff(&table_a, &table_b, &options, progress))?;
    print(&found, args.json, args.quiet, report::report)?;
    Ok(if found.is_same() { SUCCESS } else { ANSWER_NO })
}
