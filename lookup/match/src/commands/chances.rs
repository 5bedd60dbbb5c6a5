//! `bouton-match chances`: computes the best response to a model and stores it in a file.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use bouton_match::models::Chances;
use bouton_match::{Numbered, Solution, open_table};
use bouton_tables::printable::printable_path;
use bouton_tables::{Solved, can_write_beside, with_rules, write_whole};

use super::Done;
use crate::args::ChancesArgs;

pub(crate) fn run(args: &ChancesArgs) -> Done {
    let table = open_table(&args.table)?;
    let file = args.output.clone().unwrap_or_else(|| args.table.with_extension("chances"));
    with_rules!(&table.header().ruleset, |rules| {
        let solution = Solution::of_game(Arc::clone(&table), rules).expect("these are its own rules");
        chances(args, &file, &solution)
    })
}

fn chances<G: Numbered>(args: &ChancesArgs, file: &Path, solution: &Solution<G>) -> Done {
    // Everything that can fail is tried before the work begins.
    if !args.force && file.exists() {
        let shown = printable_path(file);
        return Err(format!("{shown} exists; --force replaces it, -o names another file").into());
    }
    can_write_beside(file).map_err(|error| cannot_write(file, &error))?;
    let began = Instant::now();
    let chances = Chances::compute(solution, &args.model)?;
    let bytes = chances.to_file(solution)?;
    write_whole(file, &bytes, args.force).map_err(|error| cannot_write(file, &error))?;
    let start = solution.get().game().start();
    let shown = solution.get().game().show_position(&start);
    let moving = [chances.to_move(&start)?, chances.waiting(solution.get(), &start)?].map(probability);
    writeln!(
        io::stdout(),
        "{}: the best response to {}, {} bytes, in {:.2} s\nfrom {shown} it wins {} if it moves first, {} if it moves \
         second\n`table:{}:swindle:{}` plays it",
        printable_path(file),
        args.model,
        bytes.len(),
        began.elapsed().as_secs_f64(),
        moving[0],
        moving[1],
        printable_path(&args.table),
        printable_path(file),
    )?;
    Ok(())
}

fn cannot_write(file: &Path, error: &io::Error) -> Box<dyn Error> {
    format!("cannot write {}: {}; name another file with -o", printable_path(file), error.kind()).into()
}

/// A probability in words, in which almost certain differs from certain.
fn probability(chance: f64) -> String {
    match chance {
        1.0 => "for certain".to_owned(),
        0.0 => "never".to_owned(),
        _ if chance > 0.999_999 => "with a probability of more than 0.999999".to_owned(),
        _ => format!("with probability {chance:.6}"),
    }
}
