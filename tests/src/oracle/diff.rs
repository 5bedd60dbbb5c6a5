//! The expected report of `bouton diff`, recomputed from two games that the naive oracles have solved.
//!
//! The command's output is compared with this oracle, which is written from `docs/outputs.md`. It visits every
//! position that both games have, asks both oracles, and counts. It derives no figure from another figure, so that a
//! wrong one cannot hide. Keep it so.

mod breakdown;
mod expanding;
mod heaps;
mod witness;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use serde_json::{Map, Value, json};

/// The answer about a position, with moves in notation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenAnswer {
    /// True if the player to move wins.
    pub win: bool,
    /// Plies to the end, if the table has depths.
    pub depth: Option<u32>,
    /// The best move; `None` if there is no move.
    pub best: Option<String>,
    /// Every winning move, in the order that moves are listed in.
    pub winning: Vec<String>,
}

impl WrittenAnswer {
    /// Returns the answer as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        let mut answer = json!({
            "outcome": if self.win { "win" } else { "loss" },
            "best": self.best,
            "winning": self.winning,
        });
        if let Some(depth) = self.depth {
            answer["depth"] = depth.into();
        }
        answer
    }
}

/// The rules of a game, with everything that a comparison needs from its family.
pub trait Rules: Clone + Debug {
    /// The family's name.
    const GAME: &'static str;
    /// A position. Its derived order is the natural order.
    type Position: Ord + Clone + Debug;
    /// A position as players see it, with its heaps in rows.
    type Board: Ord + Clone + Debug;
    /// The oracle's verdicts on all positions.
    type Solution;

    /// Returns the keys of the ruleset with their values, each valid in TOML and in JSON.
    fn keys(&self) -> Map<String, Value>;
    /// Solves the game.
    fn solve(&self) -> Self::Solution;
    /// Returns every position, with either player to move.
    fn positions(&self) -> BTreeSet<Self::Position>;
    /// Returns whether the number of positions in a report includes this one.
    fn is_counted(position: &Self::Position) -> bool;
    /// Returns whether a comparison of these rules with others counts the positions with player 2 to move separately.
    fn has_two_sides(&self, other: &Self) -> bool;
    /// Returns the coordinate of a position on each axis of the breakdown.
    fn axes(&self, other: &Self, position: &Self::Position) -> Vec<(&'static str, Value)>;
    /// Returns the position as a comparison of these two games writes it.
    fn board(&self, other: &Self, position: &Self::Position) -> Self::Board;
    /// Returns the position that a board shows.
    fn position(board: &Self::Board) -> Self::Position;
    /// Returns a board in notation.
    fn text(&self, other: &Self, board: &Self::Board) -> String;
    /// Returns every legal move with the board after it, in the order that moves are listed in.
    fn moves(&self, board: &Self::Board) -> Vec<(String, Self::Board)>;
    /// Returns the answer about a position of this game.
    fn answer(&self, solution: &Self::Solution, board: &Self::Board, depths: bool) -> WrittenAnswer;
    /// Returns the starts by the sizes of their heaps. Starts of two games with equal sizes are compared.
    fn starts(&self) -> BTreeMap<Vec<u32>, Self::Position>;
    /// Returns the positions that a witness may start from, in natural order.
    fn witness_starts(&self, other: &Self) -> Vec<Self::Board>;

    /// Returns the ruleset as the text of a file.
    #[must_use]
    fn toml(&self) -> String {
        let keys = self.keys();
        let lines = keys.iter().map(|(key, value)| format!("{key} = {value}\n"));
        format!("game = \"{}\"\n{}", Self::GAME, lines.collect::<String>())
    }
}

/// A part of two answers that can differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aspect {
    /// Win or loss.
    Outcome,
    /// Plies to the end.
    Depth,
    /// The set of winning moves.
    Winning,
    /// The best move.
    Best,
}

impl Aspect {
    /// All aspects.
    pub const ALL: [Self; 4] = [Self::Outcome, Self::Depth, Self::Winning, Self::Best];

    /// Returns the aspect's name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Outcome => "outcome",
            Self::Depth => "depth",
            Self::Winning => "winning",
            Self::Best => "best",
        }
    }
}

/// Two solved games.
pub struct SolvedPair<R: Rules> {
    rules: [R; 2],
    solution: [R::Solution; 2],
    /// Whether the tables hold depths.
    depths: [bool; 2],
    /// Every position that both games have, with either player to move, and the answers of both.
    compared: BTreeMap<R::Position, [WrittenAnswer; 2]>,
}

impl<R: Rules> SolvedPair<R> {
    /// Solves both games. `depths` says which of their tables have depths.
    pub fn new(a: &R, b: &R, depths: [bool; 2]) -> Self {
        let (rules, solution) = ([a.clone(), b.clone()], [a.solve(), b.solve()]);
        let in_b = b.positions();
        let common = a.positions().into_iter().filter(|position| in_b.contains(position));
        let answered = common.map(|position| {
            let board = a.board(b, &position);
            let answers = [0, 1].map(|side| rules[side].answer(&solution[side], &board, depths[side]));
            (position, answers)
        });
        let compared = answered.collect();
        Self { rules, solution, depths, compared }
    }

    /// Returns whether the answers of these two tables can be compared in this aspect.
    #[must_use]
    pub fn is_compared(&self, aspect: Aspect) -> bool {
        match aspect {
            Aspect::Outcome | Aspect::Winning => true,
            Aspect::Depth => self.depths == [true, true],
            Aspect::Best => self.depths[0] == self.depths[1],
        }
    }

    /// Returns whether the answers differ in an aspect that is compared.
    fn differs_in(&self, answers: &[WrittenAnswer; 2], aspect: Aspect) -> bool {
        let [a, b] = answers;
        self.is_compared(aspect)
            && match aspect {
                Aspect::Outcome => a.win != b.win,
                Aspect::Depth => a.depth != b.depth,
                Aspect::Winning => a.winning != b.winning,
                Aspect::Best => a.best != b.best,
            }
    }

    /// Returns whether the answers differ in any aspect that is compared.
    fn differs(&self, answers: &[WrittenAnswer; 2]) -> bool {
        Aspect::ALL.into_iter().any(|aspect| self.differs_in(answers, aspect))
    }

    /// Returns the compared positions that tables count.
    fn counted(&self) -> Vec<&R::Position> {
        self.compared.keys().filter(|position| R::is_counted(position)).collect()
    }

    /// Returns the counts of the report for some of the positions.
    fn counts(&self, positions: &[&R::Position]) -> Map<String, Value> {
        let count = |holds: &dyn Fn(&[WrittenAnswer; 2]) -> bool| -> Value {
            positions.iter().filter(|&&position| holds(&self.compared[position])).count().into()
        };
        let aspect = |aspect| match self.is_compared(aspect) {
            true => count(&|answers| self.differs_in(answers, aspect)),
            false => Value::Null,
        };
        let counts = [
            ("compared", positions.len().into()),
            ("different", count(&|answers| self.differs(answers))),
            ("win_to_loss", count(&|[a, b]| a.win && !b.win)),
            ("loss_to_win", count(&|[a, b]| !a.win && b.win)),
            ("depth", aspect(Aspect::Depth)),
            ("winning", aspect(Aspect::Winning)),
            ("best", aspect(Aspect::Best)),
        ];
        counts.map(|(key, value)| (key.to_owned(), value)).into_iter().collect()
    }

    /// Counts the positions that one side has and the other lacks.
    fn only(&self, side: usize) -> usize {
        let other_positions = self.rules[1 - side].positions();
        let own = self.rules[side].positions();
        own.iter().filter(|position| R::is_counted(position) && !other_positions.contains(position)).count()
    }

    /// Returns the keys with different values.
    fn differing_keys(&self) -> Value {
        let [a, b] = [0, 1].map(|side| self.rules[side].keys());
        let differing = a.iter().filter(|(key, value)| **value != b[*key]);
        differing.map(|(key, value)| (key.clone(), json!({"a": value, "b": b[key]}))).collect()
    }

    /// Returns the report on the starts.
    fn starts(&self) -> Value {
        let [a, b] = [0, 1].map(|side| {
            let (rules, solution) = (&self.rules[side], &self.solution[side]);
            let wins = |at| rules.answer(solution, &rules.board(rules, &at), false).win;
            BTreeMap::from_iter(rules.starts().into_iter().map(|(heaps, at)| (heaps, wins(at))))
        });
        // The number of stones of each pair of starts, and the two outcomes.
        let total = |heaps: &[u32]| heaps.iter().sum::<u32>();
        let pairs: Vec<(u32, bool, bool)> = a
            .iter()
            .filter_map(|(heaps, &win)| b.get(heaps).map(|&other| (total(heaps), win, other)))
            .collect();
        let stones: BTreeSet<u32> = pairs.iter().map(|pair| pair.0).collect();
        let agree = |holds: &dyn Fn(u32) -> bool| {
            pairs.iter().filter(|pair| holds(pair.0)).all(|pair| pair.1 == pair.2)
        };
        let differing: Vec<u32> = pairs.iter().filter(|pair| pair.1 != pair.2).map(|pair| pair.0).collect();
        json!({
            "compared": pairs.len(),
            "losing_a": pairs.iter().filter(|pair| !pair.1).count(),
            "losing_b": pairs.iter().filter(|pair| !pair.2).count(),
            "differ": differing.len(),
            "first": differing.iter().min(),
            "last": differing.iter().max(),
            "agree_up_to": stones.iter().rev().find(|&&most| agree(&|stones| stones <= most)),
            "agree_from": stones.iter().find(|&&least| agree(&|stones| stones >= least)),
        })
    }

    /// Returns the first `limit` counted positions that differ, in natural order.
    fn first(&self, limit: usize, only: Option<Aspect>) -> Value {
        let holds = |position: &&&R::Position| match only {
            None => self.differs(&self.compared[**position]),
            Some(aspect) => self.differs_in(&self.compared[**position], aspect),
        };
        let listed = |position: &R::Position| {
            let [a, b] = &self.compared[position];
            let text = self.text(&self.rules[0].board(&self.rules[1], position));
            json!({"position": text, "a": a.json(), "b": b.json()})
        };
        self.counted().iter().filter(holds).take(limit).map(|position| listed(position)).collect()
    }

    /// Writes a position in the notation of the first game.
    fn text(&self, board: &R::Board) -> String {
        self.rules[0].text(&self.rules[1], board)
    }

    /// Returns the whole report, except the breakdown and the facts about each single table.
    #[must_use]
    pub fn expected(&self, limit: usize, only: Option<Aspect>) -> Value {
        let mut all = self.counts(&self.counted());
        all.insert("game".to_owned(), R::GAME.into());
        all.insert("rules".to_owned(), self.differing_keys());
        all.insert("only_a".to_owned(), self.only(0).into());
        all.insert("only_b".to_owned(), self.only(1).into());
        if self.rules[0].has_two_sides(&self.rules[1]) {
            let other_side = self.compared.iter().filter(|(position, _)| !R::is_counted(position));
            let differing = other_side.filter(|(_, answers)| self.differs(answers)).count();
            all.insert("turn_2".to_owned(), differing.into());
        }
        all.insert("starts".to_owned(), self.starts());
        all.insert("first".to_owned(), self.first(limit, only));
        let witness = self.witness();
        let search = match self.compared.values().any(|[a, b]| a.win != b.win) {
            false => "needless",
            true if witness.is_null() => "unreachable",
            true => "found",
        };
        all.insert("witness".to_owned(), witness);
        all.insert("witness_search".to_owned(), search.into());
        Value::Object(all)
    }

    /// Returns the expected exit status, which considers positions with either player to move.
    #[must_use]
    pub fn status(&self) -> i32 {
        let differs = self.compared.values().any(|answers| self.differs(answers));
        i32::from(differs || self.only(0) + self.only(1) > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::heaps::{Rules as Heaps, Take};

    fn one_heap(bound: u32, take: Take) -> Heaps {
        Heaps {
            bounds: vec![bound],
            take,
            heaps_per_move: 1,
            exactly: vec![],
            equal_take: false,
            passes: 0,
            misere: false,
        }
    }

    #[test]
    fn a_report_agrees_with_one_worked_by_hand() {
        // If a move may take 1 or 2 stones, 0 and 3 are lost; if it may take any number, only 0 is.
        let pair = SolvedPair::new(&one_heap(4, Take::UpTo(2)), &one_heap(5, Take::Any), [true; 2]);
        let expected = json!({
            "game": "heaps",
            "rules": {"bounds": {"a": [4], "b": [5]}, "take": {"a": 2, "b": "any"}},
            "compared": 5, "only_a": 0, "only_b": 1,
            // The outcomes of 3 differ. Taking 1 (to 3) wins 4 in three plies, and taking 4 wins in one.
            "different": 2, "win_to_loss": 0, "loss_to_win": 1, "depth": 2, "winning": 2, "best": 2,
            "starts": {
                "compared": 5, "losing_a": 2, "losing_b": 1, "differ": 1, "first": 3, "last": 3,
                "agree_up_to": 2, "agree_from": 4,
            },
            "first": [{
                "position": "3",
                "a": {"outcome": "loss", "depth": 2, "best": "1:1", "winning": []},
                "b": {"outcome": "win", "depth": 1, "best": "1:3", "winning": ["1:3"]},
            }],
            "witness": {
                "start": "4", "moves": ["1:1"], "position": "3",
                "a": {"outcome": "loss", "depth": 2, "best": "1:1", "winning": []},
                "b": {"outcome": "win", "depth": 1, "best": "1:3", "winning": ["1:3"]},
            },
            "witness_search": "found",
        });
        assert_eq!(pair.expected(1, None), expected);
        assert_eq!(pair.expected(9, Some(Aspect::Outcome))["first"], expected["first"]);
        assert_eq!(pair.expected(9, Some(Aspect::Best))["first"][1]["position"], "4");
        assert_eq!(pair.status(), 1);
        pair.check_replay(&expected["witness"]);
        let part = |from: u32, to: u32, counts: [u32; 7]| {
            let [compared, different, win_to_loss, loss_to_win, depth, winning, best] = counts;
            json!({
                "from": from, "to": to, "compared": compared, "different": different, "depth": depth,
                "win_to_loss": win_to_loss, "loss_to_win": loss_to_win, "winning": winning, "best": best,
            })
        };
        let heaps = json!([part(0, 0, [1, 0, 0, 0, 0, 0, 0]), part(1, 1, [4, 2, 0, 1, 2, 2, 2])]);
        let total = json!([part(0, 2, [3, 0, 0, 0, 0, 0, 0]), part(3, 4, [2, 2, 0, 1, 2, 2, 2])]);
        pair.check_breakdown(&json!({"heaps": heaps, "total": total}));
    }

    #[test]
    fn a_missing_heap_counts_as_an_empty_one() {
        let two = Heaps { bounds: vec![3, 2], ..one_heap(1, Take::Any) };
        let one = Heaps { passes: 1, ..one_heap(2, Take::Any) };
        let pair = SolvedPair::new(&two, &one, [true; 2]);
        let found = pair.expected(9, None);
        // In both games: one heap of 0 to 2 without passes. Only in the first: the two heaps 0,3 1,1 1,2 1,3 2,2 2,3.
        // Only in the second: one heap of 0 to 2 with a pass.
        assert_eq!([&found["compared"], &found["only_a"], &found["only_b"]], [3, 6, 3]);
        assert_eq!((&found["different"], &found["first"]), (&json!(0), &json!([])));
        assert_eq!(pair.status(), 1);
        // Taking the whole heap wins, with a pass left or without: only 0 is lost.
        let starts = &found["starts"];
        assert_eq!([&starts["compared"], &starts["losing_a"], &starts["losing_b"]], [3, 1, 1]);
        assert_eq!([&starts["agree_up_to"], &starts["agree_from"]], [2, 0]);
    }
}
