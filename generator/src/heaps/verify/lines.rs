//! The best successor of each position, from running bests of lines instead of move by move.
//!
//! Problem: a position has as many successors as moves, up to a million. Idea: the moves in one direction lead along a
//! *line*, whose positions come by one after another if positions are visited by rank. So one [`Best`] for each line
//! stands for all its positions so far. A position asks each of its lines, and then joins it.
//!
//! Which lines there are depends on the moves. Write R(x, S) for the best position that a move from x reaches by taking
//! from each of the heaps S, and from no other.
//! - A move may take different numbers. It first takes t from a heap i of S, and then from the others. So R(x, S) is
//!   the best of R(x - t from i, S without i) over all t, and R(x, no heap) is x itself. The line of i and of the
//!   *marked* heaps S without i keeps the best of these.
//! - A move takes the same number from all of S. Then the line is a diagonal, and keeps the best of its positions.
//!
//! Both kinds are numbered alike: by the heaps other than i, and which of them are marked. On a diagonal, i is the least
//! heap of S, and the others of S are lowered until i is empty. The *place* on the line is the size of i. In Wythoff's
//! game the position 5,3 is at place 5 of the line 3, at place 3 of the line 5, and at place 3 of the diagonal 2 (marked).
//!
//! Cost: a step for each set of heaps and each heap in it: 16 for up to two of four heaps, which have up to 24,066 moves if
//! a heap has up to 63 stones. If takes are limited, each line also stores its last places: [`Window`].

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Ranks, Take, multisets_within};

use crate::making::GenerateError;
use crate::memory::{Grow, filled};

/// The best of some positions for the player who moves to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Best {
    /// Least depth of a lost position; `u32::MAX` if none is lost.
    pub(super) least_lost: u32,
    /// The greatest depth and, of positions of this depth, the most stones: depth × 2^34 + stones + 1. 0 if there is no
    /// position. A position has at most 16 × 10^9 stones, less than 2^34.
    greatest: u64,
}

const STONE_BITS: u32 = 34;

impl Best {
    /// The best of no position.
    pub(super) const NONE: Self = Self { least_lost: u32::MAX, greatest: 0 };

    /// Returns the best of one position. Without depths, all depths are 0.
    pub(super) fn of(is_lost: bool, depth: u32, stones: u64) -> Self {
        let least_lost = if is_lost { depth } else { u32::MAX };
        Self { least_lost, greatest: u64::from(depth) << STONE_BITS | (stones + 1) }
    }

    /// Returns the best of two sets of positions together.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            least_lost: self.least_lost.min(other.least_lost),
            greatest: self.greatest.max(other.greatest),
        }
    }

    /// Returns the greatest depth and, of positions of this depth, the most stones; `None` if there is no position.
    pub(super) fn greatest(self) -> Option<(u32, u64)> {
        let stones = (self.greatest & ((1 << STONE_BITS) - 1)).checked_sub(1)?;
        Some(((self.greatest >> STONE_BITS) as u32, stones))
    }
}

/// The places of a line that moves from a place reach, and the bests that the line stores for them.
enum Window<'a> {
    /// All lesser places: one best.
    All,
    /// At most this many lesser places, fewer than the greatest bound.
    ///
    /// Places come in blocks of this number. After the best of the block's places so far, the line stores a best for each
    /// index of a block: of this place alone if the place is in the present block; otherwise of this place and the
    /// later ones of its block. So two bests cover the last n places: one of the block before, and the first. With n = 3, from
    /// place 7: the best stored for index 1 is of the places 4 and 5, and the first one is of place 6.
    Last(usize),
    /// Lesser places at one of these distances, in ascending order: the last places up to the greatest distance.
    At(&'a [Heap]),
}

impl<'a> Window<'a> {
    fn new(rules: &'a HeapRules) -> Self {
        match rules.take() {
            Take::UpTo(most) if *most < rules.greatest_bound() => Self::Last(*most as usize),
            Take::Any | Take::UpTo(_) => Self::All,
            take @ Take::Exactly(amounts) => {
                Self::At(&amounts[..take.count(rules.greatest_bound()) as usize])
            }
        }
    }

    /// Returns the number of bests of a line.
    fn len(&self) -> usize {
        match self {
            Self::All => 1,
            Self::Last(most) => 1 + most,
            Self::At(amounts) => amounts.last().map_or(0, |&most| most as usize),
        }
    }

    /// Returns the best that moves from a place reach.
    #[inline]
    fn best(&self, line: &[Best], place: usize) -> Best {
        match self {
            Self::All => line[0],
            Self::Last(most) => line[0].and(line[1 + place % most]),
            Self::At(amounts) => {
                let reached = amounts.iter().take_while(|&&amount| amount as usize <= place);
                let best = |amount: &Heap| line[(place - *amount as usize) % line.len()];
                reached.map(best).fold(Best::NONE, Best::and)
            }
        }
    }

    /// Adds the next place. Adding the same place twice changes nothing.
    #[inline]
    fn add(&self, line: &mut [Best], place: usize, best: Best) {
        match self {
            Self::All => line[0] = line[0].and(best),
            Self::Last(most) => {
                line[0] = line[0].and(best);
                line[1 + place % most] = best;
                if place % most == most - 1 {
                    line[0] = Best::NONE;
                    for index in (1..*most).rev() {
                        line[index] = line[index].and(line[index + 1]);
                    }
                }
            }
            Self::At(_) if line.is_empty() => {}
            Self::At(_) => {
                let index = place % line.len();
                line[index] = best;
            }
        }
    }
}

/// A direction of lines through a position. Sets of heaps are bit sets of indexes.
struct Direction {
    /// Index of the heap i.
    heap: usize,
    /// The marked heaps.
    marked: usize,
    /// Number of the set of marked heaps among the others, if these stay in order.
    marks: usize,
    /// The marked heaps are lowered along the line.
    is_diagonal: bool,
    /// The line keeps the best positions that a move reaches by taking from this set.
    of: usize,
    /// The set from which the moves along the line take, unless another direction serves for this set.
    taken: Option<usize>,
    /// Taking from this set alone is a move.
    is_move: bool,
}

/// A heap that a line leaves alone. The greatest comes first, and of equal ones, those that are marked.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Other {
    size: Heap,
    is_marked: bool,
}

/// All lines of a game, with the positions that have been visited.
pub(super) struct Lines<'a> {
    /// Ranks of all heaps except one.
    ranks: Ranks,
    window: Window<'a>,
    directions: Vec<Direction>,
    /// For each set of indexes of the other heaps, its number among the sets that can be marked.
    mark_numbers: Vec<u32>,
    /// Number of sets that can be marked.
    marks: usize,
    /// The bests of each line, by passes left, rank of the other heaps, and marks.
    bests: Vec<Best>,
    /// Number of bests for each number of passes left.
    layer_len: usize,
    /// For each heap of the present position, the rank of the others.
    other_ranks: Vec<usize>,
    /// For each direction, the index of the first best of the line through the present position, without passes, and the
    /// position's place.
    present: Vec<(usize, usize)>,
    /// For each set of heaps, R(x, S) of the present position x.
    reached: Vec<Best>,
}

/// Returns the number of sets of at most `most` of `heaps` heaps.
fn sets(heaps: usize, most: usize) -> u64 {
    (0..1_u32 << heaps).filter(|set| set.count_ones() as usize <= most).count() as u64
}

impl<'a> Lines<'a> {
    /// Returns the number of bests for each number of passes left.
    fn layer_len(rules: &HeapRules) -> u128 {
        let of_others = Window::new(rules).len() as u128
            * u128::from(sets(rules.heaps() - 1, rules.heaps_per_move() - 1));
        u128::from(multisets_within(&rules.bounds()[1..]).unwrap_or(u64::MAX)).saturating_mul(of_others)
    }

    /// Returns the bytes of the lines of a game.
    pub(super) fn bytes(rules: &HeapRules) -> u128 {
        let all = Self::layer_len(rules).saturating_mul(u128::from(rules.passes()) + 1);
        let directions =
            u128::from(sets(rules.heaps() - 1, rules.heaps_per_move() - 1)) * rules.heaps() as u128;
        let of_direction = (size_of::<Direction>() + size_of::<(usize, usize)>()) as u128;
        let of_sets = ((size_of::<Best>() + size_of::<u32>()) as u128) << rules.heaps();
        all.saturating_mul(size_of::<Best>() as u128).saturating_add(directions * of_direction + of_sets)
    }

    pub(super) fn new(rules: &'a HeapRules) -> Result<Self, GenerateError> {
        let (heaps, most) = (rules.heaps(), rules.heaps_per_move());
        let mut mark_numbers = filled(1 << (heaps - 1), 0_u32)?;
        let markable = (0..1_usize << (heaps - 1)).filter(|set| (set.count_ones() as usize) < most);
        for (number, set) in (0..).zip(markable) {
            mark_numbers[set] = number;
        }
        let mut directions = Vec::new();
        for set in 1..1_usize << heaps {
            let count = set.count_ones() as usize;
            let is_move = rules.heap_counts().allows(count);
            // Heaps are in descending order.
            let (first, last) = (set.trailing_zeros() as usize, set.ilog2() as usize);
            for heap in (first..=last).filter(|heap| set >> heap & 1 == 1) {
                let marked = set & !(1 << heap);
                let among_others = marked & ((1 << heap) - 1) | marked >> (heap + 1) << heap;
                let (of, is_taken) =
                    if rules.equal_take() { (0, heap == last) } else { (marked, heap == first) };
                // One line serves for all positions of a diagonal.
                let is_needed = if rules.equal_take() { is_taken && is_move } else { count <= most };
                if is_needed {
                    directions.grow(Direction {
                        heap,
                        marked,
                        marks: mark_numbers[among_others] as usize,
                        is_diagonal: rules.equal_take() && marked > 0,
                        of,
                        taken: is_taken.then_some(set),
                        is_move,
                    })?;
                }
            }
        }
        let layer_len = u64::try_from(Self::layer_len(rules)).map_err(|_| GenerateError::Memory)?;
        let all = layer_len.checked_mul(u64::from(rules.passes()) + 1).ok_or(GenerateError::Memory)?;
        Ok(Self {
            bests: filled(all, Best::NONE)?,
            layer_len: layer_len as usize,
            other_ranks: filled(heaps as u64, 0)?,
            present: filled(directions.len() as u64, (0, 0))?,
            reached: filled(1 << heaps, Best::NONE)?,
            ranks: Ranks::try_new(&rules.bounds()[1..])?,
            window: Window::new(rules),
            directions,
            mark_numbers,
            marks: sets(heaps - 1, most - 1) as usize,
        })
    }

    /// Returns the number of steps that a position takes.
    pub(super) fn steps(&self) -> usize {
        let amounts = if let Window::At(amounts) = self.window { amounts.len() } else { 0 };
        self.directions.len() * (1 + amounts)
    }

    /// Visits a position, the next one by rank. Its heaps are in descending order; those before the index `changed` are the
    /// same as in the previous position.
    pub(super) fn visit(&mut self, heaps: &Heaps, changed: usize) {
        let least = heaps.len() - 1;
        for (heap, rank) in self.other_ranks.iter_mut().enumerate() {
            if changed < least {
                let others = heaps[..heap].iter().chain(&heaps[heap + 1..]);
                *rank =
                    others.enumerate().map(|(index, &other)| self.ranks.part(index, other) as usize).sum();
            } else if heap < least {
                // The least heap grows by 1.
                *rank += 1;
            }
        }
        for index in 0..self.directions.len() {
            let direction = &self.directions[index];
            let (rank, marks) = if direction.is_diagonal {
                self.diagonal(heaps, direction)
            } else {
                (self.other_ranks[direction.heap], direction.marks)
            };
            let place = heaps[direction.heap] as usize;
            self.present[index] = ((rank * self.marks + marks) * self.window.len(), place);
        }
    }

    /// Returns the rank of a diagonal's other heaps, and the number of its set of marked heaps.
    fn diagonal(&self, heaps: &Heaps, direction: &Direction) -> (usize, usize) {
        let mut others = [Other::default(); MAX_HEAPS];
        let others = &mut others[..heaps.len() - 1];
        for (index, other) in others.iter_mut().enumerate() {
            let index = index + usize::from(index >= direction.heap);
            let is_marked = direction.marked >> index & 1 == 1;
            let lowered = if is_marked { heaps[direction.heap] } else { 0 };
            *other = Other { size: heaps[index] - lowered, is_marked };
        }
        others.sort_unstable_by(|a, b| b.cmp(a));
        let (mut rank, mut marks) = (0, 0);
        for (index, other) in others.iter().enumerate() {
            rank += self.ranks.part(index, other.size) as usize;
            marks |= usize::from(other.is_marked) << index;
        }
        (rank, self.mark_numbers[marks] as usize)
    }

    /// Returns the best position that the moves other than passes reach from the present position.
    pub(super) fn best(&mut self, passes: u8) -> Best {
        let (layer, len) = (self.layer_len * usize::from(passes), self.window.len());
        let mut all = Best::NONE;
        for (direction, &(line, place)) in self.directions.iter().zip(&self.present) {
            if let Some(taken) = direction.taken {
                let first = layer + line;
                let best = self.window.best(&self.bests[first..first + len], place);
                self.reached[taken] = best;
                if direction.is_move {
                    all = all.and(best);
                }
            }
        }
        all
    }

    /// Adds the present position to its lines, after [`Lines::best`] with the same passes.
    pub(super) fn add(&mut self, passes: u8, own: Best) {
        let (layer, len) = (self.layer_len * usize::from(passes), self.window.len());
        self.reached[0] = own;
        for (direction, &(line, place)) in self.directions.iter().zip(&self.present) {
            let first = layer + line;
            self.window.add(&mut self.bests[first..first + len], place, self.reached[direction.of]);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use bouton_tables::heaps::{HeapCounts, HeapKeys, Position};

    use super::*;
    use crate::proof::PlainRules;

    /// Gives each position a verdict from a sequence that looks random. At each position, compares the best that the lines
    /// find with the best of all moves. Returns the number of positions.
    fn compare_with_moves(rules: &HeapRules) -> u64 {
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        let mut lines = Lines::new(rules).unwrap();
        let (mut bests, mut random) = (HashMap::new(), 1_u64);
        let (mut heaps, mut changed) = (Heaps::new().padded(rules.heaps()), 0);
        loop {
            lines.visit(&heaps, changed);
            for passes in 0..=rules.passes() {
                let position = Position { heaps, passes };
                let mut expected = Best::NONE;
                rules.each_move(&position, |_, stones, next| {
                    if stones > 0 {
                        expected = expected.and(bests[&(next.heaps.descending(), passes)]);
                    }
                });
                assert_eq!(lines.best(passes), expected, "{rules:?}: {position:?}");
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let (is_lost, depth) = (random >> 61 == 0, (random >> 40) as u32 % 16);
                let own = Best::of(is_lost, depth, heaps.iter().map(|&heap| u64::from(heap)).sum());
                lines.add(passes, own);
                bests.insert((heaps, passes), own);
            }
            let Some(first) = ranks.advance(&mut heaps) else { return bests.len() as u64 };
            changed = first;
        }
    }

    #[test]
    fn lines_find_the_best_of_all_moves_whatever_the_verdicts() {
        let takes = [
            Take::Any,
            Take::UpTo(1),
            Take::UpTo(2),
            Take::UpTo(3),
            Take::UpTo(9),
            Take::exactly(vec![1, 3]),
            Take::exactly(vec![2, 5, 6]),
            Take::exactly(vec![20]),
        ];
        let mut positions = 0;
        for bounds in [&[9][..], &[5, 5], &[3, 11], &[3, 3, 3], &[1, 4, 7], &[2, 2, 5, 5], &[1, 1, 2, 2, 3]] {
            for set in 1_u32..1 << bounds.len() {
                let counts: Vec<u32> = (1..=16).filter(|count| set >> (count - 1) & 1 == 1).collect();
                for take in &takes {
                    for (equal_take, passes) in [(false, 0), (true, 0), (false, 2), (true, 1)] {
                        let keys = HeapKeys {
                            bounds: bounds.to_vec(),
                            take: take.clone(),
                            heaps_per_move: HeapCounts::exactly(&counts).unwrap(),
                            equal_take,
                            passes,
                            ..Default::default()
                        };
                        // A game from one heap only has no equal takes.
                        if let Ok(rules) = keys.rules() {
                            positions += compare_with_moves(&rules);
                        }
                    }
                }
            }
        }
        assert!(positions > 100_000, "{positions}");
    }
}
