//! The facts about heap games that a comparison needs: keys, positions, notation, answers and starts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Rules, WrittenAnswer};
use crate::oracle::heaps::{self as oracle, Move, Take, Verdict};

/// A position without its empty heaps, so that games with different numbers of heaps can be compared. Its derived
/// order is the natural one, because a missing heap sorts before all others, as an empty heap does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The heaps that are not empty, the greatest first.
    pub heaps: Vec<u32>,
    /// The number of passes left.
    pub passes: u32,
}

/// A position with its heaps in rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Board {
    /// The heaps.
    pub rows: Vec<u32>,
    /// The number of passes left.
    pub passes: u32,
}

/// Writes a move of a heap game in notation.
fn move_text(chosen: &Move) -> String {
    match chosen {
        Move::Take(taken) => {
            taken.iter().map(|(row, take)| format!("{row}:{take}")).collect::<Vec<_>>().join("+")
        }
        Move::Pass => "pass".to_owned(),
    }
}

/// Returns the heaps in `width` rows, in ascending order.
fn rows(heaps: &[u32], width: usize) -> Vec<u32> {
    let empty = std::iter::repeat_n(0, width - heaps.len());
    empty.chain(heaps.iter().rev().copied()).collect()
}

/// Returns the heaps that are not empty, the largest first.
fn stripped(heaps: &[u32]) -> Vec<u32> {
    let mut heaps: Vec<u32> = heaps.iter().copied().filter(|&heap| heap > 0).collect();
    heaps.sort_by(|a, b| b.cmp(a));
    heaps
}

/// Returns the number of heaps of the game with fewer heaps.
fn width(a: &oracle::Rules, b: &oracle::Rules) -> usize {
    a.bounds.len().min(b.bounds.len())
}

/// Returns whether either game has passes.
fn has_passes(a: &oracle::Rules, b: &oracle::Rules) -> bool {
    a.passes > 0 || b.passes > 0
}

impl Rules for oracle::Rules {
    const GAME: &'static str = "heaps";
    type Position = Position;
    type Board = Board;
    type Solution = BTreeMap<oracle::Position, Verdict>;

    fn keys(&self) -> Map<String, Value> {
        let sorted = |numbers: &[u32]| {
            let mut numbers = numbers.to_vec();
            numbers.sort();
            numbers
        };
        let keys = json!({
            "bounds": sorted(&self.bounds),
            "take": match &self.take {
                Take::Any => json!("any"),
                Take::UpTo(most) => json!(most),
                Take::Exactly(amounts) => json!(sorted(amounts)),
            },
            "heaps-per-move": if self.exactly.is_empty() { json!(self.heaps_per_move) } else { json!(self.exactly) },
            "equal-take": self.equal_take,
            "passes": self.passes,
            "play": if self.misere { "misere" } else { "normal" },
        });
        keys.as_object().expect("it is one").clone()
    }

    fn solve(&self) -> Self::Solution {
        oracle::solve(self)
    }

    fn positions(&self) -> BTreeSet<Position> {
        let all = oracle::positions(self).into_iter();
        all.map(|p| Position { heaps: stripped(&p.heaps), passes: p.passes }).collect()
    }

    fn is_counted(_: &Position) -> bool {
        true
    }

    fn has_two_sides(&self, _: &Self) -> bool {
        false
    }

    fn axes(&self, other: &Self, position: &Position) -> Vec<(&'static str, Value)> {
        let mut axes = vec![
            ("heaps", position.heaps.len().into()),
            ("total", position.heaps.iter().sum::<u32>().into()),
        ];
        // If only one game has passes, the common positions have none left.
        if self.passes.min(other.passes) > 0 {
            axes.push(("passes", position.passes.into()));
        }
        axes
    }

    fn board(&self, other: &Self, position: &Position) -> Board {
        Board { rows: rows(&position.heaps, width(self, other)), passes: position.passes }
    }

    fn position(board: &Board) -> Position {
        Position { heaps: stripped(&board.rows), passes: board.passes }
    }

    fn text(&self, other: &Self, board: &Board) -> String {
        let heaps = board.rows.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        // In a game with passes, notation without a number of passes means that all are left.
        if has_passes(self, other) { format!("{heaps}/{}", board.passes) } else { heaps }
    }

    fn moves(&self, board: &Board) -> Vec<(String, Board)> {
        let moves = oracle::legal_moves(self, &board.rows, board.passes).into_iter();
        moves.map(|(chosen, rows, passes)| (move_text(&chosen), Board { rows, passes })).collect()
    }

    fn answer(&self, solution: &Self::Solution, board: &Board, depths: bool) -> WrittenAnswer {
        // The rows that only this game has are empty and come last, so the rows of moves keep their numbers.
        let mut all = board.rows.clone();
        all.resize(self.bounds.len(), 0);
        let answer = oracle::answer(self, solution, &all, board.passes);
        let listed = oracle::legal_moves(self, &all, board.passes);
        // Without depths all winning moves tie: the first winning move is best, or the first move.
        let best = match depths {
            true => answer.best.as_ref(),
            false => answer.winning.first().or(listed.first().map(|(chosen, ..)| chosen)),
        };
        WrittenAnswer {
            win: answer.win,
            depth: depths.then_some(answer.depth),
            best: best.map(move_text),
            winning: answer.winning.iter().map(move_text).collect(),
        }
    }

    fn starts(&self) -> BTreeMap<Vec<u32>, Position> {
        let full = Rules::positions(self).into_iter().filter(|position| position.passes == self.passes);
        full.map(|position| (position.heaps.clone(), position)).collect()
    }

    fn witness_starts(&self, other: &Self) -> Vec<Board> {
        let in_other = Rules::positions(other);
        let common = Rules::positions(self).into_iter().filter(|position| in_other.contains(position));
        // The common position with the most stones has the lesser of the two bounds in each row.
        let most = common.max_by_key(|position| (position.heaps.iter().sum::<u32>(), position.passes));
        most.map(|position| self.board(other, &position)).into_iter().collect()
    }
}
