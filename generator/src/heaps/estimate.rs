//! The cost model of heap games: measures of work, and formulas for memory. `crate::estimate` uses them to extrapolate
//! from trial runs of smaller games.
//!
//! Example: to estimate Nim 8 x 63 with depths, `crate::estimate` makes tables of games with fewer heaps or lower
//! bounds, and multiplies their time by the ratio of [`Estimated::work`]. The memory of the solver is computed from the
//! sizes of its arrays; the memory of the search for classes, and the size of the file, are extrapolated.

use std::time::Duration;

use bouton_tables::heaps::{Heap, HeapRules};

use super::block_game::BlockGame;
use super::frame::assignment::cluster_cost;
use super::frame::run::enough_processes;
use super::positions::PositionKernel;
use super::{Solver, positions, quotient, single_heap};
use crate::family::{ClusterCost, Estimated, Measurement, by_halves};
use crate::heaps::kernel::{subtraction_outcomes, wythoff};
use crate::heaps::sizes::{effective_bounds, layers, multisets_without};
use crate::making::GenerateOptions;

/// Games of at most this many heaps have untypical levels.
const UNTYPICAL_HEAPS: usize = 3;
/// Maximum work of a trial run with fewer heaps.
const MAX_WORK_WITH_FEWER_HEAPS: u128 = 1 << 23;

/// Minimum of halved bounds: smaller heaps are untypical.
const MIN_BOUND: Heap = 7;

/// Returns the game with the `heaps` greatest heaps, and bounds of at most `greatest`.
fn smaller(rules: &HeapRules, heaps: usize, greatest: Heap) -> Option<HeapRules> {
    let omitted = rules.heaps().saturating_sub(heaps);
    rules.with_bounds(rules.bounds()[omitted..].iter().map(|&bound| bound.min(greatest)).collect()).ok()
}

/// Reports whether the table stores the outcome of each position, and not the lost positions of lines.
fn is_by_positions(rules: &HeapRules, GenerateOptions { depths }: GenerateOptions) -> bool {
    Solver::of(rules, depths) == Solver::PositionBlocks && !rules.at_most_one_loss_per_line()
}

/// Returns the game as it is solved in blocks; `None` if it cannot be, or if no machine has enough memory.
fn in_blocks(rules: &HeapRules, options: GenerateOptions) -> Option<Box<dyn BlockGame + '_>> {
    Solver::of(rules, options.depths).in_blocks().block_game(rules, options).ok().flatten()
}

/// Returns the game as several processes solve it; `None` if one process must work alone.
fn shared(rules: &HeapRules, options: GenerateOptions) -> Option<Box<dyn BlockGame + '_>> {
    if rules.without_solving(options).is_some() { None } else { in_blocks(rules, options) }
}

/// Returns the bytes for solving in blocks.
fn block_bytes(rules: &HeapRules, depths: bool) -> u128 {
    let game = in_blocks(rules, GenerateOptions { depths });
    game.map_or_else(|| u64::MAX.into(), |game| game.solving_bytes())
}

impl Estimated for HeapRules {
    fn effective_game(&self) -> Self {
        effective_bounds(self)
    }

    fn work(&self, options: GenerateOptions) -> u128 {
        let (positions, lines) = (multisets_without(self.bounds(), 0), multisets_without(self.bounds(), 1));
        u128::from(layers(self))
            * match Solver::of(self, options.depths) {
                Solver::Pairs | Solver::NimOutcomes => 8 * lines,
                // Most of the work is for each line, and a little for each position.
                Solver::NimBlocks if self.heaps() > 2 => 16 * lines + positions / 4,
                Solver::NimBlocks => 16 * lines + positions,
                Solver::SubtractionOutcomes => positions,
                Solver::Wythoff => 2 * positions,
                Solver::PositionBlocks => {
                    positions
                        * match PositionKernel::of(self) {
                            PositionKernel::Subtraction => 7,
                            PositionKernel::PrefixMinima => 8 + 2 * u128::from(positions::choices(self)),
                            PositionKernel::HeapByHeap => 8 + positions::steps(self),
                        }
                }
            }
    }

    fn growth_exponents(&self, options: GenerateOptions) -> [f64; 2] {
        // Rows of classes (`ordered_classes`) are longer in a larger game, but there are ever fewer of each length.
        [0.0, if is_by_positions(self, options) && self.heaps() > 2 { 0.8 } else { 1.0 }]
    }

    fn halved(&self) -> Option<Self> {
        let mut bounds = self.bounds().to_vec();
        if self.greatest_bound() > 2 * MIN_BOUND {
            // Bounds that are all ones in binary stay so: 63 becomes 31.
            let halve = |bound: &mut Heap| *bound = (*bound).min(((*bound - 1) / 2).max(MIN_BOUND));
            bounds.iter_mut().for_each(halve);
        } else {
            bounds.pop();
        }
        self.with_bounds(bounds).ok()
    }

    fn largest_game_within(&self, options: GenerateOptions, work: u128) -> Option<Self> {
        let fits =
            |&size: &Heap| smaller(self, self.heaps(), size).is_some_and(|game| game.work(options) <= work);
        let sizes: Vec<Heap> = (0..Heap::BITS)
            .map(|power| 1 << power)
            .take_while(|&size| size < self.greatest_bound())
            .collect();
        let below = sizes.into_iter().rev().find(fits)?;
        // Try steps of an eighth between this power of two and the next.
        let size = (0..8).rev().map(|eighth| below + below * eighth / 8).find(fits)?;
        smaller(self, self.heaps(), size)
    }

    fn trials(&self, options: GenerateOptions, most: u128) -> (Self, Option<Self>) {
        // Rows of classes get longer at certain sizes, and with passes nearly every multiset is a class of its own unless
        // there are few stones. So the largest game that can be tried predicts more than a game with half the bounds.
        if (is_by_positions(self, options) || self.passes() > 0)
            && self.work(options) > most
            && let Some(large) = self.largest_game_within(options, most)
        {
            return (large, self.largest_game_within(options, most / 4));
        }
        by_halves(self, options, most)
    }

    fn with_fewer_heaps(&self, options: GenerateOptions) -> Option<([Self; 2], u32)> {
        let (heaps, greatest) = (self.heaps(), self.greatest_bound());
        let is_uniform = self.passes() == 0 && self.bounds().iter().all(|&bound| bound == greatest);
        // In a uniform game, each further heap adds a level with the same classes.
        if !is_uniform || Solver::of(self, options.depths) != Solver::NimBlocks {
            return None;
        }
        let with = |heaps: usize| smaller(self, heaps, greatest);
        let fits =
            |&heaps: &usize| with(heaps).is_some_and(|game| game.work(options) <= MAX_WORK_WITH_FEWER_HEAPS);
        let large = (UNTYPICAL_HEAPS + 1..heaps).rev().find(fits)?;
        Some(([with(large)?, with(large - 1)?], (heaps - large) as u32))
    }

    /// Adds the memory of the solver and the first level of multisets.
    fn solving_bytes(&self, GenerateOptions { depths }: GenerateOptions, measurement: Measurement) -> u128 {
        let layers = u128::from(layers(self));
        let (positions, lines) = (multisets_without(self.bounds(), 0), multisets_without(self.bounds(), 1));
        match Solver::of(self, depths) {
            Solver::NimOutcomes => {
                let outer = multisets_without(self.bounds(), 2);
                let has_lost = 8 * outer * (u128::from(self.bounds()[0]) / 64 + 1);
                let size = if self.greatest_bound() < 255 { 1 } else { 4 };
                has_lost + size * layers * lines + 8 * layers * outer
            }
            Solver::NimBlocks => block_bytes(self, depths),
            Solver::Pairs => 4 * layers * lines + 8 * layers,
            Solver::Wythoff => wythoff::bytes(self),
            Solver::SubtractionOutcomes if self.heaps() == 1 => layers * positions / 8,
            Solver::SubtractionOutcomes => {
                // Chunks of squares wait in batches to be merged.
                let waiting = if self.greatest_bound() < 64 { (8 * lines).min(64 << 20) } else { 0 };
                // With few heaps, each piece loads the rows before it again.
                let times = [2, 3].get(self.heaps() - 2).copied().unwrap_or(1);
                times * subtraction_outcomes::recent_rows_bytes(self)
                    + layers * (positions / 8 + 8 * lines)
                    + waiting
            }
            Solver::PositionBlocks => {
                // With passes, the search needs more than in small games.
                block_bytes(self, depths) + if self.passes() > 0 { measurement.packed } else { 0 }
            }
        }
    }

    fn greatest_measurement(&self, GenerateOptions { depths }: GenerateOptions) -> Measurement {
        // At worst each line, or position, has a record of its own: the search stops if it finds more classes.
        let records = if self.at_most_one_loss_per_line() {
            2 * multisets_without(self.bounds(), 1)
        } else {
            multisets_without(self.bounds(), 0)
        };
        let bytes = |per_record: u128| u128::from(layers(self)) * records * per_record + 4096;
        Measurement { packed: bytes(160), file: bytes(if depths { 16 } else { 8 }), ..Measurement::default() }
    }

    fn without_solving(&self, GenerateOptions { depths }: GenerateOptions) -> Option<(u128, u64, Duration)> {
        single_heap::estimate(self, depths).or_else(|| {
            if depths || !quotient::is_worthwhile(self) { None } else { quotient::estimate(self) }
        })
    }

    fn least_memory_and_folder(&self, options: GenerateOptions, limit: u64) -> Option<(u128, u128)> {
        in_blocks(self, options)?.least_memory_and_folder(limit)
    }

    fn cluster_cost(&self, options: GenerateOptions, processes: usize) -> Option<ClusterCost> {
        let game = shared(self, options)?;
        cluster_cost(game.partition(), game.memory(u64::MAX).ok()?.0, processes).ok()
    }

    fn enough_processes(&self, options: GenerateOptions, fits: &dyn Fn(u64) -> bool) -> Option<usize> {
        let game = shared(self, options)?;
        enough_processes(game.partition(), game.memory(u64::MAX).ok()?.0, fits)
    }

    fn proof_steps(&self) -> u64 {
        self.positions()
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{HeapKeys, MAX_HEAPS, MAX_SIZE, Take};

    use super::*;
    use crate::estimate::{estimate, memory_upper_bound};

    #[test]
    fn the_largest_rulesets_have_an_estimate_below_the_upper_bound() {
        for take in [Take::Any, Take::UpTo(MAX_SIZE), Take::exactly(vec![1, MAX_SIZE])] {
            for (passes, depths) in [(0, false), (15, true)] {
                let bounds = vec![MAX_SIZE; MAX_HEAPS];
                let keys = HeapKeys { bounds, take: take.clone(), passes, ..Default::default() };
                let ruleset = keys.rules().unwrap().into();
                let estimate = estimate(&ruleset, GenerateOptions { depths });
                assert!(estimate.memory > 1 << 60, "{estimate:?}");
                assert!(memory_upper_bound(&ruleset, GenerateOptions { depths }) >= estimate.memory);
            }
        }
    }

    #[test]
    fn one_or_two_heaps_are_at_least_as_much_work_as_they_have_positions() {
        for bounds in [vec![1_000_000], vec![1000, 2000], vec![MAX_SIZE, MAX_SIZE]] {
            for (take, depths) in [(Take::Any, true), (Take::UpTo(2), true), (Take::UpTo(2), false)] {
                let rules = HeapKeys { bounds: bounds.clone(), take, ..Default::default() }.rules().unwrap();
                assert!(rules.work(GenerateOptions { depths }) >= rules.positions().into(), "{rules:?}");
            }
        }
    }

    #[test]
    fn the_work_of_two_heaps_without_depths_is_proportional_to_their_sizes() {
        let work = |bounds: [Heap; 2]| {
            let rules = HeapKeys { bounds: bounds.to_vec(), ..Default::default() }.rules().unwrap();
            rules.work(GenerateOptions { depths: false })
        };
        assert_eq!(work([2000, 2000]), 2 * work([1000, 1000]) - 8);
    }
}
