//! Whether a client still has the answer.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
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

/// An answer that may be kept as long as its tag holds; 304 to a client that has it already. The answer is made in any
/// case: whether there is one is not known before.
pub(crate) fn tagged(
    asked: &HeaderMap,
    kind: &'static str,
    body: impl Into<Body>,
    tag: &HeaderValue,
) -> Response {
    let mut response = if is_kept(asked, tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, HeaderValue::from_static(kind))], body.into()).into_response()
    };
    response.headers_mut().insert(ETAG, tag.clone());
    // Kept, but asked about each time: a table may be replaced at any moment.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// An answer that never changes at its address: it is kept, and not asked about again.
pub(crate) fn for_ever(response: Response) -> Response {
    kept(response, "public, max-age=31536000, immutable")
}

/// An answer that changes with the version of the program only: it is kept, and asked about again after a day.
pub(crate) fn for_a_day(response: Response) -> Response {
    kept(response, "public, max-age=86400")
}

fn kept(mut response: Response, how: &'static str) -> Response {
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(how));
    response
}

/// Whether a client says that it has the answer of this tag.
fn is_kept(asked: &HeaderMap, tag: &HeaderValue) -> bool {
    // Few say so, and reading the header takes longer than looking whether it is there.
    if !asked.contains_key(IF_NONE_MATCH) {
        return false;
    }
    let asked: Option<IfNoneMatch> = asked.typed_get();
    let tag: Option<ETag> = tag.to_str().ok().and_then(|tag| tag.parse().ok());
    asked.zip(tag).is_some_and(|(asked, tag)| !asked.precondition_passes(&tag))
}

/// An answer that is not to be kept.
pub(crate) fn untagged(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store")], body.into()).into_response()
}

pub(crate) const JSON: &str = "application/json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_has_is_not_sent_again() {
        let tag = tag(&["0123456789abcdef0123"]);
        assert!(tag.to_str().unwrap().starts_with("W/\"0123456789abcdef-"));
        let status = |asked: &HeaderMap| tagged(asked, JSON, "{}", &tag).status();
        let asked = |value: &str| {
            status(&HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap())]))
        };
        let same = tag.to_str().unwrap();
        assert_eq!(asked(same), StatusCode::NOT_MODIFIED);
        assert_eq!(asked(&format!("\"x\", {same}")), StatusCode::NOT_MODIFIED);
        assert_eq!(asked("*"), StatusCode::NOT_MODIFIED);
        assert_eq!(asked("\"0123\""), StatusCode::OK);
        assert_eq!(asked("nonsense"), StatusCode::OK);
        assert_eq!(status(&HeaderMap::new()), StatusCode::OK);
    }
}
