//! The witness: a shortest line of play that both rulesets allow, to a position whose outcome differs.
//!
//! In general, a breadth-first search from all openings finds the witness. If a move may take any number of stones from a heap, the
//! number of moves between two positions is known without a search. Then the scan of all positions lists the nearest ones whose outcome
//! differs, and a depth-first search follows only moves towards them.

use std::collections::VecDeque;

use bouton_tables::{AnswerText, Game, Region, Solved};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::overlap::Comparable;
use super::scan::{NearestPositions, TablePair};
use crate::error::Result;

/// A line of play that both rulesets allow, to a position that is won under one ruleset and lost under the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// The first position.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
    /// The last position.
    pub position: String,
    /// The answer of A at the last position.
    pub a: AnswerText,
    /// The answer of B at the last position.
    pub b: AnswerText,
}

/// The result of the search for a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WitnessSearch {
    /// No search: no outcome differs, or the user did not request a witness.
    Needless,
    /// The first of the shortest lines.
    Found(Box<Witness>),
    /// No line that both rulesets allow leads to a position whose outcome differs.
    Unreachable,
    /// The search gave up after this many positions, nearest first.
    GivenUp(usize),
}

/// Maximum number of positions of a breadth-first search, which take some hundred MiB of memory.
const MAX_POSITIONS: usize = 1 << 22;
/// Maximum number of moves of a breadth-first search, which take half a minute.
const MAX_MOVES: u64 = 1 << 28;

/// A line of play during the search.
struct Route<G: Game> {
    start: G::Position,
    moves: Vec<G::Move>,
    end: G::Position,
}

impl<G: Comparable, S: Solved<Game = G>> TablePair<'_, S> {
    /// Finds the witness. `nearest` has the nearest positions whose outcome differs, if distances are known.
    pub(super) fn witness(&self, nearest: Option<NearestPositions>) -> Result<WitnessSearch> {
        if !self.overlap.knows_distances {
            return self.breadth_first();
        }
        match nearest {
            None => Ok(WitnessSearch::Unreachable),
            Some(nearest) => self.witness_of(&self.guided_search(&nearest)?),
        }
    }

    /// Adds the answers and the notation to a line of play.
    fn witness_of(&self, route: &Route<G>) -> Result<WitnessSearch> {
        let show = |position| G::show(self.overlap.rules, position);
        let [a, b] = self.answers(&route.end)?;
        Ok(WitnessSearch::Found(Box::new(Witness {
            start: show(&route.start),
            moves: route.moves.iter().map(ToString::to_string).collect(),
            position: show(&route.end),
            a: AnswerText::from(&a),
            b: AnswerText::from(&b),
        })))
    }

    /// Finds the first line, in the order of moves, to one of the nearest positions. If their list is complete, the search follows only
    /// moves that approach one of them. Otherwise the nearest positions are numerous, and a search by all moves soon finds one.
    fn guided_search(&self, nearest: &NearestPositions) -> Result<Route<G>> {
        let start = G::openings(&self.overlap).next().expect("every game has an opening");
        let mut route = Route { end: start.clone(), start, moves: Vec::new() };
        let targets = || nearest.indices.iter().map(|&index| self.overlap.position(index)).collect();
        let targets: Option<Vec<_>> = nearest.is_complete.then(targets);
        let found =
            self.depth_first(&mut route, nearest.distance, targets.as_deref(), &mut FxHashSet::default())?;
        assert!(found, "the scan found a position at that distance");
        Ok(route)
    }

    /// Extends the route by `left` moves to a position whose outcome differs; to one of `targets`, if given. Returns false if there is
    /// no such extension. `failed` has the positions from which the search has failed, each with the number of moves that were left.
    fn depth_first(
        &self,
        route: &mut Route<G>,
        left: u32,
        targets: Option<&[G::Position]>,
        failed: &mut FxHashSet<(u64, u32)>,
    ) -> Result<bool> {
        let Some(left) = left.checked_sub(1) else {
            return self.differs(&route.end);
        };
        (self.progress)(0)?;
        let overlap = &self.overlap;
        let before = route.end.clone();
        for (chosen, next) in overlap.moves(&before) {
            let key = (overlap.reachable.index_of(&next), left);
            let in_reach = |target: &&_| G::distance(overlap.rules, &next, target) == Some(left);
            let targets = targets.map(|targets| targets.iter().filter(in_reach).cloned().collect::<Vec<_>>());
            if failed.contains(&key) || targets.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            route.end = next;
            route.moves.push(chosen);
            if self.depth_first(route, left, targets.as_deref(), failed)? {
                return Ok(true);
            }
            route.moves.pop();
            failed.insert(key);
        }
        route.end = before;
        Ok(false)
    }

    /// Returns whether the outcome of a position differs.
    fn differs(&self, position: &G::Position) -> Result<bool> {
        let [a, b] = self.outcomes(&G::sides(self.overlap.rules, position))?;
        Ok(a != b)
    }

    fn breadth_first(&self) -> Result<WitnessSearch> {
        let overlap = &self.overlap;
        let region = &overlap.reachable;
        // Each visited position's number in the region, with the index of its predecessor in this list.
        let mut visited: Vec<(u64, usize)> = Vec::new();
        let mut visited_numbers = FxHashSet::default();
        let mut moves_tried = 0;
        // The visited positions whose moves are still to be tried, with their indices.
        let mut queue = VecDeque::new();
        let openings = G::openings(overlap).map(|opening| (usize::MAX, opening));
        let mut found: Vec<(usize, G::Position)> = openings.collect();
        loop {
            for (before, position) in found {
                let number = region.index_of(&position);
                if !visited_numbers.insert(number) {
                    continue;
                }
                visited.push((number, before));
                if self.differs(&position)? {
                    return self.witness_of(&self.retrace(&visited));
                }
                queue.push_back((visited.len() - 1, position));
            }
            if visited.len() > MAX_POSITIONS || moves_tried > MAX_MOVES {
                return Ok(WitnessSearch::GivenUp(visited.len()));
            }
            let Some((index, position)) = queue.pop_front() else { return Ok(WitnessSearch::Unreachable) };
            (self.progress)(0)?;
            found = overlap.moves(&position).map(|(_, next)| (index, next)).collect();
            moves_tried += found.len() as u64;
        }
    }

    /// Rebuilds the line to the last visited position.
    fn retrace(&self, visited: &[(u64, usize)]) -> Route<G> {
        let region = &self.overlap.reachable;
        let mut numbers = Vec::new();
        let mut index = visited.len() - 1;
        while let Some(&(number, before)) = visited.get(index) {
            numbers.push(number);
            index = before;
        }
        let opening = numbers.pop().expect("a line has a beginning");
        let start = region.walk(opening).next().expect("a number in the region");
        let (mut end, mut moves) = (start.clone(), Vec::new());
        for &number in numbers.iter().rev() {
            let leads_there = |(_, next): &(_, _)| region.index_of(next) == number;
            let (chosen, next) = self.overlap.moves(&end).find(leads_there).expect("the move of the search");
            moves.push(chosen);
            end = next;
        }
        Route { start, moves, end }
    }
}

#[cfg(test)]
mod tests {
    use bouton_generator::generate_in_memory;
    use bouton_tables::heaps::{HeapKeys, HeapRules};
    use bouton_tables::{Play, Table, with_table};

    use super::*;
    use crate::diff::{Comparable, DifferenceKind};

    fn check_all_searches<S: Solved<Game: Comparable>>(a: &S, b: &S) {
        let overlap = Comparable::overlap(a.game(), b.game()).unwrap();
        let pair = TablePair { overlap, a, b, progress: &|_| Ok(()) };
        let scanned = pair.scan(&pair.overlap.compared, 0, DifferenceKind::Any, pair.progress);
        let nearest = scanned.unwrap().nearest.unwrap();
        assert!(nearest.is_complete);
        let guided = pair.witness_of(&pair.guided_search(&nearest).unwrap()).unwrap();
        let incomplete = NearestPositions { is_complete: false, ..nearest };
        assert_eq!(guided, pair.witness_of(&pair.guided_search(&incomplete).unwrap()).unwrap());
        assert_eq!(guided, pair.breadth_first().unwrap());
    }

    #[test]
    fn all_searches_find_the_same_witness() {
        let rules = |bounds: &[u32], heaps_per_move: u32, passes, play| {
            HeapKeys {
                bounds: bounds.to_vec(),
                heaps_per_move: heaps_per_move.into(),
                passes,
                play,
                ..Default::default()
            }
            .rules()
            .unwrap()
        };
        for (a, b) in [
            (rules(&[3, 5, 7], 1, 0, Play::Normal), rules(&[3, 5, 7], 1, 0, Play::Misere)),
            (rules(&[3, 5, 7], 2, 0, Play::Normal), rules(&[2, 5, 8], 2, 0, Play::Misere)),
            (rules(&[4, 4, 4, 4], 1, 0, Play::Normal), rules(&[4, 4, 4], 2, 0, Play::Normal)),
            (rules(&[4, 4], 1, 2, Play::Normal), rules(&[3, 5], 1, 1, Play::Misere)),
            (rules(&[5], 1, 0, Play::Normal), rules(&[3, 3], 2, 0, Play::Misere)),
        ] {
            let table = |rules: &HeapRules| {
                Table::open(generate_in_memory(&rules.clone().into(), true).unwrap()).unwrap()
            };
            let (a, b) = (table(&a), table(&b));
            with_table!(a.family(), b.family(), |a, b| check_all_searches(a, b), else panic!("they are heap games"));
        }
    }
}
