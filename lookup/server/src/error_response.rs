//! The responses to requests that fail: JSON, or an HTML page for people who open an address of the service in a browser.

use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::accept_header::weight;
use crate::problem::{Problem, ProblemBody};
use crate::{limits, page};

impl Problem {
    /// Returns the response: HTML or JSON by the `accept` header, with the id of the request.
    pub(crate) fn answer(&self, request: &str, accept: Option<&HeaderValue>) -> Response {
        let (status, kind, title) = self.kind();
        let (kind, detail) = (format!("urn:bouton:{kind}"), self.detail());
        // Not cacheable: a missing table may appear in a second.
        let headers = |media_type| [(CONTENT_TYPE, media_type), (CACHE_CONTROL, "no-store")];
        let mut response = if prefers_html(accept) {
            let html = error_page(status, title, &detail, request);
            (status, headers("text/html; charset=utf-8"), page::POLICIES, html).into_response()
        } else {
            let body = ProblemBody { kind: &kind, title, status: status.as_u16(), detail: &detail, request };
            let json = serde_json::to_string(&body).expect("texts and numbers are JSON");
            (status, headers("application/problem+json"), json).into_response()
        };
        if matches!(self, Self::Encoded(_)) {
            response.headers_mut().insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        }
        if matches!(self, Self::Busy | Self::Crowded(_)) {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(limits::MAX_WAIT.as_secs()));
        }
        if matches!(self, Self::Crowded(_)) {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        response
    }
}

/// Returns whether a client prefers HTML to JSON, as browsers do when people open an address.
fn prefers_html(accept: Option<&HeaderValue>) -> bool {
    let Some(accept) = accept.and_then(|accept| accept.to_str().ok()) else { return false };
    weight(accept, &["text/html"]) > weight(accept, &["application/json", "application/problem+json"])
}

/// Returns the page of an error.
fn error_page(status: StatusCode, title: &str, detail: &str, request: &str) -> String {
    format!(
        include_str!("error_page.html"),
        title = escaped(title),
        detail = escaped(detail),
        status = status.as_u16(),
        request = request,
        style = page::file_name("main", ".css"),
        icon = page::file_name("icon", ".svg"),
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_prefer_html_and_programs_json() {
        let prefers = |accept: &'static str| prefers_html(Some(&HeaderValue::from_static(accept)));
        for accept in [
            "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8",
            "TEXT/HTML",
            "application/json;q=0.5, text/html;q=0.6",
        ] {
            assert!(prefers(accept), "{accept}");
        }
        for accept in [
            "*/*",
            "",
            "application/json",
            "application/json, text/html",
            "text/html;q=0",
            "text/*",
            "text/html;q=x",
        ] {
            assert!(!prefers(accept), "{accept}");
        }
        assert!(!prefers_html(None));
    }

    #[test]
    fn texts_are_escaped_in_html() {
        let page = error_page(StatusCode::NOT_FOUND, "a & b", "<script>\"", "id");
        assert!(
            page.contains("<h2>a &amp; b</h2>") && page.contains("<p>&lt;script&gt;&quot;</p>"),
            "{page}"
        );
    }
}
