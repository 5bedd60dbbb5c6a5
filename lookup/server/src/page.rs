//! Serves the page: static files, which `build.rs` bundles from the folder `page`, and the program embeds.

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use bouton_tables::printable::printable;

use crate::accept_header::accepts;
use crate::caching;
use crate::origin::is_origin;
use crate::problem::Problem;

/// An embedded file, with its compressed forms if they are shorter.
struct PageFile {
    name: &'static str,
    plain: &'static [u8],
    gzip: Option<&'static [u8]>,
    brotli: Option<&'static [u8]>,
}

/// All files. The first is `index.html`; the others have a hash of their content in their names.
const FILES: &[PageFile] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

const CONTENT_POLICY: &str = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; \
                              form-action 'none'; frame-ancestors 'none'";

/// Returns the content security policy that lets pages of these origins show the page in a frame.
///
/// # Errors
/// If one of them is not an origin.
pub(crate) fn policy_for_frames(origins: &[String]) -> Result<HeaderValue, String> {
    let is_allowed = |origin: &&String| *origin == "*" || *origin == "'self'" || is_origin(origin);
    if let Some(wrong) = origins.iter().find(|origin| !is_allowed(origin)) {
        return Err(format!(
            "found '{}' for --frame-ancestors; give an origin such as https://school.example, without a \
             path, 'self' in its quotes for this one, or '*' for all",
            printable(wrong)
        ));
    }
    let policy = CONTENT_POLICY.replace("ancestors 'none'", &format!("ancestors {}", origins.join(" ")));
    HeaderValue::from_str(&policy).map_err(|error| error.to_string())
}

/// Security headers of every file and of the error page.
pub(crate) const POLICIES: [(HeaderName, &str); 2] =
    [(CONTENT_SECURITY_POLICY, CONTENT_POLICY), (REFERRER_POLICY, "no-referrer")];

pub(crate) const PATHS: [&str; 2] = ["/", "/page/{file}"];

/// Returns the routes of the page; `frame_policy` replaces the default content security policy.
pub(crate) fn router<S: Clone + Send + Sync + 'static>(frame_policy: Option<HeaderValue>) -> Router<S> {
    let [start, file] = PATHS;
    let router = Router::new().route(start, get(async |headers: HeaderMap| serve_index(&headers))).route(
        file,
        get(async |file: Result<Path<String>, PathRejection>, headers: HeaderMap| {
            let Path(file) =
                file.map_err(|error| Problem::NoSuchPage(format!("this is not a name: {error}")))?;
            serve_file(&file, &headers)
        }),
    );
    let Some(policy) = frame_policy else { return router };
    router.layer(map_response(move |mut response: Response| {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy.clone());
        std::future::ready(response)
    }))
}

fn serve_index(headers: &HeaderMap) -> Response {
    let index = &FILES[0];
    let digest = blake3::hash(index.plain).to_hex();
    let (encoding, bytes) = index.encoded(headers);
    let tagged = caching::tagged(headers, index.content_type(), bytes, &caching::tag(&[&digest]));
    let mut response = (POLICIES, encoding, tagged).into_response();
    if response.status() == StatusCode::NOT_MODIFIED {
        // The response is empty, so it has no encoding.
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    response
}

fn serve_file(name: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let file = FILES[1..].iter().find(|file| file.name == name);
    let file =
        file.ok_or_else(|| Problem::NoSuchPage(format!("the page has no file '{name}'; it begins at /")))?;
    let (encoding, bytes) = file.encoded(headers);
    // The content under a hashed name never changes.
    let kept = [(CONTENT_TYPE, file.content_type()), (CACHE_CONTROL, caching::FOR_EVER)];
    Ok((POLICIES, encoding, kept, bytes).into_response())
}

/// Returns the name, with its hash, of a file with this stem and this ending.
pub(crate) fn file_name(stem: &str, ending: &str) -> &'static str {
    let is_wanted = |name: &&str| {
        let parts = name.strip_suffix(ending).and_then(|name| name.rsplit_once('-'));
        parts.is_some_and(|(found, _)| found == stem)
    };
    FILES.iter().map(|file| file.name).find(is_wanted).unwrap_or_default()
}

impl PageFile {
    /// Returns headers and content of the shortest form of the file that the client accepts.
    fn encoded(&self, headers: &HeaderMap) -> (HeaderMap, &'static [u8]) {
        let accepted =
            |name: &'static str, bytes: Option<_>| Some((name, bytes.filter(|_| accepts(headers, name))?));
        let mut encoding = HeaderMap::new();
        encoding.insert(VARY, HeaderValue::from_static("accept-encoding"));
        let Some((name, bytes)) = accepted("br", self.brotli).or_else(|| accepted("gzip", self.gzip)) else {
            return (encoding, self.plain);
        };
        encoding.insert(CONTENT_ENCODING, HeaderValue::from_static(name));
        (encoding, bytes)
    }

    fn content_type(&self) -> &'static str {
        match self.name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => "application/octet-stream",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_of_a_known_kind_and_the_first_names_the_others() {
        assert_eq!(FILES[0].name, "index.html");
        let index = std::str::from_utf8(FILES[0].plain).unwrap();
        for ending in [".js", ".css", ".svg"] {
            assert!(
                FILES[1..].iter().any(|file| file.name.ends_with(ending) && index.contains(file.name)),
                "{ending}"
            );
        }
        for file in FILES {
            assert_ne!(file.content_type(), "application/octet-stream", "{}", file.name);
        }
    }
}
