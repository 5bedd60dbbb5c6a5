//! The oracle: solves one row after the other, position by position, all lines of a row side by side.
//!
//! A key ranks the moves of a player: first by result (a win, the sooner the better; else a loss, the later the
//! better), then by stones taken, the fewest first, then without a reset before with one. The greatest key among a
//! position's moves is its best move, and gives its depth. As a number, a key is
//!
//! ```text
//! score * 2^shift + stones left * 2 + (1 if no reset is imposed)
//! ```
//!
//! where score is N + 2 - depth for a move to a lost position, and depth - N - 2 for a move to a won one. More stones
//! left mean fewer taken, so keys of moves from the same position compare correctly, whatever their targets.

use std::collections::VecDeque;

use bouton_tables::expanding::{Expanding, ExpandingLayout};
use bouton_tables::{Game, Outcome, Play};

use super::window::{NONE, SlidingMaximum, combine};
use crate::expanding::row::RowShape;
use crate::expanding::run::Run;

/// The runs of each line of a row.
pub(crate) struct OracleRow {
    pub(crate) number: usize,
    pub(crate) lines: Vec<Vec<Run>>,
}

impl OracleRow {
    /// Returns for each line the places where the outcome changes. Positions before the first change are won.
    pub(crate) fn outcome_changes(&self, play: Play) -> Vec<Vec<u64>> {
        let changes = |runs: &Vec<Run>| {
            let mut was_lost = false;
            let changes = runs.iter().filter(|run| {
                let is_lost = play.outcome_at_depth(run.depth) == Outcome::Loss;
                std::mem::replace(&mut was_lost, is_lost) != is_lost
            });
            changes.map(|run| run.start.into()).collect()
        };
        self.lines.iter().map(changes).collect()
    }
}

/// Solves rows, the greatest currentmax first. Unlike in a table, only row 0 serves several currentmax.
pub(crate) struct Oracle {
    layout: ExpandingLayout,
    growth: u64,
    reset_limit: u64,
    /// Number of values that the resets of player 2 can have.
    reset_values_of_player_2: usize,
    shift: u32,
    /// The score of a move that ends the game.
    end_score: i64,
    /// One more than the greatest depth.
    depth_end: i64,
    /// Number of the next row; `None` after row 0.
    next_row: Option<usize>,
    /// The solved rows that moves can still reach, the nearest first, each with its currentmax. For each place, player to
    /// move and cell (pair of both players' resets), the best key of a move that arrives there.
    above: VecDeque<(u64, Vec<i64>)>,
}

impl Oracle {
    pub(crate) fn new(rules: &Expanding) -> Self {
        let layout = ExpandingLayout::without_open_row(rules).unwrap();
        let depth_end = rules.stones() as i64 + 2;
        Self {
            growth: rules.growth().into(),
            reset_limit: rules.reset_limit().into(),
            reset_values_of_player_2: usize::from(rules.resets()[1]) + 1,
            shift: rules.stones().ilog2() + 2,
            end_score: if rules.outcome_without_moves() == Outcome::Loss { depth_end } else { -depth_end },
            depth_end,
            next_row: layout.rows().checked_sub(1),
            layout,
            above: VecDeque::new(),
        }
    }

    /// Solves the next row.
    pub(crate) fn next_row(&mut self) -> Option<OracleRow> {
        let number = self.next_row?;
        self.next_row = number.checked_sub(1);
        let RowShape { length, currentmax, stay } = RowShape::new(&self.layout, number, self.reset_limit);
        let lanes = 2 * self.layout.reset_pairs();
        let limits = [currentmax + self.growth, self.reset_limit];
        let mut windows = stay.map(|stay| SlidingMaximum::new(stay as usize, lanes));
        let mut tracers = [Tracer::new(lanes), Tracer::new(lanes)];
        let mut arrivals = Vec::new();
        for stones in 0..length {
            let mut best = [vec![NONE; lanes], vec![NONE; lanes]];
            if stones == 0 {
                best.iter_mut().for_each(|scores| scores.fill(self.end_score));
            } else {
                for imposed in 0..2 {
                    windows[imposed].combine_into(&mut best[imposed]);
                    let reached = |&&(take, _): &&(u64, Vec<i64>)| take <= limits[imposed].min(stones);
                    for (take, keys) in self.above.iter().take_while(reached) {
                        combine(&mut best[imposed], &keys[(stones - take) as usize * lanes..][..lanes]);
                    }
                    tracers[imposed].push(&best[imposed], |key| self.run(stones, key));
                }
                // For the opponent, who moves to this position: one ply more, and the opposite sign.
                for key in best.iter_mut().flatten() {
                    let score = *key >> self.shift;
                    *key = if score > 0 { 1 - score } else { -1 - score };
                }
            }
            self.add_arrivals(stones, &best, &mut arrivals);
            windows.iter_mut().for_each(|window| window.slide(&arrivals));
        }
        self.above.push_front((currentmax, arrivals));
        let reach = (currentmax.saturating_sub(1) + self.growth).max(self.reset_limit);
        self.above.retain(|&(above, _)| above <= reach);
        // By line: without and with a reset imposed, in turn.
        let [plain, imposed] = tracers.map(Tracer::finish);
        let lines = plain.into_iter().zip(imposed).flat_map(|(plain, imposed)| [plain, imposed]).collect();
        Some(OracleRow { number, lines })
    }

    /// Appends the keys of the moves that arrive at a place, given the scores of its positions, `scores[imposed]`, turn by
    /// turn.
    fn add_arrivals(&self, stones: u64, scores: &[Vec<i64>; 2], arrivals: &mut Vec<i64>) {
        let (cells, across) = (self.layout.reset_pairs(), self.reset_values_of_player_2);
        let key = |score: i64, imposed: bool| (score << self.shift) + 2 * stones as i64 + i64::from(!imposed);
        // Player 1 moves to positions where player 2 is to move, and the reverse.
        for (player, targets) in [cells..2 * cells, 0..cells].into_iter().enumerate() {
            for (cell, target) in targets.enumerate() {
                // A move that imposes a reset leads to the cell where this player has one reset less.
                let (spent, may_reset) =
                    if player == 0 { (across, cell >= across) } else { (1, cell % across > 0) };
                let imposed = if may_reset { key(scores[1][target - spent], true) } else { NONE };
                arrivals.push(key(scores[0][target], false).max(imposed));
            }
        }
    }

    /// Returns the run that begins with a key.
    fn run(&self, stones: u64, key: i64) -> Run {
        let score = key >> self.shift;
        let left = key >> 1 & ((1 << (self.shift - 1)) - 1);
        Run {
            start: stones as u32,
            depth: (self.depth_end + 1 - score.abs()) as u32,
            take: (stones as i64 - left) as u32,
            advance: false,
            reset: key & 1 == 0,
        }
    }
}

/// Finds the runs along lines, place by place: as few and as long as possible.
struct Tracer {
    /// For each lane the key of the next place if the run continues with the same number of stones, and if it continues
    /// with one stone more; [`NONE`] if it cannot. A run of one place can continue either way.
    expected: Vec<[i64; 2]>,
    runs: Vec<Vec<Run>>,
}

impl Tracer {
    /// Begins with place 0, where all positions have depth 0 and no move.
    fn new(lanes: usize) -> Self {
        let end = Run { start: 0, depth: 0, take: 0, advance: false, reset: false };
        Self { expected: vec![[NONE; 2]; lanes], runs: vec![vec![end]; lanes] }
    }

    /// Adds a place, with a key for each lane; `run` returns the run that begins with a key.
    fn push(&mut self, keys: &[i64], run: impl Fn(i64) -> Run) {
        for ((&key, expected), runs) in keys.iter().zip(&mut self.expected).zip(&mut self.runs) {
            if !expected.contains(&key) {
                end_run(*expected, runs);
                runs.push(run(key));
                *expected = [key; 2];
            }
            // With the same number of stones taken, one more is left at the next place.
            let [constant, advancing] = *expected;
            *expected =
                [if key == constant { key + 2 } else { NONE }, if key == advancing { key } else { NONE }];
        }
    }

    /// Returns the runs of all lanes.
    fn finish(mut self) -> Vec<Vec<Run>> {
        self.expected.iter().zip(&mut self.runs).for_each(|(expected, runs)| end_run(*expected, runs));
        self.runs
    }
}

/// Completes the last run of a lane.
fn end_run([constant, advancing]: [i64; 2], runs: &mut [Run]) {
    if let Some(run) = runs.last_mut() {
        run.advance = constant == NONE && advancing != NONE;
    }
}
