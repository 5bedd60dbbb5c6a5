//! Depths where a move takes any number of stones from one heap, when the outcomes are known.
//!
//! A line has one lost position at the most: a won position above it can move there, and its depth is one
//! more than the least of those that its lines offer. The depth of a lost position is one more than the
//! greatest below it on its lines, which are all won. So each line needs to tell the depth of its lost
//! position, and the greatest depth so far: a position costs a few words for each heap, whatever the sizes.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bouton_tables::heaps::{HeapRules, Ranks};

use super::any::Lines;
use super::cells::{Cell, Pair, Widths};
use super::planes::{Place, Plane, Planes};
use crate::control::Patience;
use crate::memory::filled_with;
use crate::{Control, GenerateError};

/// What is known of the lost positions of a layer.
pub(super) struct Depths<D> {
    /// For each line, by the rank of the other heaps among [`Planes::lines`], the depth of its lost position and
    /// the stones that the best try takes.
    lost: Vec<D>,
    pair: Pair,
    /// For each position its depth, by the rank of all heaps but the least, times the sizes that this can
    /// have, plus its size. Kept only where another layer follows.
    pub(super) all: Vec<AtomicU32>,
    /// The greatest depth of any position.
    pub(super) deepest: u32,
}

impl<D: Cell> Depths<D> {
    /// The depth of the lost position of a line, which must have one, and the stones that the best try takes.
    pub(super) fn of(&self, line: u64) -> (u32, u32) {
        let packed = self.lost[line as usize].load();
        (self.pair.depth(packed), self.pair.stones(packed))
    }

    /// The same by the rank of the other heaps in the game itself, of which `ours` are.
    pub(super) fn without_padding(self, planes: &Planes, ours: &Ranks) -> Result<Self, GenerateError> {
        Ok(Self { lost: planes.without_padding(ours, self.lost)?, ..self })
    }
}

/// The solver of a layer.
struct Solver<'a, T, D> {
    planes: &'a Planes,
    lines: &'a Lines<T>,
    passed: Option<(&'a Lines<T>, &'a Depths<D>)>,
    pair: Pair,
    /// For each line the depth of its lost position and the stones of the best try; the greatest number if it has
    /// none so far.
    lost: Vec<D>,
    /// For each line the greatest depth so far of its won positions, plus one, and the greatest size of the heap
    /// where it is.
    won: Vec<D>,
    all: Vec<AtomicU32>,
}

/// Solves a layer of which the lost positions are known. `passed` is the one of a pass less;
/// `last` tells that none with a pass more follows.
pub(super) fn solve<T: Cell, D: Cell>(
    rules: &HeapRules,
    planes: &Planes,
    lines: &Lines<T>,
    passed: Option<(&Lines<T>, &Depths<D>)>,
    last: bool,
    control: &dyn Control,
) -> Result<Depths<D>, GenerateError> {
    let count = planes.lines.count();
    let kept = if last { 0 } else { count.saturating_mul(u64::from(planes.least) + 1) };
    let solver = Solver {
        planes,
        lines,
        passed,
        pair: Widths::pair(rules),
        lost: filled_with(count, || D::new(D::MOST))?,
        won: filled_with(count, || D::new(0))?,
        all: filled_with(kept, || AtomicU32::new(0))?,
    };
    let deepest = planes.solve(control, u32::max, |plane, (), patience| solver.plane(plane, patience))?;
    Ok(Depths { lost: solver.lost, pair: solver.pair, all: solver.all, deepest })
}

impl<T: Cell, D: Cell> Solver<'_, T, D> {
    /// Solves a plane; gives the greatest depth.
    fn plane(&self, plane: &Plane, patience: &mut Patience) -> Result<u32, GenerateError> {
        let mut deepest = 0;
        for row in 0..=plane.last_row {
            patience.spend(1 + row.min(self.planes.least) as usize)?;
            let line_of_least = plane.own_lines + row as usize;
            let target = self.lines.target(line_of_least as u64);
            let row_part = self.planes.row_part(row);
            for least in 0..=row.min(self.planes.least) {
                let position = Place { plane, row, row_part, least };
                deepest =
                    deepest.max(if least == target { self.lost(&position) } else { self.won(&position) });
            }
        }
        Ok(deepest)
    }

    /// The depth of a won position, which its lines are told of.
    #[inline(always)]
    fn won(&self, position: &Place) -> u32 {
        let mut least = D::MOST;
        position.lines(|line, _| least = least.min(self.lost[line].load()));
        let line = position.line_of_least();
        if let Some((lines, depths)) = self.passed
            && lines.target(line as u64) == position.least
            && !position.is_empty()
        {
            least = least.min(depths.lost[line].load());
        }
        // In misère play the position without stones is won, and has no move.
        let depth = if position.is_empty() { 0 } else { self.pair.depth(least) + 1 };
        position.lines(|line, size| {
            let won = &self.won[line];
            won.store(won.load().max(self.pair.pack(depth + 1, size)));
        });
        self.keep(position, depth);
        depth
    }

    /// The depth of a lost position, which its lines are told of.
    fn lost(&self, position: &Place) -> u32 {
        // The greatest depth plus one, and the fewest stones to get there.
        let mut best = (0, 0);
        let mut consider = |depth: u32, stones: u32| {
            if depth > best.0 || depth == best.0 && stones < best.1 {
                best = (depth, stones);
            }
        };
        position.lines(|line, size| {
            let won = self.won[line].load();
            if won > 0 {
                consider(self.pair.depth(won), size - self.pair.stones(won));
            }
        });
        if let Some((_, passed)) = self.passed
            && !position.is_empty()
        {
            consider(passed.all[position.number(self.planes)].load(Relaxed) + 1, 0);
        }
        let (depth, stones) = best;
        position.lines(|line, _| {
            self.lost[line].store(self.pair.pack(depth, stones));
        });
        self.keep(position, depth);
        depth
    }

    fn keep(&self, position: &Place, depth: u32) {
        if let Some(all) = self.all.get(position.number(self.planes)) {
            all.store(depth, Relaxed);
        }
    }
}
