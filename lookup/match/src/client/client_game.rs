//! A game in progress, the same for all protocols: our account, our player, our clock, and the report to the user.

use std::cmp::Reverse;
use std::time::{Duration, Instant};

use bouton_tables::expanding::{Expanding, Move, Position};
use bouton_tables::{Game, Outcome, Solved, Verdict};

use super::clock::OurClock;
use super::error::{ClientResult, MatchResult, unplayable_game};
use super::game_account::{GameAccount, ServerClaim};
use super::match_options::MatchOptions;
use super::match_rules::{Announcement, with_init_max};
use super::report::Report;
use crate::players::TablePlayer;
use crate::settings::{size_in_words, variant_in_words};
use crate::{Choice, GameInfo, MoveRequest, Player, Side};

/// Our side of a game on a server.
pub(super) struct ClientGame<'a, 'r> {
    pub(super) options: &'a MatchOptions,
    pub(super) report: &'a mut Report<'r>,
    pub(super) account: GameAccount,
    player: TablePlayer<Expanding>,
    pub(super) clock: OurClock,
    /// Time of the last move, or of the beginning.
    turn_start: Instant,
}

impl<'a, 'r> ClientGame<'a, 'r> {
    /// Starts the announced game by these rules, in which we play `side`. Prints `remark` after the game's size.
    pub(super) fn new(
        announced: &Announcement,
        rules: Expanding,
        remark: &str,
        side: Side,
        options: &'a MatchOptions,
        report: &'a mut Report<'r>,
    ) -> ClientResult<Self> {
        announced.note_contradictions(options, report);
        let player = options.kit.player(&rules, announced.init_max, report)?;
        let clock = announced.clock;
        let seconds =
            if clock < options.clock { format!(", {} s each", clock.as_secs()) } else { String::new() };
        let clock = OurClock::of(clock, options.pause);
        // Ask a copy, because asking can shorten the pause.
        let mut copy = clock;
        let pause = match copy.pause(Duration::ZERO, rules.stones()) {
            Duration::ZERO => String::new(),
            pause if pause < options.pause => {
                let (ms, asked) = (pause.as_secs_f64() * 1e3, options.pause.as_millis());
                format!(
                    "; each of our moves waits {ms:.0} ms: {asked} ms (--pause) could take too much of our clock"
                )
            }
            pause => format!("; each of our moves waits {} ms (--pause)", pause.as_millis()),
        };
        report.info(&format!(
            "a game of {}{remark}{seconds}{}; lost positions are played by {}{pause}",
            size_in_words(&rules, " and "),
            variant_in_words(&rules),
            player.policy
        ));
        let account = GameAccount::new(rules, side);
        Ok(Self { options, report, account, player, clock, turn_start: Instant::now() })
    }

    pub(super) fn begin(&mut self) -> ClientResult<()> {
        let GameAccount { rules, side, .. } = &self.account;
        let start = Game::start(rules);
        let began = self.player.begin(&GameInfo::new(rules, *side, &start));
        self.turn_start = Instant::now();
        began.map_err(|failure| unplayable_game(&format!("{start}: {failure:?}")))
    }

    /// Adopts the limit of the first moves, which the server announces with its first state, before any recorded move.
    pub(super) fn announce_limit(&mut self, init_max: u32, announced: &Announcement) -> ClientResult<()> {
        let rules = with_init_max(&self.account.rules, init_max);
        if rules == self.account.rules {
            return Ok(());
        }
        let announced = Announcement { init_max: Some(init_max), resets: None, ..*announced };
        announced.note_contradictions(self.options, self.report);
        self.report.info(&format!("the server announces init_max {init_max}{}", variant_in_words(&rules)));
        match self.options.kit.player(&rules, Some(init_max), self.report) {
            Ok(player) => self.player = player,
            // Giving up would lose the match. The moves stay legal, because the account knows the rules.
            Err(error) => self.report.note(&format!("{error}; still playing from the table of other rules")),
        }
        self.account = GameAccount::new(rules, self.account.side);
        self.begin()
    }

    /// Starts the game again; we play `side`.
    pub(super) fn begin_as(&mut self, side: Side) -> ClientResult<()> {
        self.account = GameAccount::new(self.account.rules.clone(), side);
        self.begin()
    }

    /// Records a move and reports it. If its stones are uncertain, `about` describes them.
    pub(super) fn record(&mut self, made: Move, about: Option<&str>) {
        let by = self.account.to_move();
        let elapsed = self.turn_start.elapsed();
        self.turn_start = Instant::now();
        if by == self.account.side {
            self.clock.add_used(elapsed);
        }
        match self.account.record(made) {
            None => self.player.observe(self.account.plies.last().expect("just recorded"), by),
            Some(wrong) if self.account.is_first_warning("an illegal move") => {
                self.report.disagreement(&wrong);
            }
            Some(_) => {}
        }
        self.report.record_move(&self.account, &self.options.name, elapsed);
        let verdict = self.verdict(&self.account.position);
        let take = made.take.to_string();
        self.report.moved(&self.account, about.unwrap_or(&take), made.reset, verdict);
    }

    pub(super) fn compare(&mut self, claim: ServerClaim) {
        for text in self.account.compare(claim) {
            self.report.disagreement(&text);
        }
    }

    /// Ends the game with the server's reason: reports and records it. `winner` is `None` if unknown.
    pub(super) fn end(&mut self, winner: Option<Side>, reason: &str) -> MatchResult {
        let result = match winner {
            None => MatchResult::Unknown,
            Some(winner) if winner == self.account.side => MatchResult::Won,
            Some(_) => MatchResult::Lost,
        };
        self.report.ended(result, reason);
        match winner {
            None => self.report.record_interruption(reason),
            Some(winner) => {
                self.report.record_end(&self.account, &self.options.name, winner.other(), reason);
            }
        }
        result
    }

    pub(super) fn time_left(&self) -> Duration {
        self.clock.left(self.turn_start.elapsed())
    }

    pub(super) fn pause(&mut self) -> Duration {
        self.clock.pause(self.turn_start.elapsed(), self.account.position.stones)
    }

    /// Returns a move that is legal by both accounts, if possible the player's choice; `None` without stones.
    pub(super) fn choose(&mut self) -> Option<Move> {
        let position = self.account.cautious();
        if position.stones == 0 {
            return None;
        }
        let GameAccount { rules, plies, .. } = &self.account;
        let request = MoveRequest { game: rules, position: &position, plies, deadline: None, clocks: None };
        match self.player.choose(&request) {
            Ok(Choice::Move(chosen)) if self.account.allows(chosen) => Some(chosen),
            _ => self.best_allowed(&position),
        }
    }

    /// Returns the best among the moves that are legal by both accounts.
    fn best_allowed(&self, position: &Position) -> Option<Move> {
        let game = &self.account.rules;
        let allowed = game.moves(position).filter(|&chosen| self.account.allows(chosen));
        allowed.max_by_key(|&chosen| {
            let next = game.after(position, chosen);
            // Prefer positions that are lost for the opponent. One outside of the table counts as an immediate loss for us.
            let value = match self.verdict(&next) {
                Some(Verdict { outcome: Outcome::Loss, depth }) => (1, -i64::from(depth.unwrap_or(0))),
                Some(Verdict { outcome: Outcome::Win, depth }) => (0, i64::from(depth.unwrap_or(0))),
                None => (0, 0),
            };
            (value, Reverse(chosen))
        })
    }

    fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.player.solution.get().verdict(position).ok()
    }
}

/// Returns true if a server's name of a player may mean us: our name, or our name with an addition in brackets that
/// distinguishes two players of the same name.
pub(super) fn is_called(name: &str, called: &str) -> bool {
    let addition = called.trim().strip_prefix(name.trim());
    addition.is_some_and(|addition| addition.is_empty() || addition.starts_with(" ("))
}
