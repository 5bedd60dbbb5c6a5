//! What `play` and `tournament` have in common: rules, clock, names.

use std::error::Error;
use std::time::Duration;

use bouton_match::players::{ExecPlayer, PlayerKind, RUN_IT, Spec, open_of_player};
use bouton_match::stop::asked;
use bouton_match::tournament::PlayedGame;
use bouton_tables::rulesets::{change, find};
use bouton_tables::{Game, PositionError, Ruleset};

use crate::args::{Clock, GameArgs};

const USUAL_CLOCK: Duration = Duration::from_secs(120);

pub(crate) fn ruleset(args: &GameArgs, players: &[&Spec]) -> Result<Ruleset, Box<dyn Error>> {
    let of_table = players.iter().find_map(|player| match &player.kind {
        PlayerKind::Table { file: Some(file), .. } => Some(file),
        _ => None,
    });
    match (&args.rules, of_table) {
        (None, Some(file)) => Ok(change(&open_of_player(file)?.header().ruleset, &args.settings)?),
        (rules, _) => Ok(find(rules.as_deref().unwrap_or("expanding"), &args.settings)?.ruleset),
    }
}

/// The time that each player has in a game; `None` without a clock.
pub(crate) fn clock(args: &GameArgs, players: &[&Spec]) -> Option<Duration> {
    match args.clock {
        Some(Clock::None) => None,
        Some(Clock::Of(time)) => Some(time),
        None if players.iter().any(|player| player.kind == PlayerKind::Human) => None,
        None => Some(USUAL_CLOCK),
    }
}

/// The players' names. Equal names are numbered.
pub(crate) fn names(players: &[&Spec]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for player in players {
        let same = players.iter().filter(|other| other.name == player.name).count();
        let before =
            names.iter().filter(|name| name.rsplit_once(" (").map_or(&***name, |(n, _)| n) == player.name);
        let number = before.count() + 1;
        names.push(if same == 1 { player.name.clone() } else { format!("{} ({number})", player.name) });
    }
    names
}

/// Refuses to go on after the first game of a program that ended before it answered anything: it could not be run, and would
/// lose every game in the same way. `is_first` says whether this was the first game of a player.
///
/// # Errors
/// What the program said before it ended.
pub(crate) fn check_first_game(
    players: &[&Spec],
    game: &PlayedGame,
    is_first: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let loser = game.fixture.players[game.ending.winner.other().index()];
    let Spec { name, kind } = players[loser];
    if !matches!(kind, PlayerKind::Exec(_))
        || !ExecPlayer::never_answered(&game.ending, game.moves)
        || asked().is_some()
        || !is_first(loser)
    {
        return Ok(());
    }
    let why = game.ending.reason.parts().1;
    Err(format!("{name}: {why}, and gave no answer in its first game; {RUN_IT}"))
}

/// Reads a start that the user named.
///
/// # Errors
/// If it is not a position of these rules; where it is too large for them, with how to change them.
pub(crate) fn read_start<G: Game>(rules: &G, text: &str) -> Result<G::Position, String> {
    rules.read_position(text).map_err(|error| match error {
        PositionError::Outside { field, found, covered } => {
            let set = if field == "stones" { format!("--set stones={found}") } else { "--set".to_owned() };
            format!("{field}: found {found}, but the rules allow {covered}; {set} changes the rules")
        }
        error => error.to_string(),
    })
}
