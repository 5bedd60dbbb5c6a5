//! A match on the server of 2016, which sends the state only when it is our turn.

use bouton_tables::expanding::Move;

use super::{
    Account, Claim, ClientError, Ended, MatchOptions, NOT_BEGUN, Notes, Report, Transport, rules_announced,
};
use crate::Side;
use crate::protocol::text_2016::{LEAST_CURRENTMAX, RESETS, TextMove, TextState, TextStream};

/// Plays a match.
///
/// # Errors
/// If it could not be played to its end.
pub fn play(
    transport: &mut dyn Transport,
    options: &MatchOptions,
    report: &mut Report,
) -> Result<Ended, ClientError> {
    let mut feed = StateFeed { transport, stream: TextStream::new(), options, unsent: None };
    let first = feed.next(NOT_BEGUN)?;
    if first.over {
        report.ended(Ended::Unknown, "the server ended the match before we moved");
        return Ok(Ended::Unknown);
    }
    let mut game = TextMatch::begin(first, options, report)?;
    loop {
        if let Some(text) = game.make_a_move() {
            feed.send(&text);
        }
        let state = feed.next(&game.notes.account.standing())?;
        if state.over {
            return Ok(game.end());
        }
        let before = game.notes.account.position().stones;
        // Even if the server says twice that it is our turn: the opponent then took nothing, which is reported.
        game.opponent_moved(before.saturating_sub(state.stones), &state, None);
    }
}

/// States from a server.
struct StateFeed<'a> {
    transport: &'a mut dyn Transport,
    stream: TextStream,
    options: &'a MatchOptions,
    /// Why the last move could not be sent.
    unsent: Option<std::io::Error>,
}

impl StateFeed<'_> {
    fn next(&mut self, standing: &str) -> Result<TextState, ClientError> {
        let standing = || standing.to_owned();
        let closed = |why: Option<&std::io::Error>| ClientError::Closed {
            standing: standing(),
            why: why.map_or_else(String::new, |why| format!(" ({why})")),
        };
        loop {
            match self.stream.next_state() {
                Ok(Some(state)) => return Ok(state),
                Ok(None) => {}
                Err(error) => {
                    return Err(ClientError::Garbage {
                        protocol: "of 2016",
                        found: error.to_string(),
                        standing: standing(),
                        hint: "; if this is another server, say which: --protocol tcp or rest".to_owned(),
                    });
                }
            }
            match self.transport.receive(self.options.patience) {
                Ok(Some(bytes)) if bytes.is_empty() => return Err(closed(self.unsent.as_ref())),
                Ok(Some(bytes)) => self.stream.push(&bytes),
                Ok(None) => {
                    let seconds = self.options.patience.as_secs();
                    return Err(ClientError::Silent { seconds, standing: standing() });
                }
                Err(error) => return Err(closed(Some(&error))),
            }
        }
    }

    /// Sends a move after the pause. A failure is only kept: the server's last message may say that the game is over.
    fn send(&mut self, text: &str) {
        self.transport.wait(self.options.pause);
        self.unsent = self.transport.send(text.as_bytes()).err();
    }
}

/// A game in progress.
struct TextMatch<'a, 'r> {
    notes: Notes<'a, 'r>,
}

impl<'a, 'r> TextMatch<'a, 'r> {
    /// Begins the game that the first message shows.
    fn begin(
        state: TextState,
        options: &'a MatchOptions,
        report: &'a mut Report<'r>,
    ) -> Result<Self, ClientError> {
        let any = rules_announced(state.stones.max(1), RESETS)?;
        let given = options.stones.filter(|&given| {
            let fits = given >= state.stones && given - state.stones <= any.base_limit();
            if !fits {
                let found = state.stones;
                report.note(&format!(
                    "--stones {given} cannot be right: the server says that {found} are left"
                ));
            }
            fits
        });
        // At most 2 stones have been taken in one move then, and perhaps none.
        let untouched = state.currentmax <= LEAST_CURRENTMAX && !state.reset;
        let first = untouched && given.map_or(options.side == Side::First, |given| given == state.stones);
        // Where 1 or 2 are possible, take it to be 2: the future is the same.
        let least = any.least(state.currentmax.max(LEAST_CURRENTMAX)).unwrap_or(0);
        let least = u32::try_from(least).unwrap_or(u32::MAX);
        let taken = match given {
            _ if first => 0,
            Some(given) if given > state.stones => given - state.stones,
            _ => least,
        };
        let stones = state.stones.saturating_add(taken);
        let rules = rules_announced(stones, RESETS)?;
        let contestant = options.kit.contestant(&rules, report)?;
        let (start, side) = (rules.start(stones), if first { Side::First } else { Side::Second });
        let mut game = Self {
            notes: Notes {
                name: &options.name,
                report,
                contestant,
                account: Account::new(rules, start, side),
            },
        };
        game.notes.begin()?;
        if first {
            game.hear(&state);
        } else {
            let known =
                given.is_some_and(|given| given > state.stones) || state.currentmax > LEAST_CURRENTMAX;
            game.opponent_moved(taken, &state, if known { None } else { Some("1 or 2") });
        }
        Ok(game)
    }

    /// The opponent took this many stones; `about` says so in words if it is not certain.
    fn opponent_moved(&mut self, taken: u32, state: &TextState, about: Option<&str>) {
        let made = Move { take: taken, reset: state.reset };
        self.notes.record(made, about);
        self.hear(state);
    }

    /// Compares what the server says with our account.
    fn hear(&mut self, state: &TextState) {
        let limit = self.notes.account.rules().limit(state.currentmax, state.reset);
        let claim = Claim {
            stones: Some(state.stones),
            limit: Some(limit),
            imposed: Some(state.reset),
            ..Claim::default()
        };
        self.notes.hear(claim);
    }

    /// Our move, as it is sent.
    fn make_a_move(&mut self) -> Option<String> {
        let chosen = self.notes.choose()?;
        self.notes.record(chosen, None);
        Some(TextMove { take: chosen.take, reset: chosen.reset }.to_text())
    }

    /// The game is over. The server does not say who won.
    fn end(&mut self) -> Ended {
        let position = self.notes.account.position();
        let (left, limit) =
            (position.stones, self.notes.account.rules().limit(position.currentmax, position.imposed));
        let (ended, reason) = if left == 0 {
            (Ended::Won, "we took the last stone".to_owned())
        } else if left <= limit {
            let reason =
                format!("the opponent may have taken the last {left}; the server does not say who won");
            (Ended::Lost, reason)
        } else {
            let reason = format!(
                "the server does not say who won: {left} stones were left and the opponent could take at most {limit}, so \
                 somebody made an illegal move or disconnected"
            );
            (Ended::Unknown, reason)
        };
        self.notes.end(ended, &reason);
        ended
    }
}
