//! The page: static files, built into the program.

use axum::Router;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::caching;
use crate::problem::Problem;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),*]
    };
}

/// All files of the folder `page`, by name.
const FILES: &[(&str, &[u8])] = files![
    "actions.js",
    "address.js",
    "alert.js",
    "api.js",
    "board-heaps.js",
    "board-pile.js",
    "board.css",
    "board.js",
    "challenge.js",
    "class.js",
    "dom.js",
    "gallery.js",
    "game-map.js",
    "game.js",
    "hints.js",
    "history.js",
    "icon.svg",
    "index.html",
    "kept.js",
    "keys.js",
    "language.js",
    "learn.js",
    "main.js",
    "map.js",
    "own.js",
    "panel.js",
    "panels.css",
    "present.js",
    "setup.js",
    "sheet.js",
    "sticks.js",
    "style.css",
    "terms.js",
    "transcript.js",
    "transport.js",
    "variants.js",
    "views.css",
    "why.js",
];

const INDEX: &str = "index.html";

const CONTENT_POLICY: &str =
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The paths of the page.
pub(crate) const PATHS: [&str; 2] = ["/", "/page/{file}"];

pub(crate) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    let [start, file] = PATHS;
    Router::new().route(start, get(async |headers: HeaderMap| give(INDEX, &headers))).route(
        file,
        get(async |file: Result<Path<String>, PathRejection>, headers: HeaderMap| {
            let Path(file) =
                file.map_err(|error| Problem::NoSuchPage(format!("this is not a name: {error}")))?;
            give(&file, &headers)
        }),
    )
}

fn give(name: &str, headers: &HeaderMap) -> Result<Response, Problem> {
    let file = FILES.iter().find(|(known, _)| *known == name);
    let (_, bytes) =
        file.ok_or_else(|| Problem::NoSuchPage(format!("the page has no file '{name}'; it begins at /")))?;
    let digest = blake3::hash(bytes).to_hex();
    let tag = caching::tag(&[&digest]);
    let policies = [(CONTENT_SECURITY_POLICY, CONTENT_POLICY), (REFERRER_POLICY, "no-referrer")];
    Ok((policies, caching::tagged(headers, kind(name), *bytes, &tag)).into_response())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_built_in_and_of_a_known_kind() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut there: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        there.sort();
        let mut built_in: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
        built_in.sort_unstable();
        assert_eq!(there, built_in);
        assert!(built_in.iter().all(|name| kind(name) != "application/octet-stream"));
    }
}
