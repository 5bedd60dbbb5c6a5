//! `bouton check`: tests a claim on all positions of a table.

use std::io::Write;

use bouton_study::check::{Checked, Claim, ClaimScope, Exceptions, check, steps};
use bouton_study::select::Filter;
use bouton_tables::input::shown;
use bouton_tables::printable::printable;
use bouton_tables::program::Output;

use super::{ExitResult, count, grouped};
use crate::args::Check;
use crate::progress::{bar, on_bar};
use crate::{FINE, NO, source};

pub(crate) fn run(args: &Check) -> ExitResult {
    let named = source::read_input(&args.of)?;
    // Solve a ruleset with depths only if the claim uses them.
    let depths = named.has_depths(true);
    let claim = Claim::parse(named.ruleset(), depths, &args.expression)?;
    let text = args.filter.as_deref().unwrap_or_default();
    let filter = Filter::of(named.ruleset(), depths, text, args.starts)?;
    let steps = steps(named.ruleset(), &claim, &filter)?;
    let source = named.open(claim.asks_for_depth() || filter.asks_for_depth(), args.quiet)?;
    let bar = bar(steps, "checking", args.quiet);
    let checked = check(&source.table, &claim, &filter, &on_bar(&bar));
    bar.finish_and_clear();
    let checked = checked?;
    if checked.positions == 0 {
        let of = shown(&args.of.table);
        return Err(
            format!("no position of {of} is selected: there is nothing to check; widen --where").into()
        );
    }
    let mut out = Output::of(args.json);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&checked)?)?;
    } else if !args.quiet {
        write!(out, "{}", in_words(&source.name, &claim, &checked))?;
    }
    Ok(if checked.holds() { FINE } else { NO })
}

fn in_words(name: &str, claim: &Claim, checked: &Checked) -> String {
    let positions = count(checked.positions, "position", "positions");
    let lost = grouped(checked.lost);
    let expression = printable(&checked.expression);
    let named = claim.answer_names();
    let mut claim = match checked.about {
        ClaimScope::Lost => format!("{name}: a position is lost if and only if {expression}"),
        ClaimScope::All => format!("{name}: at every position {expression}"),
    };
    if !named.is_empty() {
        claim += &format!(
            "\nThe expression names {}, so it is checked at every position. To check that exactly the lost positions fulfil it, write\n  \
             lost == ({expression})",
            named.join(" and ")
        );
    }
    if checked.holds() {
        return format!("{claim}\nTrue at each of {positions}, {lost} of them lost.\n");
    }
    let mut text =
        format!("{claim}\nFalse at {} of {positions}, {lost} of them lost.\n", grouped(checked.exceptions()));
    let [at_lost, at_won] = match checked.about {
        ClaimScope::Lost => ["lost, where the expression is false", "won, where it is true"],
        ClaimScope::All => ["lost", "won"],
    };
    for (what, exceptions) in [(at_lost, &checked.lost_exceptions), (at_won, &checked.won_exceptions)] {
        if let Exceptions { count, first: Some(first), smallest: Some(smallest) } = exceptions {
            let which = if first == smallest {
                format!("the first and smallest {first}")
            } else {
                format!("the first {first}, the smallest {smallest}")
            };
            text += &format!("  {} {what}; {which}\n", grouped(*count));
        }
    }
    text
}
