//! The oracle of depths: solves position by position, with one key a position and all cells side by side.
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

use bouton_tables::expanding::{Expanding, TableRows};
use bouton_tables::{Game, Outcome};

use super::growth::Reach;
use super::window::{Combine, Many, SlidingFold};
use crate::control::CancelCheck;
use crate::expanding::row::Run;
use crate::memory::{Grow, room};
use crate::{Control, GenerateError};

/// An integer type for keys.
trait MoveKey: Combine + Eq + Send + 'static {
    /// Returns the key of a move to a target with `score`, where `low` is stones left * 2 + (1 if no reset is imposed).
    fn new(score: Self, shift: u32, low: Self) -> Self;
    /// Converts a number into a part of a key.
    fn of(number: i64) -> Self;
    /// Returns the score of a key.
    fn score(self, shift: u32) -> Self;
    /// Converts the score of a position's best move into the score of the opponent's move to this position: one ply
    /// more, and the opposite sign.
    fn seen_by_opponent(self) -> Self;
    /// Converts the key into a number.
    fn number(self) -> i64;
    /// Returns the key of the same move from a place with one stone more.
    fn with_one_more_left(self) -> Self;
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

        impl MoveKey for $type {
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
            #[inline]
            fn with_one_more_left(self) -> Self {
                self + 2
            }
        }
    };
}
key!(i32);
key!(i64);

/// The number of a row, and the runs of its lines.
pub(in crate::expanding) type RunsOfRow = (usize, Vec<Vec<Run>>);

/// Solves rows, the greatest currentmax first. There is one row for each currentmax.
pub(in crate::expanding) trait DepthOracle {
    fn next_row(&mut self, control: &dyn Control) -> Result<Option<RunsOfRow>, GenerateError>;
}

/// The oracle with keys of type `K`.
struct KeyOracle<K> {
    /// For each place, turn and cell, the best key of a move that arrives there.
    reach: Reach<K, Many>,
    cells: usize,
    /// Distance of two cells that differ by one reset of player 1.
    across: usize,
    /// For each cell, whether player 2 has a reset left.
    second_may_reset: Vec<bool>,
    shift: u32,
    /// The score of a move that ends the game.
    end_score: i64,
    /// One more than the greatest depth.
    depth_end: i64,
}

/// Returns the oracle for a ruleset: with 32-bit keys if they suffice, otherwise with 64-bit keys.
pub(in crate::expanding) fn solver(rules: &Expanding) -> Result<Box<dyn DepthOracle>, GenerateError> {
    Ok(if key_bytes(rules) == 4 {
        Box::new(KeyOracle::<i32>::new(rules)?)
    } else {
        Box::new(KeyOracle::<i64>::new(rules)?)
    })
}

/// Bytes of a key.
fn key_bytes(rules: &Expanding) -> u128 {
    // Score and sign, stones, and the bit for a reset.
    let bits = (rules.stones() + 2).ilog2() + 2 + low_bits(rules);
    if bits <= 32 { 4 } else { 8 }
}

fn low_bits(rules: &Expanding) -> u32 {
    rules.stones().ilog2() + 2
}

impl<K: MoveKey> KeyOracle<K> {
    fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = TableRows::try_new(rules).ok_or(GenerateError::Memory)?;
        let (cells, across) = (layout.reset_pairs(), layout.reset_values_of_player_2());
        let depth_end = i64::from(rules.stones()) + 2;
        Ok(Self {
            cells,
            across,
            second_may_reset: (0..cells).map(|cell| cell % across > 0).collect(),
            shift: low_bits(rules),
            end_score: if rules.outcome_without_moves() == Outcome::Loss { depth_end } else { -depth_end },
            depth_end,
            reach: Reach::new(rules, Many(2 * cells))?,
        })
    }

    /// Appends the keys of the moves that arrive at a place, given the scores of its positions, `scores[imposed]`, turn by
    /// turn.
    fn add_arrivals(&self, stones: usize, scores: &[Vec<K>; 2], arrivals: &mut Vec<K>) {
        let (low, shift) = (K::of(2 * stones as i64), self.shift);
        let key = |score: &K| K::new(*score, shift, low);
        let plain = |score: &K| K::new(*score, shift, K::of(2 * stones as i64 + 1));
        let (of_first, of_second) = (0..self.cells, self.cells..2 * self.cells);
        // Player 1 moves to positions where player 2 is to move. If the move imposed a reset, player 1 had one more
        // before: one whole row of cells further.
        let start = arrivals.len();
        arrivals.extend(scores[0][of_second.clone()].iter().map(plain));
        for (best, imposed) in arrivals[start + self.across..].iter_mut().zip(&scores[1][of_second]) {
            *best = best.combine(key(imposed));
        }
        // The same for player 2; one reset more is one cell further.
        let start = arrivals.len();
        arrivals.extend(scores[0][of_first.clone()].iter().map(plain));
        let with_reset =
            arrivals[start + 1..].iter_mut().zip(&scores[1][of_first]).zip(&self.second_may_reset[1..]);
        for ((best, imposed), &may) in with_reset {
            *best = best.combine(if may { key(imposed) } else { K::NONE });
        }
    }

    /// Returns the run that begins with a key.
    fn run(&self, stones: usize, key: K) -> Run {
        let (score, key) = (key.score(self.shift).number(), key.number());
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
struct Tracer<K> {
    /// For each lane the key of the next place if the run continues with the same number of stones, or
    /// [`Combine::NONE`] if it cannot.
    constant: Vec<K>,
    /// For each lane the key of the next place if the run continues with one stone more, or [`Combine::NONE`] if it
    /// cannot. A run of one place can continue either way.
    advancing: Vec<K>,
    runs: Vec<Vec<Run>>,
}

/// Number of lanes compared at once.
const LANES_AT_ONCE: usize = 16;

impl<K: MoveKey> Tracer<K> {
    /// Begins with place 0, where all positions have depth 0 and no move.
    fn new(lanes: usize) -> Self {
        let end = Run { start: 0, depth: 0, take: 0, advance: false, reset: false };
        Self { constant: vec![K::NONE; lanes], advancing: vec![K::NONE; lanes], runs: vec![vec![end]; lanes] }
    }

    /// Adds a place, with a key for each lane; `run` returns the run that begins with a key.
    fn push(&mut self, keys: &[K], run: impl Fn(K) -> Run) -> Result<(), GenerateError> {
        let lanes = self.constant.chunks_mut(LANES_AT_ONCE).zip(self.advancing.chunks_mut(LANES_AT_ONCE));
        for ((keys, (constant, advancing)), runs) in
            keys.chunks(LANES_AT_ONCE).zip(lanes).zip(self.runs.chunks_mut(LANES_AT_ONCE))
        {
            // First compare all lanes without a branch: nearly always all runs continue.
            let mut all_continue = true;
            for ((key, constant), advancing) in keys.iter().zip(&*constant).zip(&*advancing) {
                all_continue &= key == constant || key == advancing;
            }
            if !all_continue {
                for (((&key, constant), advancing), runs) in
                    keys.iter().zip(&mut *constant).zip(&mut *advancing).zip(runs)
                {
                    if key != *constant && key != *advancing {
                        end_run(*constant, *advancing, runs);
                        runs.grow(run(key))?;
                        (*constant, *advancing) = (key, key);
                    }
                }
            }
            for ((&key, constant), advancing) in keys.iter().zip(constant).zip(advancing) {
                *constant = if key == *constant { key.with_one_more_left() } else { K::NONE };
                *advancing = if key == *advancing { key } else { K::NONE };
            }
        }
        Ok(())
    }

    /// Returns the runs of all lanes.
    fn finish(mut self) -> Vec<Vec<Run>> {
        for ((constant, advancing), runs) in self.constant.iter().zip(&self.advancing).zip(&mut self.runs) {
            end_run(*constant, *advancing, runs);
        }
        self.runs
    }
}

/// Completes the last run of a lane.
fn end_run<K: MoveKey>(constant: K, advancing: K, runs: &mut [Run]) {
    if let Some(run) = runs.last_mut() {
        run.advance = constant == K::NONE && advancing != K::NONE;
    }
}

impl<K: MoveKey> DepthOracle for KeyOracle<K> {
    fn next_row(&mut self, control: &dyn Control) -> Result<Option<RunsOfRow>, GenerateError> {
        let Some(row) = self.reach.next_row() else { return Ok(None) };
        let mut cancel_check = CancelCheck::new(control);
        let leaving = self.reach.leaving(&row);
        let lanes = 2 * self.cells;
        let window = |stay| SlidingFold::new(stay, Many(lanes));
        let mut windows = [window(row.stay[0])?, window(row.stay[1])?];
        let mut arrivals: Vec<K> = room((row.length * lanes) as u64)?;
        let mut tracers = [Tracer::new(lanes), Tracer::new(lanes)];
        let mut best = [vec![K::NONE; lanes], vec![K::NONE; lanes]];
        for stones in 0..row.length {
            cancel_check.spend(8 * lanes)?;
            if stones == 0 {
                best.iter_mut().for_each(|scores| scores.fill(K::of(self.end_score)));
            } else {
                for (best, window) in best.iter_mut().zip(&windows) {
                    best.fill(K::NONE);
                    window.combine_into(best);
                }
                leaving.combine_into(stones, &mut best[0]);
                leaving.combine_under_reset(stones, &mut best[1]);
                for (tracer, best) in tracers.iter_mut().zip(&best) {
                    tracer.push(best, |key| self.run(stones, key))?;
                }
                for key in best.iter_mut().flatten() {
                    *key = key.score(self.shift).seen_by_opponent();
                }
            }
            self.add_arrivals(stones, &best, &mut arrivals);
            windows.iter_mut().for_each(|window| window.slide(&arrivals));
        }
        self.reach.put(&row, arrivals)?;
        // By line: without and with a reset imposed, in turn.
        let [plain, imposed] = tracers.map(Tracer::finish);
        let lines = plain.into_iter().zip(imposed).flat_map(|(plain, imposed)| [plain, imposed]).collect();
        Ok(Some((row.number, lines)))
    }
}
