//! Kernel for moves that take any number of stones from each of several heaps, or the same number from each (Wythoff).
//!
//! Problem: there are very many such moves. Idea: for a choice of heaps, the positions that a move reaches are in a
//! *box*: no chosen heap is greater than before, and the others stay. The best position in a box is its corner, or the
//! best in a box that begins one stone lower in one chosen heap, like a prefix minimum of an array in several
//! dimensions. With equal takes, the box is a diagonal, and continues one stone lower in all chosen heaps. So each
//! position stores one number for each choice of heaps, its *offers*. Example: with heaps (3,2) and both chosen, the box
//! of (3,2) is the corner (3,2) and the boxes of (2,2) and (3,1). Cost: one step for each choice and chosen heap,
//! whatever the number of moves.
//!
//! An offer is the greatest cell ([`PositionCode`]) in the box. Its low bits have all stones of the position, in place
//! of the stones of the best move: among equally good positions, the one with most stones is reached by taking fewest.
//! Among equal heaps, any choice is equivalent: the offer is computed for the last of them, as taking from it keeps the
//! heaps in order, and stored for all.

use bouton_tables::heaps::{Heap, HeapRules};

use super::cell::PositionCode;
use super::choice::choices;
use super::neighbourhood::{BlockIndex, Neighbourhood, PositionWalk};
use super::task::{TaskKernel, TaskLayer, census};
use crate::census::Census;
use crate::heaps::frame::heap_ranges::TASK_HEAPS;
use crate::heaps::frame::numbers::Number;
use crate::making::GenerateError;
use crate::memory::filled;

/// Returns the bytes of the lists of choices.
pub(super) fn bytes<C: Number>(rules: &HeapRules) -> u128 {
    let replacement = (size_of::<u32>() << (rules.heaps() - 1)) as u128;
    let chosen = (rules.heaps() * C::BYTES) as u128;
    u128::from(choices(rules)) * (replacement + chosen + 4)
}

/// Choices of heaps as bit sets. The lowest bit is place 0, the greatest heap.
struct Choices {
    all: Vec<u32>,
    /// For each pattern of equal heaps, and each choice, the number of the choice that has the last of equal heaps
    /// instead. Bit `p` of a pattern says that the heaps at places p and p + 1 are equal.
    replacement: Vec<u32>,
}

impl Choices {
    fn new(rules: &HeapRules) -> Self {
        let (heaps, max_chosen) = (rules.heaps() as u32, rules.heaps_per_move() as u32);
        let min_chosen = if rules.equal_take() { 1 } else { max_chosen };
        let sizes = min_chosen..=max_chosen;
        let all: Vec<u32> =
            (1_u32..1 << heaps).filter(|choice| sizes.contains(&choice.count_ones())).collect();
        let last_of_equal = |pattern: u32, choice: u32| {
            let (mut last, mut begin) = (0, 0);
            for place in 0..heaps {
                if pattern >> place & 1 == 0 {
                    // A run of equal heaps ends here.
                    let run = (2 << place) - (1 << begin);
                    let chosen = (choice & run).count_ones();
                    last |= run & !((1_u32 << (place + 1 - chosen)) - 1);
                    begin = place + 1;
                }
            }
            all.binary_search(&last).expect("the number of chosen heaps is the same") as u32
        };
        let patterns = 0..1 << (heaps - 1);
        let replacement = patterns
            .flat_map(|pattern| all.iter().map(move |&choice| last_of_equal(pattern, choice)))
            .collect();
        Self { all, replacement }
    }

    /// Returns for each choice the number of the equivalent choice to compute instead.
    fn replacements(&self, heaps: &[Heap]) -> &[u32] {
        let equal =
            heaps.windows(2).enumerate().map(|(place, pair)| usize::from(pair[0] == pair[1]) << place);
        let pattern: usize = equal.sum();
        &self.replacement[pattern * self.all.len()..][..self.all.len()]
    }
}

/// The kernel.
pub(super) struct PrefixMinima<C> {
    code: PositionCode<C>,
    equal_take: bool,
    choices: Choices,
    /// For each of the game's heaps and each choice, a mask: the maximum of the type if the heap is chosen, otherwise
    /// the minimum.
    chosen: Vec<Vec<C>>,
}

impl<C: Number> PrefixMinima<C> {
    pub(super) fn new(rules: &HeapRules) -> Self {
        let choices = Choices::new(rules);
        let mask = |place: usize| {
            let mask = |&choice: &u32| if choice >> place & 1 == 1 { C::MAX } else { C::MIN };
            choices.all.iter().map(mask).collect()
        };
        let chosen = (0..rules.heaps()).map(mask).collect();
        Self { code: PositionCode::new(rules), equal_take: rules.equal_take(), choices, chosen }
    }
}

impl<C: Number> TaskKernel<C> for PrefixMinima<C> {
    fn solve_layer(
        &self,
        neighbourhood: &Neighbourhood,
        TaskLayer { cells, passed, offers, below }: TaskLayer<C>,
    ) -> Result<Census, GenerateError> {
        let mut buffer = filled(self.choices.all.len() as u64, self.code.no_move)?;
        let neighbours = NeighbourStarts::default();
        let mut task = LayerTask { solver: self, neighbourhood, offers, below: &below, neighbours };
        let cells = &mut cells[..neighbourhood.positions(0)];
        let mut walk = PositionWalk::new(neighbourhood.layout, neighbourhood.own);
        for (at, cell) in cells.iter_mut().enumerate() {
            *cell = task.solve(walk.heaps(), at, passed.map(|passed| passed[at]), &mut buffer);
            walk.advance();
        }
        Ok(census(cells, self.code))
    }
}

/// Cache: where the positions with one stone less in none, one or both of the two greatest heaps begin.
#[derive(Default)]
struct NeighbourStarts {
    /// The two greatest heaps.
    greatest: Option<[Heap; 2]>,
    /// With the third heap in the range of the task, and in the range below. The bits of the inner index say which heaps
    /// have one stone less; the lower bit is for the greatest heap.
    begin: [[BlockIndex; 4]; 2],
}

/// A layer of a task.
struct LayerTask<'a, C> {
    solver: &'a PrefixMinima<C>,
    neighbourhood: &'a Neighbourhood<'a>,
    /// Offers of the task's own block.
    offers: &'a mut [C],
    /// Offers of the blocks below.
    below: &'a [&'a [C]],
    neighbours: NeighbourStarts,
}

impl<C: Number> LayerTask<'_, C> {
    /// Solves the position at an index of the block, and writes its offers. `passed` is the cell of the position with
    /// one pass less. `offers` is a buffer.
    #[inline(always)]
    fn solve(&mut self, heaps: &[Heap], at: usize, passed: Option<C>, offers: &mut [C]) -> C {
        let code = self.solver.code;
        let own_heaps = &heaps[self.neighbourhood.layout.ranges.stand_ins..];
        let stones: u64 = own_heaps.iter().copied().map(u64::from).sum();
        if self.neighbours.greatest != Some([heaps[0], heaps[1]]) {
            self.find_neighbours([heaps[0], heaps[1]]);
        }
        let last = self.solver.choices.replacements(own_heaps);
        offers.fill(code.no_move);
        match self.solver.equal_take {
            true => self.fill_diagonals(heaps, at, last, offers),
            false => self.fill_boxes(heaps, at, offers),
        }
        // A choice that is not of the last of equal heaps may miss moves, but has no illegal ones.
        let mut best = offers.iter().copied().max().unwrap_or(code.no_move);
        let of_stones = C::new(stones as i64);
        if let Some(passed) = passed
            && stones > 0
        {
            best = best.max(code.candidate(passed, of_stones));
        }
        let cell = code.cell_of_offer(best, of_stones);
        let own = code.candidate(cell, of_stones);
        let count = offers.len();
        for (written, &last) in self.offers[at * count..][..count].iter_mut().zip(last) {
            *written = offers[last as usize].max(own);
        }
        cell
    }

    /// Finds where the neighbours of positions with these two greatest heaps begin.
    fn find_neighbours(&mut self, greatest: [Heap; 2]) {
        let Neighbourhood { layout, own, .. } = self.neighbourhood;
        let mut begin = [[BlockIndex::default(); 4]; 2];
        for (lower, begin) in begin.iter_mut().enumerate() {
            let Some(third) = own[TASK_HEAPS - 1].checked_sub(lower) else { continue };
            for (taken, begin) in begin.iter_mut().enumerate() {
                let taken = [taken & 1, taken >> 1];
                let [first, second] = [0, 1].map(|at| greatest[at].checked_sub(taken[at] as Heap));
                // Nobody takes from stand-ins, and boxes begin one stone lower in one heap only.
                let is_used = (0..layout.ranges.stand_ins.min(2)).all(|place| taken[place] == 0)
                    && (self.solver.equal_take || lower + taken[0] + taken[1] < 2);
                if let (Some(first), Some(second), true) = (first, second, is_used)
                    && second <= first
                    && layout.ranges.range(second) >= third
                {
                    *begin = self.neighbourhood.base([first, second], third);
                }
            }
        }
        self.neighbours = NeighbourStarts { greatest: Some(greatest), begin };
    }

    /// Returns by how much the rank is lower with one stone less in a heap after the two greatest.
    #[inline(always)]
    fn rank_step(&self, heaps: &[Heap], place: usize) -> usize {
        let layout = self.neighbourhood.layout;
        (layout.part(place, heaps[place]) - layout.part(place, heaps[place] - 1)) as usize
    }

    /// Returns the offers of the neighbour with one stone less in the heaps of the bit set `lower`.
    #[inline(always)]
    fn below(&self, heaps: &[Heap], at: usize, lower: u32) -> &[C] {
        let layout = self.neighbourhood.layout;
        let rest = at.wrapping_sub(self.neighbours.begin[0][0].at);
        let is_third_lower =
            lower & 4 != 0 && layout.ranges.range(heaps[2] - 1) < self.neighbourhood.own[TASK_HEAPS - 1];
        let begin = self.neighbours.begin[usize::from(is_third_lower)][(lower & 3) as usize];
        let mut step = 0;
        let mut left = lower & !3;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            step += self.rank_step(heaps, place);
            left &= left - 1;
        }
        let at = begin.at.wrapping_add(rest).wrapping_sub(step);
        let count = self.solver.choices.all.len();
        let offers = match begin.slot {
            0 => &*self.offers,
            slot => self.below[slot - 1],
        };
        &offers[at * count..][..count]
    }

    /// Computes the offers for moves that take any number from each chosen heap.
    #[inline(always)]
    fn fill_boxes(&self, heaps: &[Heap], at: usize, offers: &mut [C]) {
        let stand_ins = self.neighbourhood.layout.ranges.stand_ins;
        for place in stand_ins..heaps.len() {
            if heaps[place] == 0 {
                break;
            }
            if heaps.get(place + 1) == Some(&heaps[place]) {
                continue;
            }
            let below = self.below(heaps, at, 1 << place);
            let chosen = &self.solver.chosen[place - stand_ins];
            for ((offer, &below), &chosen) in offers.iter_mut().zip(below).zip(chosen) {
                *offer = (*offer).max(below.min(chosen));
            }
        }
    }

    /// Computes the offers for moves that take the same number from each chosen heap.
    #[inline(always)]
    fn fill_diagonals(&self, heaps: &[Heap], at: usize, last: &[u32], offers: &mut [C]) {
        let stand_ins = self.neighbourhood.layout.ranges.stand_ins;
        let heaps_left = heaps.iter().take_while(|&&heap| heap > 0).count();
        for (number, (&choice, offer)) in self.solver.choices.all.iter().zip(offers).enumerate() {
            let lower = choice << stand_ins;
            if last[number] as usize == number && lower >> heaps_left == 0 {
                *offer = self.below(heaps, at, lower)[number];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::HeapKeys;

    use super::*;

    #[test]
    fn the_lists_of_choices_have_the_computed_lengths() {
        for heaps in 2..=7 {
            for heaps_per_move in 2..=heaps {
                for equal_take in [false, true] {
                    let bounds = vec![1; heaps as usize];
                    let keys = HeapKeys {
                        bounds,
                        heaps_per_move: heaps_per_move.into(),
                        equal_take,
                        ..Default::default()
                    };
                    let rules = keys.rules().expect("allowed rules");
                    let listed = Choices::new(&rules);
                    assert_eq!(listed.all.len() as u64, choices(&rules));
                    assert_eq!(listed.replacement.len(), listed.all.len() << (heaps - 1));
                }
            }
        }
    }
}
