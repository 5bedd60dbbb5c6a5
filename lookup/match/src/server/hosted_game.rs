//! A game on a server: the referee, the players' names, and the servers' wording of results.

use std::time::Duration;

use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position};
use bouton_tables::printable::is_printable;

use super::match_settings::MatchSettings;
use crate::protocol::MAX_NAME;
use crate::{Reason, Referee, Side};

const NO_MOVE: Move = Move { take: 0, reset: false };

#[derive(Debug)]
pub(super) struct HostedGame {
    pub(super) referee: Referee<Expanding>,
    /// The first side's name comes first.
    pub(super) names: [String; 2],
    clock: Duration,
    /// True if a move within the limit that takes more stones than remain takes all of them, instead of being illegal.
    excess_takes_all: bool,
    /// The last attempted move, as sent; [`NO_MOVE`] if the game ended without one.
    pub(super) last: Move,
}

impl HostedGame {
    /// Starts a game; the first side's name comes first.
    pub(super) fn new(stones: u64, settings: &MatchSettings, names: [String; 2]) -> Self {
        let keys = ExpandingKeys { stones, ..settings.rules.keys().clone() };
        let rules = keys.rules().expect("the settings are checked");
        let start = rules.start(stones);
        let (clock, excess_takes_all) = (settings.clock(), settings.protocol.excess_takes_all());
        let referee = Referee::new(rules, start, Some(clock));
        Self { referee, names, clock, excess_takes_all, last: NO_MOVE }
    }

    pub(super) fn position(&self) -> &Position {
        self.referee.position()
    }

    pub(super) fn limit(&self) -> u32 {
        let Position { currentmax, imposed, .. } = *self.position();
        self.referee.game().limit(currentmax, imposed)
    }

    pub(super) fn time_left(&self, side: Side) -> Duration {
        self.referee.time_left(side).unwrap_or(self.clock)
    }

    /// Returns the time that a side has used, in seconds, to the millisecond.
    pub(super) fn time_taken(&self, side: Side) -> f64 {
        seconds(self.clock.saturating_sub(self.time_left(side)))
    }

    pub(super) fn name(&self, side: Side) -> &str {
        &self.names[side.index()]
    }

    pub(super) fn winner(&self) -> Option<Side> {
        self.referee.ending().map(|ending| ending.winner)
    }

    /// Plays a move of the side to move, which may be illegal, after a thinking time of `elapsed`.
    pub(super) fn attempt(&mut self, attempt: Move, elapsed: Duration) {
        if self.winner().is_some() {
            return;
        }
        let side = self.referee.to_move();
        self.last = attempt;
        let excess = self.excess_takes_all && attempt.take <= self.limit();
        let take = if excess { self.position().at_most_left(attempt.take) } else { attempt.take };
        let chosen = Move { take, ..attempt };
        let rules = self.referee.game();
        let without_reset = Move { take, reset: false };
        if rules.is_legal(self.position(), without_reset) && !rules.is_legal(self.position(), chosen) {
            self.referee.spend(side, elapsed);
            self.referee.forfeit(side, Reason::Failed(TOO_MANY_RESETS.to_owned()));
        } else {
            self.referee.play(chosen, elapsed);
        }
    }

    pub(super) fn run_out(&mut self) {
        if self.winner().is_some() {
            return;
        }
        self.last = NO_MOVE;
        self.referee.spend(self.referee.to_move(), Duration::MAX);
    }

    /// Ends the game with a loss of a side. `what` is its fault, as in "Player X disconnected".
    pub(super) fn fail(&mut self, side: Side, what: impl Into<String>) {
        if self.winner().is_none() {
            self.last = NO_MOVE;
            self.referee.forfeit(side, Reason::Failed(what.into()));
        }
    }

    /// Returns the reason for the end in the servers' words; `None` during the game.
    pub(super) fn reason(&self) -> Option<String> {
        let ending = self.referee.ending()?;
        let (winner, loser) = (self.name(ending.winner), self.name(ending.winner.other()));
        Some(match &ending.reason {
            Reason::Played | Reason::Decided => format!("Player {winner} won the game! Congrats!"),
            Reason::IllegalMove(_) => format!("Player {loser} made an illegal move"),
            Reason::Time => format!("Player {loser} exceeded time limit"),
            Reason::Resigned => format!("Player {loser} gave up"),
            Reason::Failed(what) => format!("Player {loser} {what}"),
        })
    }

    /// Returns the [reason](Self::reason), and after an illegal move the rule that it broke; empty during the game.
    pub(super) fn reason_in_full(&self) -> String {
        let reason = self.reason().unwrap_or_default();
        match self.referee.ending().map(|ending| &ending.reason) {
            Some(Reason::IllegalMove(detail)) => format!("{reason}: {detail}"),
            _ => reason,
        }
    }
}

const TOO_MANY_RESETS: &str = "used too many resets";

pub(super) fn seconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1000.0).round() / 1000.0
}

/// The name of a player without a printable name.
const NAMELESS: &str = "nameless";

/// Removes unprintable characters from a name, and cuts it if it is too long.
pub(super) fn cleaned_name(name: &str) -> String {
    let mut cleaned = String::new();
    for letter in name.trim().chars().filter(|&letter| is_printable(letter)) {
        if cleaned.len() + letter.len_utf8() > MAX_NAME {
            break;
        }
        cleaned.push(letter);
    }
    if cleaned.trim().is_empty() { NAMELESS.to_owned() } else { cleaned }
}

/// Makes two names distinct, because the winner is announced by name.
pub(super) fn make_distinct([first, second]: [String; 2]) -> [String; 2] {
    let second = if first == second { format!("{second} (2)") } else { second };
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::tcp::Dialect;
    use crate::server::Protocol;

    const TCP: Protocol = Protocol::Tcp(Dialect::Y2017);

    fn game(stones: u64, resets: u8, protocol: Protocol) -> HostedGame {
        let names = ["A".to_owned(), "B".to_owned()];
        let rules = ExpandingKeys { resets: [resets; 2], ..Default::default() }.rules().unwrap();
        let settings = MatchSettings { rules, clock: 10, ..MatchSettings::new(protocol) };
        HostedGame::new(stones, &settings, names)
    }

    fn play(game: &mut HostedGame, moves: &[(u32, bool)]) {
        for &(take, reset) in moves {
            game.attempt(Move { take, reset }, Duration::from_secs(1));
        }
    }

    #[test]
    fn taking_more_stones_than_remain_wins_over_json_and_loses_over_text() {
        for (protocol, winner) in [(TCP, Side::First), (Protocol::Text, Side::Second)] {
            let mut game = game(2, 0, protocol);
            play(&mut game, &[(3, false)]);
            assert_eq!((game.winner(), game.last.take), (Some(winner), 3));
        }
        for protocol in [TCP, Protocol::Text] {
            let mut game = game(2, 0, protocol);
            play(&mut game, &[(4, false)]);
            assert_eq!(game.reason().unwrap(), "Player A made an illegal move", "beyond the limit");
            assert_eq!(game.position().stones, 2);
        }
    }

    #[test]
    fn the_limit_is_checked_before_resets_and_resets_before_the_last_stone() {
        for (attempt, reason) in [
            ((3, true), "Player A used too many resets"),
            ((1, true), "Player A used too many resets"),
            ((4, true), "Player A made an illegal move"),
            ((0, true), "Player A made an illegal move"),
        ] {
            let mut game = game(3, 0, TCP);
            play(&mut game, &[attempt]);
            assert_eq!(game.reason().unwrap(), reason, "{attempt:?}");
        }
    }

    #[test]
    fn nothing_changes_after_the_end() {
        let mut game = game(9, 1, TCP);
        game.fail(Side::Second, "disconnected");
        play(&mut game, &[(1, false)]);
        game.run_out();
        game.fail(Side::First, "disconnected");
        assert_eq!((game.winner(), game.referee.plies().len()), (Some(Side::First), 0));
        assert_eq!(game.reason().unwrap(), "Player B disconnected");
    }

    #[test]
    fn names_are_shortened_and_made_printable() {
        assert_eq!(cleaned_name("Team 7"), "Team 7");
        assert_eq!(cleaned_name(" A\n\u{1b}[31mB\r\u{7}\u{9b}\u{202e}C\u{0} "), "A[31mBC");
        assert_eq!((cleaned_name(""), cleaned_name("\n\t ")), (NAMELESS.to_owned(), NAMELESS.to_owned()));
        assert_eq!(cleaned_name(&"x".repeat(10_000)), "x".repeat(MAX_NAME));
        assert_eq!(cleaned_name(&"\u{1f3b2}".repeat(99)), "\u{1f3b2}".repeat(MAX_NAME / 4));
    }

    #[test]
    fn equal_names_are_numbered() {
        let pair = |first: &str, second: &str| make_distinct([first.to_owned(), second.to_owned()]);
        assert_eq!(pair("A", "A"), ["A", "A (2)"]);
        assert_eq!(pair("A", "B"), ["A", "B"]);
    }
}
