//! Measures the service in trouble: idle and half-sent connections, invalid bodies and requests, tables replaced and
//! truncated under load, a signal under load, and the memory for a large table.
//!
//! ```text
//! cargo run --release -p bouton-tests --example trouble                  # all but the last
//! cargo run --release -p bouton-tests --example trouble -- cut signal    # some of: idle half body bodies maps bad replaced cut signal
//! cargo run --release -p bouton-tests --example trouble -- memory FOLDER # the last, with large.bouton in a folder
//! ```
//!
//! The example `large_table` makes `large.bouton`.

#![allow(clippy::print_stdout, reason = "it is what an example is for")]

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
const ASKERS: u64 = 8;
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
    for (name, trouble) in all {
        if args.is_empty() || args.iter().any(|arg| arg == name) {
            trouble();
        }
    }
}

/// The answers by status, and their times.
#[derive(Debug, Default)]
struct RequestCounts {
    by_status: BTreeMap<u16, u64>,
    /// Requests that were begun and got no answer.
    unanswered: u64,
    times: Vec<Duration>,
}

impl RequestCounts {
    fn and(mut self, other: Self) -> Self {
        other
            .by_status
            .into_iter()
            .for_each(|(status, number)| *self.by_status.entry(status).or_default() += number);
        self.unanswered += other.unanswered;
        self.times.extend(other.times);
        self
    }

    fn shown(mut self, seconds: f64) -> String {
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

/// Sends requests from several threads as fast as possible, while `happens` runs.
fn under_load(server: &Server, question: &str, happens: impl FnOnce()) -> String {
    let over = AtomicBool::new(false);
    let begun = Instant::now();
    let ask = || {
        let (mut asked, mut client) = (RequestCounts::default(), server.client());
        while !over.load(Relaxed) {
            let begun = Instant::now();
            match client.try_to_ask("GET", question, &[], b"") {
                Ok(answer) => *asked.by_status.entry(answer.status).or_default() += 1,
                Err(_) => {
                    asked.unanswered += 1;
                    client = server.client();
                }
            }
            asked.times.push(begun.elapsed());
        }
        asked
    };
    let asked = thread::scope(|scope| {
        let askers: Vec<_> = (0..ASKERS).map(|_| scope.spawn(ask)).collect();
        happens();
        over.store(true, Relaxed);
        askers
            .into_iter()
            .map(|asker| asker.join().expect("asking does not fail"))
            .fold(RequestCounts::default(), RequestCounts::and)
    });
    asked.shown(begun.elapsed().as_secs_f64())
}

fn rest(seconds: u64) {
    thread::sleep(Duration::from_secs(seconds));
}

/// Returns a process's memory in MiB: its own, and that of its mapped files.
fn memory_of(server: &Server) -> (f64, f64) {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("the system tells");
    let of = |key: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(key)).expect("the system tells it");
        line.trim().trim_end_matches(" kB").trim().parse::<f64>().expect("a number") / 1024.0
    };
    (of("RssAnon:"), of("RssFile:"))
}

fn shown_memory(server: &Server) -> String {
    let (own, mapped) = memory_of(server);
    format!("{own:.0} MiB of its own and {mapped:.0} MiB of files")
}

/// Waits until the server closes connections, and returns the time that took.
fn until_ended(clients: Vec<Client>) -> Duration {
    let begun = Instant::now();
    for mut client in clients {
        let _ = client.hear_out();
    }
    begun.elapsed()
}

fn idle_connections() {
    let server = Server::start(&[]);
    let before = shown_memory(&server);
    let clients: Vec<Client> = (0..1000).map(|_| server.client()).collect();
    let shown = under_load(&server, QUESTION, || rest(5));
    println!("1,000 idle connections, others ask: {shown}");
    println!("  memory: {before} without them, {} with them", shown_memory(&server));
    println!("  all were ended after {:.0} s more", until_ended(clients).as_secs_f64());
}

fn half_sent_requests() {
    let server = Server::start(&[]);
    let half = |number: usize| {
        let mut client = server.client();
        let whole = request("POST", "/api/tables/sticks/lookup", &[("content-type", "application/json")], 10);
        // Cut within the headers, and within the body.
        client.say(if number.is_multiple_of(2) { &whole[..whole.len() / 2] } else { &whole });
        client
    };
    let clients: Vec<Client> = (0..1000).map(half).collect();
    let shown = under_load(&server, QUESTION, || rest(5));
    println!("1,000 half-sent requests, others ask: {shown}");
    println!("  all were ended after {:.0} s more", until_ended(clients).as_secs_f64());
}

fn a_body_of_100_mb() {
    let server = Server::start(&[]);
    let before = shown_memory(&server);
    let begun = Instant::now();
    let body = vec![b' '; 100_000_000];
    let answer = server.client().try_to_ask(
        "POST",
        "/api/tables/sticks/lookup",
        &[("content-type", "application/json")],
        &body,
    );
    let status = answer.map_or("no answer".to_owned(), |answer| format!("status {}", answer.status));
    let took = begun.elapsed().as_secs_f64() * 1e3;
    println!(
        "a body of 100 MB: {status} after {took:.0} ms; memory {before} before, {} after",
        shown_memory(&server)
    );
}

/// Returns the peak memory of a process in MiB.
fn peak_of(server: &Server) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).expect("the system tells");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("the system tells it");
    line.trim().trim_end_matches(" kB").trim().parse::<f64>().expect("a number") / 1024.0
}

fn refused_bodies() {
    let server = Server::start(&[]);
    let before = peak_of(&server);
    let body = vec![b' '; 15_000_000];
    let ask = || {
        let headers = [("content-type", "application/json")];
        let answer = server.client().try_to_ask("POST", "/api/tables/sticks/lookup", &headers, &body);
        answer.is_ok_and(|answer| answer.status == 413)
    };
    let refused = thread::scope(|scope| {
        let all: Vec<_> = (0..40).map(|_| scope.spawn(ask)).collect();
        all.into_iter().filter_map(|asker| asker.join().ok()).filter(|refused| *refused).count()
    });
    let more = peak_of(&server) - before;
    println!(
        "40 bodies of 15 MB at once: {refused} were refused as too long; at most {more:.0} MiB more memory"
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
        all.into_iter().map(|asker| asker.join().expect("it is answered")).max().unwrap_or_default()
    });
    println!("30 maps at once: all answered within {:.0} ms", longest.as_secs_f64() * 1e3);
}

fn bad_positions() {
    let server = Server::start(&[]);
    let before = shown_memory(&server);
    let (seconds, each) = (10, 10_000);
    let over = AtomicBool::new(false);
    let flood = || {
        let mut client = server.client();
        let begun = Instant::now();
        let mut number = 0_u64;
        while !over.load(Relaxed) {
            let answer = client.get("/api/tables/expanding/lookup?position=no/such/position");
            assert_eq!(answer.status, 400);
            number += 1;
            // A quarter of the requests each second.
            let due = Duration::from_secs_f64(number as f64 * 4.0 / f64::from(each));
            thread::sleep(due.saturating_sub(begun.elapsed()));
        }
        number
    };
    let (shown, number) = thread::scope(|scope| {
        let flooders: Vec<_> = (0..4).map(|_| scope.spawn(flood)).collect();
        let shown = under_load(&server, QUESTION, || rest(seconds));
        over.store(true, Relaxed);
        (shown, flooders.into_iter().map(|flooder| flooder.join().expect("it is answered")).sum::<u64>())
    });
    println!(
        "{:.0} questions a second for a bad position, others ask: {shown}",
        number as f64 / seconds as f64
    );
    println!(
        "  memory: {before} before, {} after; lines in the log: {}",
        shown_memory(&server),
        server.notes().lines().count()
    );
}

fn a_table_replaced_a_hundred_times() {
    let folder = Folder::new();
    let tables = ["growth=1", "growth=2"].map(|setting| table("expanding", &[setting], true));
    folder.put("expanding", &tables[0]);
    let server = Server::of(folder.path());
    let digest = || server.json("/api/tables/expanding")["digest"].to_string();
    let (mut seen, mut last) = (0, digest());
    let shown = under_load(&server, QUESTION, || {
        for number in 1..=100 {
            folder.put("expanding", &tables[number % 2]);
            let deadline = Instant::now() + Duration::from_secs(20);
            while Instant::now() < deadline {
                let now = digest();
                if now != last {
                    (seen, last) = (seen + 1, now);
                    break;
                }
                thread::sleep(Duration::from_millis(20));
            }
        }
    });
    println!("a table replaced 100 times (taken up {seen} times), others ask: {shown}");
}

/// Returns a valid table that is large enough to be mapped, padded with bytes that nothing refers to.
fn mapped() -> Vec<u8> {
    let mut parts = Parts::of(&table("expanding", &[], true));
    parts.body.resize(64 << 20, 0);
    parts.seal()
}

fn a_table_cut_short() {
    let folder = Folder::new();
    let bytes = mapped();
    folder.put("expanding", &bytes);
    let mut server = Server::of(folder.path());
    let shown = under_load(&server, QUESTION, || {
        rest(2);
        let file = OpenOptions::new().write(true).open(folder.file("expanding")).expect("it is there");
        file.set_len(4096).expect("it can be cut");
        rest(2);
        folder.put("expanding", &bytes);
        rest(4);
    });
    println!("a mapped table cut short, and a sound one put in its place 2 s later, others ask: {shown}");
    println!("  the server {}", if server.runs() { "goes on" } else { "is gone" });
}

fn a_signal() {
    let server = Server::start(&[]);
    let begun = AtomicBool::new(true);
    let ask = || {
        let (mut asked, mut client) = (RequestCounts::default(), server.client());
        while begun.load(Relaxed) {
            let since = Instant::now();
            // A request has begun when the server has received a part of it; a connection that the server closes
            // earlier does not count.
            match client.try_to_ask("GET", QUESTION, &[], b"") {
                Ok(answer) => *asked.by_status.entry(answer.status).or_default() += 1,
                Err(Disconnect::Within(_)) => asked.unanswered += 1,
                Err(Disconnect::Before) => break,
            }
            asked.times.push(since.elapsed());
        }
        asked
    };
    let (asked, ended) = thread::scope(|scope| {
        let askers: Vec<_> = (0..ASKERS).map(|_| scope.spawn(ask)).collect();
        rest(2);
        let since = Instant::now();
        server.signal("-TERM");
        let asked = askers.into_iter().map(|asker| asker.join().expect("asking does not fail"));
        (asked.fold(RequestCounts::default(), RequestCounts::and), since)
    });
    let (status, _) = server.wait();
    println!(
        "SIGTERM under load: {}; exit status {status:?} after {:.0} ms",
        asked.shown(2.0),
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
        for _ in 0..1_000_000 / ASKERS {
            let (a, b) = (dice.up_to(size), dice.up_to(size));
            let answer = client.get(&format!("/api/tables/large/lookup?position={a},{b}"));
            let outcome = if a == b { "\"outcome\":\"loss\"" } else { "\"outcome\":\"win\"" };
            assert!(answer.status == 200 && answer.text().contains(outcome), "{a},{b}: {answer}");
        }
    };
    thread::scope(|scope| (1..=ASKERS).for_each(|seed| drop(scope.spawn(move || ask(seed)))));
    println!(
        "1,000,000 random single lookups in a table of {bytes:.0} MiB, all right, {:.0} a second: memory {}",
        1e6 / begun.elapsed().as_secs_f64(),
        shown_memory(&server)
    );
}
