//! What we keep of a game while it is played: the account, our player, and what the user is told.

use bouton_tables::expanding::Move;

use super::report::shown;
use super::{Account, Claim, ClientError, Contestant, Disagreement, Ended, Report};
use crate::{Reason, Record, Referee, Side};

/// Our notes of one game.
pub(super) struct Notes<'a, 'r> {
    /// Our name.
    pub(super) name: &'a str,
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
            Some(wrong) if self.account.first_time(Disagreement::Illegal) => self.report.disagreement(&wrong),
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

    /// The game is over, for a reason that the server gives: the user is told, and a transcript is kept.
    pub(super) fn end(&mut self, ended: Ended, reason: &str) {
        self.report.ended(ended, reason);
        let (rules, side) = (self.account.rules().clone(), self.account.side());
        let mut referee = Referee::new(rules, self.account.start().clone(), None);
        for ply in self.account.plies() {
            referee.play(ply.chosen, ply.took);
        }
        let loser = match ended {
            Ended::Won => side.other(),
            Ended::Lost => side,
            Ended::Unknown => return,
        };
        // Where stones are left, somebody lost for a reason that the moves do not tell.
        referee.forfeit(loser, Reason::Failed(shown(reason)));
        let opponent = self.report.opponent().to_owned();
        let names = if side == Side::First { [self.name, &opponent] } else { [&opponent, self.name] };
        if let Some(record) = Record::of(&referee, names) {
            self.report.keep(record);
        }
    }

    /// A move that our account and the server's allow; `None` if no stone is left.
    pub(super) fn choose(&mut self) -> Option<Move> {
        self.contestant.choose(&self.account)
    }
}
