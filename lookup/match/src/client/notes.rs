//! What we keep of a game while it is played: the account, our player, and what the user is told.

use bouton_tables::expanding::Move;

use super::{Account, Claim, ClientError, Contestant, Kind, Report};
use crate::Side;

/// Our notes of one game.
pub(super) struct Notes<'a, 'r> {
    pub(super) report: &'a mut Report<'r>,
    pub(super) contestant: Contestant,
    pub(super) account: Account,
}

impl Notes<'_, '_> {
    /// The game begins, as far as we know.
    pub(super) fn begin(&mut self) -> Result<(), ClientError> {
        let start = self.account.start().clone();
        self.contestant.begin(self.account.side(), &start)
    }

    /// We are of this side after all: nothing was played yet.
    pub(super) fn take_side(&mut self, side: Side) {
        let (rules, start) = (self.account.rules().clone(), self.account.start().clone());
        self.account = Account::new(rules, start, side);
    }

    /// A move was made; of one that is not known for certain, `about` tells what it took.
    pub(super) fn record(&mut self, made: Move, about: Option<&str>) {
        let by = self.account.to_move();
        match self.account.record(made) {
            None => self.contestant.saw(self.account.plies().last().expect("just recorded"), by),
            Some(wrong) if self.account.first_time(Kind::Illegal) => self.report.disagreement(&wrong),
            Some(_) => {}
        }
        let verdict = self.contestant.verdict(self.account.position());
        let take = made.take.to_string();
        self.report.moved(&self.account, &about.unwrap_or(&take), made.reset, verdict);
    }

    /// Holds what the server says of the position against our account.
    pub(super) fn hear(&mut self, claim: Claim) {
        for text in self.account.hear(claim) {
            self.report.disagreement(&text);
        }
    }

    /// A move that our account and the server's allow; `None` if no stone is left.
    pub(super) fn choose(&mut self) -> Option<Move> {
        self.contestant.choose(&self.account)
    }
}
