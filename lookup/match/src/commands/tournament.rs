//! `bouton-match tournament`: a round robin.

use std::error::Error;
use std::io::{self, Write};
use std::time::Instant;

use bouton_match::players::{Cast, PlayerKind, Spec};
use bouton_match::stop::asked;
use bouton_match::{
    Conditions, GameRecord, Illustrated, Numbered, Playable, PlayedGame, Reason, Standing, Transcript,
    fixtures, play_fixtures, standings,
};
use bouton_tables::printable::printable_json;
use bouton_tables::program::note;
use bouton_tables::with_rules;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use super::Done;
use super::game_setup::{clock, names, ruleset};
use crate::args::TournamentArgs;

const MOST_STARTS: usize = 1_000_000;
/// The most games in a tournament; their results are kept until its end.
const MOST_GAMES: u128 = 10_000_000;
/// Games per thread between two writes to the transcript.
const AT_ONCE: usize = 64;
/// The most forfeits that are listed.
const LISTED: usize = 20;

pub(crate) fn run(args: &TournamentArgs) -> Done {
    let players: Vec<&Spec> = args.players.iter().collect();
    if players.iter().any(|player| player.kind == PlayerKind::Human) {
        return Err("a human cannot play in a tournament; use `bouton-match play`".into());
    }
    let ruleset = ruleset(&args.game, &players)?;
    with_rules!(&ruleset, |rules| tournament(args, &players, rules))
}

#[derive(Serialize)]
struct Results<'a> {
    games: usize,
    starts: Vec<String>,
    seconds: f64,
    standings: &'a [Standing],
    failures: Vec<Forfeit>,
}

#[derive(Serialize)]
struct Forfeit {
    game: usize,
    first: String,
    second: String,
    start: String,
    ending: String,
}

fn tournament<G: Numbered + Illustrated>(args: &TournamentArgs, players: &[&Spec], rules: &G) -> Done {
    let starts = starts(args, rules)?;
    check_games(players.len(), starts.len(), args.games)?;
    let mut transcript = args.game.record.as_deref().map(Transcript::open).transpose()?;
    let mut cast = Cast::new(rules.clone(), starts.clone());
    let makers = players.iter().map(|player| cast.maker(player)).collect::<Result<Vec<_>, _>>()?;
    cast.notes().iter().for_each(|text| note("bouton-match", text));
    let names = names(players);
    let conditions = Conditions {
        rules,
        starts: &starts,
        names: &names,
        clock: clock(&args.game, players),
        seed: args.game.seed,
        record: transcript.is_some(),
    };
    let fixtures = fixtures(players.len(), starts.len(), args.games as usize);
    let began = Instant::now();
    let threads = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0).into()).build()?;
    let bar = bar(fixtures.len() as u64, args.quiet || args.json);
    // The transcript is written meanwhile, so that little is lost if the tournament is interrupted.
    let together =
        if transcript.is_some() { AT_ONCE * threads.current_num_threads() } else { fixtures.len() };
    let mut played = Vec::with_capacity(fixtures.len());
    for some in fixtures.chunks(together) {
        let mut more = threads.install(|| play_fixtures(&conditions, &makers, some, &|games| bar.inc(games)));
        if let Some(transcript) = &mut transcript {
            let records: Vec<GameRecord> = more.iter_mut().filter_map(|game| game.record.take()).collect();
            transcript.add(&records)?;
        }
        played.append(&mut more);
        if asked().is_some() {
            break;
        }
    }
    bar.finish_and_clear();
    if asked().is_some() {
        let (games, all) = (played.len(), fixtures.len());
        note("bouton-match", &format!("interrupted: these are the results of {games} of {all} games"));
    }
    let seconds = began.elapsed().as_secs_f64();
    let results = Results {
        games: played.len(),
        starts: starts.iter().map(|start| rules.show_position(start)).collect(),
        seconds,
        standings: &standings(&names, &played),
        failures: forfeits(&conditions, &played),
    };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", printable_json(&serde_json::to_string(&results)?))?;
    } else {
        out.write_all(in_words(&results).as_bytes())?;
    }
    Ok(())
}

fn check_games(players: usize, starts: usize, each: u32) -> Done {
    let (players, starts) = (players as u128, starts as u128);
    let games = players * (players - 1) * starts * u128::from(each);
    if games > MOST_GAMES {
        return Err(format!(
            "{players} players, {starts} starts and --games {each} make {games} games; the most is {MOST_GAMES}: give fewer \
             players, starts or games"
        )
        .into());
    }
    Ok(())
}

fn forfeits<G: Playable>(conditions: &Conditions<G>, played: &[PlayedGame]) -> Vec<Forfeit> {
    let failed = played.iter().enumerate().filter(|(_, game)| game.ending.reason != Reason::Played);
    failed
        .map(|(number, game)| {
            let [first, second] = conditions.names(&game.fixture);
            Forfeit {
                game: number + 1,
                first: first.to_owned(),
                second: second.to_owned(),
                start: conditions.rules.show_position(&conditions.starts[game.fixture.start]),
                ending: game.ending.in_words([first, second]),
            }
        })
        .collect()
}

fn starts<G: Playable>(args: &TournamentArgs, rules: &G) -> Result<Vec<G::Position>, Box<dyn Error>> {
    let mut texts = args.starts.clone();
    if let Some(list) = &args.stones {
        for stones in stones(list)? {
            texts.push(G::start_of(stones).ok_or_else(|| {
                let start = rules.show_position(&rules.start());
                format!("--stones does not fit this game; give each start with --start, for example --start {start}")
            })?);
        }
    }
    if texts.is_empty() {
        return Ok(vec![rules.start()]);
    }
    let starts = texts.iter().map(|text| rules.read_position(text));
    Ok(starts.collect::<Result<_, _>>()?)
}

/// Reads numbers and ranges, such as `20,100,990-1000`.
fn stones(list: &str) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number =
            |text: &str| text.parse::<u32>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        let (Some(first), Some(last)) = (number(first), number(last)) else {
            return Err(format!(
                "--stones: found '{part}', expected a number or a range; for example --stones 20,990-1000"
            )
            .into());
        };
        if first > last || (last - first) as usize >= MOST_STARTS - all.len() {
            return Err(format!(
                "--stones: the range {part} is empty, or makes more than {MOST_STARTS} starts"
            )
            .into());
        }
        all.extend(first..=last);
    }
    Ok(all)
}

fn bar(games: u64, quiet: bool) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(10));
    if quiet {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let style = ProgressStyle::with_template("{msg} {wide_bar} {pos} of {len} games, {eta}");
    bar.with_style(style.expect("the template is fixed")).with_message("playing")
}

/// The results for people: a table of the standings, and what was not played to the end.
fn in_words(results: &Results) -> String {
    let head =
        ["player", "games", "wins", "as first", "as second", "lost", "illegal", "time", "failed", "gave up"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(results.standings.iter().map(cells));
    let mut widths = head.map(|_| 0);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let Results { games, starts, seconds, failures, .. } = results;
    let plural = if starts.len() == 1 { "" } else { "s" };
    let mut text = format!("{games} games from {} start{plural} in {seconds:.2} s\n\n", starts.len());
    for row in &rows {
        text += &format!("{:<width$}", row[0], width = widths[0]);
        for (width, cell) in widths.iter().zip(row).skip(1) {
            text += &format!("  {cell:>width$}");
        }
        text.push('\n');
    }
    if !failures.is_empty() {
        text += "\nnot played to the end:\n";
    }
    for Forfeit { game, first, second, start, ending } in failures.iter().take(LISTED) {
        text += &format!("  game {game}, {first} against {second} from {start}: {ending}\n");
    }
    if failures.len() > LISTED {
        text += &format!("  and {} more; --json lists all\n", failures.len() - LISTED);
    }
    text
}

fn cells(of: &Standing) -> Vec<String> {
    let numbers = [
        of.games,
        of.wins,
        of.wins_as_first,
        of.wins_as_second,
        of.losses_by_play,
        of.losses_by_illegal_move,
        of.losses_by_time,
        of.losses_by_failure,
        of.resigned,
    ];
    std::iter::once(of.player.clone()).chain(numbers.map(|number| number.to_string())).collect()
}
