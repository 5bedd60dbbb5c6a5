//! Tables of small games for tests, solved move by move, and modified at will.

use std::collections::HashMap;

use crate::format::tests::forged::{self, Records, records};
use crate::heaps::position::{Heap, Heaps, Move, Position};
use crate::heaps::ranks::Ranks;
use crate::heaps::rules::HeapRules;
use crate::heaps::take::Take;
use crate::{Game, Header, Outcome};

/// The answer for a position, found from the rules.
#[derive(Clone, Debug)]
pub(crate) struct Solution {
    pub(crate) outcome: Outcome,
    /// Plies until the end.
    pub(crate) depth: u32,
    pub(crate) best: Option<Move>,
    pub(crate) winning: Vec<Move>,
}

/// The answers for all positions of a game.
pub(crate) struct Solved {
    rules: HeapRules,
    /// The heaps of each position are in descending order.
    pub(crate) positions: HashMap<Position, Solution>,
}

impl Solved {
    pub(crate) fn new(rules: &HeapRules) -> Self {
        let mut solved = Self { rules: rules.clone(), positions: HashMap::new() };
        let ranks = Ranks::try_new(rules.bounds()).unwrap();
        for passes in 0..=rules.passes() {
            // Moves lead to a lower rank, or to fewer passes.
            for heaps in (0..ranks.count()).map(|rank| ranks.unrank(rank)) {
                let position = Position { heaps, passes };
                let solution = solved.solve(&position);
                solved.positions.insert(position, solution);
            }
        }
        solved
    }

    /// Returns the answer for a position, whose heaps may be in any order.
    pub(crate) fn of(&self, position: &Position) -> &Solution {
        &self.positions[&Position { heaps: position.heaps.descending(), ..*position }]
    }

    /// Finds the answer for a position from the answers for the next positions.
    fn solve(&self, position: &Position) -> Solution {
        let moves: Vec<Move> = self.rules.moves(position).collect();
        let after = |chosen: &Move| self.of(&self.rules.after(position, *chosen));
        let wins = |chosen: &Move| after(chosen).outcome == Outcome::Loss;
        let winning: Vec<Move> = moves.iter().copied().filter(wins).collect();
        let (outcome, best) = if moves.is_empty() {
            (self.rules.play().outcome_without_moves(), None)
        } else if winning.is_empty() {
            // `min_by_key` returns the first of equal moves.
            let rank = |chosen: &&Move| (u32::MAX - after(chosen).depth, chosen.stones());
            (Outcome::Loss, moves.iter().min_by_key(rank))
        } else {
            (Outcome::Win, winning.iter().min_by_key(|chosen| (after(chosen).depth, chosen.stones())))
        };
        let (best, depth) = (best.copied(), best.map_or(0, |chosen| after(chosen).depth + 1));
        Solution { outcome, depth, best, winning }
    }
}

/// The parts of a table file.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) rules: HeapRules,
    pub(crate) depths: bool,
    pub(crate) stem: Records,
    /// The levels; the last one has targets if a move may take any number of stones.
    pub(crate) levels: Vec<Records>,
}

impl Parts {
    /// Makes a table whose stem has all heaps, or all except one if a move may take any number of stones. Each group of
    /// the stem's heaps is a class.
    pub(crate) fn ranked(rules: &HeapRules, depths: bool) -> Self {
        let (solved, heaps) = (Solved::new(rules), rules.heaps());
        let mut levels = vec![Records::new(); heaps];
        if *rules.take() != Take::Any {
            let ranks = Ranks::try_new(rules.bounds()).unwrap();
            let stem = by_rank(rules, &ranks).map(|position| leaf(&solved, &position, depths));
            return Self { stem: records(stem), levels, rules: rules.clone(), depths };
        }
        let ranks = Ranks::try_new(&rules.bounds()[1..]).unwrap();
        let target = |others: Position| {
            let lost = (0..=rules.greatest_bound())
                .map(|size| with(&others, size))
                .find(|position| rules.fits(&position.heaps) && solved.of(position).outcome == Outcome::Loss);
            let Some(position) = lost else { return [u64::from(rules.greatest_bound()) + 1, 0, 0] };
            let size = position.heaps[heaps - 1];
            let [class, deeper] = leaf(&solved, &position, depths);
            [size.into(), deeper, class - 1]
        };
        levels[heaps - 1] = records(by_rank(rules, &ranks).map(target));
        Self { stem: Records::new(), levels, rules: rules.clone(), depths }
    }

    /// Makes a table whose stem has no heaps, of a game with equal bounds and restricted takes. Each sequence of heaps
    /// is a class.
    pub(crate) fn unranked(rules: &HeapRules, depths: bool) -> Self {
        let (solved, heaps) = (Solved::new(rules), rules.heaps());
        let sizes = || 0..=rules.greatest_bound();
        // The heaps of each class: a class of the previous level, with each size added.
        let mut classes: Vec<Position> =
            (0..=rules.passes()).map(|passes| Position { heaps: Heaps::new(), passes }).collect();
        let stem = records((0..classes.len() as u64).map(|class| [class, 0]));
        let mut levels = Vec::new();
        for level in 1..=heaps {
            classes = classes.iter().flat_map(|heaps| sizes().map(|size| with(heaps, size))).collect();
            levels.push(if level < heaps {
                records((0..classes.len() as u64).map(|class| [class, 0]))
            } else {
                records(classes.iter().map(|position| leaf(&solved, position, depths)))
            });
        }
        Self { stem, levels, rules: rules.clone(), depths }
    }

    /// Makes a table whose stem has all heaps except one, of a game with restricted takes.
    pub(crate) fn ranked_but_last(rules: &HeapRules, depths: bool) -> Self {
        let (solved, heaps) = (Solved::new(rules), rules.heaps());
        let ranks = Ranks::try_new(&rules.bounds()[1..]).unwrap();
        let sizes = |others: Position| (0..=rules.greatest_bound()).map(move |size| with(&others, size));
        let record = |position: Position| {
            if rules.fits(&position.heaps) { leaf(&solved, &position, depths) } else { [0, 0] }
        };
        let mut levels = vec![Records::new(); heaps];
        levels[heaps - 1] = records(by_rank(rules, &ranks).flat_map(sizes).map(record));
        Self { stem: Records::new(), levels, rules: rules.clone(), depths }
    }

    pub(crate) fn header(&self) -> Header {
        forged::header(self.rules.clone(), self.depths)
    }

    pub(crate) fn file(&self) -> Vec<u8> {
        let header = self.header();
        let arrays = [&[self.stem.clone()][..], &self.levels].concat();
        forged::file(&header, &arrays, 0)
    }
}

/// Returns a position with one more heap.
fn with(position: &Position, size: Heap) -> Position {
    let mut position = *position;
    position.heaps.push(size);
    position
}

/// Returns the groups of heaps in the order of their ranks, for each number of passes left.
fn by_rank(rules: &HeapRules, ranks: &Ranks) -> impl Iterator<Item = Position> {
    let heaps: Vec<Heaps> = (0..ranks.count()).map(|rank| ranks.unrank(rank)).collect();
    (0..=rules.passes())
        .flat_map(move |passes| heaps.clone().into_iter().map(move |heaps| Position { heaps, passes }))
}

/// Returns the class of a whole position, and its depth if the position is lost.
fn leaf(solved: &Solved, position: &Position, depths: bool) -> [u64; 2] {
    let solution = solved.of(position);
    let best_take = solution.best.map_or(0, |best| best.stones());
    match (solution.outcome, depths) {
        (Outcome::Win, _) => [0, 0],
        (Outcome::Loss, true) => [1 + best_take, solution.depth.into()],
        (Outcome::Loss, false) => [1, 0],
    }
}
