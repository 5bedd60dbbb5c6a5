//! The parameters of a request.

use std::collections::BTreeMap;

use axum::Form;
use axum::extract::{FromRequest, Query, Request};
use axum::http::header::CONTENT_LENGTH;
use axum::http::{Method, StatusCode};
use axum::response::IntoResponse;
use bouton_tables::printable::shorten;

use super::pages::Refusal;

/// The parameters of a request, from its query and its form; the form takes precedence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters(BTreeMap<String, String>);

type Pairs = Vec<(String, String)>;

impl<S: Sync> FromRequest<S> for Parameters {
    type Rejection = Refusal;

    async fn from_request(request: Request, _: &S) -> Result<Self, Refusal> {
        let asked = Query::<Pairs>::try_from_uri(request.uri());
        let Query(mut pairs) = asked.map_err(|error| Refusal(StatusCode::BAD_REQUEST, error.body_text()))?;
        let has_no_body = request.headers().get(CONTENT_LENGTH).is_none_or(|length| length == "0")
            && !request.headers().contains_key("transfer-encoding");
        if request.method() == Method::POST && !has_no_body {
            match Form::<Pairs>::from_request(request, &()).await {
                Ok(Form(more)) => pairs.extend(more),
                Err(error) => {
                    let text = error.to_string();
                    let expected = "give the parameters in the query or in a form of at most 4096 bytes \
                                    (application/x-www-form-urlencoded)";
                    return Err(Refusal(error.into_response().status(), format!("{text}; {expected}")));
                }
            }
        }
        Ok(Self(pairs.into_iter().collect()))
    }
}

impl Parameters {
    /// A parameter, if present and not empty.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// A required parameter.
    pub(super) fn need(&self, key: &str) -> Result<&str, String> {
        self.get(key).ok_or_else(|| format!("The parameter {key} is missing."))
    }

    /// The secret that identifies a player; empty if it is missing, which is nobody's.
    pub(super) fn token(&self) -> &str {
        self.get("token").unwrap_or_default()
    }

    /// A required whole number, which may be negative.
    pub(super) fn whole_number(&self, key: &str) -> Result<i64, String> {
        let text = self.need(key)?;
        text.parse().map_err(|_| {
            let found = shorten(text, 40);
            format!("{key}: found {found}, expected a whole number.")
        })
    }
}

#[cfg(test)]
impl Parameters {
    pub(super) fn from_pairs(pairs: &[(&str, &str)]) -> Self {
        Self(pairs.iter().map(|&(key, value)| (key.to_owned(), value.to_owned())).collect())
    }
}
