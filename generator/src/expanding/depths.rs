//! Outcomes, depths and best moves: one key a position, all cells side by side.
//!
//! A key ranks the moves of a player by where they lead: first by the result (a win, the sooner the better;
//! else a loss, the later the better), then by stones taken, the fewest first, then without a reset before
//! with one. The greatest key among a position's moves is its best move, and tells its depth. Written as a
//! number, a key is
//!
//! ```text
//! score * 2^shift + stones left * 2 + (1 if no reset is imposed)
//! ```
//!
//! where score is N + 2 - depth for a move to a lost position, and depth - N - 2 for one to a won position.
//! More stones left mean fewer taken, so keys of moves from the same position compare rightly wherever they
//! lead.

use bouton_tables::Outcome;
use bouton_tables::expanding::{Expanding, Layout};

use super::growth::Reach;
use super::window::{Combine, Many, Window};
use super::{RowSolver, SolvedRow, Step};

/// A whole number that holds keys.
trait Key: Combine + Send + 'static {
    /// The key of a move that arrives with `score` at a place with `low` = stones left * 2 + 1 (or + 0).
    fn new(score: Self, shift: u32, low: Self) -> Self;
    /// A number as a key's part.
    fn of(number: i64) -> Self;
    /// The score of a key.
    fn score(self, shift: u32) -> Self;
    /// The score of the best move, seen by the opponent who moves to this position: one ply more, and the
    /// other side.
    fn seen_by_opponent(self) -> Self;
    /// As a plain number.
    fn number(self) -> i64;
}

macro_rules! key {
    ($type:ty) => {
        impl Combine for $type {
            const NONE: Self = <$type>::MIN;
            #[inline]
            fn combine(self, other: Self) -> Self {
                self.max(other)
            }
        }

        impl Key for $type {
            #[inline]
            fn new(score: Self, shift: u32, low: Self) -> Self {
                (score << shift) + low
            }
            #[inline]
            fn of(number: i64) -> Self {
                number as $type
            }
            #[inline]
            fn score(self, shift: u32) -> Self {
                self >> shift
            }
            #[inline]
            fn seen_by_opponent(self) -> Self {
                // Towards 0 by one ply, then negated.
                if self > 0 { 1 - self } else { -1 - self }
            }
            #[inline]
            fn number(self) -> i64 {
                self.into()
            }
        }
    };
}
key!(i32);
key!(i64);

/// Solves rows for depths and best moves.
struct DepthSolver<K> {
    /// For each place, turn and cell, the best key of a move that arrives there.
    reach: Reach<K, Many>,
    cells: usize,
    across: usize,
    /// For each cell, whether player 2 has a reset left.
    second_may_reset: Vec<bool>,
    shift: u32,
    /// The score of a move that ends the game.
    end: i64,
    /// One more than the greatest depth.
    beyond: i64,
}

/// The solver for a ruleset: in 32 bits if its keys fit them, else in 64.
pub(super) fn solver(rules: &Expanding) -> Box<dyn RowSolver + Send> {
    // Score and sign, stones, and the bit for a reset.
    let bits = (rules.stones() + 2).ilog2() + 2 + low_bits(rules);
    if bits <= 32 {
        Box::new(DepthSolver::<i32>::new(rules))
    } else {
        Box::new(DepthSolver::<i64>::new(rules))
    }
}

fn low_bits(rules: &Expanding) -> u32 {
    rules.stones().ilog2() + 2
}

impl<K: Key> DepthSolver<K> {
    fn new(rules: &Expanding) -> Self {
        let layout = Layout::new(rules);
        let (cells, across) = (layout.cells(), layout.cells_across());
        let beyond = i64::from(rules.stones()) + 2;
        Self {
            cells,
            across,
            second_may_reset: (0..cells).map(|cell| cell % across > 0).collect(),
            shift: low_bits(rules),
            end: if rules.outcome_without_moves() == Outcome::Loss { beyond } else { -beyond },
            beyond,
            reach: Reach::new(rules, layout, Many(2 * cells)),
        }
    }

    /// Adds the keys of the moves that arrive at a place, given the scores of its positions,
    /// `scores[imposed]`, turn by turn.
    fn arrive(&self, stones: usize, scores: &[Vec<K>; 2], arrivals: &mut Vec<K>) {
        let (low, shift) = (K::of(2 * stones as i64), self.shift);
        let key = |score: &K| K::new(*score, shift, low);
        let plain = |score: &K| K::new(*score, shift, K::of(2 * stones as i64 + 1));
        let (of_first, of_second) = (0..self.cells, self.cells..2 * self.cells);
        // Player 1 moves to where player 2 is to move. With a reset, his resets were one more: a whole row of
        // cells.
        let start = arrivals.len();
        arrivals.extend(scores[0][of_second.clone()].iter().map(plain));
        for (best, imposed) in arrivals[start + self.across..].iter_mut().zip(&scores[1][of_second]) {
            *best = best.combine(key(imposed));
        }
        // Player 2 likewise; his resets are one cell apart.
        let start = arrivals.len();
        arrivals.extend(scores[0][of_first.clone()].iter().map(plain));
        let with_reset =
            arrivals[start + 1..].iter_mut().zip(&scores[1][of_first]).zip(&self.second_may_reset[1..]);
        for ((best, imposed), &may) in with_reset {
            *best = best.combine(if may { key(imposed) } else { K::NONE });
        }
    }

    /// Notes the verdicts that the best keys of a group of lanes mean.
    fn note(&self, stones: usize, keys: &[K], lost: &mut Vec<u64>, steps: &mut Vec<Step>) {
        let stones_mask = (1 << (self.shift - 1)) - 1;
        for cells in keys.chunks(64) {
            let mut word = 0;
            for (bit, key) in cells.iter().enumerate() {
                let (key, score) = (key.number(), key.score(self.shift).number());
                let left = key >> 1 & stones_mask;
                steps.push(Step {
                    depth: (self.beyond + 1 - score.abs()) as u32,
                    take: (stones as i64 - left) as u32,
                    reset: key & 1 == 0,
                });
                word |= u64::from(score < 0) << bit;
            }
            lost.push(word);
        }
    }

    /// The positions without stones: depth 0, no move.
    fn note_end(&self, lost: &mut Vec<u64>, steps: &mut Vec<Step>) {
        let is_lost = self.end > 0;
        for _ in 0..4 {
            for first in (0..self.cells).step_by(64) {
                let cells = (self.cells - first).min(64);
                lost.push(if is_lost { u64::MAX >> (64 - cells) } else { 0 });
            }
        }
        steps.resize(steps.len() + 4 * self.cells, Step::default());
    }
}

impl<K: Key> RowSolver for DepthSolver<K> {
    fn next_row(&mut self) -> Option<SolvedRow> {
        let ahead = self.reach.next()?;
        let leaving = self.reach.leaving(&ahead);
        let lanes = 2 * self.cells;
        let mut windows = ahead.stay.map(|stay| Window::new(stay, Many(lanes)));
        let mut arrivals: Vec<K> = Vec::with_capacity(ahead.length * lanes);
        let mut lost = Vec::with_capacity(ahead.length * 4 * self.cells.div_ceil(64));
        let mut steps = Vec::with_capacity(ahead.length * 2 * lanes);
        let mut best = [vec![K::NONE; lanes], vec![K::NONE; lanes]];
        for stones in 0..ahead.length {
            if stones == 0 {
                best.iter_mut().for_each(|scores| scores.fill(K::of(self.end)));
                self.note_end(&mut lost, &mut steps);
            } else {
                for (best, window) in best.iter_mut().zip(&windows) {
                    best.fill(K::NONE);
                    window.combine_into(best);
                }
                leaving.combine_into(stones, &mut best[0]);
                leaving.combine_under_reset(stones, &mut best[1]);
                for turn in [0..self.cells, self.cells..lanes] {
                    for best in &best {
                        self.note(stones, &best[turn.clone()], &mut lost, &mut steps);
                    }
                }
                for key in best.iter_mut().flatten() {
                    *key = key.score(self.shift).seen_by_opponent();
                }
            }
            self.arrive(stones, &best, &mut arrivals);
            windows.iter_mut().for_each(|window| window.slide(&arrivals));
        }
        self.reach.put(&ahead, arrivals);
        Some(SolvedRow { row: ahead.row, lost, steps })
    }
}
