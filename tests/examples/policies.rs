//! Counts the starts that each policy wins if it plays the losing side, against each model of an opponent. The game is
//! Expanding Nim with its default keys, from 1 to 999 stones. Each start is played 200 times with different seeds; a
//! start won in half of the games counts as half.
//!
//! `cargo run --release -p bouton-tests --example policies` prints the table in docs/lost-positions.md.

use bouton_match::players::{PlayerFactory, PlayerPreparation, PlayerSpec};
use bouton_match::tournament::{Conditions, Fixture};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::{Outcome, Solved};
use rayon::prelude::*;

const POLICIES: [&str; 10] = [
    "longest",
    "trap",
    "takes-one",
    "random",
    "resets",
    "swindle:err:0.05",
    "swindle:misread:0.05",
    "swindle:misread:0.05/last",
    "swindle:0.5*misread+0.5*err:0.05",
    "adapt",
];
/// The number of games from each start.
const GAMES_PER_START: usize = 200;
const OPPONENTS: [&str; 8] = [
    "misread/first",
    "misread/fastest",
    "misread",
    "misread/last",
    "misread/random/last",
    "err:0.05",
    "err:0.3/random",
    "perfect",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = ExpandingKeys::default().rules()?;
    let starts: Vec<_> = (1..1000).map(|stones| rules.start(stones)).collect();
    let mut preparation = PlayerPreparation::new(rules.clone(), starts.clone(), None, &());
    let solution = preparation.solved()?;
    let mut fixtures = Vec::new();
    for (start, position) in starts.iter().enumerate() {
        // Player 0 gets the losing side.
        let is_lost = solution.get().outcome(position)? == Outcome::Loss;
        let players = if is_lost { [0, 1] } else { [1, 0] };
        fixtures.extend((0..GAMES_PER_START).map(|repetition| Fixture {
            number: GAMES_PER_START * start + repetition,
            players,
            start,
        }));
    }
    let names = ["policy".to_owned(), "opponent".to_owned()];
    let conditions = Conditions::new(&rules, &starts, &names);

    let mut output = String::from("| policy |");
    OPPONENTS.iter().for_each(|opponent| output += &format!(" `{opponent}` |"));
    output += &format!("\n|---|{}\n", "---|".repeat(OPPONENTS.len()));
    let factory = |preparation: &mut PlayerPreparation<Expanding>,
                   text: String|
     -> Result<PlayerFactory<Expanding>, Box<dyn std::error::Error>> {
        preparation.factory(&text.parse::<PlayerSpec>()?)
    };
    for policy in POLICIES {
        let mut factories = vec![factory(&mut preparation, format!("table:{policy}"))?];
        output += &format!("| `{policy}` |");
        for opponent in OPPONENTS {
            factories.truncate(1);
            factories.push(factory(&mut preparation, format!("model:{opponent}"))?);
            let won = fixtures.par_iter().filter(|&&fixture| {
                let game = conditions.play(&factories, &mut Default::default(), fixture, &mut |_| {});
                fixture.players[game.ending.winner.index()] == 0
            });
            output += &format!(" {:.0} |", won.count() as f64 / GAMES_PER_START as f64);
        }
        output += "\n";
    }
    std::io::Write::write_all(&mut std::io::stdout(), output.as_bytes())?;
    Ok(())
}
