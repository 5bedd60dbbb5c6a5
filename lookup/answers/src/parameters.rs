//! Reads questions from the parameters of a request, such as `position=3,5,7` and `policy=trap`.

use std::str::FromStr;

use bouton_lookup::Policy;
use serde::de::value::{Error as ValueError, MapDeserializer};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

/// The parameters of a question that has none.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoParameters {}

/// How to choose a move in a lost position.
#[derive(Debug, ToSchema)]
#[schema(rename_all = "lowercase")]
#[allow(dead_code, reason = "it describes `Policy`, for the interface's description")]
pub enum PolicyName {
    /// The same as `longest`. In a won position, the fastest win is always chosen.
    Fastest,
    /// The move that loses latest (the default).
    Longest,
    /// The move that leaves the opponent the smallest fraction of winning replies.
    Trap,
}

/// Reads a question from the names and values of its parameters.
///
/// # Errors
/// If a parameter is missing, unknown, given twice, or has an invalid value: the reason, for the sender of the request.
pub fn read_parameters<'a, Q: DeserializeOwned>(
    given: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Q, String> {
    Q::deserialize(MapDeserializer::new(given.into_iter()))
        .map_err(|error: ValueError| reword(&error.to_string()))
}

/// Rewords an error of serde for the sender of the request.
fn reword(text: &str) -> String {
    let unknown = text.strip_prefix("unknown field ").and_then(|rest| rest.split_once("`, "));
    let reworded = if let Some(name) = text.strip_prefix("missing field ") {
        format!("the parameter {name} is missing")
    } else if let Some(name) = text.strip_prefix("duplicate field ") {
        format!("the parameter {name} is given twice")
    } else if let Some((name, known)) = unknown {
        let known = match known.strip_prefix("expected ") {
            None => ", as none is expected".to_owned(),
            Some(known) => match known.strip_prefix("one of ") {
                Some(several) => format!("; there are {several}"),
                None => format!("; there is {known}"),
            },
        };
        format!("there is no parameter {name}`{known}")
    } else {
        return text.to_owned();
    };
    reworded.replace('`', "'")
}

/// Reads the value of a parameter; `allowed` describes the valid values in the error.
pub(crate) fn read_value<'de, T: FromStr, D: Deserializer<'de>>(
    deserializer: D,
    name: &str,
    allowed: &str,
    is_allowed: impl Fn(&T) -> bool,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().ok().filter(is_allowed).ok_or_else(|| {
        let found: String = text.chars().take(40).collect();
        D::Error::custom(format!("{name}: found '{found}', expected {allowed}"))
    })
}

/// Reads the parameter `moves` as the choice whether to list all legal moves.
///
/// # Errors
/// If the value is neither true nor false.
pub fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    read_value(deserializer, "moves", "true or false", |_| true)
}

/// Reads the parameter `policy`.
///
/// # Errors
/// If there is no such policy.
pub fn policy<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Policy, D::Error> {
    read_value(deserializer, "policy", "fastest, longest or trap", |_| true)
}
