//! What names a player on the command line.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bouton_tables::printable::shorten;
use thiserror::Error;

use super::{LosingPolicy, LosingPolicyError};
use crate::models::{Model, ModelError};

/// What `--help` says of players.
pub const PLAYERS_HELP: &str = "\
A player is one of these, with NAME= before it to call it by a name of its own:
  table                  wins what is won, from a table solved on the spot
  table:FILE             the same, from a table made by `bouton generate`
  table:FILE:POLICY      with a policy for lost positions (also table:POLICY); policies are
                         longest, trap, takes-one, random, resets,
                         swindle:MODEL      the best response to a model of the opponent
                         swindle:F.chances  the same, computed before by `bouton-match chances`
                         adapt, adapt:MODEL learns from his moves which of several he is
  model:MODEL            plays as a model says
  random                 any legal move
  greedy                 takes the most
  minimax:DEPTH          looks so many moves ahead, without a table
  human                  you, at this terminal
  exec:COMMAND           a program that reads a position a line and writes a move a line
";

/// The deepest that minimax may be asked to look.
const DEEPEST: u32 = 1_000_000;

/// Who plays.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// Any legal move.
    Random,
    /// Takes the most.
    Greedy,
    /// Looks so many plies ahead.
    Minimax(u32),
    /// Plays from a table; solved on the spot if no file is named.
    Table {
        /// The table's file.
        file: Option<PathBuf>,
        /// How to play what is lost; [`LosingPolicy::usual`] if nothing is said.
        policy: Option<LosingPolicy>,
    },
    /// Plays as a model says.
    Model(Model),
    /// Somebody at the terminal.
    Human,
    /// A program.
    Exec(String),
}

/// A player as the command line names him.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// What to call him.
    pub name: String,
    /// Who he is.
    pub kind: PlayerKind,
}

/// A text that names no player.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum SpecError {
    /// No such kind.
    #[error(
        "there is no player '{0}'; players are random, greedy, minimax:DEPTH, table, table:FILE, table:FILE:POLICY, \
         model:MODEL, human and exec:COMMAND"
    )]
    Unknown(String),
    /// A depth that is none.
    #[error("minimax:{0}: the depth is a whole number from 1 to {DEEPEST}, for example minimax:6")]
    Depth(String),
    /// No command.
    #[error("exec: wants a command behind it, for example exec:./my-bot")]
    NoCommand,
    /// A table's policy that is none.
    #[error(transparent)]
    Policy(#[from] LosingPolicyError),
    /// A model that is none.
    #[error(transparent)]
    Model(#[from] ModelError),
}

fn shown(text: &str) -> String {
    shorten(text, 60)
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let is_name = |name: &str| {
            !name.is_empty()
                && name.len() <= 40
                && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        };
        let (name, text) = match text.split_once('=') {
            Some((name, rest)) if is_name(name) => (name, rest),
            _ => (text, text),
        };
        Ok(Self { name: shown(name), kind: text.parse()? })
    }
}

impl FromStr for PlayerKind {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(match text.split_once(':') {
            None if text == "random" => Self::Random,
            None if text == "greedy" => Self::Greedy,
            None if text == "human" => Self::Human,
            None if text == "table" => Self::Table { file: None, policy: None },
            Some(("minimax", depth)) => {
                let plain = depth.bytes().all(|byte| byte.is_ascii_digit());
                let depth = depth.parse().ok().filter(|depth| plain && (1..=DEEPEST).contains(depth));
                Self::Minimax(depth.ok_or_else(|| SpecError::Depth(shown(&text["minimax:".len()..])))?)
            }
            Some(("table", rest)) => table(rest)?,
            Some(("model", model)) => Self::Model(model.parse()?),
            Some(("exec", command)) if command.trim().is_empty() => return Err(SpecError::NoCommand),
            Some(("exec", command)) => Self::Exec(command.to_owned()),
            _ => return Err(SpecError::Unknown(shown(text))),
        })
    }
}

/// `FILE`, `POLICY` or `FILE:POLICY`. A file's name may have colons of its own: the policy begins behind the
/// first one that the name of a policy follows.
fn table(text: &str) -> Result<PlayerKind, SpecError> {
    if LosingPolicy::is_meant(text) {
        return Ok(PlayerKind::Table { file: None, policy: Some(text.parse()?) });
    }
    for (at, _) in text.match_indices(':') {
        let (file, policy) = (&text[..at], &text[at + 1..]);
        if LosingPolicy::is_meant(policy) {
            return Ok(PlayerKind::Table { file: Some(file.into()), policy: Some(policy.parse()?) });
        }
    }
    Ok(PlayerKind::Table { file: Some(text.into()), policy: None })
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> PlayerKind {
        text.parse::<Spec>().unwrap().kind
    }

    fn table(file: Option<&str>, policy: impl Into<Option<LosingPolicy>>) -> PlayerKind {
        PlayerKind::Table { file: file.map(PathBuf::from), policy: policy.into() }
    }

    #[test]
    fn players_are_read_with_and_without_names() {
        let named: Spec = "alice=exec:./bot --x=1".parse().unwrap();
        assert_eq!(
            named,
            Spec { name: "alice".to_owned(), kind: PlayerKind::Exec("./bot --x=1".to_owned()) }
        );
        let unnamed: Spec = "exec:./bot --x=1".parse().unwrap();
        assert_eq!((unnamed.name.as_str(), unnamed.kind), ("exec:./bot --x=1", named.kind));
        assert_eq!(kind("minimax:12"), PlayerKind::Minimax(12));
        assert_eq!(kind("model:err:0.5"), PlayerKind::Model("err:0.5".parse().unwrap()));
    }

    #[test]
    fn a_table_is_a_file_a_policy_or_both() {
        let swindle = LosingPolicy::Swindle("err:0.1".parse().unwrap());
        assert_eq!(kind("table"), table(None, None));
        assert_eq!(kind("table:trap"), table(None, LosingPolicy::Trap));
        assert_eq!(kind("table:a.bouton"), table(Some("a.bouton"), None));
        assert_eq!(kind("table:C:\\a.bouton:trap"), table(Some("C:\\a.bouton"), LosingPolicy::Trap));
        assert_eq!(kind("table:a.bouton:swindle:err:0.1"), table(Some("a.bouton"), swindle));
        let stored = LosingPolicy::SwindleFrom("b.chances".into());
        assert_eq!(kind("table:a.bouton:swindle:b.chances"), table(Some("a.bouton"), stored));
    }

    #[test]
    fn what_is_no_player_says_what_players_are() {
        for (text, expected) in [
            ("", "there is no player ''; players are random"),
            ("bob", "there is no player 'bob'"),
            ("random:3", "there is no player 'random:3'"),
            ("minimax", "there is no player 'minimax'"),
            ("minimax:0", "minimax:0: the depth is a whole number from 1"),
            ("minimax:+3", "minimax:+3: the depth"),
            ("exec: ", "exec: wants a command"),
            ("table:trap:3", "there is no policy 'trap:3'"),
            ("table:a.bouton:swindle", "'' is no model"),
            ("model:perfekt", "'perfekt' is no model"),
        ] {
            let error = text.parse::<Spec>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
