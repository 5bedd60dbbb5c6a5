//! How much a table of Expanding Nim takes.

use bouton_tables::Verdict;
use bouton_tables::expanding::{Expanding, Layout};

use super::{Run, WAITING};
use crate::Estimate;

/// Estimates a ruleset.
#[must_use]
pub(crate) fn estimate(rules: &Expanding, depths: bool) -> Estimate {
    // In 128 bits, since the greatest rulesets that are allowed go beyond 64.
    let places = u128::from(rules.stones()) + 1;
    let rows = u128::from(Layout::count_rows(rules));
    let cells = u128::from(rules.positions_per_pair()) / 2;
    let (base, growth) = (u128::from(rules.base_limit()), u128::from(rules.growth()));
    let words = cells.div_ceil(64);
    // Pairs of stones and row: those of currentmax 0, and of each currentmax that has a row of its own.
    let floor = rules.base_limit().saturating_sub(rules.growth());
    let pairs = u128::from(rules.pairs() - rules.pairs_up_to(floor)) + places;

    // What the solver keeps for each place of a row that moves may still reach: a word or a key (of 8 bytes
    // at the most) for each turn and cell. What it hands over for each place, if every line
    // changes there: a byte, or a run.
    let kept = if depths { 2 * cells * 8 } else { 2 * words * 8 };
    let handed = 4 * cells * if depths { size_of::<Run>() as u128 } else { 1 };
    // Rows wait in two batches, each of which may be one row too long; packing takes about as much again.
    let waiting = (pairs * handed).min(WAITING as u128 + places * handed);

    // The file, as tables of many rulesets came out, within a factor of three: lines that reset counts do not
    // tell apart are stored once, some five for each count; nearly all marks and steps are those of a few
    // lines.
    let lines = rows * (5 * cells.isqrt() + 1);
    let usual_limit = base.max(u128::from(floor) + rows * 3 / 5 + growth);
    let mark = u128::from(usual_limit.ilog2()) + 1;
    let outcomes = lines * (4 + usual_limit / 16) + 3 * pairs * mark / (8 * usual_limit);
    let verdicts = if depths { 20 * lines + pairs * 11 / 5 } else { 0 };
    let file = 512 + outcomes + verdicts;

    // Rows that moves may still reach stand in two blocks; the row that is solved now has two windows; and
    // two combinations.
    let solving = (2 * rows.min(growth) + 5) * places * kept + 4 * waiting + 16 * file;
    // A proof holds all verdicts of each currentmax that a move from one leads to.
    let levels = (base.max(growth) + 1).min(u128::from(rules.greatest_currentmax()) + 1);
    let proving = levels * places * 4 * cells * size_of::<Verdict>() as u128 + file;

    let bytes = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
    Estimate {
        positions: rules.positions(),
        steps: bytes(pairs),
        checks: rules.pairs(),
        memory: bytes((32 << 20) + solving),
        proof_memory: bytes((32 << 20) + proving),
        file: bytes(file),
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::Ruleset;
    use bouton_tables::expanding::{ExpandingKeys, MAX_STONES};

    use super::*;
    use crate::generate_in_memory;

    #[test]
    fn the_length_of_the_file_is_estimated_within_a_factor_of_four() {
        for (stones, base, growth, resets) in [
            (1000, 3, 1, [4, 4]),
            (300, 3, 2, [1, 1]),
            (500, 3, 30, [2, 0]),
            (2000, 3, 0, [3, 3]),
            (1000, 40, 40, [7, 7]),
        ] {
            let rules = ExpandingKeys {
                stones,
                base_limit: base,
                growth,
                reset_limit: base,
                resets,
                ..Default::default()
            }
            .rules()
            .unwrap();
            for depths in [false, true] {
                let made =
                    generate_in_memory(&Ruleset::Expanding(rules.clone()), depths).unwrap().len() as u64;
                let guess = estimate(&rules, depths).file;
                assert!(guess < 4 * made && made < 4 * guess, "{rules:?} {depths}: {guess} for {made}");
            }
        }
    }

    #[test]
    fn the_greatest_rulesets_are_estimated_too() {
        for (base, growth) in [(1, MAX_STONES), (MAX_STONES, MAX_STONES), (1, 1), (1, 0)] {
            let rules = ExpandingKeys {
                stones: MAX_STONES,
                base_limit: base,
                growth,
                reset_limit: 1,
                resets: [15, 15],
                ..Default::default()
            }
            .rules()
            .unwrap();
            let estimate = estimate(&rules, true);
            assert!(estimate.memory > 1 << 40 && estimate.proof_memory > 1 << 40, "{estimate:?}");
        }
    }
}
