//! Tables that are added, replaced, renamed, damaged and removed in the folder while the server runs.

use std::fs;
use std::os::unix::ffi::OsStrExt;

use bouton_tests::programs::bouton;
use bouton_tests::service::{Folder, Server, table};
use serde_json::Value;

use super::{list, number, text};

/// Returns whether a table is served.
fn has(server: &Server, name: &str) -> bool {
    server.get(&format!("/api/tables/{name}")).status == 200
}

/// Returns the reason for refusing a file, if it is refused.
fn refused(server: &Server, name: &str) -> Option<String> {
    let all = server.json("/api/tables");
    let found = list(&all, "refused").iter().find(|file| file["name"] == name)?;
    Some(text(found, "reason").to_owned())
}

/// Returns the outcome of 1,1 in a table.
fn outcome(server: &Server, name: &str) -> String {
    text(&server.json(&format!("/api/tables/{name}/lookup?position=1,1")), "outcome").to_owned()
}

/// Makes a table of 3-5-7 in normal play.
fn normal() -> Vec<u8> {
    table("nim", &["bounds=[3,5,7]"], true)
}

/// Makes a table of 3-5-7 in misère play.
fn misere() -> Vec<u8> {
    table("sticks", &[], true)
}

#[test]
fn a_table_is_added_replaced_and_removed() {
    let folder = Folder::of(&[("always", "sticks", &[])]);
    let server = Server::of(folder.path());
    assert!(!has(&server, "new"));
    folder.put("new", &normal());
    server.wait_until("the new table is served", |server| has(server, "new"));
    assert_eq!(outcome(&server, "new"), "loss");
    folder.put("new", &misere());
    server.wait_until("the table is replaced", |server| outcome(server, "new") == "win");
    assert_eq!(server.json("/api/tables/new")["rules"]["play"], "misere");
    fs::remove_file(folder.file("new")).unwrap();
    server.wait_until("the table is gone", |server| !has(server, "new"));
    let _ = server.get("/api/tables/new/lookup?position=1,1").problem(404, "no-such-table");
    assert!(has(&server, "always"));
    assert_eq!(refused(&server, "new"), None);
}

#[test]
fn renamed_tables_and_tables_made_by_generate_are_served() {
    let folder = Folder::of(&[("one", "sticks", &[])]);
    let server = Server::of(folder.path());
    fs::rename(folder.file("one"), folder.file("two")).unwrap();
    server.wait_until("the table has the other name", |server| has(server, "two") && !has(server, "one"));
    let ran = bouton(folder.path(), &["generate", "marienbad"]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    server.wait_until("the table made by generate is served", |server| has(server, "marienbad"));
    let args = ["generate", "marienbad", "--set", "play=normal", "--force"];
    assert_eq!(bouton(folder.path(), &args).status, Some(0));
    server.wait_until("the replacement is served", |server| outcome(server, "marienbad") == "loss");
}

#[test]
fn the_server_continues_without_its_last_table() {
    let folder = Folder::of(&[("one", "sticks", &[])]);
    let server = Server::of(folder.path());
    fs::remove_file(folder.file("one")).unwrap();
    server.wait_until("the table is gone", |server| !has(server, "one"));
    assert_eq!(server.get("/healthz").status, 200);
    folder.put("one", &normal());
    server.wait_until("the table is there again", |server| has(server, "one"));
}

#[test]
fn a_table_added_to_an_empty_folder_is_served() {
    let folder = Folder::new();
    let server = Server::of(folder.path());
    assert!(has(&server, "sticks"), "the presets are there");
    folder.put("new", &normal());
    server.wait_until("the new table is served", |server| has(server, "new"));
    assert_eq!(text(&server.json("/api/tables/new"), "origin"), "file");
}

/// Returns damaged tables with the kind of damage.
fn damaged() -> Vec<(&'static str, Vec<u8>)> {
    let valid = normal();
    let flipped = |offset: usize| {
        let mut bytes = valid.clone();
        bytes[offset] ^= 0x10;
        bytes
    };
    vec![
        ("empty", Vec::new()),
        ("text", b"no table at all\n".to_vec()),
        ("head", flipped(40)),
        ("middle", flipped(valid.len() / 2)),
        ("end", flipped(valid.len() - 1)),
        ("cut", valid[..valid.len() - 7].to_vec()),
        ("half", valid[..valid.len() / 2].to_vec()),
        ("more", [&valid[..], b"\0"].concat()),
        ("zeros", vec![0; 5000]),
    ]
}

#[test]
fn a_damaged_replacement_is_refused_and_the_older_table_still_answers() {
    let folder = Folder::new();
    let put = |bytes: &[u8]| damaged().iter().for_each(|(name, _)| folder.put(name, bytes));
    let all =
        |server: &Server, expected: &str| damaged().iter().all(|(name, _)| outcome(server, name) == expected);
    put(&misere());
    let server = Server::of(folder.path());
    for (name, bytes) in damaged() {
        folder.put(name, &bytes);
    }
    server.wait_until("all are refused", |server| {
        damaged().iter().all(|(name, _)| refused(server, name).is_some())
    });
    assert!(all(&server, "win"), "the older tables still answer");
    let reply = server.json("/api/tables");
    assert_eq!(list(&reply, "tables").len(), damaged().len(), "the files are in both lists");
    for (name, _) in damaged() {
        assert!(!refused(&server, name).unwrap().is_empty(), "{name}");
        let warned = |line: &str| line.contains(name) && (line.contains("WARN") || line.contains("ERROR"));
        // A separate thread writes the log, so the line may come a moment later.
        server.wait_until("the log names the file", |server| server.log().lines().any(warned));
    }
    assert_eq!(server.get("/readyz").status, 200);
    put(&normal());
    server.wait_until("the valid replacements are served", |server| all(server, "loss"));
    server.wait_until("nothing is refused", |server| list(&server.json("/api/tables"), "refused").is_empty());
}

#[test]
fn a_new_damaged_table_is_refused_and_named() {
    let folder = Folder::of(&[("valid", "sticks", &[])]);
    let server = Server::of(folder.path());
    for (name, bytes) in damaged() {
        folder.put(name, &bytes);
    }
    server.wait_until("all are refused", |server| {
        list(&server.json("/api/tables"), "refused").len() == damaged().len()
    });
    let all = server.json("/api/tables");
    let names: Vec<&str> = list(&all, "refused").iter().map(|file| text(file, "name")).collect();
    assert!(names.is_sorted(), "{names:?}");
    for (name, _) in damaged() {
        let answer = server.get(&format!("/api/tables/{name}/lookup?position=1,1"));
        assert!(answer.problem(503, "damaged-table").contains(name));
        server.wait_until("the log names the file", |server| server.log().contains(name));
        fs::remove_file(folder.file(name)).unwrap();
    }
    let gone = |server: &Server| server.get("/api/tables/zeros").status == 404;
    server.wait_until("the removed file is no table", gone);
    server.wait_until("the removed files are not listed as refused", |server| {
        list(&server.json("/api/tables"), "refused").is_empty()
    });
}

#[test]
fn a_file_damaged_at_the_start_is_served_once_it_is_valid() {
    let folder = Folder::of(&[("valid", "sticks", &[])]);
    folder.put("bad", b"no table");
    let server = Server::of(folder.path());
    assert!(refused(&server, "bad").is_some() && !has(&server, "bad"));
    folder.put("bad", &normal());
    server.wait_until("the table is served", |server| has(server, "bad"));
    assert_eq!(refused(&server, "bad"), None);
}

#[test]
fn folders_pipes_and_broken_links_named_like_tables_are_refused() {
    let folder = Folder::of(&[("valid", "sticks", &[])]);
    fs::create_dir(folder.path().join("folder.bouton")).unwrap();
    let pipe = folder.file("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    std::os::unix::fs::symlink("/no/such/file", folder.file("nowhere")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", folder.file("endless")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"no\xfftext.bouton");
    fs::write(folder.path().join(odd), normal()).unwrap();
    let server = Server::of(folder.path());
    for name in ["folder", "pipe", "nowhere", "endless"] {
        assert!(!has(&server, name), "{name}");
        assert!(refused(&server, name).is_some(), "{name}");
    }
    assert_eq!(outcome(&server, "valid"), "win");
    folder.put("later", &normal());
    server.wait_until("the server still watches the folder", |server| has(server, "later"));
}

/// Checks that a file is not among the tables, but among the refused files and in the log, with this reason.
fn check_refused(server: &Server, name: &str, reason: &str) {
    server.wait_until("the file is refused", |server| refused(server, name).is_some());
    assert_eq!(refused(server, name).as_deref(), Some(reason), "{name}");
    let all = server.json("/api/tables");
    assert!(list(&all, "tables").iter().all(|table| table["name"] != name), "{name}");
    let warned = |line: &str| line.contains("WARN") && line.contains(reason);
    server.wait_until("the log names the file", |server| server.log().lines().any(warned));
}

#[test]
fn a_file_named_like_own_rules_or_a_digest_is_refused() {
    let folder = Folder::of(&[("valid", "sticks", &[])]);
    let server = Server::with(folder.path(), &["--solve-limit", "1000"]);
    let digest = text(&server.json("/api/tables/valid"), "digest").to_owned();
    let other = "0123456789abcdef".repeat(4);
    let files = [
        ("own:bounds=9", "names that begin with own: are those of own rules; rename it"),
        (&digest, "names of 64 hexadecimal digits are those of digests; rename it"),
        (&other, "names of 64 hexadecimal digits are those of digests; rename it"),
    ];
    for (name, _) in files {
        folder.put(name, &normal());
    }
    for server in [&server, &Server::with(folder.path(), &["--solve-limit", "1000"])] {
        for (name, reason) in files {
            check_refused(server, name, reason);
        }
        // The names keep their meaning.
        assert_eq!(text(&server.json("/api/tables/own:bounds=9"), "origin"), "on request");
        assert_eq!(text(&server.json(&format!("/api/tables/{digest}")), "name"), "valid");
        let detail = server.get(&format!("/api/tables/{other}")).problem(404, "no-such-table").to_owned();
        assert!(detail.starts_with("no table has the digest"), "{detail}");
    }
    for (name, _) in files {
        fs::rename(folder.file(name), folder.file(&name[..3])).unwrap();
        server.wait_until("the table is served", |server| has(server, &name[..3]));
        server.wait_until("the file is no longer refused", |server| refused(server, name).is_none());
    }
}

#[test]
fn unnameable_and_missing_files_are_refused() {
    let folder = Folder::of(&[("valid", "sticks", &[])]);
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"no\xfftext.bouton"));
    let (nameless, link) = (folder.path().join(".bouton"), folder.file("nowhere"));
    let files = [
        (r"no\xfftext", &odd, "its name is not UTF-8, so nobody can ask for it; rename it"),
        (".bouton", &nameless, "it has no name before .bouton; rename it"),
        (
            "nowhere",
            &link,
            "its file is a link to a file that is not there; restore that file, or remove the link",
        ),
    ];
    let server = Server::of(folder.path());
    fs::write(&odd, normal()).unwrap();
    fs::write(&nameless, normal()).unwrap();
    // Files being written have such names.
    fs::write(folder.path().join(".hidden.bouton"), normal()).unwrap();
    std::os::unix::fs::symlink("there", &link).unwrap();
    for server in [&server, &Server::of(folder.path())] {
        for (name, _, reason) in files {
            check_refused(server, name, reason);
        }
        assert_eq!(list(&server.json("/api/tables"), "refused").len(), files.len());
    }
    // A table is removed when the target of its link is removed.
    fs::write(folder.path().join("there"), normal()).unwrap();
    server.wait_until("the table is served", |server| {
        has(server, "nowhere") && refused(server, "nowhere").is_none()
    });
    fs::remove_file(folder.path().join("there")).unwrap();
    server.wait_until("the table is no longer served", |server| !has(server, "nowhere"));
    for (name, file, _) in files {
        fs::remove_file(file).unwrap();
        server.wait_until("the file is no longer refused", |server| refused(server, name).is_none());
    }
}

#[test]
fn a_folder_that_is_moved_away_and_made_again_is_served() {
    let outer = Folder::new();
    let inner = outer.path().join("tables");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("sticks.bouton"), misere()).unwrap();
    let server = Server::of(&inner);
    fs::rename(&inner, outer.path().join("away")).unwrap();
    assert_eq!(server.get("/healthz").status, 200);
    std::thread::sleep(std::time::Duration::from_millis(1200));
    assert_eq!(server.get("/healthz").status, 200);
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("other.bouton"), normal()).unwrap();
    server.wait_until("the new folder is served", |server| has(server, "other"));
}

#[test]
fn the_description_of_a_table_changes_with_its_file() {
    let folder = Folder::of(&[("game", "nim", &["bounds=[3,5]"])]);
    let server = Server::of(folder.path());
    let reply = |server: &Server| -> Value { server.json("/api/tables/game") };
    let before = reply(&server);
    folder.put("game", &table("expanding", &["stones=9", "resets=0,0"], false));
    server.wait_until("the table has another game", |server| reply(server)["game"] == "expanding");
    let after = reply(&server);
    assert_ne!(before["digest"], after["digest"]);
    assert_eq!((text(&after, "start"), after.get("deepest")), ("9/0/1/0,0/-", None));
    assert_eq!(number(&after, "bytes"), fs::metadata(folder.file("game")).unwrap().len());
    let _ = server.get("/api/tables/game/lookup?position=1,1").problem(400, "bad-position");
}
