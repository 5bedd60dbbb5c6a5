//! `bouton-match chances`: computes the best response to a model and stores it in a file.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use bouton_match::models::Chances;
use bouton_match::{Numbered, Solution, open_table};
use bouton_tables::input::is_dash;
use bouton_tables::printable::printable_path;
use bouton_tables::program::unwritten;
use bouton_tables::{Solved, can_write_beside, with_rules, write_whole};

use super::bars::Preparing;
use super::{Done, output};
use crate::args::ChancesArgs;

pub(crate) fn run(args: &ChancesArgs) -> Done {
    let table = open_table(&args.table)?;
    let file = args.output.clone().unwrap_or_else(|| args.table.with_extension("chances"));
    if file.extension().is_none_or(|ending| ending != "chances") && !is_dash(&file) {
        let file = printable_path(&file);
        return Err(
            format!("-o {file}: the name of a file of chances ends in .chances; choose such a name").into()
        );
    }
    with_rules!(&table.header().ruleset, |rules| {
        let solution = Solution::of_game(Arc::clone(&table), rules).expect("these are its own rules");
        chances(args, &file, &solution)
    })
}

fn chances<G: Numbered>(args: &ChancesArgs, file: &Path, solution: &Solution<G>) -> Done {
    // Everything that can fail is tried before the work begins.
    let to_output = is_dash(file);
    if to_output && io::stdout().is_terminal() {
        return Err("a file of chances cannot be shown on a terminal; name one with -o".into());
    }
    if !args.force && file.exists() {
        let shown = printable_path(file);
        return Err(format!("{shown} exists; --force replaces it, -o names another file").into());
    }
    let cannot_write = |error: io::Error| {
        let (file, why) = (printable_path(file), unwritten(&error));
        format!("cannot write {file}: {why}; name another file with -o")
    };
    if !to_output {
        can_write_beside(file).map_err(cannot_write)?;
    }
    let began = Instant::now();
    let preparing = Preparing::new(args.quiet);
    let chances = Chances::compute(solution, &args.model, &preparing)?;
    preparing.end();
    let bytes = chances.to_file(solution)?;
    if to_output {
        io::stdout().write_all(&bytes)?;
    } else {
        write_whole(file, &bytes, args.force).map_err(cannot_write)?;
    }
    if args.quiet {
        return Ok(());
    }
    let start = solution.get().game().start();
    let shown = solution.get().game().show_position(&start);
    let first = probability(chances.to_move(&start)?);
    let second = probability(chances.waiting(solution.get(), &start)?);
    let mut out = output(Some(file));
    let (file, table, model) = (printable_path(file), printable_path(&args.table), &args.model);
    let (bytes, seconds) = (bytes.len(), began.elapsed().as_secs_f64());
    writeln!(
        out,
        "{file}: the best response to {model}, {bytes} bytes, in {seconds:.2} s\nfrom {shown} it wins {first} if it moves \
         first, {second} if it moves second\n`table:{table}:swindle:{file}` plays it",
    )?;
    Ok(())
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
