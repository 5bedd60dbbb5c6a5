//! Shutdown by a signal: the server answers the requests that have arrived, or whose body it has asked for and still
//! receives. It refuses new ones, and exits with status 0.

use std::thread;
use std::time::Duration;

use bouton_tests::service::{Client, Disconnect, Folder, Server, request};
use serde_json::Value;

/// Makes a folder with the table of 3-5-7.
fn sticks() -> Folder {
    Folder::of(&[("sticks", "sticks", &[])])
}

#[test]
fn a_signal_ends_the_server_with_status_0() {
    let folder = sticks();
    for signal in ["TERM", "INT"] {
        let server = Server::of(folder.path());
        let idle = server.client();
        let mut kept = server.client();
        assert_eq!(kept.get("/healthz").status, 200);
        server.signal(signal);
        assert_eq!(server.wait().0, Some(0), "{signal}");
        drop(idle);
        assert_eq!(kept.read_answer(), Err(Disconnect::Before), "{signal}");
    }
}

#[test]
fn a_signal_right_after_the_start_ends_the_server() {
    let folder = sticks();
    for round in 0..30 {
        let server = Server::of(folder.path());
        server.signal(["TERM", "INT"][round % 2]);
        assert_eq!(server.wait().0, Some(0), "round {round}");
    }
}

#[test]
fn a_request_sent_before_the_signal_is_answered_even_if_the_server_has_not_read_it() {
    let folder = sticks();
    for round in 0..5 {
        let server = Server::of(folder.path());
        let mut sent: Vec<Client> = (0..60).map(|_| server.client()).collect();
        for client in &mut sent {
            client.send(request("GET", "/api/tables/sticks/lookup?position=3,5,7", &[], 0));
        }
        server.signal("TERM");
        for (number, client) in sent.iter_mut().enumerate() {
            let answer =
                client.read_answer().unwrap_or_else(|broken| panic!("{round}, {number}: {broken:?}"));
            assert_eq!(answer.status, 200);
        }
        assert_eq!(server.wait().0, Some(0));
    }
}

#[test]
fn a_request_whose_body_the_server_has_asked_for_is_answered_completely() {
    let folder = sticks();
    let server = Server::of(folder.path());
    let body: Vec<String> = (0..5000).map(|n| format!("{},{},{}", n % 4, n % 6, n % 8)).collect();
    let body = serde_json::to_string(&body).unwrap();
    let headers = [("content-type", "application/json"), ("expect", "100-continue")];
    let head = request("POST", "/api/tables/sticks/lookup?moves=true", &headers, body.len());
    // The server asks for the body with status 100.
    let mut clients: Vec<Client> = (0..20)
        .map(|_| {
            let mut client = server.client();
            client.send(&head);
            assert_eq!(client.read_answer().expect("it asks for the body").status, 100);
            client
        })
        .collect();
    let port = server.port;
    server.signal("TERM");
    // The server accepts no new connections.
    let refused = || {
        Client::connect(port).map_or(true, |mut client| client.try_ask("GET", "/healthz", &[], b"").is_err())
    };
    server.wait_until("new connections are refused", |_| refused());
    for client in &mut clients {
        client.send(&body[..100]);
    }
    thread::sleep(Duration::from_millis(200));
    for client in &mut clients {
        client.send(&body[100..]);
    }
    for client in &mut clients {
        let answer = client.read_answer().expect("an answer");
        let answers: Vec<Value> = serde_json::from_str(answer.success_text()).expect("whole");
        assert_eq!(answers.len(), 5000);
        assert_eq!(client.read_answer(), Err(Disconnect::Before), "and then the connection ends");
    }
    assert_eq!(server.wait().0, Some(0));
}

#[test]
fn a_long_answer_is_finished_though_it_is_read_late() {
    let folder = Folder::of(&[("pile", "expanding", &["stones=400", "resets=2,2"])]);
    let server = Server::of(folder.path());
    let position = "200/19/1/2,2/-";
    let one = server.get(&format!("/api/tables/pile/lookup?position={position}&moves=true"));
    let truth = format!("[{}]", vec![one.success_text().trim_end(); 10_000].join(","));
    assert!(truth.len() > 10 << 20, "the answer exceeds the buffers on the way: {} bytes", truth.len());
    let body = serde_json::to_string(&vec![position; 10_000]).unwrap();
    let headers = [("content-type", "application/json")];
    let mut client = server.client();
    client.send(request("POST", "/api/tables/pile/lookup?moves=true", &headers, body.len()));
    client.send(&body);
    thread::sleep(Duration::from_millis(500));
    server.signal("TERM");
    thread::sleep(Duration::from_millis(1500));
    let answer = client.read_answer().expect("it is whole");
    assert!(answer.success_text().trim_end() == truth);
    assert_eq!(server.wait().0, Some(0));
}

#[test]
fn no_answer_is_truncated_under_load() {
    let folder = Folder::of(&[("wythoff", "wythoff", &[])]);
    let path = "/api/tables/wythoff/map?position=100,100";
    for round in 0..4 {
        let server = Server::of(folder.path());
        let port = server.port;
        let truth = server.get(path).body;
        assert!(truth.len() > 40_000, "it is long: {}", truth.len());
        let askers: Vec<_> = (0..6)
            .map(|number| {
                let truth = truth.clone();
                thread::spawn(move || {
                    let mut answered = 0;
                    // Half of the clients keep their connection.
                    'connect: while let Ok(mut client) = Client::connect(port) {
                        loop {
                            match client.try_ask("GET", path, &[], b"") {
                                Ok(answer) => {
                                    assert!(answer.status == 200 && answer.body == truth, "{answer}");
                                    answered += 1;
                                }
                                Err(Disconnect::Before) => continue 'connect,
                                Err(Disconnect::Within(part)) => {
                                    panic!("cut: {}", String::from_utf8_lossy(&part))
                                }
                            }
                            if number % 2 == 0 {
                                continue 'connect;
                            }
                        }
                    }
                    answered
                })
            })
            .collect();
        thread::sleep(Duration::from_millis(100 + 40 * round));
        server.signal("TERM");
        let (status, log) = server.wait();
        assert_eq!(status, Some(0), "{log}");
        let answered: u32 = askers.into_iter().map(|asker| asker.join().expect("nothing was cut")).sum();
        assert!(answered > 0);
    }
}

#[test]
fn a_client_that_never_finishes_its_request_does_not_prevent_the_shutdown() {
    let folder = sticks();
    let server = Server::of(folder.path());
    let head = request("POST", "/api/tables/sticks/lookup", &[("content-type", "application/json")], 1000);
    let mut clients: Vec<Client> = Vec::new();
    for bytes in ["GET / HT", &head, "GET /healthz HTTP/1.1\r\nhost: x\r\n"] {
        let mut client = server.client();
        client.send(bytes);
        clients.push(client);
    }
    // A client that sends many requests, and reads no answers.
    let mut deaf = server.client();
    for _ in 0..300 {
        if !deaf.try_send(request("GET", "/api/tables/sticks/game-map?position=3,5,7", &[], 0)) {
            break;
        }
    }
    assert_eq!(server.get("/healthz").status, 200);
    server.signal("TERM");
    assert_eq!(server.wait().0, Some(0));
}

#[test]
fn a_half_sent_request_is_answered_or_dropped() {
    let folder = sticks();
    let server = Server::of(folder.path());
    assert_eq!(server.get("/healthz").status, 200);
    let mut half = server.client();
    half.send("GET /healthz HTTP/1.1\r\n");
    server.signal("TERM");
    thread::sleep(Duration::from_millis(50));
    half.try_send("host: x\r\n\r\n");
    match half.read_answer() {
        Ok(answer) => assert_eq!(answer.status, 200),
        Err(broken) => assert_eq!(broken, Disconnect::Before),
    }
    assert_eq!(server.wait().0, Some(0));
}
