//! Everything about a game in progress: the account, our player, and the report to the user.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use bouton_tables::expanding::{Expanding, Move, Position};
use bouton_tables::{Game, Outcome, Solved, Verdict};

use super::account::{Account, Claim};
use super::clock::OurClock;
use super::kit::{in_words, rules_announced};
use super::{ClientError, Ended, MatchOptions, Report};
use crate::players::TablePlayer;
use crate::{Choice, GameInfo, MoveRequest, Player, Side};

/// The game as the server announces it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Announced {
    pub(super) stones: u32,
    pub(super) resets: u8,
    /// The time that we have for all our moves.
    pub(super) clock: Duration,
}

pub(super) struct Notes<'a, 'r> {
    pub(super) name: &'a str,
    pub(super) report: &'a mut Report<'r>,
    pub(super) account: Account,
    player: TablePlayer<Expanding>,
    clock: OurClock,
    /// When the last move was made, or the game began.
    since: Instant,
}

impl<'a, 'r> Notes<'a, 'r> {
    /// Notes of the announced game, in which we play `side`.
    pub(super) fn new(
        announced: Announced,
        side: Side,
        options: &'a MatchOptions,
        report: &'a mut Report<'r>,
    ) -> Result<Self, ClientError> {
        Self::with_a_remark(announced, "", side, options, report)
    }

    /// The same, with a remark on the size of the game that the user is told.
    pub(super) fn with_a_remark(
        Announced { stones, resets, clock }: Announced,
        remark: &str,
        side: Side,
        options: &'a MatchOptions,
        report: &'a mut Report<'r>,
    ) -> Result<Self, ClientError> {
        let rules = rules_announced(stones, resets)?;
        let player = options.kit.player(&rules, report)?;
        let seconds =
            if clock < options.clock { format!(", {} s each", clock.as_secs()) } else { String::new() };
        let clock = OurClock::of(clock, options.pause);
        // Of a copy: the clock itself has not been asked yet.
        let mut first = clock;
        let pause = match first.pause(Duration::ZERO, stones) {
            Duration::ZERO => String::new(),
            pause if pause < options.pause => {
                let (ms, asked) = (pause.as_secs_f64() * 1e3, options.pause.as_millis());
                format!(
                    "; each of our moves waits {ms:.0} ms: {asked} ms (--pause) could take too much of our clock"
                )
            }
            pause => format!("; each of our moves waits {} ms (--pause)", pause.as_millis()),
        };
        report.tell(&format!(
            "a game of {}{remark}{seconds}; lost positions are played by {}{pause}",
            in_words(&rules),
            player.policy()
        ));
        let account = Account::new(rules, side);
        Ok(Self { name: &options.name, report, account, player, clock, since: Instant::now() })
    }

    pub(super) fn begin(&mut self) -> Result<(), ClientError> {
        let Account { rules, side, start, .. } = &self.account;
        let began = self.player.begin(&GameInfo::new(rules, *side, start));
        self.since = Instant::now();
        began.map_err(|failure| ClientError::game(&format!("{start}: {failure:?}")))
    }

    /// We play this side after all. Nobody has moved yet.
    pub(super) fn take_side(&mut self, side: Side) {
        self.account = Account::new(self.account.rules.clone(), side);
    }

    /// A move was made. If its stones are not known for certain, `about` says what is known.
    pub(super) fn record(&mut self, made: Move, about: Option<&str>) {
        let by = self.account.to_move();
        let took = self.since.elapsed();
        self.since = Instant::now();
        if by == self.account.side {
            self.clock.used(took);
        }
        match self.account.record(made) {
            None => self.player.saw(self.account.plies.last().expect("just recorded"), by),
            Some(wrong) if self.account.first_time("an illegal move") => self.report.disagreement(&wrong),
            Some(_) => {}
        }
        self.report.record_move(&self.account, self.name, took);
        let verdict = self.verdict(&self.account.position);
        let take = made.take.to_string();
        self.report.moved(&self.account, about.unwrap_or(&take), made.reset, verdict);
    }

    /// Compares what the server says about the position with our account.
    pub(super) fn hear(&mut self, claim: Claim) {
        for text in self.account.hear(claim) {
            self.report.disagreement(&text);
        }
    }

    /// The game is over, for the reason that the server gives: tells the user and keeps a transcript.
    pub(super) fn end(&mut self, ended: Ended, reason: &str) -> Ended {
        self.report.ended(ended, reason);
        let side = self.account.side;
        let loser = match ended {
            Ended::Won => side.other(),
            Ended::Lost => side,
            Ended::Unknown => {
                self.report.record_breaking_off(reason);
                return ended;
            }
        };
        self.report.record_end(&self.account, self.name, loser, reason);
        ended
    }

    /// Our clock as the server counts it.
    pub(super) fn hear_clock(&mut self, seconds: f64) {
        self.clock.hear(seconds);
    }

    /// How long our turn may still last, by our clock.
    pub(super) fn time_left(&self) -> Duration {
        self.clock.left(self.since.elapsed())
    }

    /// How long our move may wait before it is sent.
    pub(super) fn pause(&mut self) -> Duration {
        self.clock.pause(self.since.elapsed(), self.account.position.stones)
    }

    /// A move that is legal in both our account and the server's: the player's own choice if possible. `None` if no
    /// stones are left.
    pub(super) fn choose(&mut self) -> Option<Move> {
        let position = self.account.cautious();
        if position.stones == 0 {
            return None;
        }
        let Account { rules, plies, .. } = &self.account;
        let request = MoveRequest { game: rules, position: &position, plies, deadline: None, clocks: None };
        match self.player.choose(&request) {
            Ok(Choice::Move(chosen)) if self.account.allows(chosen) => Some(chosen),
            _ => self.best_allowed(&position),
        }
    }

    /// The best move that is legal in both accounts, where the player has no answer or chooses a move that is legal only
    /// in ours.
    fn best_allowed(&self, position: &Position) -> Option<Move> {
        let game = &self.account.rules;
        let allowed = game.moves(position).filter(|&chosen| self.account.allows(chosen));
        allowed.max_by_key(|&chosen| {
            let next = game.after(position, chosen);
            // Best is a position that is lost for the opponent. One that the table does not know counts like one
            // that the opponent wins at once.
            let worth = match self.verdict(&next) {
                _ if next.stones == 0 => (2, 0),
                Some(Verdict { outcome: Outcome::Loss, depth }) => (1, -i64::from(depth.unwrap_or(0))),
                Some(Verdict { outcome: Outcome::Win, depth }) => (0, i64::from(depth.unwrap_or(0))),
                None => (0, 0),
            };
            (worth, Reverse(chosen))
        })
    }

    /// The table's verdict; `None` for a position that cannot arise.
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.player.solution.get().verdict(position).ok()
    }
}
