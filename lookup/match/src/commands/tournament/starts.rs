//! The starts of a tournament.

use std::io;
use std::path::Path;

use bouton_match::{Playable, Solution};
use bouton_tables::input::{display_name, open};
use bouton_tables::printable::shorten;
use bouton_tables::{Game, Outcome, PositionError, Solved};

use crate::args::{StartArgs, StartChoice};
use crate::commands::CommandResult;
use crate::commands::game_setup::{read_start, start_of};

const MAX_STARTS: usize = 1_000_000;

/// Returns the starts of the options. If they name none: all starts for --starts to choose from, or the rules' start.
pub(super) fn candidates<G: Playable>(args: &StartArgs, rules: &G) -> CommandResult<Vec<G::Position>> {
    let from_option = |text| StartText { source: String::new(), text };
    let mut texts: Vec<StartText> = args.positions.iter().cloned().map(from_option).collect();
    if let Some(list) = &args.stones {
        for stones in stones(list)? {
            texts.push(from_option(start_of(rules, stones)?));
        }
    }
    if let Some(file) = &args.start_file {
        texts.append(&mut from_file(file)?);
    }
    let starts = read(&texts, rules)?;
    if let Some(over) = starts.iter().find(|start| rules.moves(start).next().is_none()) {
        let shown = rules.show_position(over);
        return Err(format!("no game begins in {shown}, where there is no move; give other starts").into());
    }
    if starts.is_empty() && args.choice.is_some() {
        return all_starts(rules);
    }
    Ok(if starts.is_empty() { vec![rules.start()] } else { starts })
}

struct StartText {
    /// File and line, for messages; empty for an option.
    source: String,
    text: String,
}

/// Reads starts. If some have too many stones for the rules, the error is about the one with the most stones.
fn read<G: Game>(texts: &[StartText], rules: &G) -> CommandResult<Vec<G::Position>> {
    let excess = |start: &StartText| match rules.read_position(&start.text) {
        Err(PositionError::Outside { field: "stones", found, .. }) => found.parse::<u64>().ok(),
        _ => None,
    };
    let largest = texts.iter().max_by_key(|start| excess(start)).filter(|start| excess(start).is_some());
    let read = |StartText { source, text }: &StartText| {
        read_start(rules, text).map_err(|error| format!("{source}{error}").into())
    };
    largest.into_iter().chain(texts).map(read).collect()
}

fn all_starts<G: Playable>(rules: &G) -> CommandResult<Vec<G::Position>> {
    rules.starts(MAX_STARTS as u64).map_err(|count| {
        let start = rules.show_position(&rules.start());
        format!(
            "--starts: the game has {count} starts, at most {MAX_STARTS} are allowed; name some with \
             --start {start} or --start-file FILE, and --starts chooses among them"
        )
        .into()
    })
}

/// Returns the starts that have the chosen outcome for the first player.
pub(super) fn choose<G: Playable>(
    choice: StartChoice,
    starts: Vec<G::Position>,
    solution: &Solution<G>,
) -> CommandResult<Vec<G::Position>> {
    let wanted = match choice {
        StartChoice::All => return Ok(starts),
        StartChoice::Won => Outcome::Win,
        StartChoice::Lost => Outcome::Loss,
    };
    let mut chosen = Vec::new();
    for start in starts {
        if solution.get().outcome(&start)? == wanted {
            chosen.push(start);
        }
    }
    if chosen.is_empty() {
        let (kind, outcome) = if wanted == Outcome::Win { ("won", "loses") } else { ("lost", "wins") };
        return Err(format!(
            "--starts {kind}: the first player {outcome} from every start; give other starts, or --starts all"
        )
        .into());
    }
    Ok(chosen)
}

/// Reads a file with a start on each line. Skips empty lines and comments, which begin with #.
fn from_file(file: &Path) -> CommandResult<Vec<StartText>> {
    let shown = display_name(file);
    let text = open(file).and_then(io::read_to_string).map_err(|error| {
        format!("cannot read {shown}: {error}; give a text file with a position on each line")
    })?;
    let mut starts = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        if starts.len() == MAX_STARTS {
            return Err(format!("{shown} has more than {MAX_STARTS} starts; give fewer").into());
        }
        starts.push(StartText { source: format!("{shown}, line {number}: "), text: line.to_owned() });
    }
    if starts.is_empty() {
        return Err(format!("{shown} has no starts; write a position on each line").into());
    }
    Ok(starts)
}

fn stones(list: &str) -> CommandResult<Vec<u64>> {
    let mut numbers = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let number =
            |text: &str| text.parse::<u64>().ok().filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        let (Some(first), Some(last)) = (number(first), number(last)) else {
            let part = shorten(part, 40);
            let expected = "expected a number or a range; for example --stones 20,990-1000";
            return Err(format!("--stones: found '{part}', {expected}").into());
        };
        if first > last || last - first >= (MAX_STARTS - numbers.len()) as u64 {
            return Err(format!(
                "--stones: the range {part} is empty, or makes more than {MAX_STARTS} starts"
            )
            .into());
        }
        numbers.extend(first..=last);
    }
    Ok(numbers)
}
