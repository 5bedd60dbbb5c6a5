//! The processes that run the program together. They compare their builds and command lines, and share the processors and
//! the memory of each machine.

use std::error::Error;
use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::available_parallelism;

use blake3::Hasher;
use bouton_generator::Communicator;
use bouton_memory::threads_within;
use serde::{Deserialize, Serialize};

use crate::memory;

/// Returns the version of the messages between processes.
fn protocol() -> String {
    let order = if cfg!(target_endian = "little") { "least" } else { "greatest" };
    format!("bouton-mpi {} (protocol 3, {order} byte first)", env!("CARGO_PKG_VERSION"))
}

/// The processes that run the program together, seen from one of them.
pub(crate) struct Cluster<'a> {
    pub(crate) communicator: &'a dyn Communicator,
    host: String,
    /// Threads of this process. All processes together start one thread for each processor.
    pub(crate) threads: usize,
    /// Memory that each process may use, in bytes.
    pub(crate) memory: u64,
    /// Whether the other processes may be waiting for this one.
    has_begun: AtomicBool,
    /// Rank of the process that reports an error found before the work begins.
    reporter: AtomicUsize,
}

/// The next step of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// All processes begin the work.
    Begin,
    /// There is no work.
    NothingToDo,
    /// A process has failed and reports the error; all processes end.
    Failed,
}

/// The message of each process about itself.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
struct ProcessInfo {
    protocol: String,
    /// Digest of the program's file; empty if the file cannot be read.
    program: String,
    command: String,
    host: String,
    /// The processors that the process may use; empty if unknown.
    processors: Vec<usize>,
    memory: u64,
}

impl ProcessInfo {
    fn own(host: &str, command: &impl Debug) -> Self {
        let processors = memory::status("Cpus_allowed_list");
        Self {
            protocol: protocol(),
            program: own_digest().unwrap_or_default(),
            command: format!("{command:?}"),
            host: host.to_owned(),
            // Leaves address space for a thread on each processor, the most that a process of a cluster starts by default.
            memory: memory::available(),
            processors: processors.map_or_else(Vec::new, |list| numbers(&list)),
        }
    }

    fn to_message(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("texts and numbers are JSON")
    }

    /// Reads a message. Another version may send anything; missing fields become empty.
    fn from_message(message: &[u8]) -> Self {
        serde_json::from_slice(message).unwrap_or_default()
    }
}

/// Returns the digest of the running program. Builds of one version can differ.
fn own_digest() -> io::Result<String> {
    let file = File::open(std::env::current_exe()?)?;
    Ok(Hasher::new().update_reader(file)?.finalize().to_string())
}

/// Returns the numbers of a list such as `0-3,8`.
fn numbers(list: &str) -> Vec<usize> {
    let part = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    list.split(',').filter_map(part).flatten().collect()
}

impl<'a> Cluster<'a> {
    /// Checks that all processes run the same program with the same command line, and divides processors and memory
    /// among them.
    ///
    /// # Errors
    /// Names a process that differs. All processes get the same error.
    pub(crate) fn join(
        communicator: &'a dyn Communicator,
        host: &str,
        command: &impl Debug,
    ) -> Result<Self, String> {
        let messages = communicator.gather(&ProcessInfo::own(host, command).to_message());
        let read = |message: &Vec<u8>| ProcessInfo::from_message(message);
        let processes: Vec<ProcessInfo> = messages.iter().map(read).collect();
        let first = &processes[0];
        for (number, process) in processes.iter().enumerate() {
            let difference = if process.protocol != first.protocol {
                format!(
                    "runs {}, but process 0 on {} runs {}; install the same program on all machines",
                    process.protocol, first.host, first.protocol
                )
            } else if process.program != first.program {
                format!(
                    "runs a different build of bouton-mpi from process 0 on {}; install the same program on \
                    all machines",
                    first.host
                )
            } else if process.command != first.command {
                format!(
                    "has a different command line from process 0 on {}; give all processes the same one",
                    first.host
                )
            } else {
                continue;
            };
            return Err(format!("process {number} on {} {difference}", process.host));
        }
        let own = &processes[communicator.rank()];
        let processes_on_host_of =
            |process: &ProcessInfo| processes.iter().filter(|other| other.host == process.host).count();
        let memory =
            processes.iter().map(|process| process.memory / processes_on_host_of(process) as u64).min();
        // Processes that may use the same processor share it.
        let sharing = |processor: &usize| {
            let others = processes.iter().filter(|other| other.host == own.host);
            others.filter(|other| other.processors.contains(processor)).count()
        };
        let share: f64 = own.processors.iter().map(|processor| 1.0 / sharing(processor) as f64).sum();
        let threads = match own.processors.len() {
            0 => available_parallelism().map_or(1, NonZero::get) / processes_on_host_of(own),
            _ => share.round() as usize,
        };
        Ok(Self {
            communicator,
            host: host.to_owned(),
            threads: threads_within(threads),
            memory: memory.unwrap_or(0),
            has_begun: AtomicBool::new(false),
            reporter: AtomicUsize::new(0),
        })
    }

    /// Returns whether this is process 0, which writes the table and prints.
    pub(crate) fn is_first(&self) -> bool {
        self.communicator.rank() == 0
    }

    /// Agrees with all processes on what to do next. `prepared` describes the work for which this process is ready, if
    /// any.
    ///
    /// # Errors
    /// If processes are ready for different work.
    pub(crate) fn agree<E>(&self, prepared: &Result<Option<String>, E>) -> Result<Agreement, String> {
        let own = serde_json::to_vec(&prepared.as_ref().map_err(|_| ())).expect("texts are JSON");
        let read = |message: &Vec<u8>| serde_json::from_slice(message).unwrap_or(Err(()));
        let all: Vec<Result<Option<String>, ()>> = self.communicator.gather(&own).iter().map(read).collect();
        if let Some(failed) = all.iter().position(Result::is_err) {
            self.reporter.store(failed, Relaxed);
            return Ok(Agreement::Failed);
        }
        if all[0] == Ok(None) {
            return Ok(Agreement::NothingToDo);
        }
        if let Some(other) = all.iter().position(|work| *work != all[0]) {
            return Err(format!(
                "process {other} has a different file from process 0: give all machines the same ruleset"
            ));
        }
        self.has_begun.store(true, Relaxed);
        Ok(Agreement::Begin)
    }

    pub(crate) fn reports_errors(&self) -> bool {
        self.has_begun() || self.communicator.rank() == self.reporter.load(Relaxed)
    }

    /// Returns whether the other processes may be waiting for this one.
    pub(crate) fn has_begun(&self) -> bool {
        self.has_begun.load(Relaxed)
    }

    /// Waits for all processes at the end. Returns the greatest peak memory of a process and the sum of all peaks, in
    /// bytes, if known.
    pub(crate) fn finish(&self) -> Option<[u64; 2]> {
        let own = memory::peak().unwrap_or(0);
        let all = self.communicator.gather(&own.to_le_bytes());
        self.has_begun.store(false, Relaxed);
        let all = all.iter().map(|bytes| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
        let (greatest, sum) = all.fold((0, 0), |(greatest, sum), bytes| (bytes.max(greatest), sum + bytes));
        (greatest > 0).then_some([greatest, sum])
    }

    /// Adds this process's name to an error.
    pub(crate) fn with_process_name(&self, error: Box<dyn Error>) -> Box<dyn Error> {
        if !self.has_begun() && self.is_first() {
            return error;
        }
        format!(
            "process {} of {}, on {}: {error}",
            self.communicator.rank(),
            self.communicator.size(),
            self.host
        )
        .into()
    }

    pub(crate) fn in_words(&self) -> String {
        let threads =
            if self.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", self.threads) };
        format!("{} processes of {threads}", self.communicator.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_processors_are_read() {
        assert_eq!(numbers("0-3,8"), [0, 1, 2, 3, 8]);
        assert_eq!(numbers("7\n"), [7]);
        assert_eq!(numbers(""), [0; 0]);
        assert_eq!(numbers("x-3,2"), [2]);
    }

    /// A cluster of two processes. The second one sends this process's message with one change.
    #[derive(Debug)]
    struct ChangedEcho(fn(&mut ProcessInfo));

    impl Communicator for ChangedEcho {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn exchange(&self, _: &mut [bouton_generator::Message<'_>]) {}

        fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
            let mut other = ProcessInfo::from_message(bytes);
            self.0(&mut other);
            vec![bytes.to_vec(), other.to_message()]
        }
    }

    #[test]
    fn processes_of_another_program_are_refused() {
        let join = |change| Cluster::join(&ChangedEcho(change), "here", &1).map(|_| ());
        assert_eq!(join(|_| {}), Ok(()));
        let refused = join(|other| other.program.replace_range(..1, "x")).unwrap_err();
        assert!(
            refused.contains("process 1 on here runs a different build of bouton-mpi from process 0"),
            "{refused}"
        );
        let refused = join(|other| other.protocol.push('x')).unwrap_err();
        assert!(refused.contains("install the same program"), "{refused}");
        let refused = join(|other| other.command.push('x')).unwrap_err();
        assert!(refused.contains("a different command line"), "{refused}");
        assert_eq!(own_digest().unwrap().len(), 64);
    }

    #[test]
    fn a_message_about_a_process_is_read_back() {
        let process = ProcessInfo::own("a machine\nwith two lines", &"a command\nof two lines");
        assert_eq!(ProcessInfo::from_message(&process.to_message()), process);
        assert_eq!(ProcessInfo::from_message(b"something else"), ProcessInfo::default());
    }
}
