//! How a player with a table plays lost positions. A won one he wins, always and as fast as he can.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bouton_tables::printable::shorten;
use thiserror::Error;

use crate::models::{Model, ModelError};

/// A way to play lost positions.
#[derive(Clone, Debug, PartialEq)]
pub enum LosingPolicy {
    /// The move that loses latest against best play.
    Longest,
    /// The move after which the smallest share of the replies keeps the opponent's win.
    Trap,
    /// One stone: the first legal move.
    TakesOne,
    /// Any legal move, each as likely.
    Random,
    /// One stone with a reset as long as there are resets, then as [`Longest`](Self::Longest).
    Resets,
    /// The best response to a model of the opponent.
    Swindle(Model),
    /// The same, with the chances read from a file that was made before.
    SwindleFrom(PathBuf),
    /// The best response to a mixture of habits of which the opponent has one: how likely each is, is learned
    /// from his moves. Without a mixture, [`usual_opponents`].
    Adapt(Option<Model>),
}

/// What `--policy` and `table:FILE:POLICY` take.
const POLICIES: &str =
    "longest, trap, takes-one, random, resets, swindle:MODEL, swindle:FILE.chances, adapt, adapt:MODEL";

/// The opponents that [`LosingPolicy::Adapt`] reckons with if nothing else is said. With resets: programs that misread
/// the limit after one, and make the first, the last or any of the moves that seem to win; they err now and
/// then too. Whoever does nothing but err plays as one of them who happens not to misread.
#[must_use]
pub fn usual_opponents(resets: bool) -> Model {
    let usual = if resets { "misread:0.05/first+misread:0.05/last+misread:0.05" } else { "err:0.05" };
    usual.parse().expect("it is a model")
}

/// A text that is no policy.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum LosingPolicyError {
    /// No such policy.
    #[error("there is no policy '{0}'; policies are: {POLICIES}")]
    Unknown(String),
    /// Its model is none.
    #[error(transparent)]
    Model(#[from] ModelError),
}

impl LosingPolicy {
    /// The policy of a player of whom nothing else is said: what does best over the opponents that there are,
    /// as long as computing it takes a few seconds.
    #[must_use]
    pub fn usual(positions: u64) -> Self {
        const MOST: u64 = 2_000_000;
        if positions <= MOST { Self::Adapt(None) } else { Self::Longest }
    }

    /// Whether a text begins as a policy does.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let name = text.split(':').next().unwrap_or_default();
        ["longest", "fastest", "trap", "takes-one", "random", "resets", "swindle", "adapt"].contains(&name)
    }
}

impl FromStr for LosingPolicy {
    type Err = LosingPolicyError;

    fn from_str(text: &str) -> Result<Self, LosingPolicyError> {
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            // The two defaults, one for won positions and one for lost ones.
            ("longest" | "fastest", "") => Self::Longest,
            ("trap", "") => Self::Trap,
            ("takes-one", "") => Self::TakesOne,
            ("random", "") => Self::Random,
            ("resets", "") => Self::Resets,
            ("swindle", file) if file.ends_with(".chances") => Self::SwindleFrom(file.into()),
            ("swindle", model) => Self::Swindle(model.parse()?),
            ("adapt", "") => Self::Adapt(None),
            ("adapt", model) => Self::Adapt(Some(model.parse()?)),
            _ => {
                return Err(LosingPolicyError::Unknown(shorten(text, 60)));
            }
        })
    }
}

impl fmt::Display for LosingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Longest => f.write_str("longest"),
            Self::Trap => f.write_str("trap"),
            Self::TakesOne => f.write_str("takes-one"),
            Self::Random => f.write_str("random"),
            Self::Resets => f.write_str("resets"),
            Self::Swindle(model) => write!(f, "swindle:{model}"),
            Self::SwindleFrom(file) => write!(f, "swindle:{}", file.display()),
            Self::Adapt(None) => f.write_str("adapt"),
            Self::Adapt(Some(model)) => write!(f, "adapt:{model}"),
        }
    }
}
