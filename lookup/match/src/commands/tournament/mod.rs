//! `bouton-match tournament`: a round robin; and `bouton-match standings`: the current results of a saved one.

mod report;
mod running_results;
mod starts;

use std::fmt::Display;
use std::io::Write;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use bouton_match::players::{PlayerKind, PlayerPreparation, PlayerSpec};
use bouton_match::stop::{declare_polling, signal_status};
use bouton_match::tournament::{Adjudicator, Conditions, PlayedGame, ResultsFile, Setup, play_games};
use bouton_match::{Playable, Transcript};
use bouton_shell::Bar;
use bouton_tables::printable::printable_path;
use bouton_tables::program::{Output, note};
use bouton_tables::{Game, Table, with_rules};

use super::game_setup::{check_answered, clock, game_rules, names};
use super::rules::{self, GameRules};
use super::{CommandResult, output, preparation_bar};
use crate::args::{StandingsArgs, TournamentArgs};
use running_results::RunningResults;

pub(crate) fn run(args: &TournamentArgs) -> CommandResult {
    let Some(path) = &args.resume else {
        let players = specs(&args.players)?;
        let GameRules { ruleset, table } = game_rules(&args.game, &players)?;
        return with_rules!(&ruleset, |rules| begin(args, &players, rules, table));
    };
    let (file, setup, played) = ResultsFile::resume(path)?;
    let in_file = |error: &dyn Display| format!("{}: {error}", printable_path(path));
    specs(&setup.players).map_err(|error| in_file(&error))?;
    with_rules!(&setup.ruleset, |rules| {
        let starts = setup.starts.iter().map(|start| rules.parse_position(start));
        let starts = starts.collect::<Result<Vec<_>, _>>().map_err(|error| in_file(&error))?;
        let preparing = preparation_bar(args.quiet);
        let table = setup.table.as_deref().map(|file| rules::open_covering(file, &setup.ruleset));
        let table = table.transpose().map_err(|error| in_file(&error))?;
        let preparation = PlayerPreparation::new(rules.clone(), starts.clone(), table, &preparing);
        play(args, &setup, rules, &starts, preparation, &preparing, Some((file, played)))
    })
}

/// Reads the players' texts. A single one is refused.
fn specs(texts: &[String]) -> CommandResult<Vec<PlayerSpec>> {
    let players = texts.iter().map(|text| PlayerSpec::automatic(text)).collect::<Result<Vec<_>, _>>()?;
    if let [PlayerSpec { name, .. }] = &players[..] {
        let other = if name == "table" { "random" } else { "table" };
        // The example does not repeat a name that a shell would need quoted.
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || ":-_.,/".contains(c));
        let example = if is_plain { name } else { "greedy" };
        return Err(format!(
            "a tournament needs two players or more, and {name} is one; name another, for example \
             `bouton-match tournament {example} {other}`"
        )
        .into());
    }
    Ok(players)
}

fn begin<G: Playable>(
    args: &TournamentArgs,
    players: &[PlayerSpec],
    rules: &G,
    table: Option<Arc<Table>>,
) -> CommandResult {
    if args.sprt.is_some() && players.len() != 2 {
        return Err(format!("--sprt compares two players, and {} are named; name two", players.len()).into());
    }
    args.save.as_deref().map_or(Ok(()), ResultsFile::check_new)?;
    let mut starts = starts::candidates(&args.start, rules)?;
    let preparing = preparation_bar(args.quiet);
    let mut preparation = PlayerPreparation::new(rules.clone(), starts.clone(), table, &preparing);
    if let Some(choice) = args.start.choice {
        starts = starts::choose(choice, starts, &preparation.table(players)?)?;
    }
    if args.sprt.is_some() {
        // The sequential test may end the tournament early: shuffle, so that the starts played by then represent all.
        fastrand::Rng::with_seed(args.game.seed).shuffle(&mut starts);
    }
    let setup = Setup {
        version: Setup::VERSION,
        ruleset: rules.clone().into(),
        table: args.game.rules.table.clone(),
        players: args.players.clone(),
        games: args.games,
        clock: clock(&args.game, players).map(|clock| clock.as_secs_f64()),
        seed: args.game.seed,
        adjudicate: args.adjudicate,
        sprt: args.sprt,
        starts: starts.iter().map(|start| rules.show_position(start)).collect(),
    };
    setup.check()?;
    play(args, &setup, rules, &starts, preparation, &preparing, None)
}

/// Prepares the players, plays the games that are not among the `saved` ones, and prints the results of all. Writes new
/// results to the file with the saved ones, or to the file of --save.
fn play<G: Playable>(
    args: &TournamentArgs,
    setup: &Setup,
    rules: &G,
    starts: &[G::Position],
    mut preparation: PlayerPreparation<G>,
    preparing: &Bar,
    saved: Option<(ResultsFile, Vec<PlayedGame>)>,
) -> CommandResult {
    if let Some(record) = &args.game.record
        && [&args.save, &args.resume].into_iter().flatten().any(|results| results == record)
    {
        let path = printable_path(record);
        return Err(format!(
            "{path} cannot have both the results and the games; name another file with --record"
        )
        .into());
    }
    let transcript = args.game.record.as_deref().map(Transcript::open).transpose()?;
    let players = specs(&setup.players)?;
    let factories =
        players.iter().map(|player| preparation.factory(player)).collect::<Result<Vec<_>, _>>()?;
    let adjudicator = if setup.adjudicate { Some(adjudicator(&mut preparation, &players)?) } else { None };
    preparing.finish_and_clear();
    preparation.notes.iter().for_each(|text| note("bouton-match", text));
    let names = names(&players);
    let conditions = Conditions {
        clock: setup.clock.map(Duration::from_secs_f64),
        seed: setup.seed,
        record: transcript.is_some(),
        adjudicator,
        ..Conditions::new(rules, starts, &names)
    };
    let (mut file, played) = saved.map_or((None, Vec::new()), |(file, played)| (Some(file), played));
    let schedule = setup.schedule();
    let mut was_played = vec![false; schedule.games()];
    played.iter().for_each(|game| was_played[game.game - 1] = true);
    // From here on a signal stops the games, and the results are still printed.
    declare_polling();
    if let Some(path) = &args.save {
        file = Some(ResultsFile::create(path, setup)?);
    }
    let start = Instant::now();
    let bar = Bar::new("{msg} {wide_bar} {pos} of {len} games {left}", schedule.games() as u64, args.quiet);
    bar.set_message("playing");
    bar.set_position(played.len() as u64);
    bar.done_before(played.len() as u64);
    let mut running = RunningResults::new(setup, &names, transcript, &args.format)?;
    let mut continues = true;
    for game in played {
        continues = running.add(game)?;
    }
    let mut failure = None;
    if continues {
        let jobs = args.jobs.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from);
        let mut on_finished = |game: PlayedGame| -> CommandResult<ControlFlow<()>> {
            check_answered(&names, &factories, &schedule.game(game.game - 1), &game)?;
            if let Some(file) = &mut file {
                file.add(&game)?;
            }
            bar.inc(1);
            Ok(if running.add(game)? { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        play_games(&conditions, &factories, &schedule, &|game| was_played[game], jobs, &mut |game| {
            on_finished(game).unwrap_or_else(|error| {
                failure = Some(error);
                ControlFlow::Break(())
            })
        });
    }
    bar.finish_and_clear();
    let results = running.results(Some(start.elapsed().as_secs_f64()))?;
    let mut out: Box<dyn Write> = match &args.game.record {
        None => Box::new(Output::of(args.format.is_data())),
        record => output(record.as_deref()),
    };
    let counts = format!("these are the results of {} of {} games", results.games, results.of);
    if signal_status().is_some() {
        let rest = args.save.as_ref().or(args.resume.as_ref()).map_or(String::new(), |file| {
            format!("; `bouton-match tournament --resume {}` plays the rest", printable_path(file))
        });
        note("bouton-match", &format!("interrupted: {counts}{rest}"));
    }
    if let Some(error) = failure {
        if results.games > 0 {
            note("bouton-match", &format!("interrupted by an error: {counts}"));
            results.print(&args.format, &mut out)?;
        }
        return Err(error);
    }
    results.print(&args.format, &mut out)
}

/// Returns an adjudicator with the table of one of the players.
fn adjudicator<G: Playable>(
    preparation: &mut PlayerPreparation<G>,
    players: &[PlayerSpec],
) -> CommandResult<Adjudicator<G>> {
    let keeps_wins = players.iter().map(|player| matches!(player.kind, PlayerKind::Table { .. }));
    let keeps_wins: Vec<bool> = keeps_wins.collect();
    if !keeps_wins.contains(&true) {
        return Err(
            "--adjudicate ends games that a player with a table has won, and no player has one; add a player \
             `table`, or omit --adjudicate"
                .into(),
        );
    }
    Ok(Adjudicator { solution: preparation.table(players)?, keeps_wins })
}

/// Prints the standings of a tournament from its file of results.
pub(crate) fn standings(args: &StandingsArgs) -> CommandResult {
    let (setup, played) = ResultsFile::read(&args.file)?;
    let players =
        specs(&setup.players).map_err(|error| format!("{}: {error}", printable_path(&args.file)))?;
    let names = names(&players);
    let mut running = RunningResults::new(&setup, &names, None, &args.format)?;
    for game in played {
        running.add(game)?;
    }
    running.results(None)?.print(&args.format, &mut Output::of(args.format.is_data()))
}
