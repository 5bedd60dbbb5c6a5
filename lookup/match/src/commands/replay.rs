//! `bouton-match replay`: recorded games, annotated.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufRead, BufReader, Write};
use std::sync::Arc;

use bouton_match::{GameRecord, Playable, Referee, Side, Solution, open_table};
use bouton_tables::input::{display_name, open};
use bouton_tables::printable::{printable, printable_json};
use bouton_tables::program::{Output, note};
use bouton_tables::{AskError, MoveSet, Outcome, Ruleset, Solved, Table, with_rules};
use serde::Serialize;

use super::CommandResult;
use crate::args::ReplayArgs;

/// A game with the table's verdicts. The fields have this order in JSON.
#[derive(Serialize)]
struct AnnotatedGame<'a> {
    line: usize,
    #[serde(flatten)]
    record: &'a GameRecord,
    annotated: Vec<AnnotatedMove>,
}

#[derive(Serialize)]
struct AnnotatedMove {
    position: String,
    #[serde(rename = "move")]
    chosen: String,
    /// The move that is counted in its place, if the rules forbid the move and a server accepted it.
    #[serde(rename = "counts-as", skip_serializing_if = "Option::is_none")]
    counts_as: Option<String>,
    /// Outcome of the position for the player to move; `None` if the position is impossible by the rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<Outcome>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    /// True if the move gave a win away.
    blunder: bool,
    /// The moves that would have kept the win; empty unless the move is a blunder.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    winning: Vec<String>,
}

pub(crate) fn run(args: &ReplayArgs) -> CommandResult {
    let shown = display_name(&args.file);
    let file = open(&args.file)
        .map_err(|error| format!("cannot read {shown}: {error}; give a transcript made with --record"))?;
    let mut tables =
        ReplayTables { given: args.table.as_deref().map(open_table).transpose()?, solved: HashMap::new() };
    let mut out = Output::of(args.json);
    let (mut games, mut skipped) = (0, 0);
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let in_line = |error: &dyn std::fmt::Display| format!("{shown}, line {number}: {error}");
        let line =
            line.map_err(|error| in_line(&format!("{error}; give a transcript made with --record")))?;
        let is_results = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line).is_ok_and(|line| line.get("tournament").is_some())
        };
        if number == 1 && is_results(&line) {
            return Err(format!(
                "{shown} is a file of results, which has no moves; `bouton-match standings {shown}` reads it, and --record \
                 makes a transcript"
            )
            .into());
        }
        let record = match GameRecord::from_line(&line) {
            Ok(record) => record,
            // Later games can still be read.
            Err(error) if number > 1 => {
                note("bouton-match", &in_line(&error));
                skipped += 1;
                continue;
            }
            Err(error) => return Err(in_line(&error).into()),
        };
        let text = with_rules!(&record.ruleset, |rules| {
            let game = record.replay(rules).map_err(|error| in_line(&error))?;
            let solution = tables.of(rules, game.start()).map_err(|error| in_line(&error))?;
            let annotated = annotate(&solution, &game)?;
            if args.json {
                let game = AnnotatedGame { line: number, record: &record, annotated };
                printable_json(&serde_json::to_string(&game)?).into_owned() + "\n"
            } else {
                in_words(number, &record, &annotated)
            }
        });
        out.write_all(text.as_bytes())?;
        games += 1;
    }
    if games == 0 {
        return Err(format!("{shown} has no games; give a transcript made with --record").into());
    }
    if skipped > 0 {
        return Err(
            format!("{shown}: skipped {skipped} of {} lines, which are not games", games + skipped).into()
        );
    }
    Ok(())
}

struct ReplayTables {
    given: Option<Arc<Table>>,
    solved: HashMap<Ruleset, Arc<Table>>,
}

impl ReplayTables {
    /// Returns the table of the options, which must fit the game, or else one solved on the spot.
    fn of<G: Playable>(&mut self, rules: &G, start: &G::Position) -> CommandResult<Solution<G>> {
        if let Some(given) = &self.given {
            let solution = Solution::of_game(Arc::clone(given), rules).ok_or_else(|| {
                let other = serde_json::to_string(&given.header().ruleset).expect("rulesets are JSON");
                format!("the table given with --table is of another game, {other}; give one of these rules, or none")
            })?;
            solution.get().game().check(start)?;
            return Ok(solution);
        }
        let table = match self.solved.entry(rules.clone().into()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => place.insert(Solution::solve_if_small(rules, &())?.table()),
        };
        Ok(Solution::new(Arc::clone(table)).expect("it was solved from these rules"))
    }
}

fn annotate<G: Playable>(solution: &Solution<G>, game: &Referee<G>) -> Result<Vec<AnnotatedMove>, AskError> {
    let table = solution.get();
    let note = |ply: &bouton_match::Ply<G>| {
        let is_possible = table.game().check(&ply.before).is_ok();
        let answer = is_possible.then(|| table.answer(&ply.before)).transpose()?;
        let verdict = answer.as_ref().map(|answer| answer.verdict);
        let is_legal = game.game().is_legal(&ply.before, ply.chosen);
        // A lost position has no winning moves.
        let winning = answer.filter(|_| is_legal).map(|answer| answer.winning);
        let given_away = winning.filter(|winning| winning.iter().all(|chosen| chosen != ply.chosen));
        let winning: Vec<String> =
            given_away.iter().flat_map(MoveSet::iter).map(|chosen| chosen.to_string()).collect();
        Ok(AnnotatedMove {
            position: game.game().show_position(&ply.before),
            chosen: ply.as_claimed().to_string(),
            counts_as: ply.claimed.map(|_| ply.chosen.to_string()),
            outcome: verdict.map(|verdict| verdict.outcome),
            depth: verdict.and_then(|verdict| verdict.depth),
            blunder: !winning.is_empty(),
            winning,
        })
    };
    game.plies().iter().map(note).collect()
}

/// Maximum number of listed moves that keep a win.
const MAX_WINNING: usize = 8;

fn in_words(line: usize, record: &GameRecord, notes: &[AnnotatedMove]) -> String {
    let names = record.players.each_ref().map(|name| printable(name));
    let names = names.each_ref().map(|name| &**name);
    let ([first, second], start) = (names, printable(&record.start));
    let mut text = format!("line {line}: {first} moves first, {second} second, from {start}\n");
    for (number, note) in notes.iter().enumerate() {
        let name = names[Side::of_ply(number).index()];
        let depth = note.depth.map_or(String::new(), |depth| format!(" in {depth}"));
        let blunder = if note.blunder {
            let listed =
                note.winning.iter().take(MAX_WINNING).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = note.winning.len().saturating_sub(MAX_WINNING);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("  throws the win away; winning: {listed}{more}")
        } else {
            String::new()
        };
        let outcome =
            note.outcome.map_or("not possible by the rules".to_owned(), |outcome| outcome.to_string());
        let illegal = match &note.counts_as {
            Some(counted) if *counted == note.chosen => "  not legal by the rules".to_owned(),
            Some(counted) => format!("  not legal by the rules: counts as {counted}"),
            None => String::new(),
        };
        text += &format!(
            "{:>5}. {name}: {:<6} at {}, {outcome}{depth}{illegal}{blunder}\n",
            number + 1,
            note.chosen,
            note.position
        );
    }
    text += &format!("       {}\n", printable(&record.end.in_words(names)));
    text
}
