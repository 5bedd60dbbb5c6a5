//! The file of a tournament's results, from which an interrupted tournament resumes.
//!
//! The first line is the [`Setup`] in JSON; each further line is a finished game ([`PlayedGame`]), in the order in
//! which games ended.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use bouton_tables::input::{self, display_name};
use bouton_tables::printable::{printable_json, printable_path};
use bouton_tables::program::unwritten;
use bouton_tables::{FileLock, Ruleset};
use serde::{Deserialize, Serialize};

use super::conditions::PlayedGame;
use super::schedule::Schedule;
use super::sprt::Sprt;

const MAX_GAMES: u64 = 10_000_000;

/// The tournament's settings. The fields have this order in the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setup {
    /// The version of the file.
    #[serde(rename = "tournament")]
    pub version: u32,
    /// The rules.
    pub ruleset: Ruleset,
    /// The table of players without a table of their own; `None` if the game is solved on the spot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<PathBuf>,
    /// The players as named on the command line.
    pub players: Vec<String>,
    /// Number of games of each pair from each start on each side.
    pub games: u32,
    /// Each player's seconds for a game; `None` without a clock.
    pub clock: Option<f64>,
    /// The seed for every random choice.
    pub seed: u64,
    /// True if games end early once the table has decided them.
    pub adjudicate: bool,
    /// The sequential test that ends the tournament.
    pub sprt: Option<Sprt>,
    /// The starts.
    pub starts: Vec<String>,
}

impl Setup {
    /// The version of the files that this program reads and writes.
    pub const VERSION: u32 = 1;

    /// Returns the number of games.
    pub fn all_games(&self) -> u64 {
        let players = self.players.len() as u64;
        let pairs = players.saturating_mul(players.saturating_sub(1));
        pairs.saturating_mul(self.starts.len() as u64).saturating_mul(self.games.into())
    }

    /// Returns the schedule of a setup whose numbers have been [checked](Self::check).
    pub fn schedule(&self) -> Schedule {
        Schedule::new(self.players.len(), self.starts.len(), self.games as usize)
    }

    /// Checks the numbers of players, starts and games, and the clock.
    pub fn check(&self) -> Result<(), String> {
        let [players, starts] = [self.players.len(), self.starts.len()];
        let (each, games) = (self.games, self.all_games());
        if players < 2 || starts == 0 || each == 0 {
            return Err(format!(
                "found {players} players, {starts} starts and {each} games each; a tournament has two players, one start and \
                 one game or more"
            ));
        }
        if let Some(clock) = self.clock.filter(|clock| !(clock > &0.0 && *clock <= 1e6)) {
            return Err(format!(
                "found a clock of {clock} seconds, expected a number above 0 and up to 1000000"
            ));
        }
        if games > MAX_GAMES {
            return Err(format!(
                "{players} players, {starts} starts and --games {each} make {games} games, at most \
                 {MAX_GAMES} are allowed; give fewer players, starts or games"
            ));
        }
        Ok(())
    }
}

/// A file of results, locked against other programs, to which games are added.
#[derive(Debug)]
pub struct ResultsFile {
    path: PathBuf,
    file: FileLock,
}

impl ResultsFile {
    /// Checks that no file has this name.
    pub fn check_new(path: &Path) -> Result<(), String> {
        if path.exists() { Err(exists_error(path)) } else { Ok(()) }
    }

    /// Creates a file with this setup. Fails if the file exists or cannot be written.
    pub fn create(path: &Path, setup: &Setup) -> Result<Self, String> {
        let shown = printable_path(path);
        let setup = to_line(setup);
        if setup.len() as u64 >= MAX_SETUP_LINE {
            return Err(format!(
                "{shown}: the starts take more than {} MiB; give fewer, or omit --save",
                MAX_SETUP_LINE >> 20
            ));
        }
        let file = OpenOptions::new().append(true).create_new(true).open(path).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists {
                return exists_error(path);
            }
            let why = unwritten(&error);
            format!("cannot write {shown}: {why}; name another file with --save")
        })?;
        let mut results = Self::lock(path, file)?;
        results.write(&setup)?;
        Ok(results)
    }

    /// Opens a file to resume its tournament, and reads the finished games. Removes an incomplete last line.
    pub fn resume(path: &Path) -> Result<(Self, Setup, Vec<PlayedGame>), String> {
        let file =
            OpenOptions::new().read(true).append(true).open(path).map_err(|error| unread(path, &error))?;
        let results = Self::lock(path, file)?;
        let (setup, games, complete) = read(path, &*results.file)?;
        results.file.set_len(complete).map_err(|error| results.unwritten(&error))?;
        Ok((results, setup, games))
    }

    /// Reads a file, even while another program adds games; `-` is standard input.
    pub fn read(path: &Path) -> Result<(Setup, Vec<PlayedGame>), String> {
        let file = input::open(path).map_err(|error| unread(path, &error))?;
        let (setup, games, _) = read(path, file)?;
        Ok((setup, games))
    }

    /// Adds a game.
    pub fn add(&mut self, game: &PlayedGame) -> Result<(), String> {
        self.write(&to_line(game))
    }

    fn write(&mut self, line: &str) -> Result<(), String> {
        (&*self.file).write_all(line.as_bytes()).map_err(|error| self.unwritten(&error))
    }

    fn unwritten(&self, error: &io::Error) -> String {
        format!("cannot write {}: {}", printable_path(&self.path), unwritten(error))
    }

    fn lock(path: &Path, file: File) -> Result<Self, String> {
        let shown = printable_path(path);
        let in_use = || {
            format!(
                "the tournament in {shown} is being played by another program; `bouton-match standings \
                 {shown}` shows the standings"
            )
        };
        let file = FileLock::try_new(file).ok_or_else(in_use)?;
        Ok(Self { path: path.to_owned(), file })
    }
}

fn to_line(value: &impl Serialize) -> String {
    let line = serde_json::to_string(value).expect("texts and numbers are JSON");
    printable_json(&line).into_owned() + "\n"
}

fn exists_error(path: &Path) -> String {
    let shown = printable_path(path);
    format!(
        "{shown} exists already; `bouton-match tournament --resume {shown}` resumes the tournament in it, or \
         name another file with --save"
    )
}

fn unread(path: &Path, error: &io::Error) -> String {
    format!(
        "cannot read {}: {error}; give a file of results, which `bouton-match tournament --save FILE` writes",
        display_name(path)
    )
}

/// Returns the setup, the finished games, and the length of all complete lines in bytes.
fn read(path: &Path, file: impl Read) -> Result<(Setup, Vec<PlayedGame>, u64), String> {
    let failed = |error: &io::Error| unread(path, error);
    let mut lines = BufReader::new(file);
    let mut line = Vec::new();
    let (mut setup, mut games, mut numbers, mut complete) = (None, Vec::new(), HashSet::new(), 0);
    let mut number = 0;
    loop {
        number += 1;
        line.clear();
        // A file of another kind may be one line of any length.
        let limit = if number == 1 { MAX_SETUP_LINE } else { MAX_GAME_LINE };
        let length = (&mut lines).take(limit).read_until(b'\n', &mut line).map_err(|error| failed(&error))?;
        let in_line = |what: String| format!("{}, line {number}: {what}", display_name(path));
        if !line.ends_with(b"\n") {
            let is_too_long = length as u64 >= limit;
            return match setup {
                None => Err(in_line(NO_RESULTS.to_owned())),
                Some(_) if is_too_long => Err(in_line(format!("{NO_GAME}: it is too long; {REMOVE}"))),
                // The file ends here: after a complete line, or in one that its program is still writing or was writing
                // when it was killed.
                Some(setup) => Ok((setup, games, complete)),
            };
        }
        let Some(setup) = &setup else {
            setup = Some(read_setup(&line).map_err(in_line)?);
            complete += length as u64;
            continue;
        };
        let game: PlayedGame = serde_json::from_slice(&line)
            .map_err(|error| in_line(format!("{NO_GAME}: {error}; {REMOVE}")))?;
        let total = Setup::all_games(setup);
        if !(1..=total).contains(&(game.game as u64)) {
            let game = game.game;
            return Err(in_line(format!(
                "found game {game}, but the tournament has games 1 to {total}; {REMOVE}"
            )));
        }
        if !numbers.insert(game.game) {
            return Err(in_line(format!("game {} occurs twice; {REMOVE}", game.game)));
        }
        games.push(game);
        complete += length as u64;
    }
}

/// Maximum length of the first line, in bytes: room for a million starts of Expanding Nim.
const MAX_SETUP_LINE: u64 = 1 << 26;
/// Maximum length of any other line, in bytes.
const MAX_GAME_LINE: u64 = 1 << 20;

const NO_RESULTS: &str =
    "this is not the beginning of a file of results, which `bouton-match tournament --save FILE` writes";
const NO_GAME: &str = "this is not the result of a game";
const REMOVE: &str = "remove the line, and the game is played again";

fn read_setup(line: &[u8]) -> Result<Setup, String> {
    #[derive(Deserialize)]
    struct Version {
        tournament: u32,
    }
    match serde_json::from_slice(line).map(|Version { tournament: version }| version) {
        Ok(Setup::VERSION) => {}
        Ok(other) => {
            return Err(format!(
                "the file has version {other}, and this program reads version {}; resume with the \
                program that wrote it",
                Setup::VERSION
            ));
        }
        Err(_) => return Err(NO_RESULTS.to_owned()),
    }
    let setup: Setup = serde_json::from_slice(line).map_err(|error| format!("{NO_RESULTS}: {error}"))?;
    setup.check()?;
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ending, Reason, Side};
    use std::fs;

    fn setup() -> Setup {
        Setup {
            version: Setup::VERSION,
            ruleset: bouton_tables::rulesets::find("sticks", &[]).unwrap().ruleset,
            table: None,
            players: vec!["random".to_owned(), "a=exec:./b 'c'".to_owned(), "greedy".to_owned()],
            games: 2,
            clock: Some(1.5),
            seed: 7,
            adjudicate: true,
            sprt: Some(Sprt([0.0, 50.0])),
            starts: vec!["3,5,7".to_owned(), "1,2,3".to_owned()],
        }
    }

    fn game(number: usize, winner: Side, reason: Reason) -> PlayedGame {
        PlayedGame { game: number, moves: 5, ending: Ending { winner, reason }, record: None }
    }

    #[test]
    fn games_are_read_back_even_if_the_last_line_is_cut() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let games = [
            game(3, Side::First, Reason::Played),
            game(24, Side::Second, Reason::Failed("it said '\u{1b}[31m'".to_owned())),
            game(1, Side::First, Reason::Decided),
        ];
        let mut file = ResultsFile::create(&path, &setup()).unwrap();
        games.iter().for_each(|game| file.add(game).unwrap());
        drop(file);
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains('\u{1b}'));
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        for cut in 0..=text.len() {
            fs::write(&path, &text[..cut]).unwrap();
            let complete = ends.iter().filter(|&&end| end <= cut).count();
            let Some(played) = complete.checked_sub(1) else {
                assert!(ResultsFile::read(&path).unwrap_err().to_string().contains("not the beginning"));
                continue;
            };
            assert_eq!(ResultsFile::read(&path).unwrap(), (setup(), games[..played].to_vec()));
            let (mut file, _, read) = ResultsFile::resume(&path).unwrap();
            assert_eq!(read, games[..played]);
            file.add(&game(12, Side::First, Reason::Time)).unwrap();
            drop(file);
            assert_eq!(ResultsFile::read(&path).unwrap().1.len(), played + 1);
        }
    }

    #[test]
    fn an_invalid_file_and_a_file_in_use_are_refused_and_not_changed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let open_file = ResultsFile::create(&path, &setup()).unwrap();
        assert!(ResultsFile::resume(&path).unwrap_err().to_string().contains("by another program"));
        assert!(ResultsFile::create(&path, &setup()).unwrap_err().to_string().contains("exists already"));
        drop(open_file);
        let head = fs::read_to_string(&path).unwrap();
        let one = serde_json::to_string(&game(1, Side::First, Reason::Played)).unwrap();
        for (text, expected) in [
            (String::new(), "line 1: this is not the beginning"),
            ("hello\n".to_owned(), "line 1: this is not the beginning"),
            (
                head.replace("\"tournament\":1", "\"tournament\":2"),
                "version 2, and this program reads version 1",
            ),
            (head.replace("\"seed\"", "\"sead\""), "line 1: this is not the beginning"),
            (
                head.replace("\"games\":2", "\"games\":0"),
                "line 1: found 3 players, 2 starts and 0 games each; a tournament has",
            ),
            (format!("{head}hello\n"), "line 2: this is not the result of a game"),
            (
                format!("{head}{}", "x".repeat(MAX_GAME_LINE as usize)),
                "line 2: this is not the result of a game: it is too long",
            ),
            (format!("{head}{one}\n{one}\n"), "line 3: game 1 occurs twice"),
            (
                format!("{head}{}\n", one.replace(":1,", ":25,")),
                "line 2: found game 25, but the tournament has games 1 to 24",
            ),
            (format!("{head}{}\n", one.replace(":1,", ":0,")), "line 2: found game 0"),
        ] {
            fs::write(&path, &text).unwrap();
            for error in [ResultsFile::read(&path).unwrap_err(), ResultsFile::resume(&path).unwrap_err()] {
                assert!(error.to_string().contains(expected), "{expected}: {error}");
            }
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let missing = ResultsFile::resume(&folder.path().join("none")).unwrap_err().to_string();
        assert!(missing.contains("give a file of results"), "{missing}");
    }
}
