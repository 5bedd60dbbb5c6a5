//! Finds the *witness*, a shortest line of play to a position whose outcomes differ, by trying all lines.

use std::collections::{BTreeSet, VecDeque};

use serde_json::{Value, json};

use super::{Rules, SolvedPair};

/// A line of play: its start, its moves, and the position after them.
#[derive(Clone, Debug)]
struct LineOfPlay<P> {
    start: P,
    /// The moves in notation.
    moves: Vec<String>,
    end: P,
}

impl<R: Rules> SolvedPair<R> {
    /// Returns every move that is legal under both rulesets, in the order that moves are listed in.
    fn common_moves(&self, board: &R::Board) -> Vec<(String, R::Board)> {
        let other_moves = BTreeSet::from_iter(self.rules[1].moves(board));
        self.rules[0].moves(board).into_iter().filter(|chosen| other_moves.contains(chosen)).collect()
    }

    /// Returns whether the position has different outcomes in both games.
    fn outcomes_differ(&self, board: &R::Board) -> bool {
        let [a, b] = &self.compared[&R::position(board)];
        a.win != b.win
    }

    /// Returns the shortest witness from a start, if it has fewer than `less_than` moves; of several, the first in the
    /// order of moves.
    ///
    /// A breadth-first search: it visits lines by length and then by moves, so the first hit is the answer. A line to
    /// a board that an earlier line has reached is dropped, because both continue in the same ways.
    fn shortest_from(&self, start: &R::Board, less_than: usize) -> Option<LineOfPlay<R::Board>> {
        let mut reached = BTreeSet::from([start.clone()]);
        let mut queue =
            VecDeque::from([LineOfPlay { start: start.clone(), moves: Vec::new(), end: start.clone() }]);
        while let Some(line) = queue.pop_front() {
            if line.moves.len() >= less_than {
                return None;
            }
            if self.outcomes_differ(&line.end) {
                return Some(line);
            }
            for (chosen, end) in self.common_moves(&line.end) {
                if reached.insert(end.clone()) {
                    let moves = [&line.moves[..], &[chosen]].concat();
                    queue.push_back(LineOfPlay { start: start.clone(), moves, end });
                }
            }
        }
        None
    }

    /// Returns the witness.
    pub(super) fn witness(&self) -> Value {
        let witness_starts = self.rules[0].witness_starts(&self.rules[1]);
        let mut shortest: Option<LineOfPlay<R::Board>> = None;
        for start in &witness_starts {
            // A line of the same length from a later start is not the first witness.
            let less_than = shortest.as_ref().map_or(usize::MAX, |line| line.moves.len());
            shortest = self.shortest_from(start, less_than).or(shortest);
        }
        shortest.map_or(Value::Null, |line| self.line_json(&line))
    }

    /// Returns the witness in the form of the report.
    fn line_json(&self, line: &LineOfPlay<R::Board>) -> Value {
        let answers = [0, 1]
            .map(|side| self.rules[side].answer(&self.solution[side], &line.end, self.depths[side]).json());
        json!({
            "start": self.text(&line.start),
            "moves": line.moves,
            "position": self.text(&line.end),
            "a": answers[0],
            "b": answers[1],
        })
    }

    /// Replays a witness from its start under both rulesets. Checks that it ends at the position it names, and that
    /// the outcomes differ there; does not check that the witness is the shortest.
    ///
    /// # Panics
    /// At the first mistake.
    pub fn check_replay(&self, witness: &Value) {
        if witness.is_null() {
            return;
        }
        let witness_starts = self.rules[0].witness_starts(&self.rules[1]);
        let begins = |start: &&R::Board| witness["start"] == self.text(start);
        let start = witness_starts.iter().find(begins).unwrap_or_else(|| panic!("no such start: {witness}"));
        let mut line = LineOfPlay { start: start.clone(), moves: Vec::new(), end: start.clone() };
        for chosen in witness["moves"].as_array().expect("moves are an array") {
            let chosen = chosen.as_str().expect("a move is text");
            let moves = self.common_moves(&line.end);
            let (_, end) = moves
                .into_iter()
                .find(|(text, _)| text == chosen)
                .unwrap_or_else(|| panic!("{chosen} is not legal under both at {:?}: {witness}", line.end));
            line.moves.push(chosen.to_owned());
            line.end = end;
        }
        assert!(self.outcomes_differ(&line.end), "the outcomes differ at {:?}: {witness}", line.end);
        assert_eq!(witness, &self.line_json(&line));
    }
}
