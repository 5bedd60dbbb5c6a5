//! A shell that runs the commands of a page as a reader types them.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;

use bouton_tests::children::{command, output, spawn};
use bouton_tests::programs::program;
use bouton_tests::service::Client;
use tempfile::TempDir;

/// Seconds after which a command counts as hanging.
const HANG_LIMIT: &str = "300";

/// A shell in its own folder, with our programs in its path.
#[derive(Debug)]
pub(crate) struct Shell {
    folder: TempDir,
    /// The servers that run in the background.
    running: Vec<Child>,
    /// Addresses that the page names, with the real addresses that replace them.
    addresses: Vec<(String, String)>,
}

impl Shell {
    /// Makes an empty folder for the commands.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        Self { folder, running: Vec::new(), addresses: Vec::new() }
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).expect("it can be written");
    }

    /// Runs a command or a script; returns its exit status and its output.
    pub(crate) fn run(&self, command: &str) -> (Option<i32>, String) {
        let command = self.with_addresses(command);
        if command.starts_with("curl ") {
            return (Some(0), self.fetch(&command));
        }
        let script = format!("exec 2>&1\n{command}");
        let ran = self.bash(&["timeout", HANG_LIMIT, "bash", "-c", &script]).output().expect("bash runs");
        (ran.status.code(), String::from_utf8(ran.stdout).expect("programs print UTF-8"))
    }

    /// Starts a command that runs until the page ends. A command that listens at an address listens at a free port
    /// instead.
    pub(crate) fn start(&mut self, command: &str, address: Option<&str>) {
        let mut command = self.with_addresses(command.trim());
        if let Some(address) = address {
            if !command.contains(address) {
                command += &format!(" --listen {address}");
            }
            command = command.replace(address, "127.0.0.1:0");
        }
        let mut child = spawn(self.bash(&["bash", "-c", &format!("exec {command}")]).stderr(Stdio::null()));
        let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
        self.running.push(child);
        if let Some(address) = address {
            let mut line = String::new();
            out.read_line(&mut line).expect("programs print UTF-8");
            let real = line
                .split(|c: char| c.is_whitespace() || c == '/')
                .find(|word| word.starts_with("127.0.0.1:"));
            let real = real.unwrap_or_else(|| panic!("`{command}` does not print its address: {line}"));
            self.addresses.push((address.to_owned(), real.to_owned()));
        }
        // Reads the output so that the command never blocks.
        thread::spawn(move || out.read_to_end(&mut Vec::new()));
    }

    /// Returns a command with the real addresses of running servers instead of those in the page.
    fn with_addresses(&self, command: &str) -> String {
        self.addresses.iter().fold(command.to_owned(), |command, (named, real)| command.replace(named, real))
    }

    /// Returns a command that runs in the folder, with the programs on its path.
    fn bash(&self, words: &[&str]) -> Command {
        let lookup = program("bouton-lookup");
        let folder = lookup.parent().expect("programs are in a folder");
        let path = env::var_os("PATH").unwrap_or_default();
        let path = env::join_paths([folder.to_owned()].into_iter().chain(env::split_paths(&path)));
        let mut command = command(words[0]);
        command
            .args(&words[1..])
            .current_dir(self.folder.path())
            .env("PATH", path.expect("no folder of the path has a colon in its name"))
            // Started by cargo, `bouton` would advise its user to start the other programs by cargo too.
            .env_remove("CARGO")
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        command
    }

    /// Returns the output of `curl [-H HEADER] [-d DATA] URL`. Not every machine has curl.
    fn fetch(&self, command: &str) -> String {
        let printed = output(&mut self.bash(&["bash", "-c", &format!("printf '%s\\0' {command}")]));
        let words = String::from_utf8(printed.stdout).expect("pages are UTF-8");
        let (mut headers, mut body, mut url) = (Vec::new(), None, None);
        let mut words = words.split_terminator('\0').skip(1);
        while let Some(word) = words.next() {
            match word {
                "-H" => {
                    let header = words.next().and_then(|header| header.split_once(": "));
                    headers.push(header.expect("a header has a name and a value"));
                }
                "-d" => body = words.next(),
                word => url = word.strip_prefix("http://127.0.0.1:"),
            }
        }
        let (port, path) = url.and_then(|url| url.split_once('/')).expect("a URL of this machine");
        let mut client = Client::connect(port.parse().expect("a port")).expect("the server accepts");
        let method = if body.is_some() { "POST" } else { "GET" };
        let answer = client.ask(method, &format!("/{path}"), &headers, body.unwrap_or_default().as_bytes());
        answer.text().to_owned()
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        for child in &mut self.running {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
