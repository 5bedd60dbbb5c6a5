//! Which codings a client accepts.

use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue};

/// Whether a client accepts a coding: it names it, and does not refuse it.
pub(crate) fn accepts(headers: &HeaderMap, coding: &str) -> bool {
    let takes = |value: &HeaderValue| value.to_str().is_ok_and(|accepted| takes(accepted, coding));
    headers.get_all(ACCEPT_ENCODING).iter().any(takes)
}

fn takes(accepted: &str, coding: &str) -> bool {
    accepted.split(',').any(|part| {
        let (name, weight) = part.split_once(';').unwrap_or((part, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(coding) && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_taken_where_it_is_named_and_not_refused() {
        for accepted in ["gzip", "br, gzip", "GZIP;q=0.5", "deflate, gzip;q=1.0, *;q=0.5"] {
            assert!(takes(accepted, "gzip"), "{accepted}");
        }
        for accepted in ["", "br", "gzip;q=0", "gzip; q=0.0", "*;q=0", "identity;q=0", "xgzip"] {
            assert!(!takes(accepted, "gzip"), "{accepted}");
        }
        assert!(takes("gzip, br", "br"));
    }
}
