//! Parses the requests of the page: a line `NAME=VALUE` for each parameter, without percent-encoding. (A JSON parser
//! would enlarge the program by a tenth.)

use bouton_answers::{Refusal, read_parameters};
use serde::de::DeserializeOwned;

/// The parameters of a request, by name.
pub(crate) struct Request<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Request<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self(text.lines().map(|line| line.split_once('=').unwrap_or((line, ""))).collect())
    }

    /// Removes a parameter, and returns its value; empty if it is absent.
    pub(crate) fn take(&mut self, name: &str) -> &'a str {
        let at = self.0.iter().position(|(known, _)| *known == name);
        at.map_or("", |at| self.0.remove(at).1)
    }

    /// Reads a question from the parameters.
    pub(crate) fn question<Q: DeserializeOwned>(self) -> Result<Q, Refusal> {
        read_parameters(self.0).map_err(Refusal::Question)
    }
}
