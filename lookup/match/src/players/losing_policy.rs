//! How a player with a table plays lost positions. It wins every won position as fast as possible.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bouton_tables::printable::shorten;

use crate::models::{Model, NotationError};

/// A way to play lost positions.
#[derive(Clone, Debug, PartialEq)]
pub enum LosingPolicy {
    /// The move that loses latest against best play.
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies.
    Trap,
    /// One stone: the first legal move.
    TakesOne,
    /// Any legal move, all equally likely.
    Random,
    /// One stone with a reset as long as there are resets, then like [`Longest`](Self::Longest).
    Resets,
    /// The best response to a model of the opponent.
    Swindle(Model),
    /// The same, with chances from a file.
    SwindleFrom(PathBuf),
    /// The best response to an opponent who has one of the habits of a mixture; which one is learned from their moves.
    /// Without a mixture, [`usual_opponents`].
    Adapt(Option<Model>),
}

/// The values of `--policy` and `table:FILE:POLICY`.
const POLICIES: &str =
    "longest, trap, takes-one, random, resets, swindle:MODEL, swindle:FILE.chances, adapt, adapt:MODEL";

/// The opponents that [`LosingPolicy::Adapt`] expects by default. In games with resets: programs that misread the limit
/// after a reset, make the first, the last or any of the moves that then seem to win, and err now and then. An opponent
/// that only errs plays like one of them that never misreads.
#[must_use]
pub fn usual_opponents(resets: bool) -> Model {
    let usual = if resets { "misread:0.05/first+misread:0.05/last+misread:0.05" } else { "err:0.05" };
    usual.parse().expect("it is a model")
}

impl LosingPolicy {
    /// The default policy in a game of this many positions: the best against real opponents, if it takes at most a few
    /// seconds to prepare.
    #[must_use]
    pub fn usual(positions: u64) -> Self {
        const MOST: u64 = 2_000_000;
        if positions <= MOST { Self::Adapt(None) } else { Self::Longest }
    }

    /// Whether a text begins with the name of a policy.
    #[must_use]
    pub fn is_meant(text: &str) -> bool {
        let name = text.split(':').next().unwrap_or_default();
        ["longest", "fastest", "trap", "takes-one", "random", "resets", "swindle", "adapt"].contains(&name)
    }
}

impl FromStr for LosingPolicy {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            // The defaults for lost and for won positions.
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
                let text = shorten(text, 60);
                return Err(NotationError(format!("there is no policy '{text}'; policies are: {POLICIES}")));
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
