//! Which offers a position has if a move takes certain amounts from several heaps, and how they are combined.
//!
//! Problem: a move may choose an amount for each of several heaps, so there are very many moves. Idea: make a move take
//! by take, from the least of its heaps to the greatest. After a take from a heap, further takes come from greater heaps
//! only, so the rest of the move depends on two things: how many heaps are greater, and how many takes are still
//! allowed. For each such rest, a position stores an *offer*: the best position that the rest can reach. So only the first
//! take of a move is tried. Cost: one step for each heap, amount, and number of takes.
//!
//! Example: a move takes from one or two of three heaps. An offer of {5,4,2} is for at most one further take from the
//! two greatest heaps: the best of {5,4,2} itself, {4,4,2}, ..., {5,3,2}, .... A move from {5,4,3} that takes 1 from the
//! 3 first, reads this offer.
//!
//! If all takes of a move are equal, the first take determines the others. Then a move is one *step* that takes from all
//! its heaps, and a position's only offer is the position itself.

use bouton_tables::heaps::HeapRules;

use crate::making::GenerateError;
use crate::memory::Grow;

/// The best position that takes from some of the greatest heaps can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// The index of the maximum in [`OfferPlan::maxima`]; `None` if no take is allowed.
    pub(super) maximum: Option<usize>,
    /// It is allowed to take nothing, so the position itself can be the best one.
    pub(super) or_own: bool,
}

/// The best position after one or more takes from the `heaps` greatest heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Maximum {
    heaps: usize,
    /// Bit k says whether exactly k takes are allowed. Bit 0 is 0.
    counts: u32,
    /// The index of the maximum without takes from the last of these heaps. It is less than the index of this maximum.
    pub(super) without_last: Option<usize>,
}

/// The first take of a move; with equal takes, all takes.
#[derive(Clone, Debug)]
pub(super) struct Step {
    /// The heaps that it takes from, as a bit set. Bit 0 is the greatest heap.
    pub(super) heaps: u32,
    /// The maxima that it can raise, each with the offer that it leads to.
    pub(super) reads: Vec<(usize, usize)>,
}

/// The offers of each position, and the steps to compute them.
#[derive(Clone, Debug, Default)]
pub(super) struct OfferPlan {
    /// Offer 0 is the position itself.
    pub(super) offers: Vec<Offer>,
    /// The maxima over moves that begin with one of `steps`.
    pub(super) maxima: Vec<Maximum>,
    /// The steps, except a take from the least heap alone.
    pub(super) steps: Vec<Step>,
    /// The index of the maximum over all moves that begin with one of `steps`.
    pub(super) last_maximum: Option<usize>,
    /// The offer to which a take from the least heap alone leads; `None` if there is no such move.
    pub(super) last_offer: Option<usize>,
}

/// Returns the number of offers of each position.
pub(super) fn offers(rules: &HeapRules) -> u64 {
    match rules.equal_take() {
        true => 1,
        false => OfferPlan::new(rules).map_or(u64::MAX, |plan| plan.offers.len() as u64),
    }
}

impl OfferPlan {
    pub(super) fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let (heaps, counts) = (rules.heaps(), rules.heap_counts());
        let mut plan = Self { offers: vec![Offer { maximum: None, or_own: true }], ..Self::default() };
        if rules.equal_take() {
            plan.maxima.push(Maximum { heaps, counts: 0, without_last: None });
            let least_alone = 1_u32 << (heaps - 1);
            for chosen in (1..1 << heaps).filter(|&chosen| chosen != least_alone) {
                if counts.allows(chosen.count_ones() as usize) {
                    plan.steps.grow(Step { heaps: chosen, reads: vec![(0, 0)] })?;
                }
            }
            plan.last_maximum = Some(0);
            plan.last_offer = counts.allows(1).then_some(0);
            return Ok(plan);
        }
        let counts = counts.numbers().fold(0, |bits, count| bits | 1 << count);
        plan.last_maximum = plan.maximum(heaps - 1, counts);
        plan.last_offer = plan.offer(heaps - 1, counts >> 1);
        for last in 0..heaps - 1 {
            let mut step = Step { heaps: 1 << last, reads: Vec::new() };
            for maximum in 0..plan.maxima.len() {
                let Maximum { heaps, counts, .. } = plan.maxima[maximum];
                if heaps == last + 1
                    && let Some(offer) = plan.offer(last, counts >> 1)
                {
                    step.reads.push((maximum, offer));
                }
            }
            plan.steps.push(step);
        }
        Ok(plan)
    }

    /// Returns the index of the maximum over takes from the `heaps` greatest heaps. Adds a new maximum, after the maxima
    /// that it uses. `None` if no number of takes is possible.
    fn maximum(&mut self, heaps: usize, counts: u32) -> Option<usize> {
        let counts = counts & ((2 << heaps) - 1) & !1;
        if counts == 0 {
            return None;
        }
        let is_same = |maximum: &Maximum| (maximum.heaps, maximum.counts) == (heaps, counts);
        if let Some(found) = self.maxima.iter().position(is_same) {
            return Some(found);
        }
        let without_last = self.maximum(heaps - 1, counts);
        self.offer(heaps - 1, counts >> 1);
        self.maxima.push(Maximum { heaps, counts, without_last });
        Some(self.maxima.len() - 1)
    }

    /// Returns the index of the offer for takes from the `heaps` greatest heaps. Adds a new offer. `None` if no number of
    /// takes is possible.
    fn offer(&mut self, heaps: usize, counts: u32) -> Option<usize> {
        let offer = Offer { maximum: self.maximum(heaps, counts), or_own: counts & 1 == 1 };
        if offer.maximum.is_none() && !offer.or_own {
            return None;
        }
        if let Some(found) = self.offers.iter().position(|other| *other == offer) {
            return Some(found);
        }
        self.offers.push(offer);
        Some(self.offers.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{HeapCounts, HeapKeys, MAX_HEAPS, Take};

    use super::*;

    fn plan(heaps: usize, counts: &[u32], equal_take: bool) -> OfferPlan {
        let heaps_per_move = HeapCounts::exactly(counts).unwrap();
        let (bounds, take) = (vec![1; heaps], Take::UpTo(1));
        let keys = HeapKeys { bounds, take, heaps_per_move, equal_take, ..Default::default() };
        OfferPlan::new(&keys.rules().unwrap()).unwrap()
    }

    #[test]
    fn there_are_as_many_offers_as_heaps_if_a_move_may_take_from_all() {
        for heaps in 2..=9 {
            let counts: Vec<u32> = (1..=heaps as u32).collect();
            assert_eq!(plan(heaps, &counts, false).offers.len(), heaps);
        }
    }

    #[test]
    fn the_number_of_offers_is_limited() {
        for counts in [&[1, 2, 3, 4, 5, 6, 7, 8][..], &[1, 3, 5, 7, 9, 11], &[16], &[2, 16], &[1, 8, 9]] {
            let plan = plan(MAX_HEAPS, counts, false);
            let reads = plan.steps.iter().map(|step| step.reads.len());
            let lengths = [plan.offers.len(), plan.maxima.len(), reads.max().unwrap()];
            assert!(lengths.iter().all(|&len| len <= MAX_HEAPS * MAX_HEAPS), "{counts:?}: {lengths:?}");
        }
    }

    #[test]
    fn with_equal_takes_the_steps_are_all_choices_of_heaps_except_the_least_alone() {
        let plan = plan(3, &[1, 3], true);
        assert_eq!(plan.steps.iter().map(|step| step.heaps).collect::<Vec<_>>(), [0b001, 0b010, 0b111]);
        assert_eq!((plan.offers.len(), plan.last_offer), (1, Some(0)));
    }
}
