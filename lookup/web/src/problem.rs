//! Errors, as the service words them (RFC 9457).

use bouton_answers::Refusal;
use serde::Serialize;

/// Why a request fails.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: &'static str,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
}

impl Problem {
    /// What is asked is nothing that can be asked.
    pub(crate) fn request(detail: String) -> Self {
        Self { kind: "urn:bouton:bad-request", title: "Invalid request", status: 400, detail }
    }

    /// There is no such table.
    pub(crate) fn no_table(name: &str) -> Self {
        let detail = format!("there is no table '{name}'");
        Self { kind: "urn:bouton:no-such-table", title: "No such table", status: 404, detail }
    }

    /// The answer would take too much.
    pub(crate) fn too_much(detail: String) -> Self {
        Self { kind: "urn:bouton:too-much", title: "The answer would exceed a limit", status: 422, detail }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let damaged = |detail| Self {
            kind: "urn:bouton:damaged-table",
            title: "The table is damaged",
            status: 503,
            detail,
        };
        match refusal {
            Refusal::Question(detail) => Self::request(detail),
            Refusal::Position(detail) => {
                Self { kind: "urn:bouton:bad-position", title: "Invalid position", status: 400, detail }
            }
            Refusal::TooMuch(detail) => Self::too_much(detail),
            Refusal::Damaged(detail) => damaged(detail),
        }
    }
}
