//! Helpers for tests of `bouton-server`: they start it, send requests, read its log, and end it.

mod client;
mod folder;
mod ordered;

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

pub use self::client::{Answer, Client, Disconnect, HANG_LIMIT, request};
pub use self::folder::{Folder, table};
pub use self::ordered::{OrderedJson, ordered};
use crate::children::{self, command};
use crate::programs::{ProgramRun, program, send_signal};

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct Server {
    child: Child,
    log: Arc<Mutex<String>>,
    /// The server's standard output after the first line, which has the address.
    stdout: Arc<Mutex<String>>,
    /// Its port on this machine.
    pub port: u16,
}

impl Server {
    /// Starts a server, on a free port unless the arguments have `--listen`.
    ///
    /// # Panics
    /// If the server does not print its address.
    #[must_use]
    pub fn start(args: &[&str]) -> Self {
        let listen: &[&str] = if args.contains(&"--listen") { &[] } else { &["--listen", "127.0.0.1:0"] };
        Self::wait_for_address(spawn(&mut command(program("bouton-server")), &[listen, args].concat()))
    }

    /// Starts a server on a free port, with a limit on its open files.
    ///
    /// # Panics
    /// If the server does not print its address.
    #[must_use]
    pub fn with_file_limit(limit: u32, args: &[&str]) -> Self {
        let mut command = command("sh");
        command.args(["-c", &format!("ulimit -n {limit}; exec \"$0\" \"$@\"")]).arg(program("bouton-server"));
        Self::wait_for_address(spawn(&mut command, &[&["--listen", "127.0.0.1:0"], args].concat()))
    }

    /// Waits for the line with the address.
    fn wait_for_address(mut child: Child) -> Self {
        let log = collect_lines(BufReader::new(child.stderr.take().expect("it was piped")));
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut server = Self { child, log, stdout: Arc::default(), port: 0 };
        let mut line = String::new();
        out.read_line(&mut line).expect("it prints UTF-8");
        let port = line.strip_prefix("listening on http://127.0.0.1:").map(str::trim_end);
        let port = port.and_then(|port| port.parse().ok());
        server.port = port.unwrap_or_else(|| panic!("no address in {line:?}\n{}", server.log()));
        server.stdout = collect_lines(out);
        server
    }

    /// Starts a server for the tables of a folder.
    #[must_use]
    pub fn of(folder: &Path) -> Self {
        Self::with(folder, &[])
    }

    /// Starts a server for the tables of a folder, with more arguments.
    ///
    /// # Panics
    /// If the folder's path is not UTF-8.
    #[must_use]
    pub fn with(folder: &Path, args: &[&str]) -> Self {
        let folder = folder.to_str().expect("paths of tests are UTF-8");
        Self::start(&[&["--tables", folder], args].concat())
    }

    /// Returns a connected client.
    #[must_use]
    pub fn client(&self) -> Client {
        Client::connect(self.port).expect("the server accepts")
    }

    /// Returns a client connected from 127.0.0.`host`. All other clients use 127.0.0.1.
    #[must_use]
    pub fn client_from(&self, host: u8) -> Client {
        Client::connect_from(host, self.port).expect("the server accepts")
    }

    /// Sends a GET request on a new connection.
    #[must_use]
    pub fn get(&self, path: &str) -> Answer {
        self.client().get(path)
    }

    /// Sends a GET request with these headers on a new connection.
    #[must_use]
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.client().ask("GET", path, headers, b"")
    }

    /// Sends a POST request with JSON on a new connection.
    #[must_use]
    pub fn post(&self, path: &str, body: &str) -> Answer {
        self.client().post(path, body)
    }

    /// Returns the JSON at a path.
    ///
    /// # Panics
    /// If the answer is not JSON with status 200.
    #[must_use]
    pub fn json(&self, path: &str) -> Value {
        self.get(path).json()
    }

    /// Returns the server's log so far.
    #[must_use]
    pub fn log(&self) -> String {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits until the server prints the address of its metrics (`--metrics-listen`), and returns its port.
    ///
    /// # Panics
    /// If the server does not print the address within [`HANG_LIMIT`].
    #[must_use]
    pub fn metrics_port(&self) -> u16 {
        let port = || {
            let printed = self.stdout.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let address =
                printed.lines().find_map(|line| line.strip_prefix("metrics on http://127.0.0.1:"))?;
            address.strip_suffix("/metrics")?.parse().ok()
        };
        self.wait_until("the server prints the address of its metrics", |_| port().is_some());
        port().expect("it was just there")
    }

    /// Waits until a condition holds; `what` names it in the panic message.
    ///
    /// # Panics
    /// If it does not hold within [`HANG_LIMIT`].
    pub fn wait_until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        let deadline = Instant::now() + HANG_LIMIT;
        while !holds(self) {
            assert!(Instant::now() < deadline, "never: {what}\n{}", self.log());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the process ID.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns whether the server is running.
    ///
    /// # Panics
    /// If the operating system does not answer.
    pub fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("its status can be read").is_none()
    }

    /// Sends a signal to the server.
    ///
    /// # Panics
    /// If the signal cannot be sent.
    pub fn signal(&self, signal: &str) {
        send_signal(signal, &self.child);
    }

    /// Waits until the server ends, without killing it, and returns its exit status and its log.
    ///
    /// # Panics
    /// If the server does not end.
    #[must_use]
    pub fn wait(mut self) -> (Option<i32>, String) {
        let deadline = Instant::now() + HANG_LIMIT;
        loop {
            if let Some(status) = self.child.try_wait().expect("its status can be read") {
                return (status.code(), self.log());
            }
            assert!(Instant::now() < deadline, "the server does not end\n{}", self.log());
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if thread::panicking() {
            let ended = self.child.try_wait();
            eprintln!("the test failed; its server (status {ended:?}) logged:\n{}", self.log());
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Collects the lines of a pipe on a thread, so that the writer never blocks.
fn collect_lines(pipe: impl BufRead + Send + 'static) -> Arc<Mutex<String>> {
    let lines = Arc::new(Mutex::new(String::new()));
    let written = Arc::clone(&lines);
    thread::spawn(move || {
        for line in pipe.split(b'\n').map_while(Result::ok) {
            let mut lines = written.lock().unwrap_or_else(PoisonError::into_inner);
            lines.push_str(&String::from_utf8_lossy(&line));
            lines.push('\n');
        }
    });
    lines
}

/// Starts a command without input, with pipes for its outputs.
fn spawn(command: &mut Command, args: &[&str]) -> Child {
    let command = command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    children::spawn(command)
}

/// Runs `bouton-server` with arguments that end it at once, such as `--help` or an invalid option.
///
/// # Panics
/// If the server keeps running.
#[must_use]
pub fn run_to_end(args: &[&str]) -> ProgramRun {
    let mut child = spawn(&mut command(program("bouton-server")), args);
    let deadline = Instant::now() + HANG_LIMIT;
    while child.try_wait().expect("its status can be read").is_none() {
        if Instant::now() > deadline {
            let _ = child.kill();
            let _ = child.wait();
            panic!("bouton-server {args:?} does not end");
        }
        thread::sleep(Duration::from_millis(5));
    }
    let text = |pipe: Option<&mut dyn Read>| {
        let mut text = String::new();
        pipe.expect("it was piped").read_to_string(&mut text).expect("programs print UTF-8");
        text
    };
    let status = child.wait().expect("it has ended").code();
    let stdout = text(child.stdout.as_mut().map(|pipe| pipe as &mut dyn Read));
    let stderr = text(child.stderr.as_mut().map(|pipe| pipe as &mut dyn Read));
    ProgramRun { status, stdout, stderr }
}
