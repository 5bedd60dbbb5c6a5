//! The errors of rulesets, questions and files.

use std::path::PathBuf;

use thiserror::Error;

use crate::input::PRESET_NAMES;
use crate::printable::printable_path;

/// A ruleset that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum RulesetError {
    /// Neither a preset nor a file.
    #[error(
        "there is no preset '{name}'; presets are: {presets}. For a ruleset file give its path, ending in .toml; to change a \
         key, write --set KEY=VALUE"
    )]
    UnknownPreset { name: String, presets: String },
    /// The file could not be read.
    #[error(
        "cannot read the ruleset {}: {reason}; give the path of a readable TOML file, or a preset's name",
        printable_path(path)
    )]
    Unreadable { path: PathBuf, reason: String },
    /// Another error of this enum, with the name of the file.
    #[error("{}: {reason}", printable_path(path))]
    InFile { path: PathBuf, reason: Box<RulesetError> },
    /// The text is not TOML.
    #[error("not a TOML file: {reason}; `bouton rules` prints a ruleset to start from")]
    IllFormed { reason: String },
    /// A key that no ruleset of this family has.
    #[error("unknown key '{key}'; the keys of game \"{game}\" are: {known}")]
    UnknownKey { key: String, game: &'static str, known: String },
    /// A required key is missing.
    #[error("the key '{key}' is missing; expected {allowed}")]
    MissingKey { key: &'static str, allowed: String },
    /// A setting changes the game of a ruleset, but not the keys that the new game requires.
    #[error(
        "game = {game} makes this another game, to which no other key of the ruleset applies: {reason}. Set \
         that too, or start from a preset of that game (`bouton rules --list` lists them)"
    )]
    OtherGame { game: String, reason: Box<RulesetError> },
    /// A value that the key does not allow.
    #[error("{key} = {found}: expected {allowed}")]
    BadValue { key: &'static str, found: String, allowed: String },
    /// The default of an omitted key contradicts the other keys.
    #[error("{key} is missing, and its default {found} is not allowed here: expected {allowed}; set {key}")]
    BadDefault { key: &'static str, found: String, allowed: String },
    /// Not the spelling of a ruleset.
    #[error(
        "found {found}; a ruleset is spelled with settings and semicolons, as in bounds=3,5,7;take=1,2;play=misere or \
         stones=100;growth=1"
    )]
    IllSpelled { found: String },
    /// Another error of this enum, with a suggestion.
    #[error("{reason}; {advice}")]
    WithAdvice { reason: Box<RulesetError>, advice: String },
    /// `--set` without a key and a value.
    #[error("'{text}' does not set a key; write KEY=VALUE, for example --set growth=2")]
    BadSetting { text: String },
}

/// A question that cannot be answered.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum PositionError {
    /// Not the notation of a position.
    #[error("{field}: found '{found}', expected {expected}")]
    Syntax {
        field: &'static str,
        /// The text found there, shortened if long.
        found: String,
        /// The text expected there.
        expected: String,
    },
    /// Valid notation, but outside the table.
    #[error("{field}: found {found}, but the table covers {covered}")]
    Outside { field: &'static str, found: String, covered: String },
    /// Valid notation, but no game reaches the position.
    #[error("this position cannot arise: {why}")]
    CannotArise { why: String },
    /// Another error of this enum, in a position that was typed in words and is shown in notation.
    #[error("{reason}; '{typed}' is read as {notation}")]
    ReadAs { typed: String, notation: String, reason: Box<PositionError> },
    /// A move that is not legal in the position.
    #[error("found {why}")]
    Illegal {
        /// The move, the position, and legal moves there.
        why: String,
    },
}

/// Positions that cannot be numbered: there are 2^64 or more, or the index does not fit in memory.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the rules allow too many positions to number them all; choose rules with fewer positions")]
pub struct TooManyPositions;

/// Shortens a user's text for an error message.
pub(crate) fn shorten(text: &str) -> String {
    crate::printable::shorten(text, 60)
}

/// A file that claims to be a table of a supported version, but is damaged.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("the table is damaged: {what}; get a fresh copy, or generate it again")]
pub struct Damage {
    /// The violated property.
    pub what: String,
}

impl OpenError {
    /// Returns the error for a file that the system cannot open or read.
    pub(crate) fn unreadable(path: PathBuf, source: std::io::Error) -> Self {
        let preset = PRESET_NAMES.into_iter().find(|&name| path.as_os_str() == name);
        match preset.filter(|_| source.kind() == std::io::ErrorKind::NotFound) {
            Some(preset) => Self::Preset { preset, is_made: path.with_extension("bouton").is_file() },
            None => Self::Io { path, source },
        }
    }
}

impl Damage {
    /// Creates the error; `what` names the violated property.
    #[cold]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }
}

/// The reason why an open table has no answer to a question.
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
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum OpenError {
    /// The file system reported an error.
    #[error(
        "cannot open {}: {source}; give the path of a table made by `bouton generate`",
        printable_path(path)
    )]
    Io { path: PathBuf, source: std::io::Error },
    /// There is no such file, but there is a preset of that name.
    #[error(
        "{preset} is a preset, not a file; {}",
        if *is_made {
            format!("give its table, {preset}.bouton")
        } else {
            format!("`bouton generate {preset}` makes its table, {preset}.bouton: give that")
        }
    )]
    Preset {
        preset: &'static str,
        /// True if a file with the name of the preset's table exists.
        is_made: bool,
    },
    /// The file is not a table.
    #[error("not a Bouton table but {found}; `bouton generate` makes tables")]
    NotATable { found: String },
    /// The file is not a file of chances.
    #[error("not a file of chances but {found}; `bouton-match chances` makes such files")]
    NotChances { found: String },
    /// The file has a format version that this program does not read.
    #[error(
        "the table has format version {found}, this program reads version {supported}; use a newer version of it, or generate the table again"
    )]
    Version { found: u32, supported: u32 },
    /// The header has a key, or a game, that a newer version of this program may know.
    #[error(
        "the table has the {what}, which this program does not know; use a newer version of it, or generate the table again"
    )]
    Unknown { what: String },
    /// The file is a table, but damaged.
    #[error(transparent)]
    Damaged(#[from] Damage),
    /// Another error of this enum, with the name of the file.
    #[error("{}: {reason}", printable_path(path))]
    InFile { path: PathBuf, reason: Box<OpenError> },
}
