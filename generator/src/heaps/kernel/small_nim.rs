//! A short solver, for WebAssembly, where a move takes any number of stones from one heap.
//!
//! A line has all sizes of one heap, with the other heaps fixed, and from each of its positions moves lead to all
//! smaller ones. So it is enough to keep the best position of each line so far: the lost one, if any, otherwise the
//! deepest won one. Positions come in the order of ranks, so smaller positions come first. Each position reads its
//! lines, then updates them: a few steps for each heap, where a solver that tries all moves needs a step for each stone.

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapRules, Heaps, Ranks};

use super::plain::{BestSuccessor, Layer};
use crate::census::Census;
use crate::control::{CancelCheck, Control};
use crate::heaps::classes::multisets::{Multisets, RankFunction};
use crate::heaps::classes::pack::{LostTarget, TableParts};
use crate::heaps::passes::by_passes;
use crate::heaps::solved::Solved;
use crate::making::GenerateError;
use crate::memory::filled;

/// The best position of a line to move to.
#[derive(Clone, Copy)]
struct BestOfLine {
    /// Size of the heap that varies; [`NO_SIZE`] if there is no position yet.
    size: Heap,
    solved: Solved,
}

/// Stands for no position; no heap is this large.
const NO_SIZE: Heap = Heap::MAX;

impl BestOfLine {
    /// Adds a position to the line.
    fn add(&mut self, play: Play, size: Heap, solved: Solved) {
        // A line has at most one lost position. Among equally deep won positions, reaching the last one takes the
        // fewest stones.
        let better =
            || !self.solved.is_lost(play) && (solved.is_lost(play) || solved.depth >= self.solved.depth);
        if self.size == NO_SIZE || better() {
            *self = Self { size, solved };
        }
    }
}

/// All positions with the same number of passes left.
struct SmallNimLayer {
    /// The best position of each line, by the rank of the other heaps.
    best_of_line: Vec<BestOfLine>,
    /// All positions, for the layer with one more pass; empty in games without passes.
    layer: Layer,
    census: Census,
}

/// Makes the body of a table in which each line is a class of its own, and the census. A step of progress is a position.
pub(crate) fn make(
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
    parts.targets = Multisets::new(rules, &others).collect(&RankFunction { ranks: &others, at })?;
    let mut census = Census::default();
    for SmallNimLayer { census: Census { wins, deepest }, .. } in lines {
        census.wins += wins;
        census.deepest = census.deepest.max(deepest);
    }
    Ok((parts, census))
}

fn target(rules: &HeapRules, depths: bool, BestOfLine { size, solved }: BestOfLine) -> LostTarget {
    match solved.is_lost(rules.play()) {
        true if depths => LostTarget { size, deeper: solved.depth, best_take: solved.stones },
        true => LostTarget { size, deeper: 0, best_take: 0 },
        false => LostTarget { size: rules.greatest_bound() + 1, deeper: 0, best_take: 0 },
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
    let no_position = BestOfLine { size: NO_SIZE, solved: Solved { depth: 0, stones: 0 } };
    let mut best_of_line = filled(others.count(), no_position)?;
    let mut census = Census::default();
    let mut cancel_check = CancelCheck::new(control);
    let mut heaps: Heaps = std::iter::repeat_n(0, ranks.heaps()).collect();
    for rank in 0..ranks.count() {
        cancel_check.spend(heaps.len())?;
        let mut best = BestSuccessor::new(play);
        each_line(&heaps, others, |line, size| {
            let BestOfLine { size: to, solved } = best_of_line[line];
            if to != NO_SIZE {
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
        ranks.advance(&mut heaps);
        if rank.is_multiple_of(POSITIONS_PER_REPORT) {
            control.advance(POSITIONS_PER_REPORT.min(ranks.count() - rank));
        }
    }
    Ok(SmallNimLayer { best_of_line, layer, census })
}

/// Positions between two reports of progress.
const POSITIONS_PER_REPORT: u64 = 1 << 12;

/// Visits the lines through a position, once for equal heaps: the rank of the other heaps, and the size of the heap.
#[inline]
fn each_line(heaps: &Heaps, others: &Ranks, mut visit: impl FnMut(usize, Heap)) {
    // The rank of all heaps except the first.
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
