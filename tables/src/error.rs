//! What can go wrong, in three layers: the ruleset, the question, the file.

use std::path::PathBuf;

use thiserror::Error;

use crate::input::PRESET_NAMES;
use crate::printable::printable_path;

/// A ruleset that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum RulesetError {
    /// Neither a preset nor a file.
    #[error(
        "there is no preset '{name}'; presets are: {presets}. For a ruleset file give its path, ending in .toml; to change a \
         key, write --set KEY=VALUE"
    )]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// The presets there are.
        presets: String,
    },
    /// The file could not be read.
    #[error(
        "cannot read the ruleset {}: {reason}; give the path of a readable TOML file, or a preset's name",
        printable_path(path)
    )]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Another of these errors, in a file whose name is known.
    #[error("{}: {reason}", printable_path(path))]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Box<RulesetError>,
    },
    /// The text is not TOML.
    #[error("not a TOML file: {reason}; `bouton rules` prints a ruleset to start from")]
    IllFormed {
        /// The parser's words, with line and column.
        reason: String,
    },
    /// A key that no ruleset of this family has.
    #[error("unknown key '{key}'; the keys of game \"{game}\" are: {known}")]
    UnknownKey {
        /// The key.
        key: String,
        /// The family.
        game: &'static str,
        /// The keys there are.
        known: String,
    },
    /// A key that must be there is not.
    #[error("the key '{key}' is missing; allowed is {allowed}")]
    MissingKey {
        /// The key.
        key: &'static str,
        /// What it may be.
        allowed: String,
    },
    /// A setting that makes another game of a ruleset, without what that game needs.
    #[error(
        "game = {game} makes another game of this ruleset, of which no other key counts then: {reason}. Set that too, or start from \
         a preset of that game (`bouton rules --list` lists them)"
    )]
    OtherGame {
        /// The game that was set.
        game: String,
        /// What is wrong.
        reason: Box<RulesetError>,
    },
    /// A value that the key does not allow.
    #[error("{key} = {found}: allowed is {allowed}")]
    BadValue {
        /// The key.
        key: &'static str,
        /// The value found.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// A value that a key has because it was left out, and that the other keys do not allow.
    #[error(
        "{key} is not given, and its usual value {found} is not allowed here: allowed is {allowed}; set {key}"
    )]
    BadUsualValue {
        /// The key.
        key: &'static str,
        /// Its usual value.
        found: String,
        /// What it may be.
        allowed: String,
    },
    /// Not the spelling of a ruleset.
    #[error(
        "found {found}; a ruleset is spelled with settings and semicolons, as in bounds=3,5,7;take=1,2;play=misere or \
         stones=100;growth=1"
    )]
    IllSpelled {
        /// What is wrong with it.
        found: String,
    },
    /// Another of these errors, and what was probably meant.
    #[error("{reason}; {advice}")]
    WithAdvice {
        /// What is wrong.
        reason: Box<RulesetError>,
        /// What was probably meant.
        advice: String,
    },
    /// `--set` without a key and a value.
    #[error("'{text}' does not set a key; write KEY=VALUE, for example --set growth=2")]
    BadSetting {
        /// What was given.
        text: String,
    },
}

/// A question that cannot be answered.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum PositionError {
    /// Not the notation of a position.
    #[error("{field}: found '{found}', expected {expected}")]
    Syntax {
        /// The part of the text.
        field: &'static str,
        /// What stood there, shortened if long.
        found: String,
        /// What may stand there.
        expected: String,
    },
    /// Well written, but outside the table.
    #[error("{field}: found {found}, but the table covers {covered}")]
    Outside {
        /// The part of the position.
        field: &'static str,
        /// Its value.
        found: String,
        /// What the table covers.
        covered: String,
    },
    /// Well written, but no game gets there.
    #[error("this position cannot arise: {why}")]
    CannotArise {
        /// The reason, with the numbers.
        why: String,
    },
    /// One of these errors, in a position that a person typed in other words than its notation.
    #[error("{reason}; '{typed}' is read as {notation}")]
    ReadAs {
        /// The text, shortened if long.
        typed: String,
        /// The notation of what it means, shortened if long.
        notation: String,
        /// The error in the notation.
        reason: Box<PositionError>,
    },
    /// A move that a person typed, and that is not legal in the position.
    #[error("found {why}")]
    Illegal {
        /// The move, the position, and legal moves there.
        why: String,
    },
}

/// Positions that cannot be numbered: there are 2^64 or more of them, or memory has no room for what numbers
/// them.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the rules allow too many positions to number them all; choose rules with fewer positions")]
pub struct TooManyPositions;

/// As much of what a user typed as an error shows of it.
pub(crate) fn shorten(text: &str) -> String {
    crate::printable::shorten(text, 60)
}

/// A file that says of itself that it is a table of this version, but is not whole.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("the table is damaged: {what}; get a fresh copy, or generate it again")]
pub struct Damage {
    /// What does not hold.
    pub what: String,
}

impl OpenError {
    /// The error for a file that the system does not give.
    pub(crate) fn unread(path: PathBuf, source: std::io::Error) -> Self {
        let preset = PRESET_NAMES.into_iter().find(|&name| path.as_os_str() == name);
        match preset.filter(|_| source.kind() == std::io::ErrorKind::NotFound) {
            Some(preset) => Self::Preset { preset, is_made: path.with_extension("bouton").is_file() },
            None => Self::Io { path, source },
        }
    }
}

impl Damage {
    /// Damage: `what` says what does not hold.
    #[cold]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }
}

/// A question to an open table that got no answer.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum AskError {
    /// The question is at fault.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The table is at fault.
    #[error(transparent)]
    Damaged(#[from] Damage),
}

/// A file that cannot be opened as a table.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The file system said no.
    #[error(
        "cannot open {}: {source}; give the path of a table made by `bouton generate`",
        printable_path(path)
    )]
    Io {
        /// The file.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
    /// There is no such file, but a preset of that name.
    #[error(
        "{preset} is a preset, not a file; {}",
        if *is_made {
            format!("give its table, {preset}.bouton")
        } else {
            format!("`bouton generate {preset}` makes its table, {preset}.bouton: give that")
        }
    )]
    Preset {
        /// The preset.
        preset: &'static str,
        /// Whether a file named like its table is there.
        is_made: bool,
    },
    /// No table at all.
    #[error("not a Bouton table but {found}; `bouton generate` makes one")]
    NotATable {
        /// What was found.
        found: String,
    },
    /// No file of chances.
    #[error("not a file of chances but {found}; `bouton-match chances` makes one")]
    NotChances {
        /// What was found.
        found: String,
    },
    /// Made by a newer version of this program.
    #[error(
        "the table has format version {found}, this program reads versions 1 to {known}; use a newer version of it, or generate the table again"
    )]
    Version {
        /// The file's version.
        found: u32,
        /// The latest known here.
        known: u32,
    },
    /// The header has a key, or a game, that a newer version of this program may know.
    #[error(
        "the table has the {what}, which this program does not know; use a newer version of it, or generate the table again"
    )]
    Unknown {
        /// What it is, with its name.
        what: String,
    },
    /// A table, but not whole.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// One of these, of a file whose name is known.
    #[error("{}: {reason}", printable_path(path))]
    InFile {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: Box<OpenError>,
    },
}
