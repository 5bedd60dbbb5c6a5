//! The common positions and moves of two rulesets of Expanding Nim.

use bouton_tables::TooManyPositions;
use bouton_tables::expanding::{Expanding, ExpandingRegion, Position, Turn};

use crate::diff::{Bin, Comparable, Overlap, OverlapAxis};

impl Comparable for Expanding {
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<Overlap<'a, Self>, TooManyPositions> {
        let region = |turns: &[Turn]| ExpandingRegion::common(&[a, b], turns);
        let compared = region(&[Turn::First])?;
        let (stones, [first, second]) = (compared.stones(), compared.resets());
        let pairs = (0..=first).flat_map(|first| (0..=second).map(move |second| [first, second]));
        let pair_index = move |position: &Position| {
            let [first, of_second] = position.resets.map(usize::from);
            first * (usize::from(second) + 1) + of_second
        };
        let axes = vec![
            OverlapAxis::ranges("stones", stones, |position: &Position| position.stones),
            OverlapAxis::ranges(
                "currentmax",
                compared.greatest_currentmax().into(),
                |position: &Position| position.currentmax.into(),
            ),
            OverlapAxis {
                name: "resets",
                bins: pairs.map(|resets| Bin::Resets { resets }).collect(),
                bin_index: Box::new(pair_index),
            },
            OverlapAxis {
                name: "imposed",
                bins: [false, true].map(|imposed| Bin::Imposed { imposed }).to_vec(),
                bin_index: Box::new(|position| position.imposed.into()),
            },
        ];
        Ok(Overlap {
            rules: [a, b],
            fewer_heaps: 0,
            // If both players have the same resets, the positions with player 2 to move mirror those with player 1 to move.
            turn_2: (first != second).then(|| region(&[Turn::Second])).transpose()?,
            reachable: region(&[Turn::First, Turn::Second])?,
            compared,
            axes,
            pairs_of_starts: stones,
            range_of_starts: [1, stones],
            starts_in_words: ["1 to N stones, each game with its own resets", "stones"],
            knows_distances: false,
        })
    }

    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Position; 2])> {
        (from + 1..=overlap.compared.stones())
            .map(|stones| (stones, overlap.rules.map(|rules| rules.start(stones))))
    }

    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Position> {
        let resets = overlap.compared.resets();
        let start = move |stones| Position { resets, ..overlap.rules[0].start(stones) };
        (1..=overlap.compared.stones()).map(start)
    }
}
