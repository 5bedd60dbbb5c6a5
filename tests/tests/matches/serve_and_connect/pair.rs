//! Helpers that start `bouton-match serve` and `connect` as programs, and read their output.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdout};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tests::programs::start_match;

/// The time after which a test reports a hang.
const HANG_LIMIT: Duration = Duration::from_secs(60);

/// A program that runs until it is dropped.
pub(crate) struct Program {
    child: Child,
    /// The lines of its output.
    lines: Receiver<String>,
    /// All of its messages in one text, once it has ended.
    stderr: Receiver<String>,
}

/// The end of a program: its exit status, and the output not read before.
pub(crate) struct ProgramOutput {
    pub(crate) status: Option<i32>,
    pub(crate) lines: Vec<String>,
    pub(crate) stderr: String,
}

impl Program {
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut child = start_match(Path::new("."), args);
        let out: ChildStdout = child.stdout.take().unwrap();
        let mut err: ChildStderr = child.stderr.take().unwrap();
        let ((line_sender, lines), (stderr_sender, stderr)) = (channel(), channel());
        thread::spawn(move || {
            for line in BufReader::new(out).lines() {
                let _ = line_sender.send(line.expect("it prints UTF-8"));
            }
        });
        thread::spawn(move || {
            let mut all = String::new();
            err.read_to_string(&mut all).expect("its messages are UTF-8");
            let _ = stderr_sender.send(all);
        });
        Self { child, lines, stderr }
    }

    /// Returns the next line of the program's output.
    pub(crate) fn line(&self) -> String {
        self.lines.recv_timeout(HANG_LIMIT).expect("another line")
    }

    /// Kills the program.
    pub(crate) fn kill(&mut self) {
        self.child.kill().expect("the program can be killed");
        self.child.wait().expect("the program has ended");
    }

    /// Waits for the program to end by itself.
    pub(crate) fn end(mut self) -> ProgramOutput {
        let stderr = self.stderr.recv_timeout(HANG_LIMIT).expect("the program ends");
        let deadline = Instant::now() + HANG_LIMIT;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < deadline, "the program does not end");
            thread::sleep(Duration::from_millis(5));
        }
        let status = self.child.wait().unwrap().code();
        ProgramOutput { status, lines: self.lines.iter().collect(), stderr }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server of a protocol.
pub(crate) struct Server {
    pub(crate) program: Program,
    protocol: &'static str,
    port: u16,
}

impl Server {
    pub(crate) fn start(protocol: &'static str, args: &[&str]) -> Self {
        let program = Program::start(&[&["serve", "--listen", "0", "--protocol", protocol], args].concat());
        let line = program.line();
        let port = line.strip_prefix("listening on 127.0.0.1:").unwrap().split(' ').next().unwrap();
        Self { port: port.parse().unwrap(), protocol, program }
    }

    /// Starts a client with the policy `longest`.
    pub(crate) fn client(&self, protocol: &str, args: &[&str]) -> Program {
        let scheme = if self.protocol == "rest" { "http://" } else { "" };
        let address = format!("{scheme}127.0.0.1:{}", self.port);
        let all = ["connect", &address, "--protocol", protocol, "--policy", "longest", "--pause", "0"];
        Program::start(&[&all, args].concat())
    }

    /// Waits until this many clients are connected; for two seconds if the system does not show its connections.
    pub(crate) fn wait_for_clients(&self, count: usize) {
        // Local and remote address, and the state: 01 is an established connection.
        let here = format!("0100007F:{:04X}", self.port);
        let deadline = Instant::now() + HANG_LIMIT;
        loop {
            let Ok(table) = std::fs::read_to_string("/proc/net/tcp") else {
                return thread::sleep(Duration::from_secs(2));
            };
            let is_client = |line: &&str| {
                let words: Vec<&str> = line.split_whitespace().collect();
                words.len() > 3 && words[1] == here && words[3] == "01"
            };
            if table.lines().filter(is_client).count() >= count {
                return;
            }
            assert!(Instant::now() < deadline, "a client does not connect");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads the line about the start of the next match; returns the names of the first and the second player.
    pub(crate) fn read_start(&self, number: u32) -> [String; 2] {
        let line = self.program.line();
        let rest = line.strip_prefix(&format!("match {number} begun: ")).unwrap_or_else(|| panic!("{line}"));
        let (first, second) = rest.split_once(" moves first, ").expect("who moves first");
        [first, second.strip_suffix(" second").expect("who moves second")].map(str::to_owned)
    }

    /// Reads the line about the end of the next match; returns the winner and the reason.
    pub(crate) fn read_end(&self, number: u32) -> [String; 2] {
        let line = self.program.line();
        let start = format!("match {number} finished: ");
        let rest = line.strip_prefix(&start).unwrap_or_else(|| panic!("{line}"));
        let (winner, rest) = rest.split_once(" won after ").expect("who won");
        [winner, rest.split_once(": ").expect("why").1].map(str::to_owned)
    }

    /// Waits for the server to end by itself without further output.
    pub(crate) fn end(self) {
        let ProgramOutput { status, lines, stderr } = self.program.end();
        assert_eq!((status, lines, stderr), (Some(0), vec![], String::new()));
    }
}
