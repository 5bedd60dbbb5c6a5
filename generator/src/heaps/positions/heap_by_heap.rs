//! Kernel for all games that no other kernel solves: moves that take certain amounts from each of several heaps.
//!
//! A move is made take by take, so that a position is computed from a few offers of other positions (`offer_plan`). The
//! kernel goes row by row: a *row* is all positions that differ in the least heap only; they are adjacent in memory. As
//! long as the lowered heaps stay no less than the least one, a step leads from a row to another row. All other
//! positions that a step reaches are located one by one. Last come the takes from the least heap, which stay in the
//! row.
//!
//! Example: take 1 or 2 from at most two heaps. The step that takes 2 from the 9 leads from the row {9,5,0} to {9,5,5} to
//! the row {7,5,0} to {7,5,5}. Taking 2 from the 5 leads from {9,5,0} to {9,5,3} to {9,3,0} to {9,3,3}, but from {9,5,4}
//! to {9,4,3}. From {9,5,4}, two stones from the 4 lead to {9,5,2}, whose offer adds the takes from the 9 or the 5.
//!
//! An offer is a candidate ([`PositionCode`]): its low bits count the stones of its takes.

use std::ops::Range;

use bouton_tables::heaps::{Heap, HeapRules, MAX_HEAPS};

use super::cell::PositionCode;
use super::layout::PositionLayout;
use super::neighbourhood::{BlockIndex, Neighbourhood, PositionWalk};
use super::offer_plan::{Offer, OfferPlan, Step};
use super::task::{TaskKernel, TaskLayer, census};
use crate::census::Census;
use crate::heaps::frame::heap_ranges::TASK_HEAPS;
use crate::heaps::frame::numbers::Number;
use crate::heaps::sizes::reach;
use crate::making::GenerateError;
use crate::memory::{Grow, filled, room};

/// The kernel.
pub(super) struct HeapByHeap<C> {
    code: PositionCode<C>,
    /// The amounts, ascending.
    amounts: Vec<Heap>,
    plan: OfferPlan,
}

/// Returns the bytes of the kernel, and of the buffers of a thread.
pub(super) fn bytes<C: Number>(rules: &HeapRules, layout: &PositionLayout) -> [u128; 2] {
    let amounts = u128::from(rules.take().count(rules.greatest_bound()));
    let steps = if rules.equal_take() { 1 << rules.heaps() } else { 0 };
    // There is at most one maximum for each number of heaps and of takes.
    let rows = u128::from(layout.longest_row()) * (1 + rules.heaps().pow(2) as u128);
    [4 * amounts + 64 * steps, (rows + u128::from(reach(rules))) * C::BYTES as u128]
}

impl<C: Number> HeapByHeap<C> {
    pub(super) fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let mut amounts = Vec::new();
        rules.take().amounts(rules.greatest_bound()).try_for_each(|amount| amounts.grow(amount))?;
        Ok(Self { code: PositionCode::new(rules), amounts, plan: OfferPlan::new(rules)? })
    }
}

impl<C: Number> TaskKernel<C> for HeapByHeap<C> {
    fn solve_layer(
        &self,
        neighbourhood: &Neighbourhood,
        TaskLayer { cells, passed, offers, below }: TaskLayer<C>,
    ) -> Result<Census, GenerateError> {
        let layout = neighbourhood.layout;
        let longest = layout.longest_row();
        let mut buffers = RowBuffers { maxima: room(self.plan.maxima.len() as u64)?, last: Vec::new() };
        for _ in &self.plan.maxima {
            buffers.maxima.push(filled(longest, self.code.no_move)?);
        }
        let reach = self.amounts.last().map_or(0, |&amount| amount as usize);
        buffers.last = filled(reach as u64 + longest, self.code.no_move)?;
        let cells = &mut cells[..neighbourhood.positions(0)];
        let mut task = LayerTask { solver: self, neighbourhood, offers, below: &below, passed, reach };
        let outer = layout.ranges.heaps() - 1;
        let mut rows = PositionWalk::of_greatest(layout, neighbourhood.own, outer);
        loop {
            task.solve_row(rows.heaps(), cells, &mut buffers);
            if !rows.advance() {
                return Ok(census(cells, self.code));
            }
        }
    }
}

/// Buffers for the work on a row.
struct RowBuffers<C> {
    /// For each maximum of the plan, its value at each position of the row.
    maxima: Vec<Vec<C>>,
    /// For each position of the row and of the `reach` positions before, the offer to which a take from the least heap
    /// leads.
    last: Vec<C>,
}

/// A layer of a task.
struct LayerTask<'a, C> {
    solver: &'a HeapByHeap<C>,
    neighbourhood: &'a Neighbourhood<'a>,
    /// Offers of the task's own block, all first offers before all second ones, and so on.
    offers: &'a mut [C],
    /// Offers of the blocks below.
    below: &'a [&'a [C]],
    /// Cells of the own block in the layer with one pass less.
    passed: Option<&'a [C]>,
    /// The greatest amount.
    reach: usize,
}

impl<C: Number> LayerTask<'_, C> {
    /// Returns an offer of adjacent positions.
    #[inline(always)]
    fn offers(&self, offer: usize, BlockIndex { slot, at }: BlockIndex, len: usize) -> &[C] {
        let all = if slot == 0 { &*self.offers } else { self.below[slot - 1] };
        &all[offer * self.neighbourhood.positions(slot) + at..][..len]
    }

    /// Visits the positions with the `outer` heaps and least heaps of these `sizes`, in one run of adjacent positions
    /// for each block. `visit` gets the number of sizes before the run, the index of its first position, and its
    /// length.
    #[inline(always)]
    fn each_run(&self, outer: &[Heap], sizes: Range<Heap>, mut visit: impl FnMut(usize, BlockIndex, usize)) {
        let ranges = &self.neighbourhood.layout.ranges;
        let mut all = [0; MAX_HEAPS];
        all[..outer.len()].copy_from_slice(outer);
        let mut first = sizes.start;
        while first < sizes.end {
            // The least of three heaps determines the block.
            let end = match outer.len() + 1 {
                TASK_HEAPS => sizes.end.min(ranges.sizes(TASK_HEAPS - 1, ranges.range(first)).end),
                _ => sizes.end,
            };
            all[outer.len()] = first;
            let begin = self.neighbourhood.locate(&all[..=outer.len()]);
            visit((first - sizes.start) as usize, begin, (end - first) as usize);
            first = end;
        }
    }

    /// Solves the row with these heaps: all except the least. Writes its cells and offers.
    fn solve_row(&mut self, row: &[Heap], cells: &mut [C], buffers: &mut RowBuffers<C>) {
        let sizes = self.neighbourhood.layout.ranges.task_sizes(self.neighbourhood.own, row.len());
        let sizes = sizes.start..sizes.end.min(row[row.len() - 1] + 1);
        if sizes.is_empty() {
            return;
        }
        let len = (sizes.end - sizes.start) as usize;
        for maximum in &mut buffers.maxima {
            maximum[..len].fill(self.solver.code.no_move);
        }
        for step in &self.solver.plan.steps {
            self.add_step(step, row, sizes.clone(), &mut buffers.maxima);
        }
        self.combine_maxima(0..len, &mut buffers.maxima);
        let mut begin = BlockIndex::default();
        self.each_run(row, sizes.clone(), |_, own, _| begin = own);
        let cells = &mut cells[begin.at..][..len];
        self.solve_least(row, sizes.clone(), begin.at, cells, buffers);
        self.write_offers(0..len, begin.at, cells, &buffers.maxima);
        // If the least heap is equal to others, takes from the others stay in the row, too. The best move can take from
        // the least heap instead, but the offers of the position need these takes.
        if sizes.end == row[row.len() - 1] + 1 && self.solver.plan.offers.len() > 1 {
            for step in &self.solver.plan.steps {
                self.add_step_in_row(step, row, len - 1, &mut buffers.maxima);
            }
            self.combine_maxima(len - 1..len, &mut buffers.maxima);
            self.write_offers(len - 1..len, begin.at, cells, &buffers.maxima);
        }
    }

    /// Raises each maximum to the one without takes from its last heap, at some positions of a row.
    fn combine_maxima(&self, positions: Range<usize>, maxima: &mut [Vec<C>]) {
        for (number, maximum) in self.solver.plan.maxima.iter().enumerate() {
            if let Some(without_last) = maximum.without_last {
                let (before, from) = maxima.split_at_mut(number);
                raise(
                    &mut from[0][positions.clone()],
                    &before[without_last][positions.clone()],
                    C::default(),
                );
            }
        }
    }

    /// Writes the offers of some positions of a row, which begins at index `begin` of the block.
    fn write_offers(&mut self, positions: Range<usize>, begin: usize, cells: &[C], maxima: &[Vec<C>]) {
        let HeapByHeap { code, ref plan, .. } = *self.solver;
        let in_block = self.neighbourhood.positions(0);
        for (number, &Offer { maximum, or_own }) in plan.offers.iter().enumerate() {
            let first = number * in_block + begin + positions.start;
            let offers = &mut self.offers[first..][..positions.len()];
            match maximum {
                Some(maximum) => offers.copy_from_slice(&maxima[maximum][positions.clone()]),
                None => offers.fill(code.no_move),
            }
            if or_own {
                let cells = &cells[positions.clone()];
                let own = |cell: C| code.candidate(cell, code.stones);
                offers.iter_mut().zip(cells).for_each(|(offer, &cell)| *offer = own(cell).max(*offer));
            }
        }
    }

    /// Raises the maxima of a row to the candidates of a step, with each amount, unless the step stays in the row.
    fn add_step(&self, step: &Step, row: &[Heap], sizes: Range<Heap>, maxima: &mut [Vec<C>]) {
        let stand_ins = self.neighbourhood.layout.ranges.stand_ins;
        let chosen = step.heaps << stand_ins;
        let takes_least = chosen >> row.len() & 1 == 1;
        let taken_from = step.heaps.count_ones();
        let Some(last) = (0..row.len()).rev().find(|&place| chosen >> place & 1 == 1) else { return };
        // With equal takes, choose only the last of equal heaps. Otherwise each heap has maxima of its own.
        let has_equal =
            |place: usize| chosen >> place & 3 == 1 && place + 1 < row.len() && row[place] == row[place + 1];
        if self.solver.plan.offers.len() == 1 && (stand_ins..row.len()).any(has_equal) {
            return;
        }
        for &amount in self.solver.amounts.iter().take_while(|&&amount| amount <= row[last]) {
            let stones = C::new(i64::from(amount) * i64::from(taken_from));
            let mut next = [0; MAX_HEAPS];
            for (place, &heap) in row.iter().enumerate() {
                let heap = heap - if chosen >> place & 1 == 1 { amount } else { 0 };
                insert(&mut next, place, heap);
            }
            let outer = &next[..row.len()];
            // Raises the maxima of adjacent positions, from index `at` of the row on.
            let mut raise_maxima = |at: usize, begin: BlockIndex, len: usize| {
                for &(maximum, offer) in &step.reads {
                    raise(&mut maxima[maximum][at..][..len], self.offers(offer, begin, len), stones);
                }
            };
            if takes_least {
                let first = sizes.start.max(amount);
                if first < sizes.end {
                    let before = (first - sizes.start) as usize;
                    let reached = first - amount..sizes.end - amount;
                    self.each_run(outer, reached, |at, begin, len| raise_maxima(before + at, begin, len));
                }
                continue;
            }
            let left = row[last] - amount;
            let end = sizes.end.min(left + 1);
            self.each_run(outer, sizes.start..end.max(sizes.start), &mut raise_maxima);
            // At these sizes, a lowered heap becomes the least. Exclude the size of the heap itself: the take then
            // stays in the row.
            let all_sizes =
                if row[last] == row[row.len() - 1] { sizes.end.min(row[last]) } else { sizes.end };
            for size in end.max(sizes.start)..all_sizes {
                let mut all = next;
                insert(&mut all, row.len(), size);
                let begin = self.neighbourhood.locate(&all[..=row.len()]);
                raise_maxima((size - sizes.start) as usize, begin, 1);
            }
        }
    }

    /// Raises the maxima of a position to the candidates of a step that takes from one of several least heaps, all equal,
    /// and so stays in the row.
    fn add_step_in_row(&self, step: &Step, row: &[Heap], at: usize, maxima: &mut [Vec<C>]) {
        let stand_ins = self.neighbourhood.layout.ranges.stand_ins;
        let least = row[row.len() - 1];
        if row[stand_ins + step.heaps.trailing_zeros() as usize] != least {
            return;
        }
        for &amount in self.solver.amounts.iter().take_while(|&&amount| amount <= least) {
            self.each_run(row, least - amount..least - amount + 1, |_, begin, len| {
                for &(maximum, offer) in &step.reads {
                    raise(&mut maxima[maximum][at..], self.offers(offer, begin, len), C::new(amount.into()));
                }
            });
        }
    }

    /// Computes the cells of a row from its maxima and the takes from the least heap. The row begins at index `begin`
    /// of the block.
    fn solve_least(
        &self,
        row: &[Heap],
        sizes: Range<Heap>,
        begin: usize,
        cells: &mut [C],
        buffers: &mut RowBuffers<C>,
    ) {
        let HeapByHeap { code, ref amounts, ref plan } = *self.solver;
        let RowBuffers { maxima, last } = buffers;
        let first = sizes.start.saturating_sub(self.reach as Heap);
        if let Some(offer) = plan.last_offer {
            self.each_run(row, first..sizes.start, |at, begin, len| {
                let before = self.reach - (sizes.start - first) as usize;
                last[before + at..][..len].copy_from_slice(self.offers(offer, begin, len));
            });
        }
        let further = plan.last_offer.map(|offer| plan.offers[offer]);
        for (at, (size, cell)) in sizes.zip(cells).enumerate() {
            let of_maximum =
                |maximum: Option<usize>| maximum.map_or(code.no_move, |maximum| maxima[maximum][at]);
            let mut best = of_maximum(plan.last_maximum);
            if further.is_some() {
                let before = &last[at..at + self.reach];
                for &amount in amounts.iter().take_while(|&&amount| amount <= size) {
                    best = best.max(before[self.reach - amount as usize] - C::new(amount.into()));
                }
            }
            // Without a move there is no pass.
            if let Some(passed) = self.passed
                && best != code.no_move
            {
                best = best.max(code.candidate(passed[begin + at], code.stones));
            }
            *cell = code.cell_of(best);
            if let Some(Offer { maximum, or_own }) = further {
                let own = if or_own { code.candidate(*cell, code.stones) } else { code.no_move };
                last[self.reach + at] = own.max(of_maximum(maximum));
            }
        }
    }
}

/// Inserts a heap into the first `len` heaps, which are in descending order.
#[inline(always)]
fn insert(heaps: &mut [Heap; MAX_HEAPS], len: usize, heap: Heap) {
    let mut place = len;
    while place > 0 && heaps[place - 1] < heap {
        heaps[place] = heaps[place - 1];
        place -= 1;
    }
    heaps[place] = heap;
}

/// Raises the best candidates to offers after a take of `stones` more stones.
#[inline(always)]
fn raise<C: Number>(best: &mut [C], offers: &[C], stones: C) {
    for (best, &offer) in best.iter_mut().zip(offers) {
        *best = (*best).max(offer - stones);
    }
}
