//! Depths where a move takes certain numbers of stones from one heap.
//!
//! Of what a move leads to, a winner wants the lost position of least depth, and a loser the won one of greatest depth. One
//! number for each position says both, so that the greatest is the best ([`rate`]). A line remembers its last positions, as
//! many as the greatest amount, side by side: one look at each line of a position finds the best move.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use bouton_tables::Outcome;
use bouton_tables::heaps::{Heap, HeapRules, Take};

use super::general::Solved;
use super::planes::{Place, Plane, Planes, ROWS, padded};
use super::{groups_without, reach};
use crate::control::Patience;
use crate::memory::{Grow, filled, filled_with};
use crate::{Census, Control, GenerateError};

/// How good it is to move to a position; the more, the better.
type Rating = i16;

/// There is no such move.
const NONE: Rating = Rating::MIN;

/// Ratings in a word.
const LANES: usize = 4;

/// The greatest depth that a rating can tell.
const DEEPEST: u64 = (Rating::MAX - 1) as u64;

fn rate(depth: u32, is_lost: bool) -> Rating {
    // At most DEEPEST.
    let depth = depth as Rating;
    if is_lost { Rating::MAX - depth } else { NONE + 1 + depth }
}

/// The depth of a position by the best move from it.
fn depth(best: Rating) -> u32 {
    match best {
        NONE => 0,
        lost @ 1.. => (Rating::MAX - lost) as u32 + 1,
        won => (won - NONE - 1) as u32 + 1,
    }
}

fn lanes(word: u64) -> [Rating; LANES] {
    std::array::from_fn(|lane| (word >> (16 * lane)) as Rating)
}

fn greater(one: [Rating; LANES], other: [Rating; LANES]) -> [Rating; LANES] {
    std::array::from_fn(|lane| one[lane].max(other[lane]))
}

fn word_of(ratings: [Rating; LANES]) -> u64 {
    ratings.iter().rev().fold(0, |word, &rating| word << 16 | u64::from(rating as u16))
}

/// The greatest depth that there can be: each move takes a stone, or is a pass.
fn deepest(rules: &HeapRules) -> u64 {
    rules.bounds().iter().copied().map(u64::from).sum::<u64>() + u64::from(rules.passes())
}

/// Bytes that a line takes.
fn bytes_of_line(rules: &HeapRules) -> u64 {
    u64::from(reach(rules)).div_ceil(LANES as u64) * size_of::<u64>() as u64
}

/// Whether a game is solved so. Lines that remember more than there are positions are of a game with few of them.
pub(super) fn fits(rules: &HeapRules) -> bool {
    deepest(rules) <= DEEPEST && memory(rules) <= 8 * u128::from(rules.multisets())
}

/// The memory in which a layer is solved, but for what is known of it then.
pub(super) fn memory(rules: &HeapRules) -> u128 {
    let lines = groups_without(&padded(rules), 1);
    lines * u128::from(bytes_of_line(rules))
}

/// All positions with the same number of passes left, by rank.
pub(super) struct Layer {
    /// Of each position the depth in the upper half, and in the lower one the stones that the best move of a lost one takes:
    /// no more than the greatest depth.
    positions: Vec<AtomicU32>,
    pub(super) census: Census,
}

impl Layer {
    pub(super) fn at(&self, rank: u64) -> Solved {
        let packed = self.positions[rank as usize].load(Relaxed);
        Solved { depth: packed >> 16, stones: packed & 0xFFFF }
    }
}

/// Solves a layer. `passed` is the one of a pass less.
pub(super) fn solve(
    rules: &HeapRules,
    planes: &Planes,
    passed: Option<&Layer>,
    control: &dyn Control,
) -> Result<Layer, GenerateError> {
    let mut amounts = Vec::new();
    rules.take().amounts(rules.greatest()).try_for_each(|amount| amounts.grow(amount))?;
    let reach = reach(rules);
    let words = reach.div_ceil(LANES as u32) as usize;
    let nothing = word_of([NONE; LANES]);
    // Which of the positions that a line remembers can be reached from the one that comes next.
    let reached = |next: usize| {
        let mut ratings = filled(words as u64 * LANES as u64, 0)?;
        for &amount in &amounts {
            ratings[(next + reach as usize - amount as usize) % reach as usize] = -1;
        }
        Ok::<_, GenerateError>(ratings)
    };
    let mut masks = Vec::new();
    if matches!(rules.take(), Take::Exactly(_)) {
        for next in 0..reach as usize {
            for ratings in reached(next)?.as_chunks::<LANES>().0 {
                masks.grow(word_of(*ratings))?;
            }
        }
    }
    let mut solver = Solver {
        rules,
        planes,
        passed,
        reach,
        words,
        lines: filled_with(planes.lines.count().saturating_mul(words as u64), || AtomicU64::new(nothing))?,
        masks,
        layer: Layer {
            positions: filled_with(planes.all.count(), || AtomicU32::new(0))?,
            census: Census::default(),
        },
        amounts,
    };
    let solve = |plane: &Plane, (): &mut (), patience: &mut Patience| match (words, solver.masks.is_empty()) {
        // The compiler makes much of knowing how few words there are.
        (1, true) => solver.plane::<1, true>(plane, patience),
        (2, true) => solver.plane::<2, true>(plane, patience),
        (1, false) => solver.plane::<1, false>(plane, patience),
        (2, false) => solver.plane::<2, false>(plane, patience),
        (_, true) => solver.plane::<0, true>(plane, patience),
        (_, false) => solver.plane::<0, false>(plane, patience),
    };
    solver.layer.census = planes.solve(ROWS, control, Census::and, solve)?;
    Ok(solver.layer)
}

struct Solver<'a> {
    rules: &'a HeapRules,
    planes: &'a Planes,
    passed: Option<&'a Layer>,
    /// The amounts, ascending.
    amounts: Vec<u32>,
    /// How many positions a line remembers, and in how many words.
    reach: u32,
    words: usize,
    /// For each line, by the rank of the other heaps, the ratings of its last positions. The heap's size, modulo `reach`, is
    /// the place of a rating.
    lines: Vec<AtomicU64>,
    /// For each size of the heap, modulo `reach`, which of the ratings count; empty if all do.
    masks: Vec<u64>,
    layer: Layer,
}

impl Solver<'_> {
    /// Solves a plane. `WORDS` is the number of words of a line, or 0 for any; `ALL` tells that all ratings count.
    #[inline(never)]
    fn plane<const WORDS: usize, const ALL: bool>(
        &self,
        plane: &Plane,
        patience: &mut Patience,
    ) -> Result<Census, GenerateError> {
        let play = self.rules.play();
        let mut census = Census::default();
        let outer: u64 =
            plane.heaps.iter().enumerate().map(|(place, &heap)| self.planes.all.part(place, heap)).sum();
        for row in plane.rows.clone() {
            let sizes = row.min(self.planes.least) + 1;
            patience.spend(sizes as usize * (4 + plane.heaps.len() * self.words))?;
            let row_part = self.planes.row_part(row);
            let rank = outer + self.planes.all.part(plane.heaps.len(), row);
            for least in 0..sizes {
                let rank = rank + u64::from(least);
                let position = Place { plane, row, row_part, least };
                let mut best = self.best::<WORDS, ALL>(&position);
                // A pass is not possible at the end.
                let passed = self.passed.filter(|_| !position.is_empty()).map(|passed| {
                    let depth = passed.at(rank).depth;
                    rate(depth, play.outcome_at_depth(depth) == Outcome::Loss)
                });
                best = best.max(passed.unwrap_or(NONE));
                let depth = depth(best);
                let is_lost = play.outcome_at_depth(depth) == Outcome::Loss;
                let stones = match best {
                    _ if !is_lost || best == NONE || passed == Some(best) => 0,
                    best => self.fewest(&position, best),
                };
                census.wins += u64::from(!is_lost);
                census.deepest = census.deepest.max(depth);
                self.layer.positions[rank as usize].store(depth << 16 | stones, Relaxed);
                self.remember(&position, rate(depth, is_lost));
            }
        }
        Ok(census)
    }

    /// Where a line remembers the rating of a position.
    #[inline(always)]
    fn place(&self, line: usize, size: Heap) -> (&AtomicU64, usize) {
        let place = (size % self.reach) as usize;
        (&self.lines[line * self.words + place / LANES], place % LANES)
    }

    /// The best rating of the positions to which a move leads.
    #[inline(always)]
    fn best<const WORDS: usize, const ALL: bool>(&self, position: &Place) -> Rating {
        let words = if WORDS > 0 { WORDS } else { self.words };
        let mut best = [NONE; LANES];
        position.lines(|line, size| {
            let line = &self.lines[line * words..][..words];
            if ALL {
                line.iter().for_each(|word| best = greater(best, lanes(word.load(Relaxed))));
            } else {
                let masks = &self.masks[(size % self.reach) as usize * words..][..words];
                let nothing = word_of([NONE; LANES]);
                for (word, mask) in line.iter().zip(masks) {
                    best = greater(best, lanes(word.load(Relaxed) & mask | nothing & !mask));
                }
            }
        });
        best.into_iter().fold(NONE, Rating::max)
    }

    /// The fewest stones that a move to a position with this rating takes; there is one.
    fn fewest(&self, position: &Place, rating: Rating) -> u32 {
        let mut fewest = u32::MAX;
        position.lines(|line, size| {
            let mut amounts = self.amounts.iter().copied().take_while(|&amount| amount <= size.min(fewest));
            let found = amounts.find(|amount| {
                let (word, lane) = self.place(line, size - amount);
                lanes(word.load(Relaxed))[lane] == rating
            });
            fewest = found.unwrap_or(fewest);
        });
        fewest
    }

    /// Tells all lines of a position its rating.
    #[inline(always)]
    fn remember(&self, position: &Place, rating: Rating) {
        position.lines(|line, size| {
            let (word, lane) = self.place(line, size);
            let shift = 16 * lane;
            let others = word.load(Relaxed) & !(0xFFFF << shift);
            word.store(others | u64::from(rating as u16) << shift, Relaxed);
        });
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::Ranks;

    use super::super::general;
    use super::super::general::tests::{agree, games};
    use super::*;

    #[test]
    fn positions_are_solved_as_they_are_move_by_move() {
        let takes = [
            Take::UpTo(1),
            Take::UpTo(4),
            Take::UpTo(5),
            Take::UpTo(11),
            Take::UpTo(1000),
            Take::exactly(vec![1, 2, 5, 12]),
            Take::exactly(vec![2, 4, 7]),
            Take::exactly(vec![3]),
            Take::exactly(vec![5, 60]),
        ];
        let bounds: [&[Heap]; 8] =
            [&[90], &[1], &[9, 40], &[9, 9, 9], &[2, 5, 14], &[7, 7, 7, 7], &[1, 1, 4, 6], &[2; 6]];
        for rules in &games(&bounds, &takes) {
            let ranks = Ranks::try_new(rules.bounds()).expect("few positions");
            let planes = Planes::new(rules).expect("few positions");
            let expected = general::solve(rules, &ranks, &()).expect("enough memory");
            let mut layers: Vec<Layer> = Vec::new();
            for (passes, expected) in expected.iter().enumerate() {
                let layer = solve(rules, &planes, layers.last(), &()).expect("enough memory");
                agree(rules, &ranks, passes, |rank| layer.at(rank), expected);
                let mut census = Census::default();
                for found in (0..ranks.count()).map(|rank| layer.at(rank)) {
                    census.wins += u64::from(!found.is_lost(rules.play()));
                    census.deepest = census.deepest.max(found.depth);
                }
                assert_eq!(layer.census, census, "{rules:?}");
                layers.push(layer);
            }
        }
    }

    #[test]
    fn the_greatest_rating_is_the_best() {
        let deepest = DEEPEST as u32;
        let ratings =
            [rate(0, true), rate(1, true), rate(deepest, true), rate(deepest, false), rate(1, false)];
        assert!(ratings.is_sorted_by(|one, other| one > other), "{ratings:?}");
        assert!(rate(0, false) > NONE);
        assert_eq!(ratings.map(depth), [1, 2, deepest + 1, deepest + 1, 2]);
        assert_eq!(depth(NONE), 0);
        assert_eq!(lanes(word_of([1, -2, Rating::MAX, NONE])), [1, -2, Rating::MAX, NONE]);
    }
}
