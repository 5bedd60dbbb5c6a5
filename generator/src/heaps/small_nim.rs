//! A short solver, for WebAssembly, where a move takes any number of stones from one heap.
//!
//! A line holds all sizes of one heap, with the other heaps fixed; each of its positions can move to all smaller ones.
//! So it is enough to keep the best position of each line so far: the lost one, if any, otherwise the deepest won one.
//! Positions come in the order of ranks, where smaller positions come first. Each position asks its lines, then updates
//! them: a few steps for each heap, whereas a solver that tries all moves needs a step for each stone.

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapRules, Heaps, Ranks};

use super::by_passes;
use super::multisets::{Multisets, RankFunction};
use super::pack::{LostTarget, TableParts};
use super::plain::{BestSuccessor, Layer};
use super::positions::cell::Solved;
use crate::control::CancelCheck;
use crate::memory::filled;
use crate::{Census, Control, GenerateError};

/// The best position of a line to move to.
#[derive(Clone, Copy)]
struct BestOfLine {
    /// Its heap that varies; [`NOTHING`] if there is no position yet.
    size: Heap,
    solved: Solved,
}

/// Stands for no position; no heap is this large.
const NOTHING: Heap = Heap::MAX;

impl BestOfLine {
    /// The line has one more position.
    fn add(&mut self, play: Play, size: Heap, solved: Solved) {
        // A line has at most one lost position. Among equally deep won positions, reaching the last one takes the
        // fewest stones.
        let better =
            || !self.solved.is_lost(play) && (solved.is_lost(play) || solved.depth >= self.solved.depth);
        if self.size == NOTHING || better() {
            *self = Self { size, solved };
        }
    }
}

/// All positions with the same number of passes left.
struct SmallNimLayer {
    /// The best position of each line, by the rank of the other heaps.
    best_of_line: Vec<BestOfLine>,
    /// The positions by rank, for the layer with one more pass; empty without passes.
    layer: Layer,
    census: Census,
}

/// Makes the body of a table in which each line is a class of its own, and the census. The unit of progress is a
/// position.
pub(super) fn make(
    rules: &HeapRules,
    depths: bool,
    ranks: &Ranks,
    control: &dyn Control,
) -> Result<(TableParts, Census), GenerateError> {
    // Bounds are in ascending order: if any one heap varies, the others fit into all bounds except the first.
    let others = Ranks::try_new(&rules.bounds()[1..])?;
    let lines: Vec<SmallNimLayer> = by_passes(rules, |_, less: Option<&SmallNimLayer>| {
        solve(rules, ranks, &others, less.map(|lines| &lines.layer), control)
    })?;
    let at = |layer: u64, rank: u64| target(rules, depths, lines[layer as usize].best_of_line[rank as usize]);
    let mut parts = TableParts { levels: vec![Vec::new(); rules.heaps()], ..TableParts::default() };
    parts.targets =
        Multisets::new(rules, &others).collect(&RankFunction { ranks: &others, at }, 0, |target| target)?;
    let mut census = Census::default();
    for SmallNimLayer { census: Census { wins, deepest }, .. } in lines {
        census.wins += wins;
        census.deepest = census.deepest.max(deepest);
    }
    Ok((parts, census))
}

fn target(rules: &HeapRules, depths: bool, BestOfLine { size, solved }: BestOfLine) -> LostTarget {
    match solved.is_lost(rules.play()) {
        true if depths => LostTarget { size, deeper: solved.depth, tries: solved.stones },
        true => LostTarget { size, deeper: 0, tries: 0 },
        false => LostTarget { size: rules.greatest() + 1, deeper: 0, tries: 0 },
    }
}

fn solve(
    rules: &HeapRules,
    ranks: &Ranks,
    others: &Ranks,
    passed: Option<&Layer>,
    control: &dyn Control,
) -> Result<SmallNimLayer, GenerateError> {
    let play = rules.play();
    let layer = Layer::new(if rules.passes() > 0 { ranks.count() } else { 0 })?;
    let nothing = BestOfLine { size: NOTHING, solved: Solved { depth: 0, stones: 0 } };
    let mut best_of_line = filled(others.count(), nothing)?;
    let mut census = Census::default();
    let mut cancel_check = CancelCheck::new(control);
    let mut heaps: Heaps = std::iter::repeat_n(0, ranks.heaps()).collect();
    for rank in 0..ranks.count() {
        cancel_check.spend(heaps.len())?;
        let mut best = BestSuccessor::new(play);
        each_line(&heaps, others, |line, size| {
            let BestOfLine { size: to, solved } = best_of_line[line];
            if to != NOTHING {
                best.consider(solved, size - to);
            }
        });
        if let Some(passed) = passed.filter(|_| rank > 0) {
            best.consider(passed.at(rank), 0);
        }
        let solved = best.solved();
        each_line(&heaps, others, |line, size| best_of_line[line].add(play, size, solved));
        if rules.passes() > 0 {
            layer.set(rank, solved);
        }
        census.wins += u64::from(!solved.is_lost(play));
        census.deepest = census.deepest.max(solved.depth);
        advance(&mut heaps, ranks);
        if rank.is_multiple_of(STEP) {
            control.advance(STEP.min(ranks.count() - rank));
        }
    }
    Ok(SmallNimLayer { best_of_line, layer, census })
}

/// Positions between reports of progress.
const STEP: u64 = 1 << 12;

/// The lines of a position: for each size that a heap of it has, the number of the other heaps.
#[inline]
fn each_line(heaps: &Heaps, others: &Ranks, mut visit: impl FnMut(usize, Heap)) {
    // All but the first.
    let mut line: u64 = heaps.iter().skip(1).zip(0..).map(|(&heap, place)| others.part(place, heap)).sum();
    for place in 0..heaps.len() {
        if place > 0 {
            line = line - others.part(place - 1, heaps[place]) + others.part(place - 1, heaps[place - 1]);
            if heaps[place] == heaps[place - 1] {
                continue;
            }
        }
        visit(line as usize, heaps[place]);
    }
}

/// The next heaps in the order of ranks.
fn advance(heaps: &mut Heaps, ranks: &Ranks) {
    for place in (0..heaps.len()).rev() {
        let most = ranks.bound(place).min(if place == 0 { Heap::MAX } else { heaps[place - 1] });
        if heaps[place] < most {
            heaps[place] += 1;
            return;
        }
        heaps[place] = 0;
    }
}
