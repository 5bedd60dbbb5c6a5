//! Compares the policy `adapt`, which learns the kind of its opponent, with the optimum, in Expanding Nim with the
//! default limits and few stones. In each start the losing side plays by the policy. All chances are exact, without
//! sampling.
//!
//! ```text
//! cargo run --release -p bouton-tests --example learning -- [STONES [RESETS [MODEL]]]
//! ```
//!
//! prints two Markdown tables, by default for games of up to 40 stones with 4 resets each and the usual opponents. 60
//! stones take ten seconds, and each ten more stones take ten times as long.

use bouton_match::Solution;
use bouton_match::models::Model;
use bouton_match::players::{LosingPolicy, TablePlayer, usual_opponents};
use bouton_tests::compare::learning::GameTree;
use bouton_tests::compare::models::{PlayableOracle, mixture_of};
use bouton_tests::oracle::expanding::{Position, Rules};
use bouton_tests::oracle::expectimax::{BayesOptimum, Habit, SolvedExpanding, SolvedGame, chances};

/// The chances to win from a start, for each kind of opponent.
struct StartChances {
    /// The chance of a player that knows the kind.
    knowing: Vec<f64>,
    /// The chance of the Bayes optimum, which knows only how likely each kind is.
    optimum: Vec<f64>,
    /// The chance of the policy `adapt`.
    adapt: Vec<f64>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, default: u32| args.get(index).map_or(Ok(default), |text| text.parse());
    let (stones, resets) = (number(0, 40)?, number(1, 4)?);
    let model: Model = args.get(2).map_or(Ok(usual_opponents(true)), |text| text.parse())?;
    let (prior, kinds): (Vec<f64>, Vec<Habit>) = mixture_of(&model).into_iter().unzip();

    let rules =
        Rules { stones, base_limit: 3, growth: 1, reset_limit: 3, resets: [resets; 2], misere: false };
    let game = SolvedExpanding::new(rules);
    let player =
        TablePlayer::new(Solution::solve(&game.rules())?, &LosingPolicy::Adapt(Some(model.clone())), &())?;
    let game_tree = GameTree::new(&game, &kinds);
    let chances_by_kind: Vec<_> = kinds.iter().map(|&kind| chances(&game, &vec![(1.0, kind)])).collect();
    let mut optimum = BayesOptimum::new(&game, &kinds);
    let chances_from = |stones| {
        let p = Position { stones, currentmax: 0, turn: 1, resets: [resets; 2], imposed: false };
        let moves_first = game.winning(&p).is_empty();
        let chances = chances_by_kind.iter().map(|chances_by_kind| chances_by_kind[&p]);
        StartChances {
            knowing: chances
                .map(
                    |chances_by_kind| {
                        if moves_first { chances_by_kind.to_move } else { chances_by_kind.waiting }
                    },
                )
                .collect(),
            optimum: if moves_first { optimum.to_move(&p, &prior) } else { optimum.waiting(&p, &prior) },
            adapt: game_tree.chances(&player, &p),
        }
    };
    let starts: Vec<StartChances> = (1..=stones).map(chances_from).collect();

    let average = |chances: &[f64]| {
        prior.iter().zip(chances).map(|(probability, chance)| probability * chance).sum::<f64>()
    };
    let mut out =
        format!("Against `{model}`, {resets} resets each:\n\n| start | kind known | Bayes optimum |");
    out += " `adapt` | `adapt` falls short by |\n|---|---|---|---|---|\n";
    for (start, start_chances) in (1..).zip(&starts) {
        let [knowing, optimum, adapt] =
            [&start_chances.knowing, &start_chances.optimum, &start_chances.adapt]
                .map(|chances| average(chances));
        let shortfall = (optimum - adapt).max(0.0);
        out += &format!("| {start} | {knowing:.5} | {optimum:.5} | {adapt:.5} | {shortfall:.5} |\n");
    }
    out += "\nThe sum over all starts of up to this many stones, with the kind known / by the Bayes optimum / by `adapt`:\n\n";
    out += "| stones | on average |";
    model.terms().iter().for_each(|(_, habit)| out += &format!(" `{habit}` |"));
    out += &format!("\n|---|{}\n", "---|".repeat(kinds.len() + 1));
    for stones in (10..=starts.len()).step_by(10) {
        let sum =
            |chance_of: &dyn Fn(&StartChances) -> f64| starts[..stones].iter().map(chance_of).sum::<f64>();
        let three_sums = |chance_of: &dyn Fn(&[f64]) -> f64| {
            let sums = [
                sum(&|start_chances| chance_of(&start_chances.knowing)),
                sum(&|start_chances| chance_of(&start_chances.optimum)),
                sum(&|start_chances| chance_of(&start_chances.adapt)),
            ];
            sums.map(|sum| format!("{sum:.3}")).join(" / ")
        };
        out += &format!("| {stones} | {} |", three_sums(&average));
        (0..kinds.len()).for_each(|kind| out += &format!(" {} |", three_sums(&|chances| chances[kind])));
        out += "\n";
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
