//! `bouton check`: tests a claim on all positions of a table.

use bouton_study::check::{CheckReport, Claim, ClaimScope, Exceptions, check, steps};
use bouton_study::filter::Filter;
use bouton_tables::input::display_name;
use bouton_tables::printable::printable;

use super::{ExitResult, count, grouped, print};
use crate::args::Check;
use crate::progress::with_bar;
use crate::{ANSWER_NO, SUCCESS, source};

pub(crate) fn run(args: &Check) -> ExitResult {
    let mut input = source::read_input(&args.input)?;
    let depths = input.has_depths(true);
    let claim = Claim::parse(&input.ruleset, depths, &args.expression)?;
    let text = args.filter.as_deref().unwrap_or_default();
    let filter = Filter::of(&input.ruleset, depths, text, args.starts)?;
    let steps = steps(&input.ruleset, &claim, &filter)?;
    // Solve a ruleset with depths only if the claim or the filter uses them.
    let table = input.take_table(claim.names_depth() || filter.restricts_depth(), args.quiet)?;
    let report =
        with_bar(steps, "checking", args.quiet, |progress| check(&table, &claim, &filter, progress))?;
    if report.counts.positions == 0 {
        let of = display_name(&args.input.table);
        return Err(
            format!("no position of {of} is selected: there is nothing to check; widen --where").into()
        );
    }
    print(&report, args.json, args.quiet, |report| in_words(&input.name, &claim, report))?;
    Ok(if report.counts.holds() { SUCCESS } else { ANSWER_NO })
}

fn in_words(name: &str, claim: &Claim, report: &CheckReport) -> String {
    let counts = &report.counts;
    let positions = count(counts.positions, "position", "positions");
    let lost = grouped(counts.lost);
    let expression = printable(&report.expression);
    let answer_names = claim.answer_names();
    let mut claim = match report.about {
        ClaimScope::Lost => format!("{name}: a position is lost if and only if {expression}"),
        ClaimScope::All => format!("{name}: at every position {expression}"),
    };
    if !answer_names.is_empty() {
        claim += &format!(
            "\nThe expression names {}, so it is checked at every position. To check that exactly the lost positions fulfil it, write\n  \
             lost == ({expression})",
            answer_names.join(" and ")
        );
    }
    if counts.holds() {
        return format!("{claim}\nTrue at each of {positions}, {lost} of them lost.\n");
    }
    let exceptions = count(counts.exceptions(), "position", "positions");
    let mut text = format!("{claim}\nFalse at {exceptions}; checked: {positions}, {lost} of them lost.\n");
    let [at_lost, at_won] = match report.about {
        ClaimScope::Lost => ["lost, where the expression is false", "won, where it is true"],
        ClaimScope::All => ["lost", "won"],
    };
    for (what, exceptions) in [(at_lost, &counts.lost_exceptions), (at_won, &counts.won_exceptions)] {
        if let Exceptions { count, first: Some(first), smallest: Some(smallest), .. } = exceptions {
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
