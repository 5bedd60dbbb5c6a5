//! What is read from a request, with errors that say what is wrong.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use bouton_lookup::{Options, Policy};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::{IntoParams, ToSchema};

use crate::problem::Problem;

/// The name of a table, from the path.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Name {
    /// The name of a table, as /api/tables lists it.
    #[param(example = "sticks")]
    pub(super) name: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path: Result<Path<Self>, PathRejection> = Path::from_request_parts(parts, state).await;
        let Path(name) = path.map_err(|error| Problem::NoSuchTable(format!("this is no name: {error}")))?;
        Ok(name)
    }
}

/// The parameters of a query. One that is not known, or is there twice, is an error.
pub(super) struct Params<T>(pub(super) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Params<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let query: Result<Query<T>, QueryRejection> = Query::try_from_uri(&parts.uri);
        let Query(params) = query.map_err(|error| {
            let text = error.body_text();
            let what = text.strip_prefix("Failed to deserialize query string: ").unwrap_or(&text);
            Problem::BadRequest(format!("the query: {what}; /api/openapi.json tells the parameters"))
        })?;
        Ok(Self(params))
    }
}

/// A position alone.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct At {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub(super) position: String,
}

/// How to choose.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct How {
    /// Whether to list every legal move.
    #[serde(default)]
    pub(super) moves: bool,
    /// How to choose in a lost position: longest (the default; fastest is the same), or trap.
    #[param(inline)]
    pub(super) policy: Option<PolicyName>,
}

impl How {
    pub(super) fn options(&self) -> Options {
        Options { policy: PolicyName::policy(self.policy), moves: self.moves }
    }
}

/// How to choose in a lost position.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum PolicyName {
    /// The default, as `longest`: a won position is always won as fast as can be.
    Fastest,
    /// The greatest depth.
    Longest,
    /// The move after which the smallest share of the opponent's replies keeps the win.
    Trap,
}

impl PolicyName {
    /// The policy of an optional parameter.
    pub(super) fn policy(name: Option<Self>) -> Policy {
        match name {
            None | Some(Self::Fastest | Self::Longest) => Policy::Longest,
            Some(Self::Trap) => Policy::Trap,
        }
    }
}
