//! Cache headers and entity tags of answers.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use headers::{ETag, HeaderMapExt, IfNoneMatch};

/// Returns the entity tag of an answer from tables with these digests. It is weak: the compressed answer has the same tag.
pub(crate) fn tag(digests: &[&str]) -> HeaderValue {
    let short: Vec<&str> = digests.iter().map(|digest| &digest[..16.min(digest.len())]).collect();
    let tag = format!("W/\"{}-{}\"", short.join("-"), env!("CARGO_PKG_VERSION"));
    HeaderValue::try_from(tag).expect("digits and letters are a header")
}

/// Returns an answer that clients may cache until its tag changes; an empty one with status 304 if the client has this
/// answer. The caller computes the answer in any case, because the question may turn out to be invalid.
pub(crate) fn tagged(
    headers: &HeaderMap,
    media_type: &'static str,
    body: impl Into<Body>,
    tag: &HeaderValue,
) -> Response {
    let mut response = if is_cached(headers, tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        ([(CONTENT_TYPE, HeaderValue::from_static(media_type))], body.into()).into_response()
    };
    response.headers_mut().insert(ETAG, tag.clone());
    // Clients cache the answer, but check its tag before each use: a table may be replaced at any moment.
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The `cache-control` of an answer that never changes at its address.
pub(crate) const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// The `cache-control` of an answer that changes only with the version of the program.
pub(crate) const FOR_A_DAY: &str = "public, max-age=86400";

fn is_cached(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    // Few clients send the header, and parsing takes longer than this test.
    if !headers.contains_key(IF_NONE_MATCH) {
        return false;
    }
    let cached: Option<IfNoneMatch> = headers.typed_get();
    let tag: Option<ETag> = tag.to_str().ok().and_then(|tag| tag.parse().ok());
    cached.zip(tag).is_some_and(|(cached, tag)| !cached.precondition_passes(&tag))
}

/// Returns an answer that clients must not cache.
pub(crate) fn uncached(media_type: &'static str, body: impl Into<Body>) -> Response {
    ([(CONTENT_TYPE, media_type), (CACHE_CONTROL, "no-store")], body.into()).into_response()
}

pub(crate) const JSON: &str = "application/json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cached_answer_is_not_sent_again() {
        let tag = tag(&["0123456789abcdef0123"]);
        assert!(tag.to_str().unwrap().starts_with("W/\"0123456789abcdef-"));
        let status = |headers: &HeaderMap| tagged(headers, JSON, "{}", &tag).status();
        let status_with = |value: &str| {
            status(&HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_str(value).unwrap())]))
        };
        let same = tag.to_str().unwrap();
        assert_eq!(status_with(same), StatusCode::NOT_MODIFIED);
        assert_eq!(status_with(&format!("\"x\", {same}")), StatusCode::NOT_MODIFIED);
        assert_eq!(status_with("*"), StatusCode::NOT_MODIFIED);
        assert_eq!(status_with("\"0123\""), StatusCode::OK);
        assert_eq!(status_with("nonsense"), StatusCode::OK);
        assert_eq!(status(&HeaderMap::new()), StatusCode::OK);
    }
}
