//! Games in which a move takes any number of stones from each of several heaps, or the same number from each.
//!
//! From some heaps chosen, a move leads into a *box*: no chosen heap is greater than before, and the others stay. The best
//! that a box offers is the best of its corner, the position itself, and of the boxes that begin one stone lower in one of
//! the chosen heaps. Where a move takes the same from each heap, the box is a diagonal, and goes on one stone lower in all
//! of them. So a position costs a few words for each choice of heaps, however many moves it has.
//!
//! Of equal heaps it does not matter which are chosen. What a choice offers is found for the last of them, from which a
//! stone can be taken without putting the heaps in another order, and written for all.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Move, Position, Ranks, Take};
use bouton_tables::{Game, Play};

use super::by_passes;
use super::general::{Layer, Solved};
use crate::control::{Patience, check};
use crate::memory::filled_with;
use crate::{Control, GenerateError, parallel};

/// Choices of heaps and ways in which heaps can be equal that are listed at the most.
const MOST_LISTED: u64 = 1 << 22;
/// Blocks along a side.
const BLOCKS: Heap = 64;

/// Whether a game is solved so: with very many choices of heaps this is no faster than to look at each move.
pub(super) fn fits(rules: &HeapRules) -> bool {
    rules.heaps_per_move() > 1
        && *rules.take() == Take::Any
        && choices(rules.heaps(), rules.heaps_per_move(), rules.equal_take()) << (rules.heaps() - 1)
            <= MOST_LISTED
}

/// Bytes for each position, but for its own.
pub(super) fn bytes(rules: &HeapRules) -> u64 {
    let choices = choices(rules.heaps(), rules.heaps_per_move(), rules.equal_take());
    choices * (size_of::<AtomicU32>() + size_of::<AtomicU64>()) as u64
}

/// In how many ways so many heaps can be chosen: as many as a move may take from, or with equal takes that many or fewer.
fn choices(heaps: usize, chosen: usize, equal: bool) -> u64 {
    let mut of_size = 1;
    let mut sum = 0;
    for size in 1..=chosen {
        of_size = of_size * (heaps - size + 1) as u64 / size as u64;
        sum = if equal { sum + of_size } else { of_size };
    }
    sum
}

/// Choices of heaps, as sets of bits: that of the heap at place 0, the greatest, is the lowest.
struct Choices {
    all: Vec<u32>,
    /// For each way in which heaps can be equal, and each choice, the number of the choice that has the last of equal heaps
    /// instead. Bit `p` of the way says that the heaps at places p and p + 1 are equal.
    last: Vec<u32>,
}

impl Choices {
    fn new(rules: &HeapRules) -> Self {
        let (heaps, most) = (rules.heaps() as u32, rules.heaps_per_move() as u32);
        let least = if rules.equal_take() { 1 } else { most };
        let all: Vec<u32> =
            (1_u32..1 << heaps).filter(|choice| (least..=most).contains(&choice.count_ones())).collect();
        let last_of = |ways: u32, choice: u32| {
            let (mut last, mut begin) = (0, 0);
            for place in 0..heaps {
                if ways >> place & 1 == 0 {
                    // Equal heaps end here.
                    let run = (2 << place) - (1 << begin);
                    let chosen = (choice & run).count_ones();
                    last |= run & !((1_u32 << (place + 1 - chosen)) - 1);
                    begin = place + 1;
                }
            }
            all.binary_search(&last).expect("it chooses as many heaps") as u32
        };
        let ways = 0..1 << (heaps - 1);
        let last = ways.flat_map(|ways| all.iter().map(move |&choice| last_of(ways, choice))).collect();
        Self { all, last }
    }

    /// For each choice the number of the one that is to be looked at instead.
    fn last(&self, heaps: &[Heap]) -> &[u32] {
        let equal =
            heaps.windows(2).enumerate().map(|(place, pair)| usize::from(pair[0] == pair[1]) << place);
        let ways: usize = equal.sum();
        &self.last[ways * self.all.len()..][..self.all.len()]
    }
}

/// The best positions of a box.
#[derive(Clone, Copy)]
struct Offers {
    /// The least depth of a lost position; [`u32::MAX`] if there is none.
    lost: u32,
    /// The greatest depth of a won position, plus one, in the upper half; in the lower one the greatest number of stones of
    /// those that have it. 0 if there is none.
    won: u64,
}

impl Offers {
    const NONE: Self = Self { lost: u32::MAX, won: 0 };

    fn or(self, other: Self) -> Self {
        Self { lost: self.lost.min(other.lost), won: self.won.max(other.won) }
    }

    /// Those of a single position.
    fn of(solved: Solved, stones: u64, play: Play) -> Self {
        if solved.is_lost(play) {
            Self { lost: solved.depth, won: 0 }
        } else {
            Self { lost: u32::MAX, won: u64::from(solved.depth + 1) << 32 | stones }
        }
    }

    /// What follows for a position of so many stones.
    fn solved(self, stones: u64) -> Solved {
        match self {
            Self { lost: u32::MAX, won: 0 } => Solved { depth: 0, stones: 0 },
            Self { lost: u32::MAX, won } => {
                Solved { depth: (won >> 32) as u32, stones: (stones - (won & u64::from(u32::MAX))) as u32 }
            }
            // What a winning move takes is not asked for.
            Self { lost, .. } => Solved { depth: lost + 1, stones: 0 },
        }
    }
}

/// Solves all positions: a layer for each number of passes left, from none up. Progress is counted in positions.
pub(super) fn solve(
    rules: &HeapRules,
    ranks: &Ranks,
    control: &dyn Control,
) -> Result<Vec<Layer>, GenerateError> {
    let choices = Choices::new(rules);
    by_passes(rules, |passes, passed| {
        let boxes = ranks.count().saturating_mul(choices.all.len() as u64);
        let solver = Solver {
            rules,
            ranks,
            passes,
            choices: &choices,
            passed,
            layer: Layer::new(ranks.count())?,
            lost: filled_with(boxes, || AtomicU32::new(u32::MAX))?,
            won: filled_with(boxes, || AtomicU64::new(0))?,
        };
        solver.run(control)?;
        Ok(solver.layer)
    })
}

struct Solver<'a> {
    rules: &'a HeapRules,
    ranks: &'a Ranks,
    passes: u8,
    choices: &'a Choices,
    /// The layer of one pass less.
    passed: Option<&'a Layer>,
    layer: Layer,
    /// The offers of the boxes of each position, by its rank and the number of the choice.
    lost: Vec<AtomicU32>,
    won: Vec<AtomicU64>,
}

impl Solver<'_> {
    /// Solves all positions in blocks of neighbouring sizes of the two greatest heaps. Moves lead to blocks in which neither
    /// is greater: blocks of which the numbers have the same sum do not depend on each other.
    fn run(&self, control: &dyn Control) -> Result<(), GenerateError> {
        let [first, second] = [0, 1].map(|place| self.ranks.bound(place));
        let side = (first / BLOCKS).max(1);
        let [last, last_second] = [first / side, second / side];
        for sum in 0..=last + last_second {
            check(control)?;
            let (least, most) = (sum.saturating_sub(last), (sum / 2).min(last_second));
            parallel::for_each((most + 1).saturating_sub(least) as usize, |piece| {
                let block = least + piece as Heap;
                let sizes = |block: Heap, bound: Heap| block * side..=(block * side + side - 1).min(bound);
                self.block(sizes(sum - block, first), &sizes(block, second), control)
            })?;
        }
        Ok(())
    }

    fn block(
        &self,
        first: impl Iterator<Item = Heap>,
        second: &(impl Iterator<Item = Heap> + Clone),
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        let mut patience = Patience::new(control);
        let mut offers = vec![Offers::NONE; self.choices.all.len()];
        let mut solved = 0;
        for first in first {
            for second in second.clone().take_while(|&second| second <= first) {
                let mut heaps: Heaps = [first, second].into_iter().collect();
                (2..self.ranks.heaps()).for_each(|_| heaps.push(0));
                let mut rank = self.ranks.rank(&heaps);
                while heaps[..2] == [first, second] {
                    patience.spend(2 * offers.len())?;
                    self.solve(&heaps, rank, &mut offers);
                    solved += 1;
                    rank += 1;
                    if rank == self.ranks.count() {
                        break;
                    }
                    self.ranks.advance(&mut heaps);
                }
            }
        }
        control.advance(solved);
        Ok(())
    }

    fn solve(&self, heaps: &Heaps, rank: u64, offers: &mut [Offers]) {
        let stones: u64 = heaps.iter().copied().map(u64::from).sum();
        // By how much the rank is less with one stone less in a heap that is the last of equal ones.
        let mut step = [0; MAX_HEAPS];
        for (place, &heap) in heaps.iter().enumerate().filter(|(_, heap)| **heap > 0) {
            step[place] = self.ranks.part(place, heap) - self.ranks.part(place, heap - 1);
        }
        let last = self.choices.last(heaps);
        let mut best = Offers::NONE;
        for (number, &choice) in self.choices.all.iter().enumerate() {
            if last[number] as usize == number {
                offers[number] = self.below(heaps, rank, &step, number, choice);
                best = best.or(offers[number]);
            }
        }
        if let Some(passed) = self.passed
            && self.rules.is_legal(&Position { heaps: *heaps, passes: self.passes }, Move::PASS)
        {
            best = best.or(Offers::of(passed.at(rank), stones, self.rules.play()));
        }
        let solved = best.solved(stones);
        let own = Offers::of(solved, stones, self.rules.play());
        self.layer.set(rank, solved);
        let at = rank as usize * offers.len();
        let boxes = self.lost[at..].iter().zip(&self.won[at..]);
        for ((lost, won), &last) in boxes.zip(last) {
            let offers = offers[last as usize].or(own);
            // No order between different positions is needed that the end of a parallel section does not give.
            lost.store(offers.lost, Relaxed);
            won.store(offers.won, Relaxed);
        }
    }

    /// What the moves from the chosen heaps lead to.
    fn below(
        &self,
        heaps: &[Heap],
        rank: u64,
        step: &[u64; MAX_HEAPS],
        number: usize,
        choice: u32,
    ) -> Offers {
        let boxes_at = |rank: u64| {
            let at = rank as usize * self.choices.all.len() + number;
            Offers { lost: self.lost[at].load(Relaxed), won: self.won[at].load(Relaxed) }
        };
        let chosen = || (0..heaps.len()).filter(|place| choice >> place & 1 == 1);
        if self.rules.equal_take() {
            if chosen().any(|place| heaps[place] == 0) {
                return Offers::NONE;
            }
            return boxes_at(rank - chosen().map(|place| step[place]).sum::<u64>());
        }
        let is_last = |place: &usize| heaps.get(place + 1) != Some(&heaps[*place]);
        let of_last = chosen().filter(is_last).filter(|&place| heaps[place] > 0);
        of_last.map(|place| boxes_at(rank - step[place])).fold(Offers::NONE, Offers::or)
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::super::general;
    use super::*;

    /// That these games are solved as they are position by position.
    fn agree(bounds: &[Heap], check: impl Fn(&HeapRules)) {
        for heaps_per_move in 2..=bounds.len() as u32 {
            for equal_take in [false, true] {
                for play in [Play::Normal, Play::Misere] {
                    for passes in [0, 2] {
                        let bounds = bounds.to_vec();
                        let keys = HeapKeys {
                            bounds,
                            heaps_per_move,
                            equal_take,
                            play,
                            passes,
                            ..Default::default()
                        };
                        check(&keys.rules().expect("allowed rules"));
                    }
                }
            }
        }
    }

    #[test]
    fn positions_are_solved_as_they_are_move_by_move() {
        for bounds in [
            &[70, 70][..],
            &[3, 200],
            &[1, 1, 1],
            &[9, 9, 9],
            &[2, 5, 14],
            &[5, 5, 5, 5],
            &[1, 1, 4, 6],
            &[3, 3, 3, 3, 3],
            &[2, 2, 2, 2, 2, 2],
        ] {
            agree(bounds, |rules| {
                let ranks = Ranks::try_new(rules.bounds()).expect("few positions");
                let found = solve(rules, &ranks, &()).expect("enough memory");
                let expected = general::solve(rules, &ranks, &()).expect("enough memory");
                for (passes, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    general::tests::agree(rules, &ranks, passes, |rank| found.at(rank), expected);
                }
            });
        }
    }

    #[test]
    fn there_are_as_many_choices_as_are_reckoned_with() {
        for heaps in 2..=7 {
            agree(&vec![1; heaps], |rules| {
                let listed = Choices::new(rules);
                assert_eq!(listed.all.len() as u64 * 12, bytes(rules));
                assert_eq!(listed.last.len(), listed.all.len() << (heaps - 1));
            });
        }
    }
}
