//! A shortest line of play to a position whose outcome differs.

use bouton_tables::{Game, Solved, Told};
use rustc_hash::FxHashSet;
use serde::Serialize;

use super::DiffError;
use super::ground::Ground;
use super::scan::{Nearest, Pair};
use crate::Region;

/// A line of play that both rulesets allow, to a position that is won under one and lost under the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Witness {
    /// Where it begins.
    pub start: String,
    /// Its moves.
    pub moves: Vec<String>,
    /// Where it leads.
    pub position: String,
    /// What A says of that.
    pub a: Told,
    /// What B says of it.
    pub b: Told,
}

/// What became of looking for a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// No outcome differs; or it was not asked for.
    Needless,
    /// The first of the shortest.
    Found(Box<Witness>),
    /// No line that both rulesets allow leads to a position whose outcome differs.
    Unreachable,
    /// None was found among so many positions, the nearest, after which the search was given up.
    GivenUp(usize),
}

impl Search {
    /// What became of it, in a word or two.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Needless => "needless",
            Self::Found(_) => "found",
            Self::Unreachable => "unreachable",
            Self::GivenUp(_) => "given up",
        }
    }

    /// The witness, if there is one.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        match self {
            Self::Found(witness) => Some(witness),
            _ => None,
        }
    }
}

/// The most positions that a search goes through: some hundred MiB of memory.
const MOST: usize = 1 << 22;
/// The most moves that it tries: half a minute.
const MOST_MOVES: u64 = 1 << 28;

type Position<G> = <<G as Ground>::Game as Game>::Position;

/// A line of play in the making.
struct Line<G: Ground> {
    start: Position<G>,
    moves: Vec<<G::Game as Game>::Move>,
    end: Position<G>,
}

impl<G, A, B> Pair<'_, G, A, B>
where
    G: Ground,
    A: Solved<Game = G::Game> + Sync,
    B: Solved<Game = G::Game, Winning = A::Winning> + Sync,
{
    /// Finds the witness, given the nearest positions whose outcome differs where distances are known.
    pub(super) fn witness(&self, nearest: Option<Nearest>) -> Result<Search, DiffError> {
        if !self.ground.knows_distances() {
            return self.search();
        }
        let line = match nearest {
            None => return Ok(Search::Unreachable),
            Some(Nearest { distance, numbers, all: true }) => self.straight(distance, &numbers),
            Some(Nearest { distance, all: false, .. }) => self.deepen(distance)?,
        };
        self.tell(&line)
    }

    fn tell(&self, line: &Line<G>) -> Result<Search, DiffError> {
        let [in_a, in_b] = self.ground.sides(&line.end);
        let a = self.a.answer(&in_a).map_err(DiffError::in_a)?;
        let b = self.b.answer(&in_b).map_err(DiffError::in_b)?;
        Ok(Search::Found(Box::new(Witness {
            start: self.ground.show(&line.start),
            moves: line.moves.iter().map(ToString::to_string).collect(),
            position: self.ground.show(&line.end),
            a: Told::from(&a),
            b: Told::from(&b),
        })))
    }

    /// The first line to one of some positions, all of which are as far from where lines begin.
    fn straight(&self, distance: u32, numbers: &[u64]) -> Line<G> {
        let ground = &self.ground;
        let position = |&number: &u64| ground.compared().walk(number).next().expect("it is one of them");
        let mut targets: Vec<Position<G>> = numbers.iter().map(position).collect();
        let start = ground.openings().next().expect("a game begins somewhere");
        let (mut end, mut moves) = (start.clone(), Vec::new());
        for left in (0..distance).rev() {
            let comes_nearer =
                |next: &Position<G>| targets.iter().any(|target| ground.distance(next, target) == Some(left));
            let (chosen, next) = ground
                .moves(&end)
                .map(|chosen| (chosen, ground.after(&end, chosen)))
                .find(|(_, next)| comes_nearer(next))
                .expect("a position at a distance has a move that comes nearer");
            moves.push(chosen);
            end = next;
            targets.retain(|target| ground.distance(&end, target) == Some(left));
        }
        Line { start, moves, end }
    }

    /// The first line of so many moves, found by trying them in order. Quick where there are many: it looks at
    /// the moves on the way to the first, and at no position twice.
    fn deepen(&self, distance: u32) -> Result<Line<G>, DiffError> {
        let start = self.ground.openings().next().expect("a game begins somewhere");
        let mut line = Line { end: start.clone(), start, moves: Vec::new() };
        let found = self.deeper(&mut line, distance, &mut FxHashSet::default())?;
        assert!(found, "the scan found a position at that distance");
        Ok(line)
    }

    /// Tries to go on with so many moves to a position that differs. `failed` has those at which it was tried
    /// in vain, and with how many moves.
    fn deeper(
        &self,
        line: &mut Line<G>,
        left: u32,
        failed: &mut FxHashSet<(u64, u32)>,
    ) -> Result<bool, DiffError> {
        let Some(left) = left.checked_sub(1) else {
            let [a, b] = self.outcomes(&self.ground.sides(&line.end))?;
            return Ok(a != b);
        };
        let before = line.end.clone();
        for chosen in self.ground.moves(&before) {
            let next = self.ground.after(&before, chosen);
            let known = (self.ground.reached().number(&next), left);
            if failed.contains(&known) {
                continue;
            }
            line.end = next;
            line.moves.push(chosen);
            if self.deeper(line, left, failed)? {
                return Ok(true);
            }
            line.moves.pop();
            failed.insert(known);
        }
        line.end = before;
        Ok(false)
    }

    /// Goes from all openings at once, move by move.
    fn search(&self) -> Result<Search, DiffError> {
        let ground = &self.ground;
        let region = ground.reached();
        let differs = |position: &Position<G>| -> Result<bool, DiffError> {
            let [a, b] = self.outcomes(&ground.sides(position))?;
            Ok(a != b)
        };
        // Every position met, with the place of the one before; the positions of the last level themselves.
        let mut met: Vec<(u64, usize)> = Vec::new();
        let mut known = FxHashSet::default();
        let mut tried = 0;
        let mut level = Vec::new();
        for opening in ground.openings() {
            met.push((region.number(&opening), usize::MAX));
            known.insert(region.number(&opening));
            if differs(&opening)? {
                return self.tell(&self.retrace(&met));
            }
            level.push(opening);
        }
        while !level.is_empty() {
            let first = met.len() - level.len();
            let mut next_level = Vec::new();
            for (place, position) in (first..).zip(&level) {
                for chosen in ground.moves(position) {
                    let next = ground.after(position, chosen);
                    let number = region.number(&next);
                    tried += 1;
                    if !known.insert(number) {
                        continue;
                    }
                    met.push((number, place));
                    if differs(&next)? {
                        return self.tell(&self.retrace(&met));
                    }
                    next_level.push(next);
                }
                if met.len() > MOST || tried > MOST_MOVES {
                    return Ok(Search::GivenUp(met.len()));
                }
            }
            level = next_level;
        }
        Ok(Search::Unreachable)
    }

    /// The line to the last position met.
    fn retrace(&self, met: &[(u64, usize)]) -> Line<G> {
        let region = self.ground.reached();
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
            let chosen = self
                .ground
                .moves(&end)
                .find(|&chosen| region.number(&self.ground.after(&end, chosen)) == number)
                .expect("a move led there");
            end = self.ground.after(&end, chosen);
            moves.push(chosen);
        }
        Line { start, moves, end }
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{HeapKeys, HeapRules};
    use bouton_tables::{Family, Play, Ruleset, Table};

    use super::super::heaps::Boards;
    use super::super::tally::Measures;
    use super::*;
    use crate::diff::Kind;
    use bouton_generator::generate;

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
                Table::open(generate(&Ruleset::Heaps(rules.clone()), true, &|_| {})).unwrap()
            };
            let tables = [table(&a), table(&b)];
            let [Family::Heaps(in_a), Family::Heaps(in_b)] = tables.each_ref().map(Table::family) else {
                panic!("they are heap games")
            };
            let pair = Pair {
                ground: Boards::new(&a, &b),
                a: in_a,
                b: in_b,
                measures: Measures { depth: true, best: true },
            };
            let nearest = pair.scan(0, Kind::Any, &|_| {}).unwrap().nearest.unwrap();
            assert!(nearest.all);
            let straight = pair.tell(&pair.straight(nearest.distance, &nearest.numbers)).unwrap();
            let deepened = pair.tell(&pair.deepen(nearest.distance).unwrap()).unwrap();
            assert_eq!(straight, deepened, "{a:?} {b:?}");
            assert_eq!(straight, pair.search().unwrap(), "{a:?} {b:?}");
        }
    }
}
