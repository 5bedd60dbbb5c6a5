//! Small games whose tables together have every kind of body that the generator writes.

use bouton_tables::Play;
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::heaps::{HeapKeys, HeapRules, Take};

/// Returns games of Expanding Nim: stones, base limit, growth, reset limit, resets, and play.
///
/// # Panics
/// Never: the rules are allowed.
#[must_use]
pub fn expanding() -> Vec<Expanding> {
    let games = [
        (60, 3, 1, 3, [1, 1], Play::Normal),
        // Bit masks of two words.
        (160, 70, 1, 66, [1, 0], Play::Misere),
        // A single row.
        (50, 4, 0, 2, [2, 1], Play::Misere),
        // Lists of marks, lines that refer to others, and a limit that grows by several rows at once.
        (200, 3, 4, 1, [2, 2], Play::Normal),
        // A single row, in which a move may take everything.
        (90, 1, 1000, 1, [0, 0], Play::Normal),
    ];
    let rules = |(stones, base, growth, limit, resets, play)| {
        ExpandingKeys { stones, base_limit: base, growth, reset_limit: limit, resets, play }
            .rules()
            .expect("allowed rules")
    };
    games.map(rules).to_vec()
}

/// Bounds, take, heaps-per-move, equal-take, passes, and play.
type Heaps = (&'static [u32], Take, u32, bool, u32, Play);

/// Returns heap games.
///
/// # Panics
/// Never: the rules are allowed.
#[must_use]
pub fn heaps() -> Vec<HeapRules> {
    let exactly = |amounts: &[u32]| Take::exactly(amounts.to_vec());
    let games: [Heaps; 14] = [
        // Only targets.
        (&[3, 5, 7], Take::Any, 1, false, 0, Play::Misere),
        (&[9, 9], Take::Any, 1, false, 2, Play::Normal),
        (&[1; 16], Take::Any, 1, false, 1, Play::Normal),
        // A stem, a level, and targets.
        (&[7; 4], Take::Any, 1, false, 0, Play::Normal),
        // A stem and a level; a stem and several levels.
        (&[12; 2], exactly(&[1, 3, 4]), 1, false, 0, Play::Normal),
        (&[8; 4], Take::UpTo(3), 1, false, 0, Play::Normal),
        // A stem of all heaps; an empty stem.
        (&[2, 5, 9], Take::UpTo(2), 1, false, 1, Play::Misere),
        (&[30], exactly(&[2, 5]), 1, false, 3, Play::Normal),
        // Moves from several heaps.
        (&[9; 2], Take::Any, 2, true, 0, Play::Normal),
        (&[2, 3, 3], Take::UpTo(2), 2, false, 0, Play::Misere),
        // In turn: a separate greatest size; a stem for each number of passes left; heaps in descending order; cut
        // levels.
        (&[1, 3, 30], Take::Any, 1, false, 1, Play::Misere),
        (&[7; 5], Take::Any, 1, false, 1, Play::Normal),
        (&[19; 4], exactly(&[1, 2, 5, 12]), 1, false, 0, Play::Normal),
        (&[63; 2], exactly(&[2, 4, 7]), 1, false, 0, Play::Normal),
    ];
    let rules = |(bounds, take, per_move, equal, passes, play): Heaps| {
        HeapKeys {
            bounds: bounds.to_vec(),
            take,
            heaps_per_move: per_move.into(),
            equal_take: equal,
            passes,
            play,
        }
        .rules()
        .expect("allowed rules")
    };
    games.map(rules).to_vec()
}

#[cfg(test)]
mod tests {
    use bouton_generator::generate_in_memory;
    use bouton_tables::heaps::ArrayLayout;
    use bouton_tables::{Ruleset, Table};

    use super::*;

    #[test]
    fn games_of_heaps_have_tables_of_each_layout() {
        let layout = |rules: &HeapRules| {
            let file = generate_in_memory(&Ruleset::Heaps(rules.clone()), true).unwrap();
            Table::open(file).unwrap().header().layout.clone()
        };
        let layouts: Vec<ArrayLayout> = heaps().iter().map(layout).collect();
        assert!(layouts.contains(&ArrayLayout::default()));
        assert!(layouts.iter().any(|layout| layout.greatest.is_some()), "{layouts:?}");
        assert!(layouts.iter().any(|layout| !layout.stems.is_empty()), "{layouts:?}");
        assert!(layouts.iter().any(|layout| !layout.cuts.is_empty()), "{layouts:?}");
        assert!(layouts.iter().any(|layout| layout.is_descending), "{layouts:?}");
    }
}
