//! `bouton diff`: what a change of the rules does.

mod text;

use std::io::{self, Write};

use bouton_generator::diff::{self, Kind, Options, diff};

use super::Done;
use crate::args::{Diff, Only};
use crate::progress::bar;
use crate::{FINE, NO, source};

pub(crate) fn run(args: &Diff) -> Done {
    let open = |which, settings| source::open(which, settings, !args.no_depth, args.quiet);
    let (a, b) = (open(&args.a, &args.set_a)?, open(&args.b, &args.set_b)?);
    let bar = bar(diff::steps(&a.table.header().ruleset, &b.table.header().ruleset), "comparing", args.quiet);
    let options = Options {
        names: [a.name, b.name],
        // Where only the exit status tells, there is nothing to list.
        limit: if args.quiet { 0 } else { args.limit as usize },
        witness: !args.quiet,
        only: match args.only {
            Only::Any => Kind::Any,
            Only::Outcome => Kind::Outcome,
            Only::Depth => Kind::Depth,
            Only::Winning => Kind::Winning,
            Only::Best => Kind::Best,
        },
    };
    let found = diff(&a.table, &b.table, &options, &|steps| bar.inc(steps))?;
    bar.finish_and_clear();
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&found)?)?;
    } else if !args.quiet {
        out.write_all(text::text(&found).as_bytes())?;
    }
    Ok(if found.is_same() { FINE } else { NO })
}
