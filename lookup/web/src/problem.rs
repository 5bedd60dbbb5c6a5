//! Errors, as the service words them (RFC 9457).

use bouton_answers::{Kind, Refusal};
use serde::Serialize;

/// Why a request fails.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
}

impl Problem {
    /// What is asked is nothing that can be asked.
    pub(crate) fn request(detail: String) -> Self {
        Refusal::Question(detail).into()
    }

    /// There is no such table.
    pub(crate) fn no_table(name: &str) -> Self {
        let detail = format!("there is no table '{name}'");
        Self { kind: "urn:bouton:no-such-table".to_owned(), title: "No such table", status: 404, detail }
    }

    /// The answer would take too much.
    pub(crate) fn too_much(detail: String) -> Self {
        Refusal::TooMuch(detail).into()
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let Kind { status, name, title } = refusal.kind();
        Self { kind: format!("urn:bouton:{name}"), title, status, detail: refusal.to_string() }
    }
}
