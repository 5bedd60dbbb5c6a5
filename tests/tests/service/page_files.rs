//! The page's files: few, compressed, and cached by browsers forever.

use std::io::Read;

use bouton_tests::service::Server;
use flate2::read::GzDecoder;

use super::small;

/// Returns the paths of all files that a page names.
fn named_files(html: &str) -> Vec<String> {
    let parts = ["src=\"page/", "href=\"page/"].into_iter().flat_map(|before| html.split(before).skip(1));
    let mut names: Vec<String> =
        parts.map(|part| format!("/page/{}", part.split('"').next().unwrap())).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn a_visit_loads_one_script_one_style_sheet_and_one_icon() {
    let folder = small();
    let server = Server::of(folder.path());
    let page = server.get("/");
    let named_files = named_files(page.success_text());
    let mut endings: Vec<&str> = named_files.iter().map(|name| name.rsplit('.').next().unwrap()).collect();
    endings.sort_unstable();
    assert_eq!(endings, ["css", "js", "svg"], "{named_files:?}");
    let mut bytes = 0;
    for path in named_files.iter().map(String::as_str).chain(["/"]) {
        let answer = server.get_with(path, &[("accept-encoding", "br")]);
        assert_eq!((answer.status, answer.header("content-encoding")), (200, Some("br")), "{path}");
        bytes += answer.body.len();
    }
    assert!(bytes < 70_000, "{bytes}");
}

#[test]
fn files_are_cached_forever_and_the_page_is_revalidated() {
    let folder = small();
    let server = Server::of(folder.path());
    let page = server.get("/");
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    let tag = page.header("etag").expect("the page has an ETag");
    for coding in ["br", "gzip", "identity"] {
        let again = server.get_with("/", &[("if-none-match", tag), ("accept-encoding", coding)]);
        assert_eq!((again.status, again.header("content-encoding")), (304, None), "{coding}: {again}");
        assert_eq!(again.header("vary"), Some("accept-encoding"), "{coding}");
    }
    for path in named_files(page.success_text()) {
        let answer = server.get(&path);
        assert_eq!(answer.header("cache-control"), Some("public, max-age=31536000, immutable"), "{path}");
    }
    for path in ["/page/main.js", "/page/index.html", "/page/main-0000000000000000.js", "/page/../Cargo.toml"]
    {
        let _ = server.get(path).problem(404, "no-such-page");
    }
}

#[test]
fn a_file_is_the_same_with_every_compression() {
    let folder = small();
    let server = Server::of(folder.path());
    for path in named_files(server.get("/").success_text()).iter().map(String::as_str).chain(["/"]) {
        let plain = server.get(path);
        assert_eq!(plain.header("content-encoding"), None);
        for (accepted, coding) in
            [("gzip", "gzip"), ("gzip, deflate, br, zstd", "br"), ("br;q=0, gzip", "gzip")]
        {
            let answer = server.get_with(path, &[("accept-encoding", accepted)]);
            assert_eq!(answer.header("content-encoding"), Some(coding), "{path} {accepted}");
            assert_eq!(answer.header("vary"), Some("accept-encoding"), "{path}");
            assert_eq!(answer.header("content-type"), plain.header("content-type"), "{path}");
            let mut bytes = Vec::new();
            match coding {
                "gzip" => GzDecoder::new(&*answer.body).read_to_end(&mut bytes).unwrap(),
                _ => brotli::Decompressor::new(&*answer.body, 4096).read_to_end(&mut bytes).unwrap(),
            };
            assert!(bytes == plain.body, "{path} {accepted}");
        }
    }
}
