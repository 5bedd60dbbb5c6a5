//! The report of a tournament, for people and for programs.

use std::io::{self, Write};

use bouton_match::tournament::{PairScore, Rating, SprtState, Standing};
use bouton_shell::in_columns;
use bouton_tables::printable::{printable, printable_json};
use bouton_tables::program::width;
use serde::Serialize;
use serde_json::Value;

use crate::args::{CsvContent, FormatArgs};
use crate::commands::CommandResult;

const MAX_LISTED: usize = 20;

/// The results of a tournament. The fields have this order in JSON.
#[derive(Serialize)]
pub(super) struct Results {
    pub(super) games: u64,
    pub(super) of: u64,
    pub(super) starts: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seconds: Option<f64>,
    pub(super) standings: Vec<Standing>,
    pub(super) pairs: Vec<PairScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sprt: Option<SprtState>,
    #[serde(rename = "failures")]
    pub(super) forfeits: Vec<Forfeit>,
}

/// A game that a player lost by a fault, or gave up.
#[derive(Serialize)]
pub(super) struct Forfeit {
    pub(super) game: usize,
    pub(super) first: String,
    pub(super) second: String,
    pub(super) start: String,
    pub(super) ending: String,
}

impl Results {
    /// Prints the results; the rows of games have been printed already.
    pub(super) fn print(&self, format: &FormatArgs, out: &mut impl Write) -> CommandResult {
        match format.csv {
            _ if format.json => writeln!(out, "{}", printable_json(&serde_json::to_string(self)?))?,
            Some(CsvContent::Standings) => print_csv(STANDING_COLUMNS, &self.standings, out)?,
            Some(CsvContent::Pairs) => print_csv(PAIR_COLUMNS, &self.pairs, out)?,
            Some(CsvContent::Games) => {}
            None => out.write_all(self.in_words().as_bytes())?,
        }
        Ok(())
    }

    fn in_words(&self) -> String {
        let Self { games, of, starts, seconds, standings, pairs, sprt, forfeits } = self;
        let plural = if starts.len() == 1 { "" } else { "s" };
        let of = if games == of { String::new() } else { format!(" of {of}") };
        let mut text = format!("{games}{of} games from {} start{plural}", starts.len());
        text += &seconds.map_or(String::new(), |seconds| format!(" in {seconds:.2} s"));
        text += "\n\n";
        let head = ["player", "games", "points", "Elo", "95 %", "illegal", "time", "failed", "gave up"];
        text += &table(&head, standings.iter().map(standing_in_words));
        text.push('\n');
        let head = ["pair", "won", "lost", "as first", "as second", "Elo", "95 %", "superior"];
        text += &table(&head, pairs.iter().map(pair_in_words));
        if let Some(sprt) = sprt {
            text += &format!("\n{}\n", sprt_in_words(sprt, &pairs[0]));
        }
        if !forfeits.is_empty() {
            text += "\nnot played to the end:\n";
        }
        for Forfeit { game, first, second, start, ending } in forfeits.iter().take(MAX_LISTED) {
            text += &format!("  game {game}, {first} against {second} from {start}: {ending}\n");
        }
        if forfeits.len() > MAX_LISTED {
            text += &format!("  and {} more; --json lists all\n", forfeits.len() - MAX_LISTED);
        }
        text
    }
}

fn table(head: &[&str], rows: impl Iterator<Item = Vec<String>>) -> String {
    let head = head.iter().map(|&cell| cell.to_owned()).collect();
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(rows).collect();
    in_columns(&lines, "", width())
}

fn standing_in_words(standing: &Standing) -> Vec<String> {
    let [elo, range, _] = rating_in_words(standing.rating);
    let forfeits = [
        standing.losses_by_illegal_move,
        standing.losses_by_time,
        standing.losses_by_failure,
        standing.resigned,
    ];
    let cells = [standing.player.clone(), standing.games.to_string(), standing.wins.to_string(), elo, range];
    cells.into_iter().chain(forfeits.map(|number| number.to_string())).collect()
}

fn pair_in_words(pair: &PairScore) -> Vec<String> {
    let [elo, range, superior] = rating_in_words(pair.rating);
    vec![
        format!("{} against {}", pair.player, pair.opponent),
        pair.won().to_string(),
        pair.lost().to_string(),
        format!("{}:{}", pair.won_as_first, pair.lost_as_first),
        format!("{}:{}", pair.won_as_second, pair.lost_as_second),
        elo,
        range,
        superior,
    ]
}

/// Formats the Elo, its range, and the probability of superiority.
fn rating_in_words(rating: Option<Rating>) -> [String; 3] {
    let Some(Rating { elo, elo_from, elo_to, superior }) = rating else {
        return [(); 3].map(|()| "-".to_owned());
    };
    // Round, and print zero without a sign.
    let number = |elo: f64| if elo.round() == 0.0 { "0".to_owned() } else { format!("{elo:+.0}") };
    let range = format!("{} to {}", number(elo_from), number(elo_to));
    let superior = match 100.0 * superior {
        percent if percent > 99.9 => "> 99.9 %".to_owned(),
        percent if percent < 0.1 => "< 0.1 %".to_owned(),
        percent => format!("{percent:.1} %"),
    };
    [number(elo), range, superior]
}

fn sprt_in_words(state: &SprtState, pair: &PairScore) -> String {
    let SprtState { elo, llr, accepted } = state;
    let (player, opponent, [low, high]) = (&pair.player, &pair.opponent, elo.0);
    let what = match accepted {
        Some(0) => format!("{player} is at most {low} Elo above {opponent}, and not {high}"),
        Some(_) => format!("{player} is at least {high} Elo above {opponent}, and not {low}"),
        None => format!("not decided whether {player} is {low} or {high} Elo above {opponent}"),
    };
    format!("sequential test: {what} (log-likelihood ratio {llr:.2})")
}

/// The first line of each kind of CSV.
const STANDING_COLUMNS: &str = "player,games,wins,wins_as_first,wins_as_second,losses_by_play,losses_by_illegal_move,\
                                losses_by_time,losses_by_failure,resigned,elo,elo_from,elo_to";
const PAIR_COLUMNS: &str = "player,opponent,won_as_first,lost_as_first,won_as_second,lost_as_second,elo,elo_from,elo_to,\
                            superior";
pub(super) const GAME_COLUMNS: &str = "game,first,second,start,winner,side,reason,moves,detail";

/// Prints the columns of serialized objects. Cells without a value are empty.
fn print_csv<T: Serialize>(columns: &str, objects: &[T], out: &mut impl Write) -> CommandResult {
    let mut csv = csv::Writer::from_writer(out);
    write_row(&mut csv, columns.split(','))?;
    for object in objects {
        let object = serde_json::to_value(object)?;
        let cells: Vec<String> = columns.split(',').map(|column| csv_cell(column, &object[column])).collect();
        write_row(&mut csv, cells.iter().map(String::as_str))?;
    }
    Ok(csv.flush()?)
}

fn csv_cell(column: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => {
            let digits = if column == "superior" { 6 } else { 2 };
            format!("{:.digits$}", number.as_f64().unwrap_or_default())
        }
        other => other.to_string(),
    }
}

/// Writes a row of printable cells.
pub(super) fn write_row<'a>(
    csv: &mut csv::Writer<impl Write>,
    cells: impl IntoIterator<Item = &'a str>,
) -> io::Result<()> {
    Ok(csv.write_record(cells.into_iter().map(|cell| printable(cell).into_owned()))?)
}
