//! The expected report on a heap game.

use serde_json::{Value, json};

use super::period;
use super::theorems::{grundy, theorem};
use crate::oracle::diff;
use crate::oracle::diff::Rules as _;
use crate::oracle::heaps::{Rules, Take, solve};

type Board = <Rules as diff::Rules>::Board;

/// Returns the whole report, except the digest and the number of pairs of heaps at which the program checked the
/// Grundy values: the program chooses that number.
#[must_use]
pub fn report(rules: &Rules) -> Value {
    let solution = solve(rules);
    // All positions in natural order, with their heaps in rows.
    let positions: Vec<Board> =
        rules.positions().iter().map(|position| rules.board(rules, position)).collect();
    let lost = |board: &Board| !rules.answer(&solution, board, false).win;
    let losing = positions.iter().filter(|board| lost(board)).count();
    let theory = theorem(rules).map(|theorem| {
        let differs = |board: &&Board| lost(board) != (theorem.is_lost)(&board.rows);
        let outcome = |lost: bool| if lost { "loss" } else { "win" };
        let first = positions.iter().find(differs).map(|board| {
            json!({
                "position": rules.text(rules, board),
                "outcome": outcome(lost(board)),
                "theory": outcome(!lost(board)),
            })
        });
        json!({
            "name": theorem.name,
            "applies": theorem.applies,
            "checked": positions.len(),
            "exceptions": positions.iter().filter(differs).count(),
            "first_exception": first,
        })
    });
    json!({
        "game": "heaps",
        "rules": rules.keys(),
        "positions": positions.len(),
        "losing": losing,
        "density": losing as f64 / positions.len() as f64,
        "theory": theory,
        "grundy": of_heaps(rules),
    })
}

/// Returns the report on the Grundy values; `null` if single heaps have no Grundy values in this game.
fn of_heaps(rules: &Rules) -> Value {
    if rules.misere || rules.passes > 0 || rules.heaps_per_move > 1 {
        return Value::Null;
    }
    let most = rules.bounds.iter().copied().max().expect("a game has a heap");
    let values = grundy(&rules.take, most);
    let period = period(&values);
    // With a period, the last `repeated` values repeat earlier ones. A value depends only on the `amount` values before
    // it, where `amount` is the most that a move may take. Once that many values in a row repeat, all later ones do.
    let repeated = period.map_or(0, |(preperiod, period)| values.len() - preperiod - period);
    let greatest_amount = match &rules.take {
        Take::Any => None,
        Take::UpTo(limit) => Some(*limit),
        Take::Exactly(amounts) => amounts.iter().copied().max(),
    };
    let for_ever = greatest_amount.is_some_and(|amount| period.is_some() && repeated >= amount as usize);
    let listed = period.map_or(values.len(), |(preperiod, period)| preperiod + period).min(1000);
    json!({
        "values_to": most,
        "greatest": values.iter().max(),
        "preperiod": period.map(|found| found.0),
        "period": period.map(|found| found.1),
        "for_ever": for_ever,
        "values": values[..listed],
    })
}
