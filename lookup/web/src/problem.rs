//! Errors in the form of the service (RFC 9457).

use bouton_answers::Refusal;
use bouton_tables::OpenError;
use serde::Serialize;

/// The reason why a request fails: the body of its response.
#[derive(Debug, Serialize)]
pub(crate) struct Problem {
    #[serde(rename = "type")]
    kind: String,
    title: &'static str,
    pub(crate) status: u16,
    detail: String,
}

impl Problem {
    /// Returns the problem of a missing table.
    pub(crate) fn no_table(name: &str) -> Self {
        let detail = format!("there is no table '{name}'");
        Self { kind: "urn:bouton:no-such-table".to_owned(), title: "No such table", status: 404, detail }
    }
}

impl From<OpenError> for Problem {
    fn from(error: OpenError) -> Self {
        let (name, title) = match error {
            OpenError::Damaged(_) => ("damaged-table", "The table is damaged"),
            OpenError::Version { .. } | OpenError::Unknown { .. } => ("newer-table", "Unknown kind of table"),
            _ => ("not-a-table", "Not a table"),
        };
        Self { kind: format!("urn:bouton:{name}"), title, status: 400, detail: error.to_string() }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        let (status, name, title) = refusal.kind();
        Self { kind: format!("urn:bouton:{name}"), title, status, detail: refusal.to_string() }
    }
}
