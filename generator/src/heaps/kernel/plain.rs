//! A plain solver for every ruleset: it computes each position from the positions after each of its moves.
//!
//! WebAssembly uses this solver because it is short, and the tests compare all other solvers with it. Positions with
//! the same number of stones do not depend on each other, so they are solved in parallel, from no stones upwards. Cost:
//! one step for each position and move. Example: with 3 stones, {3}, {2,1} and {1,1,1} are solved at the same time.

use std::sync::atomic::{AtomicU64, Ordering};

use bouton_tables::heaps::{Heap, HeapRules, Heaps, Move, Position, Ranks};
use bouton_tables::{Game, Outcome, Play};

use crate::census::Census;
use crate::control::{CancelCheck, Control, check_cancelled};
use crate::heaps::classes::edges::{ClassEdge, VOID};
use crate::heaps::classes::multisets::{Multisets, RankFunction, stored};
use crate::heaps::classes::pack::{LostTarget, TableParts};
use crate::heaps::line::{HeapLine, without};
use crate::heaps::passes::by_passes;
use crate::heaps::solved::Solved;
use crate::making::GenerateError;
use crate::memory::filled_with;
use crate::parallel;

impl Solved {
    fn pack(self) -> u64 {
        u64::from(self.depth) << 32 | u64::from(self.stones)
    }

    fn unpack(packed: u64) -> Self {
        Self { depth: (packed >> 32) as u32, stones: packed as u32 }
    }

    /// Reports whether the player to move loses.
    pub(crate) fn is_lost(self, play: Play) -> bool {
        play.outcome_at_depth(self.depth) == Outcome::Loss
    }
}

/// All positions with the same number of passes left, by rank.
pub(crate) struct Layer {
    positions: Vec<AtomicU64>,
}

impl Layer {
    /// Returns a layer of unsolved positions.
    pub(crate) fn new(positions: u64) -> Result<Self, GenerateError> {
        Ok(Self { positions: filled_with(positions, || AtomicU64::new(0))? })
    }

    pub(crate) fn set(&self, rank: u64, solved: Solved) {
        self.positions[rank as usize].store(solved.pack(), Ordering::Relaxed);
    }

    pub(crate) fn at(&self, rank: u64) -> Solved {
        // `Relaxed` suffices: the end of each parallel section orders its stores before later loads.
        Solved::unpack(self.positions[rank as usize].load(Ordering::Relaxed))
    }
}

/// The best successor so far.
pub(crate) struct BestSuccessor {
    play: Play,
    found: Option<Solved>,
}

impl BestSuccessor {
    pub(crate) fn new(play: Play) -> Self {
        Self { play, found: None }
    }

    /// Considers a move that takes `stones` stones.
    #[inline]
    pub(crate) fn consider(&mut self, next: Solved, stones: u32) {
        let Some(best) = self.found else {
            self.found = Some(Solved { depth: next.depth, stones });
            return;
        };
        let (lost, best_lost) = (next.is_lost(self.play), best.is_lost(self.play));
        let better = if lost != best_lost {
            lost
        } else if next.depth != best.depth {
            // The winner hurries, the loser delays.
            (next.depth < best.depth) == lost
        } else {
            stones < best.stones
        };
        if better {
            self.found = Some(Solved { depth: next.depth, stones });
        }
    }

    /// Returns the solved position, with depth 0 if there was no move.
    pub(crate) fn solved(self) -> Solved {
        match self.found {
            None => Solved { depth: 0, stones: 0 },
            Some(Solved { depth, stones }) => Solved { depth: depth + 1, stones },
        }
    }
}

/// Solves all positions: a layer for each number of passes left, from none up. A step of progress is a position.
pub(crate) fn solve(
    rules: &HeapRules,
    ranks: &Ranks,
    control: &dyn Control,
) -> Result<Vec<Layer>, GenerateError> {
    by_passes(rules, |passes, passed| {
        let layer = Layer::new(ranks.count())?;
        let solver = PlainSolver { rules, ranks, passes, layer: &layer, passed };
        // Every move except a pass takes a stone, so positions with the same number of stones are independent.
        let total: u64 = rules.bounds().iter().copied().map(u64::from).sum();
        for stones in 0..=total {
            // The sizes of the greatest heap for which the other heaps can have the remaining stones.
            let heaps = ranks.heaps() as u64;
            let least = stones.div_ceil(heaps).max(stones.saturating_sub(total - u64::from(ranks.bound(0))));
            let greatest = stones.min(ranks.bound(0).into());
            parallel::for_each((greatest + 1).saturating_sub(least) as usize, |number| {
                let first = least + number as u64;
                let mut heaps: Heaps = [first as Heap].into_iter().collect();
                let mut solved = 0;
                let mut cancel_check = CancelCheck::new(control);
                solver.solve_all(&mut heaps, stones - first, &mut solved, &mut cancel_check)?;
                control.advance(solved);
                Ok::<_, GenerateError>(())
            })?;
            check_cancelled(control)?;
        }
        Ok(layer)
    })
}

/// Returns the edge to a position, as [`merge_positions`](crate::heaps::classes::merge_classes::merge_positions) expects it.
pub(crate) fn edge_of(rules: &HeapRules, depths: bool, solved: Solved) -> ClassEdge {
    match solved.is_lost(rules.play()) {
        false => ClassEdge { class: 0, deeper: VOID },
        true if depths => ClassEdge { class: 1 + solved.stones, deeper: solved.depth },
        true => ClassEdge { class: 1, deeper: 0 },
    }
}

/// Returns the body of a table with a record for each position, or each line: not small, but made without a search.
pub(crate) fn parts(
    rules: &HeapRules,
    depths: bool,
    ranks: &Ranks,
    layers: &[Layer],
) -> Result<TableParts, GenerateError> {
    let mut parts = TableParts { levels: vec![Vec::new(); rules.heaps()], ..TableParts::default() };
    if rules.at_most_one_loss_per_line() {
        let others = Ranks::try_new(&rules.bounds()[1..])?;
        let at =
            |layer: u64, rank| target_of(rules, depths, ranks, &layers[layer as usize], &others.unrank(rank));
        parts.targets = Multisets::new(rules, &others).collect(&RankFunction { ranks: &others, at })?;
    } else {
        let at = |layer: u64, rank| stored(edge_of(rules, depths, layers[layer as usize].at(rank)));
        parts.stem = Multisets::new(rules, ranks).collect(&RankFunction { ranks, at })?;
    }
    Ok(parts)
}

/// Returns the lost position of a line, in games where a move takes any number of stones: a line has at most one.
fn target_of(rules: &HeapRules, depths: bool, ranks: &Ranks, layer: &Layer, others: &[Heap]) -> LostTarget {
    let line = HeapLine::new(ranks, others);
    let mut positions = (0..).zip(line.ranks()).map(|(size, rank)| (size, layer.at(rank)));
    let lost = positions.find(|(_, solved)| solved.is_lost(rules.play()));
    let none = (rules.greatest_bound() + 1, Solved { depth: 0, stones: 0 });
    let (size, Solved { depth, stones }) = lost.unwrap_or(none);
    let [deeper, best_take] = if depths { [depth, stones] } else { [0, 0] };
    LostTarget { size, deeper, best_take }
}

/// Returns the census of all positions.
pub(crate) fn census(rules: &HeapRules, ranks: &Ranks, layers: &[Layer]) -> Census {
    let mut census = Census::default();
    for solved in layers.iter().flat_map(|layer| (0..ranks.count()).map(|rank| layer.at(rank))) {
        census.wins += u64::from(!solved.is_lost(rules.play()));
        census.deepest = census.deepest.max(solved.depth);
    }
    census
}

struct PlainSolver<'a> {
    rules: &'a HeapRules,
    ranks: &'a Ranks,
    /// Passes left.
    passes: u8,
    layer: &'a Layer,
    /// The layer with one pass less.
    passed: Option<&'a Layer>,
}

impl PlainSolver<'_> {
    /// Solves all positions that begin with these heaps, in descending order, and have `rest` further stones. Adds the
    /// number of these positions to `solved`.
    fn solve_all(
        &self,
        heaps: &mut Heaps,
        rest: u64,
        solved: &mut u64,
        cancel_check: &mut CancelCheck,
    ) -> Result<(), GenerateError> {
        let place = heaps.len();
        let places_left = (self.ranks.heaps() - place) as u64;
        if places_left == 0 {
            if rest == 0 {
                self.solve(heaps, cancel_check)?;
                *solved += 1;
            }
            return Ok(());
        }
        let greatest = u64::from(heaps[place - 1].min(self.ranks.bound(place))).min(rest);
        for heap in rest.div_ceil(places_left)..=greatest {
            heaps.push(heap as Heap);
            self.solve_all(heaps, rest - heap, solved, cancel_check)?;
            heaps.pop();
        }
        Ok(())
    }

    fn solve(&self, heaps: &Heaps, cancel_check: &mut CancelCheck) -> Result<(), GenerateError> {
        let mut best = BestSuccessor::new(self.rules.play());
        if self.rules.heaps_per_move() == 1 {
            for place in 0..heaps.len() {
                // One of several equal heaps is enough.
                if place > 0 && heaps[place] == heaps[place - 1] {
                    continue;
                }
                let line = HeapLine::new(self.ranks, &without(heaps, place));
                cancel_check.spend(self.rules.take().count(heaps[place]) as usize)?;
                for take in self.rules.take().amounts(heaps[place]) {
                    best.consider(self.layer.at(line.rank(heaps[place] - take)), take);
                }
            }
        } else {
            let position = Position { heaps: *heaps, passes: 0 };
            for chosen in self.rules.moves(&position) {
                cancel_check.spend(1)?;
                let next = self.rules.after(&position, chosen).heaps.descending();
                let stones = u32::try_from(chosen.stones()).expect("a move takes fewer than 2^32 stones");
                best.consider(self.layer.at(self.ranks.rank(&next)), stones);
            }
        }
        let rank = self.ranks.rank(heaps);
        if let Some(passed) = self.passed
            && self.rules.is_legal(&Position { heaps: *heaps, passes: self.passes }, Move::PASS)
        {
            best.consider(passed.at(rank), 0);
        }
        self.layer.set(rank, best.solved());
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use bouton_tables::Play;
    use bouton_tables::heaps::{HeapKeys, Take};

    use super::*;

    /// Returns the games with each of `bounds` and each of `takes`: in normal play with 0 and 1 passes, in misère play
    /// with 2.
    pub(crate) fn games(bounds: &[&[Heap]], takes: &[Take]) -> Vec<HeapRules> {
        let rules = |bounds: &[Heap], take: &Take, (play, passes)| {
            let keys =
                HeapKeys { bounds: bounds.to_vec(), take: take.clone(), play, passes, ..Default::default() };
            keys.rules().expect("allowed rules")
        };
        let plays = [(Play::Normal, 0), (Play::Misere, 2), (Play::Normal, 1)];
        let with_bounds =
            |bounds| takes.iter().flat_map(move |take| plays.map(|play| rules(bounds, take, play)));
        bounds.iter().flat_map(|bounds| with_bounds(bounds)).collect()
    }

    /// Asserts that the same positions are lost as in the plain solver, `lost` in all. `found` gets heaps and their
    /// rank, and reports whether they are lost.
    pub(crate) fn check_outcomes(
        rules: &HeapRules,
        found: impl Fn(&[Heap], u64) -> bool,
        lost: u64,
        expected: &Layer,
    ) {
        let ranks = Ranks::try_new(rules.bounds()).expect("few positions");
        let is_lost = |&rank: &u64| {
            let heaps = ranks.unrank(rank);
            assert_eq!(found(&heaps, rank), expected.at(rank).is_lost(rules.play()), "{heaps:?}, {rules:?}");
            found(&heaps, rank)
        };
        assert_eq!((0..ranks.count()).filter(is_lost).count() as u64, lost, "{rules:?}");
    }

    /// Asserts the same depths as in the plain solver, and in lost positions the same stones of the best move.
    pub(crate) fn check_depths(
        rules: &HeapRules,
        ranks: &Ranks,
        passes: usize,
        found: impl Fn(u64) -> Solved,
        expected: &Layer,
    ) {
        for rank in 0..ranks.count() {
            let (found, expected) = (found(rank), expected.at(rank));
            let position = || format!("{rules:?}, {passes} passes: {:?}", ranks.unrank(rank));
            assert_eq!(found.depth, expected.depth, "{}", position());
            if found.is_lost(rules.play()) {
                assert_eq!(found.stones, expected.stones, "{}", position());
            }
        }
    }
}
