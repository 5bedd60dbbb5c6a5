//! `bouton-match chances`: computes the best response to a model and stores it in a file.

use std::io::Write;
use std::sync::Arc;
use std::time::Instant;

use bouton_match::models::Chances;
use bouton_match::{Playable, Solution, open_table};
use bouton_shell::OutputTarget;
use bouton_tables::printable::printable_path;
use bouton_tables::{Solved, with_rules};

use super::{CommandResult, preparation_bar};
use crate::args::ChancesArgs;

pub(crate) fn run(args: &ChancesArgs) -> CommandResult {
    let table = open_table(&args.table)?;
    let file = args.output.clone().unwrap_or_else(|| args.table.with_extension("chances"));
    let target = OutputTarget::named(&file);
    if target.file().is_some() && file.extension().is_none_or(|ending| ending != "chances") {
        let file = printable_path(&file);
        return Err(
            format!("-o {file}: the name of a file of chances ends in .chances; choose such a name").into()
        );
    }
    with_rules!(&table.header().ruleset, |rules| {
        let solution = Solution::of_game(Arc::clone(&table), rules).expect("these are its own rules");
        chances(args, &target, &solution)
    })
}

fn chances<G: Playable>(args: &ChancesArgs, target: &OutputTarget, solution: &Solution<G>) -> CommandResult {
    // Check the target before the work begins.
    target.check(args.force, "exists", Some("a file of chances"))?;
    let began = Instant::now();
    let preparing = preparation_bar(args.quiet);
    let chances = Chances::compute(solution, &args.model, &preparing)?;
    preparing.finish_and_clear();
    let bytes = chances.to_file(solution)?;
    target.write(&bytes, args.force)?;
    if args.quiet {
        return Ok(());
    }
    let start = solution.get().game().start();
    let shown = solution.get().game().show_position(&start);
    let first = probability(chances.chance_to_move(&start)?);
    let second = probability(chances.chance_waiting(solution.get(), &start)?);
    let mut out = target.report(false, false);
    let (table, model, bytes) = (printable_path(&args.table), &args.model, bytes.len());
    let seconds = began.elapsed().as_secs_f64();
    writeln!(
        out,
        "{target}: the best response to {model}, {bytes} bytes, in {seconds:.2} s\nfrom {shown} it wins {first} if it moves first, \
         {second} if it moves second"
    )?;
    if target.file().is_some() {
        writeln!(out, "`table:{table}:swindle:{target}` plays it")?;
    }
    Ok(())
}

fn probability(chance: f64) -> String {
    match chance {
        1.0 => "for certain".to_owned(),
        0.0 => "never".to_owned(),
        _ if chance < 0.000_001 => "with a probability of less than 0.000001".to_owned(),
        _ if chance > 0.999_999 => "with a probability of more than 0.999999".to_owned(),
        _ => format!("with probability {chance:.6}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chance_too_small_for_its_decimals_is_neither_0_nor_never() {
        assert_eq!(
            [0.0, 1e-9, 0.25].map(probability),
            ["never", "with a probability of less than 0.000001", "with probability 0.250000"]
        );
    }
}
