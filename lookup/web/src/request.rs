//! Parses the requests of the page: a line `NAME=VALUE` for each parameter, without percent-encoding. (A JSON parser
//! would enlarge the program by a tenth.)

use bouton_answers::{DEFAULT_PLIES, MAX_PLIES, Refusal};
use bouton_lookup::Policy;

/// A request. The question determines which other parameters are used, as in the service's paths; absent ones are empty.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    /// The question, by the name of the service's path.
    pub(crate) ask: &'a str,
    /// The name of the table.
    pub(crate) table: &'a str,
    /// The name of the second table of a comparison.
    pub(crate) other: &'a str,
    /// The ruleset to solve, in the spelling of table names.
    pub(crate) ruleset: &'a str,
    pub(crate) position: &'a str,
    /// For `lookup` and `diff`: whether to list the legal moves. For `game`: the moves of the game.
    pub(crate) moves: &'a str,
    policy: &'a str,
    plies: &'a str,
}

impl<'a> Request<'a> {
    pub(crate) fn read(text: &'a str) -> Result<Self, Refusal> {
        let mut request = Self::default();
        let mut names = Vec::new();
        for line in text.lines() {
            let (name, value) = line.split_once('=').unwrap_or((line, ""));
            let field = match name {
                "ask" => &mut request.ask,
                "table" => &mut request.table,
                "other" => &mut request.other,
                "ruleset" => &mut request.ruleset,
                "position" => &mut request.position,
                "moves" => &mut request.moves,
                "policy" => &mut request.policy,
                "plies" => &mut request.plies,
                name => return Err(unexpected(name, "the name of a parameter")),
            };
            if names.contains(&name) {
                let what = format!("found '{name}' twice, expected each parameter once");
                return Err(Refusal::Question(what));
            }
            names.push(name);
            *field = value;
        }
        Ok(request)
    }

    pub(crate) fn policy(&self) -> Result<Policy, Refusal> {
        match self.policy {
            "" => Ok(Policy::default()),
            name => name.parse().map_err(|_| unexpected(name, "fastest, longest or trap")),
        }
    }

    /// Returns whether to list the legal moves.
    pub(crate) fn lists_moves(&self) -> Result<bool, Refusal> {
        match self.moves {
            "" => Ok(false),
            text => text.parse().map_err(|_| unexpected(text, "true or false")),
        }
    }

    /// Returns the maximum number of plies of a line.
    pub(crate) fn plies(&self) -> Result<usize, Refusal> {
        let allowed = |plies: &usize| (1..=MAX_PLIES).contains(plies);
        match self.plies {
            "" => Ok(DEFAULT_PLIES),
            text => text
                .parse()
                .ok()
                .filter(allowed)
                .ok_or_else(|| unexpected(text, &format!("a whole number from 1 to {MAX_PLIES}"))),
        }
    }
}

/// Returns the refusal of an unexpected text.
pub(crate) fn unexpected(text: &str, expected: &str) -> Refusal {
    let found: String = text.chars().take(40).collect();
    Refusal::Question(format!("found '{found}', expected {expected}"))
}
