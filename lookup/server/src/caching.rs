//! Whether a client still has the answer.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};

/// The entity tag of what comes from these digests and this version of the program. A weak one: compressed or not, it
/// is the same answer.
pub(crate) fn tag(digests: &[&str]) -> HeaderValue {
    let short: Vec<&str> = digests.iter().map(|digest| &digest[..16.min(digest.len())]).collect();
    let tag = format!("W/\"{}-{}\"", short.join("-"), env!("CARGO_PKG_VERSION"));
    HeaderValue::try_from(tag).expect("digits and letters are a header")
}

/// The answer to a client that still has it: 304, if it said so.
pub(crate) fn unchanged(headers: &HeaderMap, tag: &HeaderValue) -> Option<Response> {
    if !headers.contains_key(axum::http::header::IF_NONE_MATCH) {
        return None;
    }
    let asked: IfNoneMatch = headers.typed_get()?;
    let tag_of: ETag = tag.to_str().ok()?.parse().ok()?;
    let unchanged = !asked.precondition_passes(&tag_of);
    unchanged.then(|| with_tag(StatusCode::NOT_MODIFIED.into_response(), tag))
}

/// An answer that may be kept as long as its tag holds.
pub(crate) fn tagged(kind: &'static str, body: impl Into<Body>, tag: &HeaderValue) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    with_tag(response, tag)
}

fn with_tag(mut response: Response, tag: &HeaderValue) -> Response {
    response.headers_mut().insert(ETAG, tag.clone());
    // Kept, but asked about each time: a table may be replaced at any moment.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// An answer that is not to be kept.
pub(crate) fn untagged(kind: &'static str, body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

pub(crate) const JSON: &str = "application/json";

#[cfg(test)]
mod tests {
    use axum::http::header::IF_NONE_MATCH;

    use super::*;

    #[test]
    fn what_a_client_has_is_not_sent_again() {
        let tag = tag(&["0123456789abcdef0123"]);
        assert!(tag.to_str().unwrap().starts_with("W/\"0123456789abcdef-"));
        let asked = |value: &str| {
            let headers = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap())]);
            unchanged(&headers, &tag).map(|response| response.status())
        };
        let same = tag.to_str().unwrap();
        assert_eq!(asked(same), Some(StatusCode::NOT_MODIFIED));
        assert_eq!(asked(&format!("\"x\", {same}")), Some(StatusCode::NOT_MODIFIED));
        assert_eq!(asked("*"), Some(StatusCode::NOT_MODIFIED));
        assert_eq!(asked("\"0123\""), None);
        assert_eq!(asked("nonsense"), None);
        assert!(unchanged(&HeaderMap::new(), &tag).is_none());
    }
}
