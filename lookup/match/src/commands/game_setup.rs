//! What `play` and `tournament` have in common: rules, clock, names, transcript.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bouton_match::players::{PlayerKind, Spec};
use bouton_match::{GameRecord, open_table};
use bouton_tables::Ruleset;
use bouton_tables::printable::printable_path;
use bouton_tables::program::unwritten;
use bouton_tables::rulesets::{change, find};

use crate::args::{Clock, GameArgs};

const USUAL_CLOCK: Duration = Duration::from_secs(120);

pub(crate) fn ruleset(args: &GameArgs, players: &[&Spec]) -> Result<Ruleset, Box<dyn Error>> {
    let of_table = players.iter().find_map(|player| match &player.kind {
        PlayerKind::Table { file: Some(file), .. } => Some(file),
        _ => None,
    });
    match (&args.rules, of_table) {
        (None, Some(file)) => Ok(change(&open_table(file)?.header().ruleset, &args.settings)?),
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

/// A transcript to which games are appended.
pub(crate) struct TranscriptFile {
    path: PathBuf,
    file: File,
}

impl TranscriptFile {
    pub(crate) fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let failed = |error| cannot_write("the transcript ", path, &error, "--record");
        let mut first = Vec::new();
        if path.is_file() {
            File::open(path).and_then(|file| file.take(1).read_to_end(&mut first)).map_err(failed)?;
        }
        // Of the games of a transcript each is a line of JSON.
        if first.first().is_some_and(|&first| first != b'{') {
            let path = printable_path(path);
            return Err(
                format!("{path} is there and is not a transcript; name another file with --record").into()
            );
        }
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(failed)?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Appends games in one write.
    pub(crate) fn add<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Result<(), Box<dyn Error>> {
        let lines: String = records.into_iter().map(|record| record.to_line() + "\n").collect();
        let written = self.file.write_all(lines.as_bytes());
        written.map_err(|error| cannot_write("the transcript ", &self.path, &error, "--record"))
    }
}

/// `option` is the one that names another file.
pub(super) fn cannot_write(what: &str, path: &Path, error: &io::Error, option: &str) -> Box<dyn Error> {
    let (path, why) = (printable_path(path), unwritten(error));
    format!("cannot write {what}{path}: {why}; name another file with {option}").into()
}
