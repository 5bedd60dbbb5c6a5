//! The witness: a shortest line of play that both rulesets allow, to a position whose outcome differs.
//!
//! In general, a breadth-first search from all openings finds the witness. If moves take any number of stones from a heap, distances are known
//! without a search: the scan then lists the nearest different positions, and a depth-first search follows only moves towards them.

use bouton_tables::{AnswerText, Game, Region, Solved};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::DiffError;
use super::overlap::Comparable;
use super::scan::{NearestPositions, TablePair};

/// A line of play that both rulesets allow, to a position that is won under one and lost under the other.
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

/// The most positions of a search: some hundred MiB of memory.
const MAX_POSITIONS: usize = 1 << 22;
/// The most moves of a search: half a minute.
const MAX_MOVES: u64 = 1 << 28;

/// A line of play during the search.
struct Route<G: Game> {
    start: G::Position,
    moves: Vec<G::Move>,
    end: G::Position,
}

impl<G, A, B> TablePair<'_, A, B>
where
    G: Comparable,
    A: Solved<Game = G> + Sync,
    B: Solved<Game = G, WinningMoves = A::WinningMoves> + Sync,
{
    /// Finds the witness. `nearest` has the nearest positions whose outcome differs, if distances are known.
    pub(super) fn witness(&self, nearest: Option<NearestPositions>) -> Result<WitnessSearch, DiffError> {
        if !self.overlap.knows_distances {
            return self.breadth_first();
        }
        match nearest {
            None => Ok(WitnessSearch::Unreachable),
            Some(nearest) => self.witness_of(&self.guided_search(&nearest)?),
        }
    }

    fn witness_of(&self, route: &Route<G>) -> Result<WitnessSearch, DiffError> {
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
    /// moves that approach one of them. Otherwise they are numerous, and an unguided search soon meets one; it visits no position twice.
    fn guided_search(&self, nearest: &NearestPositions) -> Result<Route<G>, DiffError> {
        let start = G::openings(&self.overlap).next().expect("a game begins somewhere");
        let mut route = Route { end: start.clone(), start, moves: Vec::new() };
        let targets = || nearest.numbers.iter().map(|&number| self.overlap.position(number)).collect();
        let targets: Option<Vec<_>> = nearest.all.then(targets);
        let found =
            self.depth_first(&mut route, nearest.distance, targets.as_deref(), &mut FxHashSet::default())?;
        assert!(found, "the scan found a position at that distance");
        Ok(route)
    }

    /// Extends the route by `left` moves to a position that differs: one of `targets`, if given. Returns whether this succeeded.
    /// `failed` has the positions, with the moves left there, from which the search has failed.
    fn depth_first(
        &self,
        route: &mut Route<G>,
        left: u32,
        targets: Option<&[G::Position]>,
        failed: &mut FxHashSet<(u64, u32)>,
    ) -> Result<bool, DiffError> {
        let Some(left) = left.checked_sub(1) else {
            return self.differs(&route.end);
        };
        (self.progress)(0)?;
        let overlap = &self.overlap;
        let before = route.end.clone();
        for (chosen, next) in overlap.moves(&before) {
            let known = (overlap.reachable().number(&next), left);
            let ahead = |target: &&_| G::distance(overlap.rules, &next, target) == Some(left);
            let ahead = targets.map(|targets| targets.iter().filter(ahead).cloned().collect::<Vec<_>>());
            if failed.contains(&known) || ahead.as_ref().is_some_and(Vec::is_empty) {
                continue;
            }
            route.end = next;
            route.moves.push(chosen);
            if self.depth_first(route, left, ahead.as_deref(), failed)? {
                return Ok(true);
            }
            route.moves.pop();
            failed.insert(known);
        }
        route.end = before;
        Ok(false)
    }

    /// Returns whether the outcome of a position differs.
    fn differs(&self, position: &G::Position) -> Result<bool, DiffError> {
        let [a, b] = self.outcomes(&G::sides(self.overlap.rules, position))?;
        Ok(a != b)
    }

    /// Searches breadth-first from all openings.
    fn breadth_first(&self) -> Result<WitnessSearch, DiffError> {
        let overlap = &self.overlap;
        let region = overlap.reachable();
        // Every visited position, with the index of its predecessor in this list.
        let mut met: Vec<(u64, usize)> = Vec::new();
        let mut known = FxHashSet::default();
        let mut moves_tried = 0;
        let mut level = Vec::new();
        for opening in G::openings(overlap) {
            met.push((region.number(&opening), usize::MAX));
            known.insert(region.number(&opening));
            if self.differs(&opening)? {
                return self.witness_of(&self.retrace(&met));
            }
            level.push(opening);
        }
        while !level.is_empty() {
            let first = met.len() - level.len();
            let mut next_level = Vec::new();
            for (place, position) in (first..).zip(&level) {
                (self.progress)(0)?;
                for (_, next) in overlap.moves(position) {
                    let number = region.number(&next);
                    moves_tried += 1;
                    if !known.insert(number) {
                        continue;
                    }
                    met.push((number, place));
                    if self.differs(&next)? {
                        return self.witness_of(&self.retrace(&met));
                    }
                    next_level.push(next);
                }
                if met.len() > MAX_POSITIONS || moves_tried > MAX_MOVES {
                    return Ok(WitnessSearch::GivenUp(met.len()));
                }
            }
            level = next_level;
        }
        Ok(WitnessSearch::Unreachable)
    }

    /// Rebuilds the line to the last visited position.
    fn retrace(&self, met: &[(u64, usize)]) -> Route<G> {
        let region = self.overlap.reachable();
        let mut numbers = Vec::new();
        let mut place = met.len() - 1;
        while place != usize::MAX {
            numbers.push(met[place].0);
            place = met[place].1;
        }
        let opening = numbers.pop().expect("a line has a beginning");
        let start = region.walk(opening).next().expect("it is one of them");
        let (mut end, mut moves) = (start.clone(), Vec::new());
        for &number in numbers.iter().rev() {
            let (chosen, next) = self
                .overlap
                .moves(&end)
                .find(|(_, next)| region.number(next) == number)
                .expect("a move led there");
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

    fn check_every_way<S: Solved<Game: Comparable> + Sync>(a: &S, b: &S) {
        let overlap = Comparable::overlap(a.game(), b.game()).unwrap();
        let pair = TablePair { overlap, a, b, progress: &|_| Ok(()) };
        let nearest = pair.scan(0, DifferenceKind::Any).unwrap().nearest.unwrap();
        assert!(nearest.all);
        let guided = pair.witness_of(&pair.guided_search(&nearest).unwrap()).unwrap();
        let not_all_known = NearestPositions { all: false, ..nearest };
        assert_eq!(guided, pair.witness_of(&pair.guided_search(&not_all_known).unwrap()).unwrap());
        assert_eq!(guided, pair.breadth_first().unwrap());
    }

    #[test]
    fn every_way_to_look_for_a_line_finds_the_same() {
        let rules = |bounds: &[u32], heaps_per_move, passes, play| {
            HeapKeys { bounds: bounds.to_vec(), heaps_per_move, passes, play, ..Default::default() }
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
            with_table!(a.family(), b.family(), |a, b| check_every_way(a, b), else panic!("they are heap games"));
        }
    }
}
