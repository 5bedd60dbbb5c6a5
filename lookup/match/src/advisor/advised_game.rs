//! The state of a game that is played on another board.

use std::time::{Duration, Instant};

use bouton_tables::{Outcome, Solved, Verdict};

use crate::players::TablePlayer;
use crate::{Choice, GameInfo, MoveRequest, Playable, Player, Reason, Referee, Side};

/// A game in which a player with a table chooses our moves, and the opponent's moves come from outside.
#[derive(Clone, Debug)]
pub struct AdvisedGame<G: Playable> {
    /// The game so far.
    pub(super) referee: Referee<G>,
    pub(super) player: TablePlayer<G>,
    /// Our side.
    pub(super) side: Side,
}

/// A recommended move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Advice<M> {
    pub(super) chosen: M,
    /// Outcome and depth of the position before the move.
    pub(super) verdict: Verdict,
    /// True if the opponent's last move gave a win away.
    pub(super) erred: bool,
}

impl<G: Playable> AdvisedGame<G> {
    /// Starts a game at `start`, in which we are `side`. Fails if the player's table does not cover the start.
    pub fn new(player: TablePlayer<G>, rules: G, start: G::Position, side: Side) -> Result<Self, Reason> {
        let mut game = Self { referee: Referee::new(rules, start, None), player, side };
        game.begin()?;
        Ok(game)
    }

    pub(super) fn rules(&self) -> &G {
        self.referee.game()
    }

    /// Returns the current position in notation.
    pub(super) fn shown_position(&self) -> String {
        self.rules().show_position(self.referee.position())
    }

    /// Returns the player's table.
    pub(super) fn table(&self) -> &G::Table {
        self.player.solution.get()
    }

    /// Returns true if we have won; `None` during the game.
    pub(super) fn is_won(&self) -> Option<bool> {
        self.referee.ending().map(|ending| ending.winner == self.side)
    }

    /// Returns the position before the last move, if that move was ours.
    pub(super) fn before_ours(&self) -> Option<&G::Position> {
        let ply = self.referee.plies().last()?;
        (self.referee.to_move() != self.side).then_some(&ply.before)
    }

    /// Chooses our move and plays it; `None` if it is not our turn, or after the end.
    pub(super) fn advise(&mut self) -> Result<Option<Advice<G::Move>>, Reason> {
        if self.referee.ending().is_some() || self.referee.to_move() != self.side {
            return Ok(None);
        }
        let began = Instant::now();
        let (position, plies) = (self.referee.position(), self.referee.plies());
        let verdict = self.table().verdict(position)?;
        let erred = match plies.last() {
            Some(theirs) if verdict.outcome == Outcome::Win => {
                self.table().outcome(&theirs.before)? == Outcome::Win
            }
            _ => false,
        };
        let request =
            MoveRequest { game: self.referee.game(), position, plies, deadline: None, clocks: None };
        let Choice::Move(chosen) = self.player.choose(&request)? else { return Err(Reason::Resigned) };
        self.play(chosen, began.elapsed());
        Ok(Some(Advice { chosen, verdict, erred }))
    }

    /// Plays a move for the player whose turn it is, after `elapsed`. The move may be illegal if the other board accepted it.
    pub(super) fn play(&mut self, chosen: G::Move, elapsed: Duration) {
        let by = self.referee.to_move();
        self.referee.accept(chosen, elapsed);
        if let Some(ply) = self.referee.plies().last() {
            self.player.observe(ply, by);
        }
    }

    /// Replaces the last move, which must be ours, by the legal move that we really made.
    pub(super) fn replace_ours(&mut self, chosen: G::Move) -> Result<(), Reason> {
        let took = self.referee.plies().last().map_or(Duration::ZERO, |ply| ply.took);
        self.go_back(1)?;
        self.play(chosen, took);
        Ok(())
    }

    /// Takes back the opponent's last move, and our reply if there is one. Returns the moves taken back with their sides,
    /// in the order in which they were played: none if the opponent has not moved.
    pub(super) fn undo(&mut self) -> Result<Vec<(Side, G::Move)>, Reason> {
        let plies = self.referee.plies();
        let Some(first) = (0..plies.len()).rev().find(|&number| Side::of_ply(number) != self.side) else {
            return Ok(Vec::new());
        };
        let taken_back: Vec<_> =
            (first..plies.len()).map(|number| (Side::of_ply(number), plies[number].chosen)).collect();
        self.go_back(taken_back.len())?;
        Ok(taken_back)
    }

    fn go_back(&mut self, plies: usize) -> Result<(), Reason> {
        self.referee.take_back(plies);
        self.begin()
    }

    /// Passes the game so far to the player.
    fn begin(&mut self) -> Result<(), Reason> {
        let info = GameInfo::new(self.referee.game(), self.side, self.referee.start());
        self.player.begin(&info)?;
        for (number, ply) in self.referee.plies().iter().enumerate() {
            self.player.observe(ply, Side::of_ply(number));
        }
        Ok(())
    }
}
