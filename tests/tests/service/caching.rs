//! Revalidation: a client with a cached answer sends the answer's `ETag`, and gets status 304 if it is still valid.

use bouton_tests::service::{Folder, Server, table};

use super::small;

/// Requests whose answers come from tables.
const QUESTIONS: [&str; 9] = [
    "/api/tables/sticks/lookup?position=3,5,7",
    "/api/tables/sticks/lookup?position=3,5,7&moves=true&policy=trap",
    "/api/tables/sticks/state?position=3,5,7",
    "/api/tables/sticks/game?position=3,5,7&moves=1:1,2:2",
    "/api/tables/sticks/line?position=3,5,7",
    "/api/tables/sticks/why?position=3,5,7",
    "/api/tables/sticks/map?position=3,5,7",
    "/api/tables/sticks/game-map?position=3,5,7",
    "/api/diff?a=sticks&b=wythoff&position=3,5",
];

#[test]
fn a_valid_cached_answer_is_not_sent_again() {
    let folder = small();
    let server = Server::of(folder.path());
    for path in QUESTIONS.into_iter().chain(["/api/tables/sticks"]) {
        let answer = server.get(path);
        let tag = answer.header("etag").unwrap_or_else(|| panic!("{path}: {answer}")).to_owned();
        assert!(tag.trim_start_matches("W/").starts_with('"') && tag.ends_with('"'), "{tag}");
        assert_eq!(answer.header("cache-control"), Some("no-cache"), "{path}");
        for tags_sent in [
            tag.clone(),
            "*".to_owned(),
            format!("\"other\", {tag}"),
            format!("{tag},\"other\""),
            format!("W/{}", tag.trim_start_matches("W/")),
        ] {
            let again = server.get_with(path, &[("if-none-match", &tags_sent)]);
            assert_eq!((again.status, again.body.as_slice()), (304, &b""[..]), "{path} {tags_sent}: {again}");
            assert_eq!(again.header("etag"), Some(&*tag), "{path}");
            assert_eq!(again.header("cache-control"), Some("no-cache"), "{path}");
        }
        for other in ["\"other\"", "W/\"\"", "other", ""] {
            let again = server.get_with(path, &[("if-none-match", other)]);
            assert_eq!((again.status, &again.body), (200, &answer.body), "{path} {other}");
        }
        let unzipped = server.get_with(path, &[("if-none-match", &tag), ("accept-encoding", "gzip")]);
        assert_eq!(unzipped.status, 304, "{path}");
        let zipped = server.get_with(path, &[("accept-encoding", "gzip")]);
        let zipped_tag = zipped.header("etag").expect("the compressed answer has an ETag");
        assert_eq!(server.get_with(path, &[("if-none-match", zipped_tag)]).status, 304, "{path}");
    }
}

#[test]
fn a_table_asked_for_by_its_digest_gives_the_same_answers() {
    let folder = small();
    let server = Server::of(folder.path());
    let digest =
        server.json("/api/tables/sticks")["digest"].as_str().expect("the table has a digest").to_owned();
    for path in &QUESTIONS[..7] {
        let by_name = server.get(path);
        let path = path.replace("sticks", &digest);
        let by_digest = server.get(&path);
        assert_eq!(by_digest.success_text(), by_name.success_text(), "{path}");
        assert_eq!(by_digest.header("cache-control"), Some("public, max-age=86400"), "{path}");
        let tag = by_digest.header("etag").expect("the answer has an ETag");
        assert_eq!(server.get_with(&path, &[("if-none-match", tag)]).status, 304, "{path}");
    }
    // The description may change, because it contains the table's name.
    let about = server.get(&format!("/api/tables/{digest}"));
    assert_eq!(
        (about.json()["name"].as_str(), about.header("cache-control")),
        (Some("sticks"), Some("no-cache"))
    );
    let batch = server.post(&format!("/api/tables/{digest}/lookup"), "[\"3,5,7\"]");
    assert_eq!(batch.json()[0], server.json(QUESTIONS[0]));
    let error = server.get(&format!("/api/tables/{digest}/lookup?position=x"));
    assert_eq!(error.header("cache-control"), Some("no-store"), "{error}");
    let unknown = "0".repeat(64);
    let detail =
        server.get(&format!("/api/tables/{unknown}/lookup?position=1")).problem(404, "no-such-table");
    assert!(detail.contains("no table has the digest") && detail.contains("/api/tables"), "{detail}");
    assert!(detail.contains("ask for own rules by their spelling"), "{detail}");
    // The digest of a replaced table is unknown.
    folder.put("sticks", &table("nim", &["bounds=[3,5,7]"], true));
    server.wait_until("the table is replaced", |server| {
        server.get(&format!("/api/tables/{digest}/lookup?position=3,5,7")).status == 404
    });
}

#[test]
fn a_cached_description_is_stale_when_the_name_changes() {
    let folder = Folder::of(&[("one", "sticks", &[])]);
    let server = Server::of(folder.path());
    let about = server.get("/api/tables/one");
    let digest = about.json()["digest"].as_str().expect("the table has a digest").to_owned();
    let tag = about.header("etag").expect("the answer has an ETag");
    std::fs::rename(folder.file("one"), folder.file("other")).unwrap();
    let path = format!("/api/tables/{digest}");
    server.wait_until("the table has the other name", |server| {
        let again = server.get_with(&path, &[("if-none-match", tag)]);
        again.status == 200 && again.json()["name"] == "other"
    });
}

#[test]
fn errors_are_not_cached() {
    let folder = small();
    let server = Server::of(folder.path());
    let tag = server.get(QUESTIONS[0]).header("etag").expect("the answer has an ETag").to_owned();
    for (path, status) in [
        ("/api/tables/sticks/lookup?position=x", 400),
        ("/api/tables/sticks/lookup?position=3,5,7&colour=red", 400),
        ("/api/tables/nothing/lookup?position=3", 404),
        ("/api/tables/sticks/nothing", 404),
    ] {
        let answer = server.get_with(path, &[("if-none-match", &tag)]);
        assert_eq!(answer.status, status, "{path}: {answer}");
        assert_eq!(answer.header("etag"), None, "{path}");
    }
}

#[test]
fn a_new_table_makes_cached_answers_stale() {
    let folder = Folder::of(&[("sticks", "sticks", &[]), ("wythoff", "wythoff", &["size=10"])]);
    let server = Server::of(folder.path());
    let current_tags =
        || QUESTIONS.map(|path| server.get(path).header("etag").expect("the answer has an ETag").to_owned());
    let tags = current_tags();
    // A change of either table changes a comparison.
    folder.put("wythoff", &table("wythoff", &["size=11"], true));
    let stale = |path: &str, tag: &str| server.get_with(path, &[("if-none-match", tag)]).status == 200;
    let comparison = QUESTIONS.len() - 1;
    server.wait_until("the comparison is stale", |_| stale(QUESTIONS[comparison], &tags[comparison]));
    assert!(!stale(QUESTIONS[0], &tags[0]), "the other table is unchanged");
    folder.put("sticks", &table("nim", &["bounds=[3,5,7]"], true));
    server.wait_until("the lookup is stale", |_| stale(QUESTIONS[0], &tags[0]));
    for (path, tag) in QUESTIONS.iter().zip(&tags) {
        assert!(stale(path, tag), "{path}");
    }
    for (old, new) in tags.iter().zip(&current_tags()) {
        assert_ne!(old, new);
    }
}

#[test]
fn another_server_process_gives_the_same_tags() {
    let folder = small();
    let [one, other] = [0, 1].map(|_| Server::of(folder.path()));
    for path in QUESTIONS {
        assert_eq!(one.get(path).header("etag"), other.get(path).header("etag"), "{path}");
    }
}

#[test]
fn different_tables_have_different_tags() {
    let folder = small();
    let server = Server::of(folder.path());
    let mut tags: Vec<String> = super::names()
        .map(|name| server.get(&format!("/api/tables/{name}/lookup?position=1")))
        .map(|answer| answer.header("etag").expect("the answer has an ETag").to_owned())
        .collect();
    let count = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), count);
}
