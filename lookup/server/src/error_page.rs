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
    let (style, icon) = (page::first_file(".css"), page::first_file(".svg"));
    let (title, detail) = (escaped(title), escaped(detail));
    let status = status.as_u16();
    format!(
        r#"<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title} - Bouton</title>
    <link rel="icon" href="/page/{icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="/page/{style}" />
  </head>
  <body>
    <header>
      <h1>
        <img src="/page/{icon}" alt="" width="36" height="36" />
        Bouton
      </h1>
    </header>
    <main>
      <div class="card">
        <h2>{title}</h2>
        <p>{detail}</p>
        <p><a href="/">Play</a></p>
        <p class="aside">Status {status}, request {request}</p>
      </div>
    </main>
  </body>
</html>
"#
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
