//! Counts the lost starts that each policy wins against each kind of opponent: the preset's game with 1 to 999
//! stones; the losing side of each start plays it many times with different seeds.
//!
//! `cargo run --release -p bouton-tests --example field` prints the table in docs/lost-positions.md.

use bouton_match::players::{Cast, PlayerFactory, PlayerSpec};
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
const TIMES: usize = 200;
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
    let mut cast = Cast::new(rules.clone(), starts.clone(), &());
    let solution = cast.solved()?;
    let mut fixtures = Vec::new();
    for (start, position) in starts.iter().enumerate() {
        // Player 0 gets the side that has lost.
        let lost = solution.get().outcome(position)? == Outcome::Loss;
        let players = if lost { [0, 1] } else { [1, 0] };
        fixtures.extend((0..TIMES).map(|time| Fixture { number: TIMES * start + time, players, start }));
    }
    let names = ["policy".to_owned(), "opponent".to_owned()];
    let conditions = Conditions::new(&rules, &starts, &names);

    let mut out = String::from("| policy |");
    OPPONENTS.iter().for_each(|opponent| out += &format!(" `{opponent}` |"));
    out += &format!("\n|---|{}\n", "---|".repeat(OPPONENTS.len()));
    let maker = |cast: &mut Cast<Expanding>,
                 text: String|
     -> Result<PlayerFactory<Expanding>, Box<dyn std::error::Error>> {
        Ok(cast.maker(&text.parse::<PlayerSpec>()?)?)
    };
    for policy in POLICIES {
        let mut makers = vec![maker(&mut cast, format!("table:{policy}"))?];
        out += &format!("| `{policy}` |");
        for opponent in OPPONENTS {
            makers.truncate(1);
            makers.push(maker(&mut cast, format!("model:{opponent}"))?);
            let turned = fixtures.par_iter().filter(|&&fixture| {
                let game = conditions.play(&makers, fixture, &mut |_| {});
                fixture.players[game.ending.winner.index()] == 0
            });
            out += &format!(" {:.0} |", turned.count() as f64 / TIMES as f64);
        }
        out += "\n";
    }
    std::io::Write::write_all(&mut std::io::stdout(), out.as_bytes())?;
    Ok(())
}
