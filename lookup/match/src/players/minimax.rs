//! The player that searches to a given depth by alpha-beta, without a table.

use std::mem;
use std::time::Instant;

use bouton_tables::{Game, Outcome};

use crate::{Choice, Failure, MoveRequest, Player};

/// One move may take the time left divided by this.
const SHARE: u32 = 20;
/// Positions visited between two looks at the clock.
const UNTIL_NEXT_LOOK: u64 = 2048;

/// The value of a position that is won at once. Every ply until the end makes it one less. A position is worth 0 if the
/// search does not reach the end.
const WON: i64 = 1 << 40;

/// Moves listed at first, and at most at a time; more are listed when these have been tried.
const FIRST_BUFFER: usize = 32;
const LONGEST_BUFFER: usize = 4096;

/// Looks so many plies ahead: wins as soon as it can, loses as late as it can, and where it sees neither
/// makes the first of the moves that do not lose. If time counts, it looks as far ahead as a part of the time
/// left allows.
#[derive(Clone, Copy, Debug)]
pub struct MinimaxPlayer {
    depth: u32,
}

impl MinimaxPlayer {
    /// Looks `depth` plies ahead; with 0 it makes the first legal move.
    #[must_use]
    pub fn new(depth: u32) -> Self {
        Self { depth }
    }
}

impl<G: Game> Player<G> for MinimaxPlayer {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Failure> {
        let stop = request.deadline.map(|deadline| {
            let now = Instant::now();
            now + deadline.saturating_duration_since(now) / SHARE
        });
        let mut search = AlphaBeta::new(request.game, stop);
        let mut best = request.game.moves(request.position).next().expect("the position has a move");
        for depth in 1..=self.depth {
            let (found, finished) = search.best_move(request.position, depth.into());
            match found {
                // An unfinished search of one ply is better than nothing. An unfinished deeper one is no better than
                // the finished one before it.
                Some((_, chosen)) if finished || depth == 1 => best = chosen,
                _ => {}
            }
            let decided = found.is_some_and(|(value, _)| value != 0);
            if !finished || decided {
                break;
            }
        }
        Ok(Choice::Move(best))
    }
}

/// A position between the root and the position that is searched.
#[derive(Debug)]
struct Frame<G: Game> {
    position: G::Position,
    /// Plies from the root.
    ply: i64,
    /// The window: what the player to move is sure of, and what the opponent will not allow.
    alpha: i64,
    beta: i64,
    /// The value of the best move so far.
    best: i64,
    /// The moves to try next, in reverse order.
    ready: Vec<G::Move>,
    /// How many moves were listed so far.
    listed: usize,
}

/// One search. Recursion would overflow the stack in a long game, so the path from the root is kept in `frames`.
#[derive(Debug)]
struct AlphaBeta<'a, G: Game> {
    game: &'a G,
    stop: Option<Instant>,
    until_look: u64,
    /// The horizon: positions this many plies from the root are not searched further.
    horizon: i64,
    frames: Vec<Frame<G>>,
    /// Buffers of finished frames.
    spare: Vec<Vec<G::Move>>,
}

impl<'a, G: Game> AlphaBeta<'a, G> {
    fn new(game: &'a G, stop: Option<Instant>) -> Self {
        Self { game, stop, until_look: 0, horizon: 0, frames: Vec::new(), spare: Vec::new() }
    }

    /// The first of the best moves with its value, and whether there was time to search all moves.
    fn best_move(&mut self, position: &G::Position, depth: i64) -> (Option<(i64, G::Move)>, bool) {
        self.horizon = depth;
        let mut best: Option<(i64, G::Move)> = None;
        for chosen in self.game.moves(position) {
            let alpha = best.map_or(-WON, |(most, _)| most);
            let next = self.game.after(position, chosen);
            let Some(value) = self.value(next, -WON, -alpha) else { return (best, false) };
            if best.is_none_or(|(most, _)| -value > most) {
                best = Some((-value, chosen));
            }
            // The shallower searches found no win, so none is faster than this one.
            if -value > 0 {
                break;
            }
        }
        (best, true)
    }

    /// The value of a position one ply from the root, for the player to move; `None` if time ran out.
    fn value(&mut self, position: G::Position, alpha: i64, beta: i64) -> Option<i64> {
        self.frames.clear();
        let mut known = self.enter(position, 1, alpha, beta)?;
        loop {
            let Some(frame) = self.frames.last_mut() else { return known };
            if let Some(value) = known {
                frame.best = frame.best.max(-value);
            }
            if frame.best < frame.beta && frame.ready.is_empty() {
                self.make_ready()?;
            }
            let frame = self.frames.last_mut().expect("it was there");
            known = if frame.best < frame.beta
                && let Some(chosen) = frame.ready.pop()
            {
                let next = self.game.after(&frame.position, chosen);
                let (ply, alpha, beta) = (frame.ply + 1, -frame.beta, -frame.alpha.max(frame.best));
                self.enter(next, ply, alpha, beta)?
            } else {
                let best = frame.best;
                let done = self.frames.pop().map(|frame| frame.ready);
                self.spare.extend(done);
                Some(best)
            };
        }
    }

    /// Enters a position. Returns its value if that is known at once, `Some(None)` if it became the last frame, and `None`
    /// if time ran out.
    fn enter(&mut self, position: G::Position, ply: i64, alpha: i64, beta: i64) -> Option<Option<i64>> {
        self.spend(1)?;
        if self.is_over(&position) {
            return Some(Some(self.value_without_moves(ply)));
        }
        // The best that can happen is a win with the next move.
        let fastest = WON - ply - 1;
        if ply == self.horizon {
            return Some(Some(0));
        }
        if alpha >= fastest {
            return Some(Some(fastest));
        }
        let beta = beta.min(fastest);
        if ply + 1 == self.horizon {
            return self.last_ply(&position, ply, beta).map(Some);
        }
        let mut ready = self.spare.pop().unwrap_or_default();
        ready.clear();
        self.frames.push(Frame { position, ply, alpha, beta, best: -WON, ready, listed: 0 });
        Some(None)
    }

    /// The value of a position one ply before the horizon. Most positions are, so they need no frame.
    fn last_ply(&mut self, position: &G::Position, ply: i64, beta: i64) -> Option<i64> {
        let mut best = -WON;
        for chosen in self.game.moves(position) {
            self.spend(1)?;
            let over = self.is_over(&self.game.after(position, chosen));
            best = best.max(if over { -self.value_without_moves(ply + 1) } else { 0 });
            if best >= beta {
                break;
            }
        }
        Some(best)
    }

    /// Lists further moves of the last frame. A position may have a million moves, and an iterator over them cannot
    /// outlive the borrow of the position. So they are listed in parts, each as long as all parts before it together,
    /// and the earlier moves are skipped again each time.
    fn make_ready(&mut self) -> Option<()> {
        let frame = self.frames.last_mut().expect("there is a frame");
        let more = frame.listed.clamp(FIRST_BUFFER, LONGEST_BUFFER);
        let mut ready = mem::take(&mut frame.ready);
        ready.extend(self.game.moves(&frame.position).skip(frame.listed).take(more));
        ready.reverse();
        let walked = frame.listed + ready.len();
        frame.listed = walked;
        frame.ready = ready;
        self.spend(walked as u64)
    }

    fn is_over(&self, position: &G::Position) -> bool {
        self.game.moves(position).next().is_none()
    }

    fn value_without_moves(&self, ply: i64) -> i64 {
        match self.game.outcome_without_moves() {
            Outcome::Win => WON - ply,
            Outcome::Loss => ply - WON,
        }
    }

    /// Counts visited positions; `None` if time is up.
    fn spend(&mut self, positions: u64) -> Option<()> {
        if let Some(left) = self.until_look.checked_sub(positions) {
            self.until_look = left;
            return Some(());
        }
        self.until_look = UNTIL_NEXT_LOOK;
        self.stop.is_none_or(|stop| Instant::now() < stop).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::Play;
    use bouton_tables::heaps::{HeapKeys, HeapRules, Take};

    fn chosen(rules: &HeapRules, position: &str, depth: u32) -> String {
        let position = rules.parse_position(position).unwrap();
        let request = MoveRequest { game: rules, position: &position, plies: &[], deadline: None };
        let Ok(Choice::Move(chosen)) = MinimaxPlayer::new(depth).choose(&request) else { panic!("it moves") };
        chosen.to_string()
    }

    fn rules(bounds: &[u32], take: Take, play: Play) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), take, play, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn it_takes_the_first_move_where_it_sees_no_difference() {
        let nim = rules(&[9, 9], Take::Any, Play::Normal);
        assert_eq!(chosen(&nim, "5,9", 0), "1:1");
        assert_eq!(chosen(&nim, "5,9", 2), "1:1");
        assert_eq!(chosen(&nim, "0,9", 1), "2:9");
    }

    #[test]
    fn it_wins_as_soon_and_loses_as_late_as_it_can() {
        // Taking 1 of 6 leaves 5, which wins as well: the opponent takes 4, and the last one is ours.
        let game = rules(&[9], Take::exactly(vec![1, 4, 6]), Play::Normal);
        assert_eq!(chosen(&game, "6", 9), "1:6");
        // A lost position: the opponent answers 1:2 with 2:2, and it is over.
        let nim = rules(&[9, 9], Take::Any, Play::Normal);
        assert_eq!(chosen(&nim, "2,2", 9), "1:1");
    }

    #[test]
    fn positions_with_more_moves_than_a_buffer_holds_are_searched_to_their_last_move() {
        // The only winning move is the last of the row, and so is the opponent's only reply to any other.
        let nim = rules(&[9000, 9000], Take::Any, Play::Misere);
        assert_eq!(chosen(&nim, "9000,1", 3), "1:9000");
        let pair = rules(&[300, 300], Take::Any, Play::Normal);
        assert_eq!(chosen(&pair, "300,2", 3), "1:1", "three plies do not suffice");
        assert_eq!(chosen(&pair, "300,1", 3), "1:299");
    }

    #[test]
    fn a_hundred_thousand_plies_overflow_no_stack() {
        // A single way to play: the end is as far away as it can be.
        let game = rules(&[100_000], Take::UpTo(1), Play::Normal);
        let mut search = AlphaBeta::new(&game, None);
        let (found, finished) = search.best_move(&game.start(), 100_000);
        assert_eq!((found.unwrap().0, finished), (100_000 - WON, true));
        // The player looks at each depth up to the end, and stops there.
        assert_eq!(chosen(&game, "300", 100_000), "1:1");
    }
}
