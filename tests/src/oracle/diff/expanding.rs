//! The facts about Expanding Nim that a comparison needs: keys, positions, notation, answers and starts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{Rules, WrittenAnswer};
use crate::oracle::expanding::{self as oracle, Position, Verdict};

/// Writes a move of Expanding Nim in notation.
fn move_text(&(take, reset): &(u32, bool)) -> String {
    format!("{take}{}", if reset { "r" } else { "" })
}

/// Returns the start of a game.
fn start(stones: u32, resets: [u32; 2]) -> Position {
    Position { stones, currentmax: 0, turn: 1, resets, imposed: false }
}

/// Returns the resets that both games allow each player.
fn common_resets(a: &oracle::Rules, b: &oracle::Rules) -> [u32; 2] {
    [0, 1].map(|player| a.resets[player].min(b.resets[player]))
}

impl Rules for oracle::Rules {
    const GAME: &'static str = "expanding";
    // The derived order of the oracle's positions is the natural one.
    type Position = Position;
    type Board = Position;
    type Solution = BTreeMap<Position, Verdict>;

    fn keys(&self) -> Map<String, Value> {
        let keys = json!({
            "stones": self.stones,
            "base-limit": self.base_limit,
            "growth": self.growth,
            "reset-limit": self.reset_limit,
            "resets": self.resets,
            "play": if self.misere { "misere" } else { "normal" },
        });
        keys.as_object().expect("it is one").clone()
    }

    fn solve(&self) -> Self::Solution {
        oracle::solve(self)
    }

    fn positions(&self) -> BTreeSet<Position> {
        oracle::positions(self).into_iter().collect()
    }

    fn is_counted(position: &Position) -> bool {
        position.turn == 1
    }

    fn has_two_sides(&self, other: &Self) -> bool {
        let [first, second] = common_resets(self, other);
        first != second
    }

    fn axes(&self, _: &Self, position: &Position) -> Vec<(&'static str, Value)> {
        vec![
            ("stones", position.stones.into()),
            ("currentmax", position.currentmax.into()),
            ("resets", json!(position.resets)),
            ("imposed", position.imposed.into()),
        ]
    }

    fn board(&self, _: &Self, position: &Position) -> Position {
        *position
    }

    fn position(board: &Position) -> Position {
        *board
    }

    fn text(&self, _: &Self, board: &Position) -> String {
        let Position { stones, currentmax, turn, resets: [first, second], imposed } = board;
        let imposed = if *imposed { "r" } else { "-" };
        format!("{stones}/{currentmax}/{turn}/{first},{second}/{imposed}")
    }

    fn moves(&self, board: &Position) -> Vec<(String, Position)> {
        oracle::legal_moves(self, board).iter().map(|(chosen, next)| (move_text(chosen), *next)).collect()
    }

    fn answer(&self, solution: &Self::Solution, board: &Position, depths: bool) -> WrittenAnswer {
        let verdict = &solution[board];
        let listed = oracle::legal_moves(self, board);
        // Without depths all winning moves tie: the first winning move is best, or the first move.
        let best = match depths {
            true => verdict.best,
            false => verdict.winning.first().or(listed.first().map(|(chosen, _)| chosen)).copied(),
        };
        WrittenAnswer {
            win: verdict.win,
            depth: depths.then_some(verdict.depth),
            best: best.as_ref().map(move_text),
            winning: verdict.winning.iter().map(move_text).collect(),
        }
    }

    fn starts(&self) -> BTreeMap<Vec<u32>, Position> {
        (1..=self.stones).map(|stones| (vec![stones], start(stones, self.resets))).collect()
    }

    fn witness_starts(&self, other: &Self) -> Vec<Position> {
        let resets = common_resets(self, other);
        (1..=self.stones.min(other.stones)).map(|stones| start(stones, resets)).collect()
    }
}
