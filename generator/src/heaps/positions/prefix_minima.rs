//! Kernel for moves that take any number of stones from each of several heaps, or the same number from each (Wythoff).
//!
//! Problem: such moves are very many. Idea: for a choice of heaps, the positions that a move reaches are a *box*: no
//! chosen heap is greater than before, and the others stay. The best position in a box is the best of its corner and of
//! the boxes that begin one stone lower in one chosen heap, like a prefix minimum of an array in several dimensions.
//! With equal takes, the box is a diagonal, and continues one stone lower in all chosen heaps. So each position stores
//! one number for each choice of heaps, its *offers*. Example: with heaps (3,2) and both chosen, the box of (3,2) is
//! the corner (3,2) and the boxes of (2,2) and (3,1). Cost: one step for each choice and chosen heap, whatever the
//! number of moves.
//!
//! An offer is the greatest cell ([`PositionCode`]) in the box, with all stones of that position in place of those of
//! its best try: among equally good positions, the one with most stones is reached by taking fewest. Among equal heaps,
//! any choice is equivalent: the offer is computed for the last of them, which keeps the heaps in order, and stored for
//! all.

use bouton_tables::heaps::{Heap, HeapRules, Take};

use super::cell::{PositionCell, PositionCode};
use super::layout::KEYS;
use super::neighbourhood::{BlockPlace, Neighbourhood, PositionWalk};
use super::task::{Below, TaskKernel, TaskOutput, census};
use crate::memory::filled;
use crate::{Census, GenerateError};

/// Maximum number of entries in the lists of choices.
const MAX_LIST_ENTRIES: u64 = 1 << 22;

/// Reports whether this kernel is suitable: with very many choices it is no faster than trying each move.
pub(super) fn fits(rules: &HeapRules) -> bool {
    rules.heaps_per_move() > 1
        && *rules.take() == Take::Any
        && choices(rules) << (rules.heaps() - 1) <= MAX_LIST_ENTRIES
}

/// Returns the number of choices of the heaps in a move: as many heaps as a move may take from, or with equal takes
/// that many or fewer.
pub(in super::super) fn choices(rules: &HeapRules) -> u64 {
    let (heaps, chosen, equal) = (rules.heaps(), rules.heaps_per_move(), rules.equal_take());
    let mut of_size = 1;
    let mut sum = 0;
    for size in 1..=chosen {
        of_size = of_size * (heaps - size + 1) as u64 / size as u64;
        sum = if equal { sum + of_size } else { of_size };
    }
    sum
}

/// Returns the bytes of the lists of choices.
pub(super) fn bytes<C: PositionCell>(rules: &HeapRules) -> u128 {
    let last = (size_of::<u32>() << (rules.heaps() - 1)) as u128;
    let chosen = (rules.heaps() * C::BYTES) as u128;
    u128::from(choices(rules)) * (last + chosen + 4)
}

/// Choices of heaps as bit sets. The lowest bit is place 0, the greatest heap.
struct Choices {
    all: Vec<u32>,
    /// For each way in which heaps can be equal, and each choice, the number of the choice that has the last of equal
    /// heaps instead. Bit `p` of the way says that the heaps at places p and p + 1 are equal.
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

    /// Returns for each choice the number of the equivalent choice to compute instead.
    fn last(&self, heaps: &[Heap]) -> &[u32] {
        let equal =
            heaps.windows(2).enumerate().map(|(place, pair)| usize::from(pair[0] == pair[1]) << place);
        let ways: usize = equal.sum();
        &self.last[ways * self.all.len()..][..self.all.len()]
    }
}

pub(super) struct PrefixMinima<C> {
    code: PositionCode<C>,
    equal_take: bool,
    choices: Choices,
    /// For each of the game's heaps and each choice more than any cell, if the heap is chosen, or else less than any.
    chosen: Vec<Vec<C>>,
}

impl<C: PositionCell> PrefixMinima<C> {
    pub(super) fn new(rules: &HeapRules) -> Self {
        let choices = Choices::new(rules);
        let of_place = |place: usize| {
            let cap = |&choice: &u32| if choice >> place & 1 == 1 { C::MAX } else { C::MIN };
            choices.all.iter().map(cap).collect()
        };
        let chosen = (0..rules.heaps()).map(of_place).collect();
        Self { code: PositionCode::new(rules), equal_take: rules.equal_take(), choices, chosen }
    }
}

impl<C: PositionCell> TaskKernel<C> for PrefixMinima<C> {
    fn solve(
        &self,
        neighbourhood: &Neighbourhood,
        own: TaskOutput<C>,
        below: &[Below<C>],
    ) -> Result<Census, GenerateError> {
        let positions = neighbourhood.positions();
        let count = self.choices.all.len();
        let mut offers = filled(count as u64, self.code.no_move)?;
        let mut counted = Census::default();
        for (layer, below) in below.iter().enumerate() {
            let (before, cells) = own.cells.split_at_mut(layer * positions);
            let mut task = LayerTask {
                solver: self,
                neighbourhood,
                offers: &mut own.offers[layer * positions * count..][..positions * count],
                below,
                neighbours: NeighbourStarts::default(),
            };
            let cells = &mut cells[..positions];
            let mut walk = PositionWalk::new(neighbourhood.layout, neighbourhood.own);
            for (at, cell) in cells.iter_mut().enumerate() {
                let passed = layer.checked_sub(1).map(|layer| before[layer * positions + at]);
                *cell = task.solve(walk.heaps(), at, passed, &mut offers);
                walk.advance();
            }
            counted = counted.and(census(cells, self.code));
        }
        Ok(counted)
    }
}

/// Places of the positions with one stone less in one or both of the two greatest heaps. The index has two bits; the
/// lower one is for the greatest heap.
#[derive(Default)]
struct NeighbourStarts {
    /// The two greatest heaps.
    of: Option<[Heap; 2]>,
    /// With the third heap in the range of the task, and in the range below.
    begin: [[BlockPlace; 4]; 2],
}

struct LayerTask<'a, C> {
    solver: &'a PrefixMinima<C>,
    neighbourhood: &'a Neighbourhood<'a>,
    offers: &'a mut [C],
    below: &'a [&'a [C]],
    neighbours: NeighbourStarts,
}

impl<C: PositionCell> LayerTask<'_, C> {
    /// Solves the position at a place of the block, and writes its offers. `passed` is the cell of the position with
    /// one pass less.
    #[inline(always)]
    fn solve(&mut self, heaps: &[Heap], at: usize, passed: Option<C>, offers: &mut [C]) -> C {
        let code = self.solver.code;
        let own_heaps = &heaps[self.neighbourhood.layout.stand_ins..];
        let stones: u64 = own_heaps.iter().copied().map(u64::from).sum();
        if self.neighbours.of != Some([heaps[0], heaps[1]]) {
            self.enter([heaps[0], heaps[1]]);
        }
        let last = self.solver.choices.last(own_heaps);
        offers.fill(code.no_move);
        match self.solver.equal_take {
            true => self.diagonals(heaps, at, last, offers),
            false => self.boxes(heaps, at, offers),
        }
        // A choice that is not the last of equal heaps may miss moves, and has none that are not legal.
        let mut best = offers.iter().copied().max().unwrap_or(code.no_move);
        let of_stones = C::new(stones as i64);
        if let Some(passed) = passed
            && stones > 0
        {
            best = best.max(code.candidate(passed, of_stones));
        }
        let cell = if best == code.no_move {
            code.cell_of(best)
        } else {
            let taken = of_stones - (best & code.stones);
            code.cell_of(code.candidate(best, code.stones - taken))
        };
        let own = code.candidate(cell, of_stones);
        let count = offers.len();
        for (written, &last) in self.offers[at * count..][..count].iter_mut().zip(last) {
            *written = offers[last as usize].max(own);
        }
        cell
    }

    /// Finds where the neighbours of positions with these two greatest heaps begin.
    fn enter(&mut self, greatest: [Heap; 2]) {
        let Neighbourhood { layout, own, .. } = self.neighbourhood;
        let mut begin = [[BlockPlace::default(); 4]; 2];
        for (lower, begin) in begin.iter_mut().enumerate() {
            let Some(third) = own[KEYS - 1].checked_sub(lower) else { continue };
            for (taken, begin) in begin.iter_mut().enumerate() {
                let taken = [taken & 1, taken >> 1];
                let [first, second] = [0, 1].map(|at| greatest[at].checked_sub(taken[at] as Heap));
                // Nobody takes from stand-ins, and boxes begin one stone lower in one heap only.
                let is_asked_for = (0..layout.stand_ins.min(2)).all(|place| taken[place] == 0)
                    && (self.solver.equal_take || lower + taken[0] + taken[1] < 2);
                if let (Some(first), Some(second), true) = (first, second, is_asked_for)
                    && second <= first
                    && layout.range(second) >= third
                {
                    *begin = self.neighbourhood.base([first, second], third);
                }
            }
        }
        self.neighbours = NeighbourStarts { of: Some(greatest), begin };
    }

    /// Returns by how much the rank falls with one stone less in a heap after the two greatest.
    #[inline(always)]
    fn step(&self, heaps: &[Heap], place: usize) -> usize {
        let layout = self.neighbourhood.layout;
        (layout.part(place, heaps[place]) - layout.part(place, heaps[place] - 1)) as usize
    }

    /// Returns the offers of the neighbour with one stone less in a set of heaps.
    #[inline(always)]
    fn below(&self, heaps: &[Heap], at: usize, lower: u32) -> &[C] {
        let layout = self.neighbourhood.layout;
        let rest = at.wrapping_sub(self.neighbours.begin[0][0].at);
        let is_third_lower = lower & 4 != 0 && layout.range(heaps[2] - 1) < self.neighbourhood.own[KEYS - 1];
        let begin = self.neighbours.begin[usize::from(is_third_lower)][(lower & 3) as usize];
        let mut step = 0;
        let mut left = lower & !3;
        while left != 0 {
            let place = left.trailing_zeros() as usize;
            step += self.step(heaps, place);
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
    fn boxes(&self, heaps: &[Heap], at: usize, offers: &mut [C]) {
        let stand_ins = self.neighbourhood.layout.stand_ins;
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
    fn diagonals(&self, heaps: &[Heap], at: usize, last: &[u32], offers: &mut [C]) {
        let stand_ins = self.neighbourhood.layout.stand_ins;
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
    fn there_are_as_many_choices_as_are_reckoned_with() {
        for heaps in 2..=7 {
            for heaps_per_move in 2..=heaps {
                for equal_take in [false, true] {
                    let bounds = vec![1; heaps as usize];
                    let keys = HeapKeys { bounds, heaps_per_move, equal_take, ..Default::default() };
                    let rules = keys.rules().expect("allowed rules");
                    let listed = Choices::new(&rules);
                    assert_eq!(listed.all.len() as u64, choices(&rules));
                    assert_eq!(listed.last.len(), listed.all.len() << (heaps - 1));
                }
            }
        }
    }
}
