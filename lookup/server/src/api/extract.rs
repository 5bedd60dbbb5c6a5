//! What is read from a request, with errors that say what is wrong.

use axum::extract::rejection::{PathRejection, QueryRejection};
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::request::Parts;
use bouton_lookup::{Options, Policy};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;

use crate::problem::Problem;

/// The name of a table, from the path.
#[derive(IntoParams)]
#[into_params(names("name"), parameter_in = Path)]
pub(super) struct Name(pub(super) String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path: Result<Path<String>, PathRejection> = Path::from_request_parts(parts, state).await;
        let Path(name) = path.map_err(|error| Problem::NoSuchTable(format!("this is no name: {error}")))?;
        Ok(Self(name))
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
    #[param(inline, schema_with = policy_schema)]
    pub(super) policy: Option<String>,
}

impl How {
    pub(super) fn options(&self) -> Result<Options, Problem> {
        Ok(Options { policy: policy(self.policy.as_deref())?, moves: self.moves })
    }
}

/// A policy by its name; the default if none is given.
pub(super) fn policy(name: Option<&str>) -> Result<Policy, Problem> {
    name.map_or(Ok(Policy::default()), |name| name.parse().map_err(Problem::BadRequest))
}

pub(super) fn policy_schema() -> utoipa::openapi::schema::Object {
    utoipa::openapi::schema::ObjectBuilder::new()
        .schema_type(utoipa::openapi::schema::Type::String)
        .enum_values(Some(["fastest", "longest", "trap"]))
        .build()
}
