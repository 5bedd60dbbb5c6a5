//! A plain solver for every ruleset: it computes each position from the positions after each of its moves.
//!
//! WebAssembly uses this solver because it is short, and the tests compare all other solvers with it. Positions come in
//! the order of ranks, so the positions after each move come first. Cost: one step for each position and move. Example:
//! {2,1} comes after {1,1} and {2,0}.
//!
//! Where a move takes any number of stones from one heap, WebAssembly needs fewer steps: from each position of a line
//! (all sizes of one heap, with the other heaps fixed) moves lead to all smaller ones. So it is enough to keep the best
//! position of each line so far: the lost one, if any, otherwise the deepest won one. Each position reads its lines, then
//! updates them: a few steps for each heap.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MoveKind, Position, Ranks};
use bouton_tables::{Game, Outcome, Play};

use crate::census::Census;
use crate::control::{CancelCheck, Control};
use crate::heaps::classes::edges::{ClassEdge, VOID};
use crate::heaps::classes::multisets::{Multisets, RankFunction, stored};
use crate::heaps::classes::pack::{LostTarget, TableParts};
use crate::heaps::line::{HeapLine, without};
use crate::heaps::passes::by_passes;
use crate::heaps::solved::Solved;
use crate::making::GenerateError;
use crate::memory::{filled, room};

impl Solved {
    /// Reports whether the player to move loses.
    pub(crate) fn is_lost(self, play: Play) -> bool {
        play.outcome_at_depth(self.depth) == Outcome::Loss
    }
}

/// All positions with the same number of passes left.
pub(crate) struct Layer {
    /// The positions by rank; empty if they were solved by lines and there are no passes.
    positions: Vec<Solved>,
    /// The best position of each line, by the rank of the other heaps; empty if positions were solved by moves.
    lines: Vec<BestOfLine>,
    pub(crate) census: Census,
}

impl Layer {
    pub(crate) fn at(&self, rank: u64) -> Solved {
        self.positions[rank as usize]
    }
}

/// The best position of a line to move to.
#[derive(Clone, Copy, Default)]
struct BestOfLine {
    /// Size of the heap that varies.
    size: Heap,
    /// `None` if there is no position yet.
    solved: Option<Solved>,
}

impl BestOfLine {
    /// Adds a position to the line.
    fn add(&mut self, play: Play, size: Heap, solved: Solved) {
        // A line has at most one lost position. Among equally deep won positions, reaching the last one takes the
        // fewest stones.
        let is_better = self
            .solved
            .is_none_or(|best| !best.is_lost(play) && (solved.is_lost(play) || solved.depth >= best.depth));
        if is_better {
            *self = Self { size, solved: Some(solved) };
        }
    }
}

/// The best successor so far.
struct BestSuccessor {
    play: Play,
    found: Option<Solved>,
}

impl BestSuccessor {
    fn new(play: Play) -> Self {
        Self { play, found: None }
    }

    /// Considers a move that takes `stones` stones.
    #[inline]
    fn consider(&mut self, next: Solved, stones: u32) {
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
    fn solved(self) -> Solved {
        match self.found {
            None => Solved { depth: 0, stones: 0 },
            Some(Solved { depth, stones }) => Solved { depth: depth + 1, stones },
        }
    }
}

/// Solves all positions by moves: a layer for each number of passes left, from none up.
#[cfg(test)]
pub(crate) fn solve(
    rules: &HeapRules,
    ranks: &Ranks,
    control: &dyn Control,
) -> Result<Vec<Layer>, GenerateError> {
    solve_layers(rules, ranks, None, control)
}

/// Makes the body of a table with a record for each position, or for each line, and the census. The table is not small,
/// but needs no search for classes. A step of progress is a position.
pub(crate) fn make(
    rules: &HeapRules,
    depths: bool,
    ranks: &Ranks,
    control: &dyn Control,
) -> Result<(TableParts, Census), GenerateError> {
    // Bounds are in ascending order: if any one heap varies, the others fit into all bounds except the first.
    let others = Ranks::try_new(&rules.bounds()[1..])?;
    let has_lines = rules.move_kind() == MoveKind::AnyFromOne;
    let layers = solve_layers(rules, ranks, has_lines.then_some(&others), control)?;
    let mut parts = TableParts { levels: vec![Vec::new(); rules.heaps()], ..TableParts::default() };
    if rules.at_most_one_loss_per_line() {
        let at = |layer: u64, rank: u64| {
            let layer = &layers[layer as usize];
            let lost = match layer.lines.get(rank as usize) {
                Some(&BestOfLine { size, solved }) => solved.map(|solved| (size, solved)),
                None => {
                    let line = HeapLine::new(ranks, &others.unrank(rank));
                    let mut positions = (0..).zip(line.ranks().map(|rank| layer.at(rank)));
                    positions.find(|(_, solved)| solved.is_lost(rules.play()))
                }
            };
            match lost.filter(|(_, solved)| solved.is_lost(rules.play())) {
                Some((size, Solved { depth, stones })) if depths => {
                    LostTarget { size, deeper: depth, best_take: stones }
                }
                Some((size, _)) => LostTarget { size, ..LostTarget::default() },
                None => LostTarget { size: rules.greatest_bound() + 1, ..LostTarget::default() },
            }
        };
        parts.targets = Multisets::new(rules, &others).collect(&RankFunction { ranks: &others, at })?;
    } else {
        let at = |layer: u64, rank| stored(edge_of(rules, depths, layers[layer as usize].at(rank)));
        parts.stem = Multisets::new(rules, ranks).collect(&RankFunction { ranks, at })?;
    }
    let census = layers.iter().fold(Census::default(), |all, layer| all.and(layer.census));
    Ok((parts, Census { deepest: if depths { census.deepest } else { 0 }, ..census }))
}

/// Returns the edge to a position, as [`merge_positions`](crate::heaps::classes::merge_classes::merge_positions) expects it.
pub(crate) fn edge_of(rules: &HeapRules, depths: bool, solved: Solved) -> ClassEdge {
    match solved.is_lost(rules.play()) {
        false => ClassEdge { class: 0, deeper: VOID },
        true if depths => ClassEdge { class: 1 + solved.stones, deeper: solved.depth },
        true => ClassEdge { class: 1, deeper: 0 },
    }
}

/// Solves all layers: by lines if `others`, the ranks of the other heaps of a line, are given; otherwise by moves.
fn solve_layers(
    rules: &HeapRules,
    ranks: &Ranks,
    others: Option<&Ranks>,
    control: &dyn Control,
) -> Result<Vec<Layer>, GenerateError> {
    let play = rules.play();
    by_passes(rules, |passed: Option<&Layer>| {
        let has_positions = others.is_none() || rules.passes() > 0;
        let mut layer = Layer {
            positions: room(if has_positions { ranks.count() } else { 0 })?,
            lines: filled(others.map_or(0, Ranks::count), BestOfLine::default())?,
            census: Census::default(),
        };
        let mut cancel_check = CancelCheck::new(control);
        let mut heaps = ranks.unrank(0);
        for rank in 0..ranks.count() {
            let mut best = BestSuccessor::new(play);
            if let Some(others) = others {
                cancel_check.spend(heaps.len())?;
                each_line(&heaps, others, |line, size| {
                    let BestOfLine { size: to, solved } = layer.lines[line];
                    if let Some(solved) = solved {
                        best.consider(solved, size - to);
                    }
                });
            } else {
                consider_moves(rules, ranks, &layer, &heaps, &mut best, &mut cancel_check)?;
            }
            // Without a move there is no pass.
            if let Some(passed) = passed.filter(|_| rules.can_take(&heaps)) {
                best.consider(passed.at(rank), 0);
            }
            let solved = best.solved();
            if let Some(others) = others {
                each_line(&heaps, others, |line, size| layer.lines[line].add(play, size, solved));
            }
            if has_positions {
                layer.positions.push(solved);
            }
            layer.census.wins += u64::from(!solved.is_lost(play));
            layer.census.deepest = layer.census.deepest.max(solved.depth);
            ranks.advance(&mut heaps);
            if rank.is_multiple_of(POSITIONS_PER_REPORT) {
                control.advance(POSITIONS_PER_REPORT.min(ranks.count() - rank));
            }
        }
        Ok(layer)
    })
}

/// Considers all moves from some heaps except the pass.
fn consider_moves(
    rules: &HeapRules,
    ranks: &Ranks,
    layer: &Layer,
    heaps: &Heaps,
    best: &mut BestSuccessor,
    cancel_check: &mut CancelCheck,
) -> Result<(), GenerateError> {
    match rules.move_kind() {
        MoveKind::AnyFromOne | MoveKind::AmountsFromOne(_) => {
            for place in 0..heaps.len() {
                // One of several equal heaps is enough.
                if place > 0 && heaps[place] == heaps[place - 1] {
                    continue;
                }
                let line = HeapLine::new(ranks, &without(heaps, place));
                cancel_check.spend(rules.take().count(heaps[place]) as usize)?;
                for take in rules.take().amounts(heaps[place]) {
                    best.consider(layer.at(line.rank(heaps[place] - take)), take);
                }
            }
        }
        MoveKind::AnyFromSeveral(most) => {
            consider_several((ranks, layer), *heaps, (0, most, 0), best, cancel_check)?;
        }
        MoveKind::SameFromSeveral(_) | MoveKind::Other => {
            let position = Position { heaps: *heaps, passes: 0 };
            for chosen in rules.moves(&position) {
                cancel_check.spend(1)?;
                let next = rules.after(&position, chosen).heaps.descending();
                let stones = u32::try_from(chosen.stones()).expect("a move takes fewer than 2^32 stones");
                best.consider(layer.at(ranks.rank(&next)), stones);
            }
        }
    }
    Ok(())
}

/// Considers the moves that take any number of stones from each of 1 to `more` heaps, at places from `first` on, after
/// `taken` stones were taken from heaps before these. `left` are the heaps left so far.
fn consider_several(
    (ranks, layer): (&Ranks, &Layer),
    mut left: Heaps,
    (first, more, taken): (usize, usize, u32),
    best: &mut BestSuccessor,
    cancel_check: &mut CancelCheck,
) -> Result<(), GenerateError> {
    for place in first..left.len() {
        let heap = left[place];
        if heap == 0 {
            continue;
        }
        // The moves that take from this heap last lead along a line.
        let line = HeapLine::new(ranks, &without(&left, place).descending());
        cancel_check.spend(heap as usize)?;
        for (size, rank) in (0..).zip(line.ranks_to(heap - 1)) {
            best.consider(layer.at(rank), taken + heap - size);
        }
        if more > 1 {
            for size in 0..heap {
                left[place] = size;
                let further = (place + 1, more - 1, taken + heap - size);
                consider_several((ranks, layer), left, further, best, cancel_check)?;
            }
            left[place] = heap;
        }
    }
    Ok(())
}

/// Positions between two reports of progress.
const POSITIONS_PER_REPORT: u64 = 1 << 12;

/// Visits each line through a position once: `visit` gets the rank of the other heaps, and the size of the line's own
/// heap.
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

    /// Asserts the same depths as in the plain solver, and the same stones of the best move in lost positions.
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
