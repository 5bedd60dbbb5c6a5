//! Tables large enough to be mapped, whose files change in place.

use std::fs::{self, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use bouton_tests::seal::Parts;
use bouton_tests::service::{Disconnect, Folder, Server, request, table};

use super::text;

/// More than the server reads into memory.
const LARGE: usize = 17 << 20;

/// Returns a valid table of this length, padded with bytes that nothing refers to.
fn long(preset: &str, settings: &[&str], length: usize) -> Vec<u8> {
    let mut parts = Parts::of(&table(preset, settings, true));
    parts.body.resize(length, 0);
    parts.seal()
}

fn large() -> Vec<u8> {
    long("expanding", &["stones=400", "resets=2,2"], LARGE)
}

fn good(server: &Server) -> bool {
    server.get("/api/tables/large/lookup?position=300").status == 200
}

/// Overwrites a part of a file in place.
fn overwrite(path: &Path, at: u64, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(path).unwrap();
    file.seek(SeekFrom::Start(at)).unwrap();
    file.write_all(bytes).unwrap();
}

/// Harms the file of a mapped table. Checks that the server continues, stops answering from this table, and serves it
/// again once it is valid.
fn continues_after(what: &str, harm: impl Fn(&Path)) {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    let bytes = large();
    folder.put("large", &bytes);
    let mut server = Server::of(folder.path());
    let truth = server.get("/api/tables/large/lookup?position=300&moves=true").good().to_owned();
    let mut kept = server.client();
    harm(&folder.file("large"));
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
    server.until("the log tells", |server| server.notes().contains("large"));
    assert!(!good(&server), "{what}: it is not taken up as it is");
    folder.put("large", &bytes);
    server.until("it is served again", good);
    assert_eq!(server.get("/api/tables/large/lookup?position=300&moves=true").good(), truth, "{what}");
    assert!(server.runs(), "{what}");
}

#[test]
fn a_mapped_table_is_truncated_to_nothing() {
    continues_after("nothing left", |path| {
        OpenOptions::new().write(true).open(path).unwrap().set_len(0).unwrap();
    });
}

#[test]
fn a_mapped_table_is_truncated_after_the_requested_part() {
    continues_after("cut", |path| {
        OpenOptions::new().write(true).open(path).unwrap().set_len(10 << 20).unwrap();
    });
}

#[test]
fn a_mapped_table_is_overwritten_by_a_copy_of_another() {
    let other = long("expanding", &["stones=400", "resets=2,2", "growth=2"], LARGE + 4096);
    continues_after("copied over, and wrong", move |path| {
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
    let tag = server.get(path).header("etag").expect("it has one").to_owned();
    assert_eq!(server.get_with(path, &[("if-none-match", &tag)]).status, 304);
    overwrite(&folder.file("large"), 200, &[0xff; 64]);
    let _ = server.get_with(path, &[("if-none-match", &tag)]).problem(503, "damaged-table");
}

#[test]
fn a_mapped_table_with_a_byte_changed() {
    for at in [200, 2_000, 9 << 20] {
        continues_after("a byte", |path| {
            let old = fs::read(path).unwrap()[at];
            overwrite(path, at as u64, &[old ^ 1]);
        });
    }
}

#[test]
fn a_mapped_table_loses_the_requested_part() {
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
    server.until("it is served again", |server| server.get(&path(6_499_999)).status == 200);
    assert!(server.runs());
}

#[test]
fn a_long_answer_that_has_begun_is_truncated_rather_than_wrong() {
    let folder = Folder::new();
    folder.put("large", &large());
    let mut server = Server::of(folder.path());
    // Some 20 MB: more than the buffers hold while the client does not read.
    let positions = vec!["200/19/1/2,2/-"; 10_000];
    let body = serde_json::to_string(&positions).unwrap();
    let truth = server
        .get("/api/tables/large/lookup?position=200/19/1/2,2/-&moves=true")
        .good()
        .trim_end()
        .to_owned();
    let mut client = server.client();
    let headers = [("content-type", "application/json")];
    client.say(request("POST", "/api/tables/large/lookup?moves=true", &headers, body.len()));
    client.say(&body);
    std::thread::sleep(std::time::Duration::from_millis(500));
    OpenOptions::new().write(true).open(folder.file("large")).unwrap().set_len(0).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    match client.hear() {
        Err(broken) => assert!(matches!(broken, Disconnect::Within(_)), "{broken:?}"),
        Ok(answer) if answer.status == 200 => {
            let expected = format!("[{}]", vec![truth; positions.len()].join(","));
            assert!(answer.good().trim_end() == expected, "it is whole and right");
        }
        Ok(answer) => drop(answer.problem(503, "damaged-table")),
    }
    assert!(server.runs());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_valid_table_copied_over_a_mapped_one_is_served() {
    let folder = Folder::new();
    folder.put("large", &large());
    let mut server = Server::of(folder.path());
    assert!(good(&server));
    let other = long("expanding", &["stones=350", "resets=0,0"], LARGE);
    overwrite(&folder.file("large"), 0, &other);
    OpenOptions::new().write(true).open(folder.file("large")).unwrap().set_len(other.len() as u64).unwrap();
    server.until("the other is served", |server| {
        let answer = server.get("/api/tables/large/lookup?position=300");
        // In between, no answer mixes the two tables.
        match answer.status {
            200 => answer.good().contains("300/0/1/0,0/-"),
            _ => {
                let _ = answer.problem(503, "damaged-table");
                false
            }
        }
    });
    assert!(server.runs());
}

#[test]
fn a_mapped_table_that_is_replaced_or_removed_is_no_trouble() {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    folder.put("large", &large());
    let server = Server::of(folder.path());
    let mut client = server.client();
    for round in 0..3 {
        let resets = format!("resets={round},0");
        folder.put("large", &long("expanding", &["stones=400", &resets], LARGE + 8 * round));
        let expected = format!("300/0/1/{round},0/-");
        server.until("the new one is served", |_| {
            let answer = server.get("/api/tables/large/lookup?position=300");
            answer.good().contains(&expected)
        });
        assert_eq!(client.get("/api/tables/large/lookup?position=300").status, 200);
    }
    fs::remove_file(folder.file("large")).unwrap();
    server.until("it is gone", |server| {
        let answer = server.get("/api/tables/large/lookup?position=300");
        assert!([200, 404].contains(&answer.status), "{answer}");
        answer.status == 404
    });
}

#[test]
fn a_small_table_does_not_depend_on_its_file() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let truth = server.get("/api/tables/sticks/lookup?position=3,5,7").good().to_owned();
    for bytes in [&b""[..], b"\x89BTN", &[0xff; 100]] {
        fs::write(folder.file("sticks"), bytes).unwrap();
        for _ in 0..20 {
            assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").good(), truth);
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }
    let all = server.json("/api/tables");
    assert_eq!((&all["tables"][0]["name"], &all["refused"][0]["name"]), (&"sticks".into(), &"sticks".into()));
}

#[test]
fn tables_truncated_under_load_harm_no_other_request() {
    let folder = Folder::of(&[("other", "sticks", &[])]);
    let bytes = large();
    folder.put("large", &bytes);
    let mut server = Server::of(folder.path());
    let truth = server.get("/api/tables/large/map?position=300").body;
    std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let mut client = server.client();
                    let mut reply = [0, 0];
                    while reply.iter().sum::<u32>() < 400 {
                        let answer = client.get("/api/tables/large/map?position=300");
                        if answer.status == 200 {
                            assert!(answer.body == truth, "{answer}");
                        } else {
                            let _ = answer.problem(503, "damaged-table");
                        }
                        reply[usize::from(answer.status != 200)] += 1;
                        assert_eq!(client.get("/api/tables/other/lookup?position=1").status, 200);
                    }
                    reply
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
        for asker in askers {
            let reply = asker.join().expect("no asker met anything else");
            assert!(reply[0] > 0, "it was served in between: {reply:?}");
        }
    });
    assert!(server.runs());
    server.until("it is served again", good);
}
