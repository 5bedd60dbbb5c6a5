//! `bouton-match play`: games between two players.

use std::io::{self, Write};
use std::sync::Arc;

use bouton_match::players::{PlayerKind, PlayerPreparation, PlayerSpec};
use bouton_match::stop::{declare_polling, signal_status};
use bouton_match::tournament::{Conditions, Fixture, StayingPlayers};
use bouton_match::{Playable, Reason, Referee, Side, Transcript};
use bouton_tables::program::note;
use bouton_tables::{Game, Table, with_rules};

use super::game_setup::{check_answered, clock, game_rules, names, read_start};
use super::rules::GameRules;
use super::{CommandResult, output, preparation_bar};
use crate::args::PlayArgs;

pub(crate) fn run(args: &PlayArgs) -> CommandResult {
    let players = [args.first.clone(), args.second.clone()];
    let GameRules { ruleset, table } = game_rules(&args.game, &players)?;
    with_rules!(&ruleset, |rules| play(args, &players, rules, table))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verbosity {
    Score,
    Results,
    Moves,
}

fn play<G: Playable>(
    args: &PlayArgs,
    specs: &[PlayerSpec],
    rules: &G,
    table: Option<Arc<Table>>,
) -> CommandResult {
    let start = match &args.start {
        Some(text) => read_start(rules, text)?,
        None => rules.start(),
    };
    let starts = [start];
    let mut transcript = args.game.record.as_deref().map(Transcript::open).transpose()?;
    let preparing = preparation_bar(args.quiet);
    let mut preparation = PlayerPreparation::new(rules.clone(), starts.to_vec(), table, &preparing);
    let factories = specs.iter().map(|player| preparation.factory(player)).collect::<Result<Vec<_>, _>>()?;
    preparing.finish_and_clear();
    preparation.notes.iter().for_each(|text| note("bouton-match", text));
    let names = names(specs);
    let conditions = Conditions {
        clock: clock(&args.game, specs),
        seed: args.game.seed,
        record: transcript.is_some(),
        ..Conditions::new(rules, &starts, &names)
    };
    let human = specs.iter().any(|player| player.kind == PlayerKind::Human);
    if !human {
        // With a human, the program would wait for a line that may never come.
        declare_polling();
    }
    let verbosity = match args {
        PlayArgs { quiet: true, .. } => Verbosity::Score,
        PlayArgs { show: true, .. } => Verbosity::Moves,
        // A human player sees the moves already.
        _ if args.games == 1 && !human => Verbosity::Moves,
        _ => Verbosity::Results,
    };
    let mut wins = [0_u32; 2];
    let mut staying = StayingPlayers::new();
    let mut out = output(args.game.record.as_deref());
    let mut games = 0;
    while games < args.games && signal_status().is_none() {
        let game = games as usize;
        let players = if game.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let fixture = Fixture { number: game, players, start: 0 };
        let sides = conditions.names(&fixture);
        if verbosity == Verbosity::Moves {
            let ([first, second], position) = (sides, rules.show_position(&starts[0]));
            writeln!(out, "game {}: {first} moves first, {second} second, from {position}", game + 1)?;
        }
        let (mut printed, mut plies) = (Ok(()), 0);
        let mut watch = |referee: &Referee<G>| {
            let before = std::mem::replace(&mut plies, referee.plies().len());
            if verbosity == Verbosity::Moves && printed.is_ok() && plies != before {
                printed = print_move(&mut out, referee, sides, plies < before);
            }
        };
        let played = conditions.play(&factories, &mut staying, fixture, &mut watch);
        if signal_status().is_some() && played.ending.reason != Reason::Played {
            // The signal has also ended the players' programs, which is not a loss.
            break;
        }
        games += 1;
        check_answered(&names, &factories, &fixture, &played)?;
        // Record before printing, which may fail: the reader of the output may be gone.
        if let (Some(transcript), Some(record)) = (&mut transcript, &played.record) {
            transcript.add(record)?;
        }
        printed?;
        if verbosity != Verbosity::Score {
            writeln!(out, "game {}: {}", game + 1, played.ending.in_words(sides))?;
        }
        out.flush()?;
        wins[fixture.players[played.ending.winner.index()]] += 1;
    }
    if games < args.games {
        note("bouton-match", &format!("interrupted after {games} of {} games", args.games));
    }
    if args.games > 1 || verbosity == Verbosity::Score {
        writeln!(out, "{} {} : {} {}", names[0], wins[0], wins[1], names[1])?;
    }
    Ok(())
}

/// Prints the last move, or the position after moves were taken back.
fn print_move<G: Game>(
    out: &mut impl Write,
    referee: &Referee<G>,
    names: [&str; 2],
    taken_back: bool,
) -> io::Result<()> {
    if taken_back {
        let position = referee.game().show_position(referee.position());
        return writeln!(out, "       taken back to {position}");
    }
    let Some(ply) = referee.plies().last() else { return Ok(()) };
    let number = referee.plies().len();
    let name = names[Side::of_ply(number - 1).index()];
    let position = referee.game().show_position(referee.position());
    writeln!(out, "{number:>5}. {name}: {:<6} to {position}", ply.chosen.to_string())
}
