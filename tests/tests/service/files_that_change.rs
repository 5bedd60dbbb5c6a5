//! Table files that are damaged, overwritten, replaced or removed while the server has them open. A large table is
//! *mapped*: the server reads its file on demand, so damage must show in each answer.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use bouton_tests::seal::Parts;
use bouton_tests::service::{Disconnect, Folder, Server, request, table};

use super::text;

/// Bytes of a body too large for the server to read into memory (`limits::IN_MEMORY`), so that it maps the file.
const LARGE: usize = 17 << 20;

/// Returns a valid table whose body is padded to `length` with bytes that nothing refers to.
fn padded_table(preset: &str, settings: &[&str], length: usize) -> Vec<u8> {
    let mut parts = Parts::of(&table(preset, settings, true));
    parts.body.resize(length, 0);
    parts.seal()
}

/// Makes a table that is large enough to be mapped.
fn large() -> Vec<u8> {
    padded_table("expanding", &["stones=400", "resets=2,2"], LARGE)
}

/// Returns whether the server answers from the large table.
fn answers_from_large(server: &Server) -> bool {
    server.get("/api/tables/large/lookup?position=300").status == 200
}

/// Overwrites a part of a file in place.
fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Changes the file of a mapped table with `damage`. Checks that the server stops answering from this table, continues
/// otherwise, and serves the table again once its file is valid.
fn check_damage(what: &str, damage: impl Fn(&Path)) {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    let bytes = large();
    folder.put("large", &bytes);
    let mut server = Server::of(folder.path());
    let truth = server.get("/api/tables/large/lookup?position=300&moves=true").success_text().to_owned();
    let mut kept = server.client();
    damage(&folder.file("large"));
    // Every answer from this table is an error from now on.
    for question in [
        "lookup?position=300",
        "lookup?position=300&moves=true",
        "state?position=300",
        "line?position=300",
        "why?position=300",
        "map?position=300",
    ] {
        let answer = kept.get(&format!("/api/tables/large/{question}"));
        let detail = answer.problem(503, "damaged-table");
        assert!(detail.contains("large"), "{what}: {detail}");
    }
    let _ = server.post("/api/tables/large/lookup", "[\"300\", \"2\"]").problem(503, "damaged-table");
    let _ = server.get("/api/diff?a=large&b=large&position=300").problem(503, "damaged-table");
    // Everything else continues.
    assert_eq!(server.get("/healthz").status, 200, "{what}");
    assert_eq!(server.get("/api/tables").status, 200, "{what}");
    assert_eq!(text(&server.json("/api/tables/other/lookup?position=1,1"), "outcome"), "win");
    server.wait_until("the log names the table", |server| server.log().contains("large"));
    assert!(!answers_from_large(&server), "{what}: the damaged file is not served");
    folder.put("large", &bytes);
    server.wait_until("the table is served again", answers_from_large);
    assert_eq!(
        server.get("/api/tables/large/lookup?position=300&moves=true").success_text(),
        truth,
        "{what}"
    );
    assert!(server.is_running(), "{what}");
}

#[test]
fn a_mapped_table_truncated_to_nothing_is_refused_until_it_is_valid() {
    check_damage("nothing left", |path| {
        OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
    });
}

#[test]
fn a_mapped_table_truncated_after_the_requested_part_is_refused_until_it_is_valid() {
    check_damage("cut", |path| {
        OpenOptions::new().write(true).open(path).unwrap().set_len(10 << 20).unwrap();
    });
}

#[test]
fn a_mapped_table_overwritten_by_half_of_another_is_refused_until_it_is_valid() {
    let other = padded_table("expanding", &["stones=400", "resets=2,2", "growth=2"], LARGE + 4096);
    check_damage("half a copy", move |path| {
        // The state after an interrupted copy.
        fs::write(path, &other[..LARGE / 2]).unwrap();
    });
}

#[test]
fn cached_answers_from_a_damaged_table_are_not_confirmed() {
    let folder = Folder::new();
    folder.put("large", &large());
    let server = Server::of(folder.path());
    let path = "/api/tables/large/lookup?position=300";
    let tag = server.get(path).header("etag").expect("the answer has an ETag").to_owned();
    assert_eq!(server.get_with(path, &[("if-none-match", &tag)]).status, 304);
    overwrite(&folder.file("large"), 200, &[0xff; 64]);
    let _ = server.get_with(path, &[("if-none-match", &tag)]).problem(503, "damaged-table");
}

#[test]
fn a_mapped_table_with_a_changed_byte_is_refused_until_it_is_valid() {
    for at in [200, 2_000, 9 << 20] {
        check_damage("a byte", |path| {
            let old = fs::read(path).unwrap()[at];
            overwrite(path, at as u64, &[old ^ 1]);
        });
    }
}

#[test]
fn no_position_of_a_truncated_mapped_table_is_answered() {
    let bytes = table("nim", &["bounds=[6500000,6500000]"], false);
    assert!(bytes.len() > 16 << 20, "{}", bytes.len());
    let folder = Folder::of(&[("other", "sticks", &[])]);
    folder.put("large", &bytes);
    let mut server = Server::of(folder.path());
    let path = |position: u32| format!("/api/tables/large/lookup?position=0,{position}");
    assert_eq!(text(&server.json(&path(6_499_999)), "best"), "2:6499999");
    let file = OpenOptions::new().write(true).open(folder.file("large")).unwrap();
    file.set_len(bytes.len() as u64 / 2).unwrap();
    // Positions near the end of the file are gone, and those near the beginning are not; none is answered.
    let all: Vec<u32> = (0..200).map(|n| n * 32_499).collect();
    std::thread::scope(|scope| {
        for part in all.chunks(50) {
            let (server, path) = (&server, &path);
            scope.spawn(move || {
                let mut client = server.client();
                for &position in part {
                    let _ = client.get(&path(position)).problem(503, "damaged-table");
                }
            });
        }
    });
    assert_eq!(text(&server.json("/api/tables/other/lookup?position=1,1"), "outcome"), "win");
    folder.put("large", &bytes);
    server.wait_until("the table is served again", |server| server.get(&path(6_499_999)).status == 200);
    assert!(server.is_running());
}

#[test]
fn a_long_answer_that_has_begun_is_truncated_rather_than_wrong() {
    let folder = Folder::new();
    folder.put("large", &large());
    let mut server = Server::of(folder.path());
    // The answer has some 20 MB, more than the buffers hold, so the server waits in the middle of it.
    let positions = vec!["200/19/1/2,2/-"; 10_000];
    let body = serde_json::to_string(&positions).unwrap();
    let truth = server
        .get("/api/tables/large/lookup?position=200/19/1/2,2/-&moves=true")
        .success_text()
        .trim_end()
        .to_owned();
    let mut client = server.client();
    let headers = [("content-type", "application/json")];
    client.send(request("POST", "/api/tables/large/lookup?moves=true", &headers, body.len()));
    client.send(&body);
    // Let the answer begin.
    std::thread::sleep(std::time::Duration::from_millis(500));
    OpenOptions::new().write(true).open(folder.file("large")).unwrap().set_len(0).unwrap();
    // Let the server notice. Each outcome below is allowed, whatever it has noticed.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    match client.read_answer() {
        Err(broken) => assert!(matches!(broken, Disconnect::Within(_)), "{broken:?}"),
        Ok(answer) if answer.status == 200 => {
            let expected = format!("[{}]", vec![truth; positions.len()].join(","));
            assert!(answer.success_text().trim_end() == expected, "a complete answer is right");
        }
        Ok(answer) => drop(answer.problem(503, "damaged-table")),
    }
    assert!(server.is_running());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_valid_table_copied_over_a_mapped_one_is_served() {
    let folder = Folder::new();
    folder.put("large", &large());
    let mut server = Server::of(folder.path());
    let path = "/api/tables/large/lookup?position=300";
    let before = server.get(path).success_text().to_owned();
    let other = padded_table("expanding", &["stones=350", "resets=0,0"], LARGE);
    overwrite(&folder.file("large"), 0, &other);
    OpenOptions::new().write(true).open(folder.file("large")).unwrap().set_len(other.len() as u64).unwrap();
    server.wait_until("the copied table is served", |server| {
        let answer = server.get(path);
        match answer.status {
            200 => {
                let is_new = answer.success_text().contains("300/0/1/0,0/-");
                assert!(is_new || answer.success_text() == before, "of neither table: {answer}");
                is_new
            }
            _ => {
                let _ = answer.problem(503, "damaged-table");
                false
            }
        }
    });
    assert!(server.is_running());
}

#[test]
fn replacing_or_removing_a_mapped_table_causes_no_error() {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    folder.put("large", &large());
    let server = Server::of(folder.path());
    let mut client = server.client();
    for round in 0..3 {
        let resets = format!("resets={round},0");
        folder.put("large", &padded_table("expanding", &["stones=400", &resets], LARGE + 8 * round));
        let expected = format!("300/0/1/{round},0/-");
        server.wait_until("the new table is served", |_| {
            let answer = server.get("/api/tables/large/lookup?position=300");
            answer.success_text().contains(&expected)
        });
        assert_eq!(client.get("/api/tables/large/lookup?position=300").status, 200);
    }
    fs::remove_file(folder.file("large")).unwrap();
    server.wait_until("the removed table is gone", |server| {
        let answer = server.get("/api/tables/large/lookup?position=300");
        assert!([200, 404].contains(&answer.status), "{answer}");
        answer.status == 404
    });
}

#[test]
fn a_small_table_answers_though_its_file_is_overwritten() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let truth = server.get("/api/tables/sticks/lookup?position=3,5,7").success_text().to_owned();
    for bytes in [&b""[..], b"\x89BTN", &[0xff; 100]] {
        fs::write(folder.file("sticks"), bytes).unwrap();
        for _ in 0..20 {
            assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").success_text(), truth);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    // The old table is still served, and the error about its file is listed.
    let all = server.json("/api/tables");
    assert_eq!((&all["tables"][0]["name"], &all["refused"][0]["name"]), (&"sticks".into(), &"sticks".into()));
}

#[test]
fn truncating_a_table_under_load_harms_no_other_request() {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    let bytes = large();
    folder.put("large", &bytes);
    let mut server = Server::of(folder.path());
    let truth = server.get("/api/tables/large/map?position=300").body;
    std::thread::scope(|scope| {
        let clients: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut client = server.client();
                    let mut counts = [0, 0];
                    while counts.iter().sum::<u32>() < 400 {
                        let answer = client.get("/api/tables/large/map?position=300");
                        if answer.status == 200 {
                            assert!(answer.body == truth, "{answer}");
                        } else {
                            let _ = answer.problem(503, "damaged-table");
                        }
                        counts[usize::from(answer.status != 200)] += 1;
                        assert_eq!(client.get("/api/tables/other/lookup?position=1").status, 200);
                    }
                    counts
                })
            })
            .collect();
        for round in 0..6 {
            std::thread::sleep(std::time::Duration::from_millis(150));
            let file = OpenOptions::new().write(true).open(folder.file("large")).unwrap();
            file.set_len([0, 100, 1 << 20][round % 3]).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(50));
            folder.put("large", &bytes);
        }
        for client in clients {
            let counts = client.join().expect("every answer is right or refused");
            assert!(counts[0] > 0, "the table is served between two truncations: {counts:?}");
        }
    });
    assert!(server.is_running());
    server.wait_until("the table is served again", answers_from_large);
}
