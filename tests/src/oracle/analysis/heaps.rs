//! What there is to say of a game of heaps.

use serde_json::{Value, json};

use super::period;
use super::theorems::{grundy, theorem};
use crate::oracle::diff;
use crate::oracle::diff::Rules as _;
use crate::oracle::heaps::{Rules, solve};

type Place = <Rules as diff::Rules>::Place;

/// The whole object, but for the digest, and for how many pairs of heaps the Grundy values were checked at,
/// which is the program's choice.
#[must_use]
pub fn told(rules: &Rules) -> Value {
    let known = solve(rules);
    // In natural order, each with its heaps in rows and whether it is lost.
    let positions: Vec<Place> =
        rules.positions().iter().map(|position| rules.place(rules, position)).collect();
    let lost = |place: &Place| !rules.told(&known, place, false).win;
    let losing = positions.iter().filter(|place| lost(place)).count();
    let theory = theorem(rules).map(|theorem| {
        let differs = |place: &&Place| lost(place) != (theorem.is_lost)(&place.rows);
        let outcome = |lost: bool| if lost { "loss" } else { "win" };
        let first = positions.iter().find(differs).map(|place| {
            json!({
                "position": rules.text(rules, place),
                "outcome": outcome(lost(place)),
                "theory": outcome(!lost(place)),
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

/// What there is to say of the Grundy values; `null` where heaps have none by themselves.
fn of_heaps(rules: &Rules) -> Value {
    if rules.misere || rules.passes > 0 || rules.heaps_per_move > 1 {
        return Value::Null;
    }
    let most = rules.bounds.iter().copied().max().expect("a game has a heap");
    let values = grundy(&rules.take, most);
    let period = period(&values);
    json!({
        "values_to": most,
        "greatest": values.iter().max(),
        "preperiod": period.map(|found| found.0),
        "period": period.map(|found| found.1),
    })
}
