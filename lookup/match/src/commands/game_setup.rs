//! The setup that the playing commands share: rules, starts, clock, names.

use std::time::Duration;

use bouton_match::players::{PlayerFactory, PlayerKind, PlayerSpec, RUN_IT_ADVICE, open_player_table};
use bouton_match::stop::signal_status;
use bouton_match::tournament::{Fixture, PlayedGame};
use bouton_match::{Playable, Reason};
use bouton_tables::rulesets::find;
use bouton_tables::{Game, PositionError};

use super::CommandResult;
use super::rules::{self, GameRules};
use crate::args::{Clock, GameArgs};

const USUAL_CLOCK: Duration = Duration::from_secs(120);

/// Returns the rules of the options. The default is the game of the first table file, or else `expanding`.
pub(crate) fn game_rules(args: &GameArgs, players: &[PlayerSpec]) -> CommandResult<GameRules> {
    rules::read(&args.rules, || match PlayerSpec::first_table(players) {
        Some(file) => Ok(open_player_table(file)?.header().ruleset.clone()),
        None => Ok(find("expanding", &[])?.ruleset),
    })
}

/// Returns each player's time for a game; `None` without a clock.
pub(crate) fn clock(args: &GameArgs, players: &[PlayerSpec]) -> Option<Duration> {
    match args.clock {
        Some(Clock::None) => None,
        Some(Clock::Of(time)) => Some(time),
        None if players.iter().any(|player| player.kind == PlayerKind::Human) => None,
        None => Some(USUAL_CLOCK),
    }
}

/// Returns the players' names. Equal ones get a number each: `NAME (1)`, `NAME (2)`.
pub(crate) fn names(players: &[PlayerSpec]) -> Vec<String> {
    let same = |players: &[PlayerSpec], name: &str| players.iter().filter(|other| other.name == name).count();
    let numbered = |(index, PlayerSpec { name, .. }): (usize, &PlayerSpec)| {
        let number = same(&players[..=index], name);
        if same(players, name) == 1 { name.clone() } else { format!("{name} ({number})") }
    };
    players.iter().enumerate().map(numbered).collect()
}

/// Checks that the loser of a game is not a program that ended before its first answer. The error says how it ended.
pub(crate) fn check_answered<G: Game>(
    names: &[String],
    factories: &[PlayerFactory<G>],
    fixture: &Fixture,
    game: &PlayedGame,
) -> Result<(), String> {
    let loser = fixture.players[game.ending.winner.other().index()];
    match &game.ending.reason {
        Reason::Failed(why) if factories[loser].never_answered() && signal_status().is_none() => {
            Err(format!("{}: {why}, and gave no answer in its first game; {RUN_IT_ADVICE}", names[loser]))
        }
        _ => Ok(()),
    }
}

/// Reads a start typed by the user. If only the rules' bounds are too small, the error shows how to change them.
pub(crate) fn read_start<G: Game>(rules: &G, text: &str) -> Result<G::Position, String> {
    rules.read_position(text).map_err(|error| {
        let (reason, read_as) = match &error {
            PositionError::ReadAs { typed, notation, reason } => {
                (&**reason, format!("; '{typed}' is read as {notation}"))
            }
            reason => (reason, String::new()),
        };
        match reason {
            PositionError::Outside { field, found, covered } => {
                let set =
                    if *field == "stones" { format!("--set stones={found}") } else { "--set".to_owned() };
                format!(
                    "{field}: found {found}, but the rules allow {covered}; {set} changes the rules{read_as}"
                )
            }
            _ => error.to_string(),
        }
    })
}

/// Returns the notation of the start with this many stones, if this determines a start of the game.
pub(crate) fn start_of<G: Playable>(rules: &G, stones: u64) -> CommandResult<String> {
    G::start_of(stones).ok_or_else(|| {
        let start = rules.show_position(&rules.start());
        let what = "does not fit this game; give each start with --start, for example --start";
        format!("--stones {what} {start}").into()
    })
}
