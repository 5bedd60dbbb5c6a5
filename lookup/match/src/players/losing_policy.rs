//! Policies: how a player with a table plays lost positions. With any policy, it wins won positions as fast as possible.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use bouton_tables::printable::shorten;

use crate::models::Model;

/// A way to play lost positions.
#[derive(Clone, Debug, PartialEq)]
pub enum LosingPolicy {
    /// The move that loses latest against best play.
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies.
    Trap,
    /// The first legal move, which takes one stone in Expanding Nim.
    TakesOne,
    /// Any legal move, all equally likely.
    Random,
    /// One stone with a reset as long as there are resets, then like [`Longest`](Self::Longest).
    Resets,
    /// The best response to a model of the opponent.
    Swindle(Model),
    /// The best response to a model, with the chances from a file.
    SwindleFrom(PathBuf),
    /// The best response to a habit that the player learns: one of this mixture, by default of [`usual_opponents`].
    Adapt(Option<Model>),
}

/// All policies, as messages list them.
pub(super) const POLICIES: &str = "longest, trap, takes-one, random, resets, swindle:MODEL, swindle:FILE.chances, adapt, \
                                   adapt:MODEL";

/// Names of the policies that need no model.
const WITHOUT_MODEL: [(&str, LosingPolicy); 6] = [
    ("longest", LosingPolicy::Longest),
    ("trap", LosingPolicy::Trap),
    ("takes-one", LosingPolicy::TakesOne),
    ("random", LosingPolicy::Random),
    ("resets", LosingPolicy::Resets),
    ("adapt", LosingPolicy::Adapt(None)),
];

/// Returns the opponents that [`LosingPolicy::Adapt`] expects by default. In games with resets these are programs
/// that misread the limit after a reset, hardly ever err, and make the first, the last or any of the moves that seem
/// to win; and, with a smaller weight, a program that errs now and then.
///
/// The weight of the erring program is small on purpose. Until the first reset it cannot be distinguished from a
/// program that misreads, and a player that waits for errors misses the time for resets. Once the opponent has read a
/// reset correctly, Bayes' rule leaves little of the other weights.
pub fn usual_opponents(resets: bool) -> Model {
    let usual = if resets {
        "0.283*misread:0.002/first+0.283*misread:0.002/last+0.283*misread:0.002+0.151*err:0.05"
    } else {
        "err:0.05"
    };
    usual.parse().expect("it is a model")
}

impl LosingPolicy {
    /// Returns true if a text begins with the name of a policy.
    pub(super) fn begins_with_policy(text: &str) -> bool {
        let name = text.split(':').next().unwrap_or_default();
        ["fastest", "swindle"].contains(&name)
            || WITHOUT_MODEL.iter().any(|(name_only, _)| *name_only == name)
    }
}

impl FromStr for LosingPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name_only = text.strip_suffix(':').unwrap_or(text);
        if let Some((_, policy)) = WITHOUT_MODEL.into_iter().find(|(name, _)| *name == name_only) {
            return Ok(policy);
        }
        Ok(match text.split_once(':').unwrap_or((text, "")) {
            // `bouton-lookup` accepts `fastest`, its policy of won positions, for the default policy of lost ones, too.
            ("fastest", "") => Self::Longest,
            ("swindle", file) if file.ends_with(".chances") => Self::SwindleFrom(file.into()),
            ("swindle", model) => Self::Swindle(model.parse()?),
            ("adapt", model) => Self::Adapt(Some(model.parse()?)),
            _ => {
                let text = shorten(text, 60);
                return Err(format!("there is no policy '{text}'; policies are: {POLICIES}"));
            }
        })
    }
}

impl fmt::Display for LosingPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Swindle(model) => write!(f, "swindle:{model}"),
            Self::SwindleFrom(file) => write!(f, "swindle:{}", file.display()),
            Self::Adapt(Some(model)) => write!(f, "adapt:{model}"),
            name_only => f.write_str(
                WITHOUT_MODEL.iter().find(|(_, known)| known == name_only).expect("all others are plain").0,
            ),
        }
    }
}
