//! The HTML page of an error, for people who open an address of the service in a browser.

use axum::http::{HeaderValue, StatusCode};

use crate::accept_header::weight;
use crate::page;

/// Returns whether a client prefers HTML to JSON, as browsers do when people open an address.
pub(crate) fn prefers_html(accept: Option<&HeaderValue>) -> bool {
    let Some(accept) = accept.and_then(|accept| accept.to_str().ok()) else { return false };
    weight(accept, &["text/html"]) > weight(accept, &["application/json", "application/problem+json"])
}

/// Returns the page of an error.
pub(crate) fn error_page(status: StatusCode, title: &str, detail: &str, request: &str) -> String {
    format!(
        include_str!("error_page.html"),
        title = escaped(title),
        detail = escaped(detail),
        status = status.as_u16(),
        request = request,
        style = page::first_file(".css"),
        icon = page::first_file(".svg"),
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
