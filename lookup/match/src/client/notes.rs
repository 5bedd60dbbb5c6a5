//! Everything about a game in progress: the account, our player, and the report to the user.

use bouton_tables::expanding::Move;

use super::report::shown;
use super::{Account, Claim, ClientError, Contestant, Disagreement, Ended, Report};
use crate::{GameRecord, Reason, Referee, Side};

/// Our notes of one game.
pub(super) struct Notes<'a, 'r> {
    /// Our name.
    pub(super) name: &'a str,
    pub(super) report: &'a mut Report<'r>,
    pub(super) contestant: Contestant,
    pub(super) account: Account,
}

impl Notes<'_, '_> {
    /// The game begins.
    pub(super) fn begin(&mut self) -> Result<(), ClientError> {
        let start = self.account.start().clone();
        self.contestant.begin(self.account.side(), &start)
    }

    /// We play this side after all. Nobody has moved yet.
    pub(super) fn take_side(&mut self, side: Side) {
        let (rules, start) = (self.account.rules().clone(), self.account.start().clone());
        self.account = Account::new(rules, start, side);
    }

    /// A move was made. If its stones are not known for certain, `about` says what is known.
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

    /// Compares what the server says about the position with our account.
    pub(super) fn hear(&mut self, claim: Claim) {
        for text in self.account.hear(claim) {
            self.report.disagreement(&text);
        }
    }

    /// The game is over, for the reason that the server gives: tells the user and keeps a transcript.
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
        // If stones are left, the game was lost for a reason that the moves do not show.
        referee.forfeit(loser, Reason::Failed(shown(reason)));
        let opponent = self.report.opponent().to_owned();
        let names = if side == Side::First { [self.name, &opponent] } else { [&opponent, self.name] };
        if let Some(record) = GameRecord::of(&referee, names) {
            self.report.keep(record);
        }
    }

    /// A move that is legal in both our account and the server's; `None` if no stones are left.
    pub(super) fn choose(&mut self) -> Option<Move> {
        self.contestant.choose(&self.account)
    }
}
