//! One game in progress: the position, the moves, the clocks, and the ending.

use std::fmt;
use std::time::Duration;

use bouton_tables::{AskError, Game, why_illegal};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{Lenient, Side};

/// One move of a game.
#[derive(Clone, Debug)]
pub struct Ply<G: Game> {
    /// The position before the move.
    pub before: G::Position,
    /// The move as the referee counts it.
    pub chosen: G::Move,
    /// The move as the player claimed it, if it is illegal and a server accepted it.
    pub claimed: Option<G::Move>,
    /// The time that the player took.
    pub took: Duration,
}

impl<G: Game> Ply<G> {
    /// Creates the ply of a legal move.
    pub fn new(before: G::Position, chosen: G::Move, took: Duration) -> Self {
        Self { before, chosen, claimed: None, took }
    }

    /// Returns the move as the player claimed it.
    pub fn as_claimed(&self) -> G::Move {
        self.claimed.unwrap_or(self.chosen)
    }
}

/// The reason for the end of a game; as an error, the reason why a player cannot play on.
#[derive(Clone, Debug, Error, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reason", content = "detail", rename_all = "kebab-case")]
pub enum Reason {
    /// No move is left, and the rules name the winner.
    #[error("no move is left")]
    Played,
    /// A player with a table had a won position, so the table names the winner.
    #[error("the table names the winner")]
    Decided,
    /// The loser made an illegal move. The text names the move, the position, and the legal moves.
    #[error("{0}")]
    IllegalMove(String),
    /// The loser's time ran out.
    #[error("the time ran out")]
    Time,
    /// The loser gave up.
    #[error("the player gave up")]
    Resigned,
    /// The loser crashed, disconnected, or did not answer with a move. The text describes the failure.
    #[error("{0}")]
    Failed(String),
}

impl Reason {
    /// Returns the name in transcripts, and the detail, which is empty if there is none.
    pub fn parts(&self) -> (&'static str, &str) {
        match self {
            Self::Played => ("played", ""),
            Self::Decided => ("decided", ""),
            Self::IllegalMove(detail) => ("illegal-move", detail),
            Self::Time => ("time", ""),
            Self::Resigned => ("resigned", ""),
            Self::Failed(detail) => ("failed", detail),
        }
    }
}

impl From<AskError> for Reason {
    fn from(error: AskError) -> Self {
        Self::Failed(error.to_string())
    }
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ending {
    /// The winner.
    pub winner: Side,
    /// The reason.
    #[serde(flatten)]
    pub reason: Reason,
}

impl Ending {
    /// Returns the ending of a game that `loser` loses for a reason other than the rules.
    pub fn forfeit(loser: Side, reason: Reason) -> Self {
        Self { winner: loser.other(), reason }
    }

    /// Describes the ending with the players' names, the first side's first.
    pub fn in_words(&self, names: [&str; 2]) -> String {
        let (winner, loser) = (names[self.winner.index()], names[self.winner.other().index()]);
        match &self.reason {
            Reason::Played => format!("{winner} wins"),
            Reason::Decided => format!("{winner} wins, says the table"),
            Reason::IllegalMove(detail) => format!("{winner} wins: {loser} made an illegal move: {detail}"),
            Reason::Time => format!("{winner} wins: {loser}'s time ran out"),
            Reason::Resigned => format!("{winner} wins: {loser} gave up"),
            Reason::Failed(detail) => format!("{winner} wins: {loser} failed: {detail}"),
        }
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(["the first player", "the second player"]))
    }
}

/// The referee of one game.
#[derive(Clone, Debug)]
pub struct Referee<G: Game> {
    game: G,
    start: G::Position,
    position: G::Position,
    plies: Vec<Ply<G>>,
    /// The time left to each side; `None` without a clock.
    clocks: Option<[Duration; 2]>,
    pub(crate) ending: Option<Ending>,
}

impl<G: Game> Referee<G> {
    /// Starts a game at `start`. `clock` is the time for each side.
    pub fn new(game: G, start: G::Position, clock: Option<Duration>) -> Self {
        let mut referee = Self {
            game,
            position: start.clone(),
            start,
            plies: Vec::new(),
            clocks: clock.map(|clock| [clock; 2]),
            ending: None,
        };
        referee.end_without_moves();
        referee
    }

    /// Returns the rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Returns the position in which the game began.
    pub fn start(&self) -> &G::Position {
        &self.start
    }

    /// Returns the current position.
    pub fn position(&self) -> &G::Position {
        &self.position
    }

    /// Returns the moves so far.
    pub fn plies(&self) -> &[Ply<G>] {
        &self.plies
    }

    /// Returns the side to move, or after the end the side that would move next.
    pub fn to_move(&self) -> Side {
        Side::of_ply(self.plies.len())
    }

    /// Returns the time left to a side; `None` without a clock.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        self.clocks.map(|clocks| clocks[side.index()])
    }

    /// Returns the time left to each side, the first side's first; `None` without a clock.
    pub fn clocks(&self) -> Option<[Duration; 2]> {
        self.clocks
    }

    /// Returns the ending; `None` while the game is in progress.
    pub fn ending(&self) -> Option<&Ending> {
        self.ending.as_ref()
    }

    /// Makes a move for the side to move. A late or illegal move ends the game. A game that is over does not change.
    pub fn play(&mut self, chosen: G::Move, took: Duration) {
        if self.ending.is_some() {
            return;
        }
        let side = self.to_move();
        self.spend(side, took);
        if self.ending.is_some() {
            return;
        }
        if !self.game.is_legal(&self.position, chosen) {
            let detail = why_illegal(&self.game, &self.position, chosen);
            self.forfeit(side, Reason::IllegalMove(detail));
            return;
        }
        self.advance(chosen, None, self.game.after(&self.position, chosen), took);
    }

    /// Makes a move that leads to `next`.
    fn advance(&mut self, chosen: G::Move, claimed: Option<G::Move>, next: G::Position, took: Duration) {
        let before = std::mem::replace(&mut self.position, next);
        self.plies.push(Ply { before, chosen, claimed, took });
        self.end_without_moves();
    }

    /// Deducts time from a side's clock, without a move.
    pub fn spend(&mut self, side: Side, took: Duration) {
        let Some(clocks) = &mut self.clocks else { return };
        let left = &mut clocks[side.index()];
        *left = left.saturating_sub(took);
        if left.is_zero() && self.ending.is_none() {
            self.forfeit(side, Reason::Time);
        }
    }

    /// Ends the game with a loss for a reason other than the rules. Does nothing if the game is over.
    pub fn forfeit(&mut self, loser: Side, reason: Reason) {
        self.ending.get_or_insert(Ending::forfeit(loser, reason));
    }

    /// Returns true if the rules or the table named the winner; false if a fault of the loser decided the game.
    pub fn is_decided_by_play(&self) -> bool {
        matches!(&self.ending, Some(Ending { reason: Reason::Played | Reason::Decided, .. }))
    }

    /// Reverses the result of a finished game if `loser` won it.
    pub fn overrule(&mut self, loser: Side, reason: Reason) {
        if self.ending.as_ref().is_some_and(|ending| ending.winner == loser) {
            self.ending = Some(Ending::forfeit(loser, reason));
        }
    }

    /// Takes back this many moves, also after the end of the game. Clocks keep their times.
    ///
    /// # Panics
    /// If fewer moves were made.
    pub fn take_back(&mut self, count: usize) {
        if let Some(first) = self.plies.drain(self.plies.len() - count..).next() {
            self.position = first.before;
            self.ending = None;
        }
    }

    /// Ends the game if the side to move has no move.
    fn end_without_moves(&mut self) {
        if self.game.moves(&self.position).next().is_some() {
            return;
        }
        let winner = self.to_move().winner(self.game.outcome_without_moves());
        self.ending = Some(Ending { winner, reason: Reason::Played });
    }
}

impl<G: Lenient> Referee<G> {
    /// Makes a move that a server has accepted, for the side to move. An illegal move is recorded as claimed, and
    /// counts as [`Lenient::accepted`] says. If the game cannot continue after an illegal move, the side loses.
    pub fn accept(&mut self, claimed: G::Move, took: Duration) {
        let is_legal = self.game.is_legal(&self.position, claimed);
        let accepted = if is_legal { None } else { self.game.accepted(&self.position, claimed) };
        let Some((chosen, next)) = accepted.filter(|_| self.ending.is_none()) else {
            return self.play(claimed, took);
        };
        self.spend(self.to_move(), took);
        if self.ending.is_none() {
            self.advance(chosen, Some(claimed), next, took);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::Play;
    use bouton_tables::expanding::{Expanding, ExpandingKeys};
    use bouton_tables::heaps::HeapKeys;

    fn referee(play: Play, stones: u64) -> Referee<Expanding> {
        let rules = ExpandingKeys { stones: 50, resets: [1, 1], play, ..Default::default() }.rules().unwrap();
        let start = rules.start(stones);
        Referee::new(rules, start, Some(Duration::from_secs(10)))
    }

    fn play(referee: &mut Referee<Expanding>, moves: &[&str]) {
        for text in moves {
            let chosen = referee.game().parse_move(text).unwrap();
            referee.play(chosen, Duration::from_secs(1));
        }
    }

    #[test]
    fn taking_the_last_stone_wins_in_normal_play_and_loses_in_misere_play() {
        for (kind, winner) in [(Play::Normal, Side::First), (Play::Misere, Side::Second)] {
            let mut game = referee(kind, 7);
            play(&mut game, &["3r", "1", "3"]);
            assert_eq!(game.ending(), Some(&Ending { winner, reason: Reason::Played }));
            assert_eq!(game.time_left(Side::First), Some(Duration::from_secs(8)));
        }
    }

    #[test]
    fn a_game_without_a_move_is_over_before_it_begins() {
        let rules = HeapKeys { bounds: vec![2], play: Play::Misere, ..Default::default() }.rules().unwrap();
        let start = rules.parse_position("0").unwrap();
        let game = Referee::new(rules, start, None);
        assert_eq!(game.ending().unwrap().winner, Side::First);
    }

    #[test]
    fn an_illegal_move_loses_with_an_explanation_and_later_moves_are_ignored() {
        let mut game = referee(Play::Normal, 50);
        play(&mut game, &["3", "5", "1"]);
        let ending = game.ending().unwrap();
        assert_eq!(ending.winner, Side::First);
        assert_eq!(
            ending.reason,
            Reason::IllegalMove(
                "5 at 47/3/2/1,1/-, where the legal moves are 1, 1r, 2, 2r, 3, 3r, 4, 4r".to_owned()
            )
        );
        assert_eq!(game.plies().len(), 1);
    }

    #[test]
    fn an_accepted_move_that_takes_more_than_remain_takes_the_rest() {
        let mut game = referee(Play::Normal, 7);
        play(&mut game, &["3", "3"]);
        let claimed = game.game().parse_move("4").unwrap();
        game.accept(claimed, Duration::ZERO);
        let last = game.plies().last().unwrap();
        assert_eq!((last.chosen.take, last.as_claimed().take), (1, 4));
        assert_eq!(game.ending(), Some(&Ending { winner: Side::First, reason: Reason::Played }));
    }

    #[test]
    fn an_accepted_move_over_the_limit_or_with_a_missing_reset_counts_in_full() {
        let mut game = referee(Play::Normal, 50);
        for text in ["9", "2r", "1", "1r"] {
            let claimed = game.game().parse_move(text).unwrap();
            game.accept(claimed, Duration::ZERO);
        }
        assert_eq!(game.position().to_string(), "37/9/1/1,0/r");
        assert_eq!(game.ending(), None);
        let claimed: Vec<bool> = game.plies().iter().map(|ply| ply.claimed.is_some()).collect();
        assert_eq!(claimed, [true, false, false, true]);
    }

    #[test]
    fn time_that_runs_out_loses_even_with_a_winning_move() {
        let mut game = referee(Play::Normal, 3);
        let last = game.game().parse_move("3").unwrap();
        game.play(last, Duration::from_secs(10));
        assert_eq!(game.ending(), Some(&Ending::forfeit(Side::First, Reason::Time)));
    }

    #[test]
    fn after_taking_back_the_same_player_is_to_move_again() {
        let mut game = referee(Play::Normal, 20);
        play(&mut game, &["1", "2", "3", "1"]);
        game.take_back(2);
        assert_eq!(
            (game.to_move(), game.position().stones, game.position().currentmax),
            (Side::First, 17, 2)
        );
    }

    #[test]
    fn the_last_move_can_be_taken_back() {
        let mut game = referee(Play::Normal, 3);
        play(&mut game, &["3"]);
        assert!(game.ending().is_some());
        game.take_back(1);
        assert_eq!((game.ending(), game.position().stones), (None, 3));
    }
}
