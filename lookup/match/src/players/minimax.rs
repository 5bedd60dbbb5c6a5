//! The player that searches ahead without a table, by alpha-beta.
//!
//! Minimax gives a position the value of its best move, and a move the negated value of the position after it, down
//! to a given depth. Here a win in n plies has the value [`WON`] − n, a loss has the negative of that, and an
//! undecided position at the horizon has the value 0. Alpha-beta skips moves that cannot change the result: `alpha` is
//! the value that the player is already sure of, `beta` the value that the opponent can already hold the player to.
//!
//! Example: the first move leads to a loss in 4 plies. If the second one allows an immediate reply that wins, its
//! other replies need no search: it is worse already. The player searches with depth 1, 2, 3 and so on (iterative
//! deepening), so that a move is ready whenever time runs out. Cost: with b moves in each position,
//! a search of depth d visits about b^(d/2) positions if good moves come first, and b^d at worst (Knuth and Moore,
//! 1975).

use std::thread;
use std::time::Instant;

use bouton_tables::Outcome;

use crate::stop::signal_status;
use crate::{Choice, MoveRequest, Playable, Player, Reason};

/// A move may take the time left divided by this.
const TIME_DIVISOR: u32 = 20;
/// Positions visited between two looks at the clock.
const POSITIONS_PER_LOOK: u32 = 2048;

/// Value of a position that is won at once; each ply until the end costs 1.
const WON: i64 = 1 << 40;

/// Deepest search, in plies, on the caller's stack.
const MAX_SHALLOW_DEPTH: u32 = 64;
/// Stack of a deeper search for each ply, in bytes: at least twice the need of a build without optimisation.
const STACK_PER_PLY: usize = 8192;

/// Looks `depth` plies ahead. Wins as soon and loses as late as it can; if it sees neither, makes the first move that
/// does not lose. With a clock, it searches as deep as a part of the time left allows.
#[derive(Clone, Copy, Debug)]
pub struct MinimaxPlayer {
    /// Depth of the search in plies; with 0 it makes the first legal move.
    pub depth: u32,
}

impl<G: Playable> Player<G> for MinimaxPlayer {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let stop = request.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / TIME_DIVISOR
        });
        let mut best = request.game.moves(request.position).next().expect("the position has a move");
        for depth in 1..=self.depth {
            let (found, finished) = best_move(request.game, request.position, depth, stop);
            // An unfinished search is no better than the shallower one before it, but better than none.
            if let Some((_, chosen)) = found.filter(|_| finished || depth == 1) {
                best = chosen;
            }
            let decided = found.is_some_and(|(value, _)| value != 0);
            if !finished || decided {
                break;
            }
        }
        Ok(Choice::Move(best))
    }
}

/// Returns the first of the best moves with its value, and false if time ran out. A search that finds a win skips the
/// other moves.
fn best_move<G: Playable>(
    game: &G,
    position: &G::Position,
    depth: u32,
    stop: Option<Instant>,
) -> (Option<(i64, G::Move)>, bool) {
    let mut search = AlphaBeta { game, stop, positions_until_look: 0, horizon: depth.into() };
    if depth <= MAX_SHALLOW_DEPTH {
        return search.best_move(position);
    }
    // The search is recursive, and a long game would overflow the default stack.
    thread::scope(|scope| {
        let stack = (depth as usize).saturating_mul(STACK_PER_PLY);
        let thread = thread::Builder::new().stack_size(stack);
        match thread.spawn_scoped(scope, || search.best_move(position)) {
            Ok(searching) => searching.join().expect("a search does not panic"),
            // Without memory for the stack, the search ends as if out of time.
            Err(_) => (None, false),
        }
    })
}

struct AlphaBeta<'a, G> {
    game: &'a G,
    stop: Option<Instant>,
    positions_until_look: u32,
    horizon: i64,
}

impl<G: Playable> AlphaBeta<'_, G> {
    fn best_move(&mut self, position: &G::Position) -> (Option<(i64, G::Move)>, bool) {
        let mut best: Option<(i64, G::Move)> = None;
        for chosen in self.game.moves(position) {
            let alpha = best.map_or(-WON, |(best_value, _)| best_value);
            let next = self.game.after(position, chosen);
            let Some(value) = self.value(&next, 1, -WON, -alpha) else { return (best, false) };
            if best.is_none_or(|(best_value, _)| -value > best_value) {
                best = Some((-value, chosen));
            }
            // Shallower searches found no win, so no win is faster than this one.
            if -value > 0 {
                break;
            }
        }
        (best, true)
    }

    /// Returns the value, for the player to move, of a position `ply` plies from the root. Values outside of
    /// `alpha..beta` may be inexact bounds. `None` if time ran out.
    fn value(&mut self, position: &G::Position, ply: i64, alpha: i64, beta: i64) -> Option<i64> {
        self.look_at_the_clock()?;
        if self.game.moves(position).next().is_none() {
            return Some(match self.game.outcome_without_moves() {
                Outcome::Win => WON - ply,
                Outcome::Loss => ply - WON,
            });
        }
        if ply == self.horizon {
            return Some(0);
        }
        // The best possible value: a win with the next move.
        let fastest = WON - ply - 1;
        if alpha >= fastest {
            return Some(fastest);
        }
        let beta = beta.min(fastest);
        let mut best = -WON;
        for chosen in self.game.moves(position) {
            let next = self.game.after(position, chosen);
            best = best.max(-self.value(&next, ply + 1, -beta, -alpha.max(best))?);
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Counts a visited position; `None` if time is up.
    fn look_at_the_clock(&mut self) -> Option<()> {
        if let Some(left) = self.positions_until_look.checked_sub(1) {
            self.positions_until_look = left;
            return Some(());
        }
        self.positions_until_look = POSITIONS_PER_LOOK;
        // A program that is about to end needs no good move.
        let continues = self.stop.is_none_or(|stop| Instant::now() < stop) && signal_status().is_none();
        continues.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::heaps::{HeapKeys, HeapRules, Take};
    use bouton_tables::{Game, Play};

    fn chosen(rules: &HeapRules, position: &str, depth: u32) -> String {
        let position = rules.parse_position(position).unwrap();
        let request =
            MoveRequest { game: rules, position: &position, plies: &[], deadline: None, clocks: None };
        let Ok(Choice::Move(chosen)) = MinimaxPlayer { depth }.choose(&request) else { panic!("it moves") };
        chosen.to_string()
    }

    fn rules(bounds: &[u32], take: Take, play: Play) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, play, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn minimax_makes_the_first_of_equally_good_moves() {
        let nim = rules(&[9, 9], Take::Any, Play::Normal);
        assert_eq!(chosen(&nim, "5,9", 0), "1:1");
        assert_eq!(chosen(&nim, "5,9", 2), "1:1");
        assert_eq!(chosen(&nim, "0,9", 1), "2:9");
    }

    #[test]
    fn minimax_wins_as_soon_and_loses_as_late_as_it_can() {
        // Taking 1 of 6 leaves 5, which wins as well: the opponent takes 4, and the last one is ours.
        let game = rules(&[9], Take::exactly(vec![1, 4, 6]), Play::Normal);
        assert_eq!(chosen(&game, "6", 9), "1:6");
        // A lost position: the opponent answers 1:2 with 2:2, and it is over.
        let nim = rules(&[9, 9], Take::Any, Play::Normal);
        assert_eq!(chosen(&nim, "2,2", 9), "1:1");
    }

    #[test]
    fn positions_with_thousands_of_moves_are_searched_to_their_last_move() {
        // The only winning move takes the whole row of 9000: the last move of this row. If a move leaves 2 to 8999
        // stones of the row, the opponent's only winning reply takes the rest of the row, again its last move.
        let nim = rules(&[9000, 9000], Take::Any, Play::Misere);
        assert_eq!(chosen(&nim, "9000,1", 3), "1:9000");
        let pair = rules(&[300, 300], Take::Any, Play::Normal);
        assert_eq!(chosen(&pair, "300,2", 3), "1:1", "three plies do not suffice");
        assert_eq!(chosen(&pair, "300,1", 3), "1:299");
    }

    #[test]
    fn a_search_of_a_hundred_thousand_plies_does_not_overflow_the_stack() {
        // A single way to play: the end is as far away as it can be.
        let game = rules(&[100_000], Take::UpTo(1), Play::Normal);
        let (found, finished) = best_move(&game, &game.start(), 100_000, None);
        assert_eq!((found.unwrap().0, finished), (100_000 - WON, true));
        // The player looks at each depth up to the end, and stops there.
        assert_eq!(chosen(&game, "300", 100_000), "1:1");
    }
}
