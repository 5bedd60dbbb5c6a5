//! Limits on the work of an answer and on connections: requests above a limit are refused with advice, others are
//! answered.

use std::thread;

use bouton_tests::service::{Client, Disconnect, Folder, Server, request};

use super::list;

#[test]
fn an_answer_with_too_many_moves_is_refused() {
    let folder = Folder::of(&[("long", "nim", &["bounds=[10001]"])]);
    let server = Server::of(folder.path());
    for question in ["lookup?moves=true&", "state?"] {
        let answer = server.get(&format!("/api/tables/long/{question}position=10000")).json();
        assert_eq!(list(&answer, "moves").len(), 10_000);
        let answer = server.get(&format!("/api/tables/long/{question}position=10001"));
        let detail = answer.problem(422, "too-much");
        assert!(detail.contains("10,000") || detail.contains("10000"), "{question}: {detail}");
    }
    let answer = server.get("/api/diff?a=long&b=long&position=10001&moves=true");
    assert!(!answer.problem(422, "too-much").is_empty());
    // Without its moves the answer is short.
    assert_eq!(server.get("/api/tables/long/lookup?position=10001").status, 200);
    assert_eq!(server.get("/api/tables/long/line?position=10001").status, 200);
    // In a batch the error is one answer among others.
    let answers = server.post("/api/tables/long/lookup?moves=true", "[\"3\", \"10001\", \"4\"]").json();
    assert_eq!(list(&answers[0], "moves").len(), 3);
    assert!(answers[1]["error"].is_string(), "{}", answers[1]);
    assert_eq!(list(&answers[2], "moves").len(), 4);
}

#[test]
fn an_excessive_request_is_refused_with_fitting_advice() {
    let folder = Folder::of(&[
        ("long", "nim", &["bounds=[10001]"]),
        ("two", "nim", &["bounds=[3000,3000]"]),
        ("three", "subtraction", &["heaps=3", "size=60", "take=60"]),
    ]);
    let with_work = |most| Server::with(folder.path(), &["--work", most]);
    let (server, little, some) = (with_work("20000000"), with_work("100"), with_work("1000"));
    let too_much = |server: &Server, path: &str| {
        let detail = server.get(&format!("/api/{path}")).problem(422, "too-much").to_owned();
        let sent = |parameter: &str| path.contains(parameter);
        assert_eq!(detail.contains("moves=true"), sent("moves=true"), "{path}: {detail}");
        assert!(!detail.contains("policy=trap") || sent("policy=trap"), "{path}: {detail}");
        detail.split_once("; ").expect("advice").1.to_owned()
    };
    for (server, path, advice) in [
        (&server, "tables/long/lookup?position=10001&moves=true", "omit moves=true, or use bouton-lookup"),
        (&server, "tables/long/state?position=10001", "ask for a position with fewer stones, or ask /lookup"),
        (&server, "tables/long/game?position=10001", "begin at a position with fewer stones, or ask /lookup"),
        (&server, "diff?a=long&b=long&position=10001&moves=true", "omit moves=true, or use"),
        (&server, "tables/two/lookup?position=3000,3000&policy=trap", "omit policy=trap, or ask for"),
        (&server, "tables/two/state?position=3000,3000&policy=trap", "omit policy=trap, or ask for"),
        (&server, "tables/two/line?position=3000,3000&policy=trap", "omit policy=trap, or ask for"),
        (
            &little,
            "tables/two/state?position=3000,3000",
            "ask for a position with fewer stones, or ask /lookup",
        ),
        (&little, "tables/two/game?position=30,30&moves=1:1", "ask for a part of the game, or ask /lookup"),
        (&little, "tables/two/map?position=3000,3000", "ask /lookup for single positions"),
        (&little, "tables/two/why?position=3000,3000", "ask /lookup, or use bouton-lookup --explain"),
        (&some, "tables/three/line?position=60,60,59", "ask for fewer plies"),
    ] {
        let detail = too_much(server, path);
        assert!(detail.starts_with(advice), "{path}: {detail}");
    }
    // The advised requests are answered.
    assert_eq!(server.get("/api/tables/long/lookup?position=10001").status, 200);
    assert_eq!(little.get("/api/tables/two/lookup?position=3000,3000").status, 200);
    assert_eq!(some.get("/api/tables/three/line?position=60,60,59&plies=1").status, 200);
    let answers = some.post("/api/tables/three/lookup", &format!("[{}]", ["\"60,60,59\""; 9].join(",")));
    let last = answers.json()[8]["error"].as_str().unwrap().to_owned();
    assert!(last.ends_with("; ask for fewer positions at once, or use bouton-lookup --batch"), "{last}");
}

#[test]
fn an_answer_that_needs_too_many_positions_is_refused() {
    // Two equal heaps are lost. The policy `trap` examines each move from either heap, and each reply to it.
    let folder = Folder::of(&[("two", "nim", &["bounds=[3000,3000]"])]);
    let server = Server::of(folder.path());
    let ask = |question: &str, heap: u32| {
        server.get(&format!("/api/tables/two/{question}position={heap},{heap}&policy=trap"))
    };
    for question in ["lookup?", "lookup?moves=true&", "state?", "line?plies=1&"] {
        assert_eq!(ask(question, 100).status, 200, "{question}");
        let detail = ask(question, 3000).problem(422, "too-much");
        assert!(detail.replace(',', "").contains("20000000"), "{question}: {detail}");
    }
    // The other policies examine each move only.
    for question in ["lookup?", "lookup?moves=true&", "state?", "line?"] {
        let answer = server.get(&format!("/api/tables/two/{question}position=3000,3000"));
        assert_eq!(answer.status, 200, "{question}");
    }
}

#[test]
fn a_batch_has_one_limit_for_all_its_positions() {
    let folder = Folder::of(&[("long", "nim", &["bounds=[10000]"])]);
    let mut server = Server::of(folder.path());
    // Each position alone is allowed; all together would take gigabytes.
    let positions = vec!["10000"; 10_000];
    let body = serde_json::to_string(&positions).unwrap();
    let answer = server.post("/api/tables/long/lookup?moves=true", &body);
    match answer.status {
        422 => assert!(!answer.problem(422, "too-much").is_empty()),
        200 => {
            assert!(answer.body.len() < 64 << 20, "{}", answer.body.len());
            assert_eq!(answer.json().as_array().unwrap().len(), 10_000);
        }
        _ => panic!("{answer}"),
    }
    assert!(server.is_running());
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn clients_beyond_the_connection_limit_wait_and_are_then_served() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::with(folder.path(), &["--connections", "2", "--connections-per-address", "2"]);
    let mut open = [server.client(), server.client()];
    for client in &mut open {
        assert_eq!(client.get("/healthz").status, 200);
    }
    let waiting = thread::spawn({
        let mut client = server.client();
        move || client.get("/api/tables/sticks/lookup?position=3,5,7").status
    });
    thread::sleep(std::time::Duration::from_millis(300));
    assert!(!waiting.is_finished(), "both connections are taken");
    let [one, mut other] = open;
    drop(one);
    assert_eq!(waiting.join().unwrap(), 200);
    assert_eq!(other.get("/healthz").status, 200);
}

#[test]
fn an_address_at_its_limit_is_refused_and_others_are_served() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    for (args, limit) in [(&["--connections", "6"][..], 3), (&["--connections-per-address", "2"], 2)] {
        let server = Server::with(folder.path(), args);
        let mut open: Vec<Client> = (0..limit).map(|_| server.client_from(2)).collect();
        for client in &mut open {
            assert_eq!(client.get("/healthz").status, 200);
        }
        let mut refused = server.client_from(2);
        let answer = refused.get("/api/tables/sticks/lookup?position=3,5,7");
        let detail = answer.problem(503, "too-many-connections");
        assert!(detail.contains(&format!("{limit} connections are open from its address")), "{detail}");
        assert!(answer.header("retry-after").is_some_and(|after| after.parse::<u32>().is_ok()), "{answer}");
        assert_eq!(refused.read_answer(), Err(Disconnect::Before), "the connection ends");
        assert_eq!(server.client_from(3).get("/healthz").status, 200, "another address");
        assert!(server.get("/metrics").success_text().contains("bouton_connections_refused_total 1\n"));
        server.wait_until("the log names the limit", |server| {
            server.log().contains("--connections-per-address")
        });
        let warned = |server: &Server| server.log().matches("--connections-per-address").count();
        assert_eq!(warned(&server), 1, "once a minute");
        open.pop();
        server
            .wait_until("a connection is free", |server| server.client_from(2).get("/healthz").status == 200);
        drop(open);
    }
}

#[test]
fn if_no_more_files_can_be_opened_the_log_says_once_what_to_do() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let folder = folder.path().to_str().unwrap();
    let server = Server::with_file_limit(48, &["--tables", folder, "--threads", "1"]);
    // The system connects these clients, but the server cannot accept the last ones.
    let open: Vec<Client> = (0..60).map(|_| server.client()).collect();
    let warned = |server: &Server| server.log().matches("the system refuses connections").count();
    server.wait_until("the log names the limit", |server| warned(server) > 0);
    assert!(server.log().contains("LimitNOFILE") && server.log().contains("--connections"));
    thread::sleep(std::time::Duration::from_secs(1));
    assert_eq!(warned(&server), 1, "{}", server.log());
    drop(open);
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn half_sent_requests_from_one_address_exclude_no_other() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::with(folder.path(), &["--connections", "256"]);
    let mut open: Vec<Client> = (0..256).map(|_| server.client_from(2)).collect();
    for client in &mut open {
        // The server may refuse the connection.
        client.try_send("GET /healthz HTTP/1.1\r\nhost: ");
    }
    for _ in 0..5 {
        assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
    }
    assert!(server.get("/metrics").success_text().contains("bouton_connections_refused_total 128\n"));
    // The accepted connections are closed.
    for client in &mut open {
        assert_eq!(client.read_to_end_of_connection(), b"");
    }
    server.wait_until("there is room again", |server| {
        let asked = server.client_from(2).try_ask("GET", "/healthz", &[], b"");
        asked.is_ok_and(|answer| answer.status == 200)
    });
}

#[test]
fn one_address_may_have_all_connections_if_the_options_allow_it() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::with(folder.path(), &["--connections", "9", "--connections-per-address", "9"]);
    let mut all: Vec<Client> = (0..9).map(|_| server.client()).collect();
    for client in &mut all {
        assert_eq!(client.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
    }
}

#[test]
fn overloaded_clients_are_told_when_to_retry() {
    let folder = Folder::of(&[("wythoff", "wythoff", &[])]);
    // On any machine, one thread computes one answer at a time, and 64 requests may wait.
    let server = Server::with(folder.path(), &["--threads", "1"]);
    let path = "/api/tables/wythoff/state?position=76,123&policy=trap";
    let truth = server.get(path).success_text().to_owned();
    let ask = |mut client: Client| client.get(path);
    server.wait_until("some are asked to retry", |server| {
        let answers: Vec<_> = thread::scope(|scope| {
            let clients: Vec<_> = (0..3 * 64).map(|_| server.client()).collect();
            let all: Vec<_> = clients.into_iter().map(|client| scope.spawn(|| ask(client))).collect();
            // Cheap requests are answered in between.
            assert_eq!(server.get("/healthz").status, 200);
            assert_eq!(server.get("/api/tables").status, 200);
            all.into_iter().map(|asker| asker.join().expect("an answer")).collect()
        });
        let (answered, busy): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert!(answered.iter().all(|answer| answer.success_text() == truth));
        for answer in &busy {
            assert!(!answer.problem(503, "busy").is_empty());
            let after = answer.header("retry-after").expect("the answer has a `Retry-After` header");
            assert!(after.parse::<u32>().is_ok_and(|seconds| seconds > 0), "{after}");
        }
        // If the requests came too slowly, all were answered, and the test repeats them.
        assert!(!answered.is_empty());
        !busy.is_empty()
    });
    assert_eq!(server.get(path).success_text(), truth, "the answer is the same after the load");
}

/// Returns clients that request ten thousand answers from the table `pile`, and do not read them.
fn clients_that_do_not_read(server: &Server, number: usize, position: &str) -> Vec<Client> {
    let body = serde_json::to_string(&vec![position; 10_000]).unwrap();
    let headers = [("content-type", "application/json")];
    let head = request("POST", "/api/tables/pile/lookup?moves=true", &headers, body.len());
    let ask = |_| {
        let mut client = server.client();
        client.send(&head);
        client.send(&body);
        client
    };
    (0..number).map(ask).collect()
}

#[test]
fn clients_that_do_not_read_answers_block_no_other() {
    let folder = Folder::of(&[("pile", "expanding", &["stones=200"]), ("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let clients_that_do_not_read = clients_that_do_not_read(&server, 40, "200");
    for _ in 0..5 {
        for question in ["lookup", "state", "map", "game-map", "line", "why"] {
            let path = format!("/api/tables/sticks/{question}?position=3,5,7");
            assert_eq!(server.get(&path).status, 200, "{question}");
        }
        let answer =
            server.post("/api/tables/sticks/lookup?moves=true&policy=trap", "[\"3,5,7\", \"1,4,5\"]");
        assert_eq!(answer.json().as_array().map(Vec::len), Some(2));
    }
    drop(clients_that_do_not_read);
}

#[test]
fn too_many_batches_are_told_to_retry_while_single_questions_are_answered() {
    let folder = Folder::of(&[("pile", "expanding", &["stones=200"]), ("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let clients_that_do_not_read = clients_that_do_not_read(&server, 64, "100/12/1/4,4/-");
    // True once all batches have arrived.
    server.wait_until("a further batch is refused", |server| {
        let answer = server.post("/api/tables/sticks/lookup", "[\"3,5,7\"]");
        if answer.status == 200 {
            return false;
        }
        let _ = answer.problem(503, "busy");
        assert!(answer.header("retry-after").is_some_and(|after| after.parse::<u32>().is_ok()), "{answer}");
        true
    });
    assert_eq!(server.get("/api/tables/sticks/lookup?position=3,5,7").status, 200);
    drop(clients_that_do_not_read);
    server.wait_until("there is room again", |server| {
        server.post("/api/tables/sticks/lookup", "[\"3,5,7\"]").status == 200
    });
}
