//! Measures how the service copes with trouble: idle connections, half-sent requests, large bodies, invalid positions,
//! tables replaced and truncated under load, a signal under load, and a large table.
//!
//! ```text
//! cargo run --release -p bouton-tests --example trouble                  # all but the last
//! cargo run --release -p bouton-tests --example trouble -- cut signal    # some of: idle half body bodies maps bad replaced cut signal
//! cargo run --release -p bouton-tests --example trouble -- memory FOLDER # the last, with large.bouton in a folder
//! ```
//!
//! The example `large_table` makes `large.bouton`.

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tests::positions::Dice;
use bouton_tests::seal::Parts;
use bouton_tests::service::{Client, Disconnect, Folder, Server, request, table};

/// The number of threads that send requests.
const REQUEST_THREADS: u64 = 8;
const QUESTION: &str = "/api/tables/expanding/lookup?position=217/9/1/4,3/-";

fn main() {
    let all: [(&str, fn()); 9] = [
        ("idle", idle_connections),
        ("half", half_sent_requests),
        ("body", a_body_of_100_mb),
        ("bodies", refused_bodies),
        ("maps", maps_at_once),
        ("bad", bad_positions),
        ("replaced", a_table_replaced_a_hundred_times),
        ("cut", a_table_cut_short),
        ("signal", a_signal),
    ];
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [what, folder] = &args[..]
        && what == "memory"
    {
        return memory(Path::new(folder));
    }
    for (name, measure) in all {
        if args.is_empty() || args.iter().any(|arg| arg == name) {
            measure();
        }
    }
}

/// The number of answers of each status, and the time of each request.
#[derive(Debug, Default)]
struct RequestCounts {
    /// The number of answers of each status.
    by_status: BTreeMap<u16, u64>,
    /// Requests that were begun and got no answer.
    unanswered: u64,
    /// The time of each request, answered or not.
    times: Vec<Duration>,
}

impl RequestCounts {
    /// Adds the counts and times of another thread.
    fn merge(mut self, other: Self) -> Self {
        other
            .by_status
            .into_iter()
            .for_each(|(status, number)| *self.by_status.entry(status).or_default() += number);
        self.unanswered += other.unanswered;
        self.times.extend(other.times);
        self
    }

    /// Formats the answers per second, the statuses, and the times that 50 and 99 % of the requests do not exceed.
    fn summary(mut self, seconds: f64) -> String {
        self.times.sort_unstable();
        let at = |share: f64| {
            let number = (self.times.len() as f64 * share) as usize;
            self.times
                .get(number.min(self.times.len().saturating_sub(1)))
                .map_or(0.0, |time| time.as_secs_f64() * 1e3)
        };
        let statuses: Vec<String> =
            self.by_status.iter().map(|(status, number)| format!("{number} of status {status}")).collect();
        format!(
            "{:.0} answers a second ({}; {} without an answer), p50 {:.2} ms, p99 {:.2} ms",
            self.times.len() as f64 / seconds,
            statuses.join(", "),
            self.unanswered,
            at(0.5),
            at(0.99)
        )
    }
}

/// Sends requests from several threads as fast as possible, while `action` runs. Returns a summary of the answers.
fn measure_under_load(server: &Server, question: &str, action: impl FnOnce()) -> String {
    let is_over = AtomicBool::new(false);
    let begun = Instant::now();
    let ask = || {
        let (mut counts, mut client) = (RequestCounts::default(), server.client());
        while !is_over.load(Relaxed) {
            let begun = Instant::now();
            match client.try_ask("GET", question, &[], b"") {
                Ok(answer) => *counts.by_status.entry(answer.status).or_default() += 1,
                Err(_) => {
                    counts.unanswered += 1;
                    client = server.client();
                }
            }
            counts.times.push(begun.elapsed());
        }
        counts
    };
    let counts = thread::scope(|scope| {
        let threads: Vec<_> = (0..REQUEST_THREADS).map(|_| scope.spawn(ask)).collect();
        action();
        is_over.store(true, Relaxed);
        threads
            .into_iter()
            .map(|thread| thread.join().expect("asking does not fail"))
            .fold(RequestCounts::default(), RequestCounts::merge)
    });
    counts.summary(begun.elapsed().as_secs_f64())
}

fn sleep_seconds(seconds: u64) {
    thread::sleep(Duration::from_secs(seconds));
}

/// Returns the server's memory in MiB: allocated memory, and mapped files.
fn memory_of(server: &Server) -> (f64, f64) {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("the system reports it");
    let of = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("the system reports it");
        line.trim().trim_end_matches(" kB").trim().parse::<f64>().expect("a number") / 1024.0
    };
    (of("RssAnon:"), of("RssFile:"))
}

fn memory_text(server: &Server) -> String {
    let (own, mapped) = memory_of(server);
    format!("{own:.0} MiB of its own and {mapped:.0} MiB of files")
}

/// Waits until the server closes connections, and returns the time that took.
fn wait_until_closed(clients: Vec<Client>) -> Duration {
    let begun = Instant::now();
    for mut client in clients {
        let _ = client.read_to_end_of_connection();
    }
    begun.elapsed()
}

fn idle_connections() {
    let server = Server::start(&[]);
    let before = memory_text(&server);
    let clients: Vec<Client> = (0..1000).map(|_| server.client()).collect();
    let summary = measure_under_load(&server, QUESTION, || sleep_seconds(5));
    println!("1,000 idle connections, others ask: {summary}");
    println!("  memory: {before} without them, {} with them", memory_text(&server));
    println!("  all were ended after {:.0} s more", wait_until_closed(clients).as_secs_f64());
}

fn half_sent_requests() {
    let server = Server::start(&[]);
    let half = |number: usize| {
        let mut client = server.client();
        let head = request("POST", "/api/tables/sticks/lookup", &[("content-type", "application/json")], 10);
        // Cut within the headers, and within the body.
        client.send(if number.is_multiple_of(2) { &head[..head.len() / 2] } else { &head });
        client
    };
    let clients: Vec<Client> = (0..1000).map(half).collect();
    let summary = measure_under_load(&server, QUESTION, || sleep_seconds(5));
    println!("1,000 half-sent requests, others ask: {summary}");
    println!("  all were ended after {:.0} s more", wait_until_closed(clients).as_secs_f64());
}

fn a_body_of_100_mb() {
    let server = Server::start(&[]);
    let before = memory_text(&server);
    let begun = Instant::now();
    let body = vec![b' '; 100_000_000];
    let answer = server.client().try_ask(
        "POST",
        "/api/tables/sticks/lookup",
        &[("content-type", "application/json")],
        &body,
    );
    let status = answer.map_or("no answer".to_owned(), |answer| format!("status {}", answer.status));
    let took = begun.elapsed().as_secs_f64() * 1e3;
    println!(
        "a body of 100 MB: {status} after {took:.0} ms; memory {before} before, {} after",
        memory_text(&server)
    );
}

/// Returns the server's peak memory in MiB.
fn peak_of(server: &Server) -> f64 {
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("the system reports it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the system reports it");
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().expect("a number") / 1024.0
}

fn refused_bodies() {
    let server = Server::start(&[]);
    let before = peak_of(&server);
    let body = vec![b' '; 15_000_000];
    let ask = || {
        let headers = [("content-type", "application/json")];
        let answer = server.client().try_ask("POST", "/api/tables/sticks/lookup", &headers, &body);
        answer.is_ok_and(|answer| answer.status == 413)
    };
    let refused = thread::scope(|scope| {
        let all: Vec<_> = (0..40).map(|_| scope.spawn(ask)).collect();
        all.into_iter().filter_map(|thread| thread.join().ok()).filter(|refused| *refused).count()
    });
    let added = peak_of(&server) - before;
    println!(
        "40 bodies of 15 MB at once: {refused} were refused as too long; at most {added:.0} MiB more memory"
    );
}

fn maps_at_once() {
    let server = Server::start(&[]);
    let ask = |number: u32| {
        let mut client = server.client();
        let (table, position) = match number % 3 {
            0 => ("expanding", format!("{}/9/1/4,3/-", 217 + number)),
            1 => ("nim", format!("31,30,{number},7,3")),
            _ => ("marienbad", format!("1,3,5,{}", number % 8)),
        };
        let begun = Instant::now();
        let answer = client.get(&format!("/api/tables/{table}/map?position={position}"));
        assert_eq!(answer.status, 200, "{table} {position}: {answer}");
        begun.elapsed()
    };
    let longest = thread::scope(|scope| {
        let all: Vec<_> = (0..30).map(|number| scope.spawn(move || ask(number))).collect();
        all.into_iter().map(|thread| thread.join().expect("it is answered")).max().unwrap_or_default()
    });
    println!("30 maps at once: all answered within {:.0} ms", longest.as_secs_f64() * 1e3);
}

fn bad_positions() {
    let server = Server::start(&[]);
    let before = memory_text(&server);
    let (seconds, per_second) = (10, 10_000);
    let is_over = AtomicBool::new(false);
    let send_bad_positions = || {
        let mut client = server.client();
        let begun = Instant::now();
        let mut number = 0_u64;
        while !is_over.load(Relaxed) {
            let answer = client.get("/api/tables/expanding/lookup?position=no/such/position");
            assert_eq!(answer.status, 400);
            number += 1;
            // Each of the four threads sends a quarter of `per_second` requests per second.
            let due = Duration::from_secs_f64(number as f64 * 4.0 / f64::from(per_second));
            thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        number
    };
    let (summary, number) = thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(send_bad_positions)).collect();
        let summary = measure_under_load(&server, QUESTION, || sleep_seconds(seconds));
        is_over.store(true, Relaxed);
        (summary, threads.into_iter().map(|thread| thread.join().expect("it is answered")).sum::<u64>())
    });
    println!(
        "{:.0} questions a second for a bad position, others ask: {summary}",
        number as f64 / seconds as f64
    );
    println!(
        "  memory: {before} before, {} after; lines in the log: {}",
        memory_text(&server),
        server.log().lines().count()
    );
}

fn a_table_replaced_a_hundred_times() {
    let folder = Folder::new();
    let tables = ["growth=1", "growth=2"].map(|setting| table("expanding", &[setting], true));
    folder.put("expanding", &tables[0]);
    let server = Server::of(folder.path());
    let digest = || server.json("/api/tables/expanding")["digest"].to_string();
    let (mut taken_up, mut last) = (0, digest());
    let summary = measure_under_load(&server, QUESTION, || {
        for number in 1..=100 {
            folder.put("expanding", &tables[number % 2]);
            let deadline = Instant::now() + Duration::from_secs(20);
            while Instant::now() < deadline {
                let now = digest();
                if now != last {
                    (taken_up, last) = (taken_up + 1, now);
                    break;
                }
                thread::sleep(Duration::from_millis(20));
            }
        }
    });
    println!("a table replaced 100 times (taken up {taken_up} times), others ask: {summary}");
}

/// Returns a valid table that is large enough to be mapped, padded with bytes that nothing refers to.
fn padded_table() -> Vec<u8> {
    let mut parts = Parts::of(&table("expanding", &[], true));
    parts.body.resize(64 << 20, 0);
    parts.seal()
}

fn a_table_cut_short() {
    let folder = Folder::new();
    let bytes = padded_table();
    folder.put("expanding", &bytes);
    let mut server = Server::of(folder.path());
    let summary = measure_under_load(&server, QUESTION, || {
        sleep_seconds(2);
        let file = OpenOptions::new().write(true).open(folder.file("expanding")).expect("it is there");
        file.set_len(4096).expect("it can be cut");
        sleep_seconds(2);
        folder.put("expanding", &bytes);
        sleep_seconds(4);
    });
    println!("a mapped table cut short, and a sound one put in its place 2 s later, others ask: {summary}");
    println!("  the server {}", if server.is_running() { "still runs" } else { "has ended" });
}

fn a_signal() {
    let server = Server::start(&[]);
    let ask = || {
        let (mut counts, mut client) = (RequestCounts::default(), server.client());
        loop {
            let since = Instant::now();
            // A request has begun when the server has received a part of it; a connection that the server closes
            // earlier does not count.
            match client.try_ask("GET", QUESTION, &[], b"") {
                Ok(answer) => *counts.by_status.entry(answer.status).or_default() += 1,
                Err(Disconnect::Within(_)) => counts.unanswered += 1,
                Err(Disconnect::Before) => break,
            }
            counts.times.push(since.elapsed());
        }
        counts
    };
    let (counts, ended) = thread::scope(|scope| {
        let threads: Vec<_> = (0..REQUEST_THREADS).map(|_| scope.spawn(ask)).collect();
        sleep_seconds(2);
        let since = Instant::now();
        server.signal("-TERM");
        let counts = threads.into_iter().map(|thread| thread.join().expect("asking does not fail"));
        (counts.fold(RequestCounts::default(), RequestCounts::merge), since)
    });
    let (status, _) = server.wait();
    println!(
        "SIGTERM under load: {}; exit status {status:?} after {:.0} ms",
        counts.summary(2.0),
        ended.elapsed().as_secs_f64() * 1e3
    );
}

fn memory(folder: &Path) {
    let server = Server::of(folder);
    let about = server.json("/api/tables/large");
    let bytes = about["bytes"].as_u64().expect("large.bouton is in the folder") as f64 / f64::from(1 << 20);
    let size = about["rules"]["bounds"][0].as_u64().expect("a heap's size") as u32;
    let begun = Instant::now();
    let ask = |seed: u64| {
        let (mut client, mut dice) = (server.client(), Dice::new(seed));
        for _ in 0..1_000_000 / REQUEST_THREADS {
            let (a, b) = (dice.up_to(size), dice.up_to(size));
            let answer = client.get(&format!("/api/tables/large/lookup?position={a},{b}"));
            let outcome = if a == b { "\"outcome\":\"loss\"" } else { "\"outcome\":\"win\"" };
            assert!(answer.status == 200 && answer.text().contains(outcome), "{a},{b}: {answer}");
        }
    };
    thread::scope(|scope| (1..=REQUEST_THREADS).for_each(|seed| drop(scope.spawn(move || ask(seed)))));
    println!(
        "1,000,000 random single lookups in a table of {bytes:.0} MiB, all right, {:.0} a second: memory {}",
        1e6 / begun.elapsed().as_secs_f64(),
        memory_text(&server)
    );
}
