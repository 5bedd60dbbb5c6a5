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

use crate::memory;

/// Version of the messages between processes.
#[cfg(target_endian = "little")]
const PROTOCOL: &str = concat!("bouton-mpi ", env!("CARGO_PKG_VERSION"), " (protocol 2, least byte first)");
#[cfg(target_endian = "big")]
const PROTOCOL: &str =
    concat!("bouton-mpi ", env!("CARGO_PKG_VERSION"), " (protocol 2, greatest byte first)");

/// The processes that run the program together, seen from one of them.
pub(crate) struct Cluster<'a> {
    pub(crate) peers: &'a dyn Communicator,
    host: String,
    /// Threads of this process. In all, each processor gets one.
    pub(crate) threads: usize,
    /// Memory that each of them may use, in bytes.
    pub(crate) memory: u64,
    /// Whether the other processes may be waiting for this one.
    begun: AtomicBool,
    /// The process that reports an error met before the work began.
    speaker: AtomicUsize,
}

/// The next step of all processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agreement {
    /// All begin.
    Begin,
    /// There is nothing to do.
    NothingToDo,
    /// A process has failed, and reports the error; all end.
    Failed,
}

/// First byte of a process's message before the work begins.
const GO: u8 = b'+';
const NOTHING_TO_DO: u8 = b'.';
const FAILED: u8 = b'!';

/// The message of each process about itself, one line for each field.
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
        let processors = memory::status("Cpus_allowed_list").map_or_else(Vec::new, |list| numbers(&list));
        Self {
            protocol: PROTOCOL.to_owned(),
            program: own_digest().unwrap_or_default(),
            command: format!("{command:?}"),
            host: host.to_owned(),
            // A process starts no more threads than it has processors.
            memory: memory::available(),
            processors,
        }
    }

    fn to_text(&self) -> String {
        let Self { protocol, program, command, host, processors, memory } = self;
        let processors: Vec<String> = processors.iter().map(usize::to_string).collect();
        [protocol, program, command, host, &processors.join(","), &memory.to_string()]
            .map(|line| line.escape_debug().to_string())
            .join("\n")
    }

    /// Reads a message. Another version may send anything; missing lines become empty.
    fn from_text(text: &str) -> Self {
        let mut lines = text.lines();
        let mut line = || lines.next().unwrap_or_default().to_owned();
        let (protocol, program, command, host) = (line(), line(), line(), line());
        let (processors, memory) = (numbers(&line()), line().parse().unwrap_or(0));
        Self { protocol, program, command, host, processors, memory }
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
    pub(crate) fn meet(
        peers: &'a dyn Communicator,
        host: &str,
        command: &impl Debug,
    ) -> Result<Self, String> {
        let messages = peers.gather(ProcessInfo::own(host, command).to_text().as_bytes());
        let members: Vec<ProcessInfo> =
            messages.iter().map(|text| ProcessInfo::from_text(&String::from_utf8_lossy(text))).collect();
        let first = &members[0];
        for (number, member) in members.iter().enumerate() {
            let here = format!("process {number} on {}", member.host);
            if member.protocol != first.protocol {
                return Err(format!(
                    "{here} runs {}, but process 0 on {} runs {}; install the same program on all machines",
                    member.protocol, first.host, first.protocol
                ));
            }
            if member.program != first.program {
                return Err(format!(
                    "{here} runs another build of bouton-mpi than process 0 on {}; install the same program on all machines",
                    first.host
                ));
            }
            if member.command != first.command {
                return Err(format!(
                    "{here} has another command line than process 0 on {}; give all processes the same",
                    first.host
                ));
            }
        }
        let own = &members[peers.rank()];
        let beside = |member: &ProcessInfo| members.iter().filter(|other| other.host == member.host).count();
        let memory = members.iter().map(|member| member.memory / beside(member) as u64).min();
        // Processes that may use the same processor share it.
        let sharing = |processor: &usize| {
            let others = members.iter().filter(|other| other.host == own.host);
            others.filter(|other| other.processors.contains(processor)).count()
        };
        let share: f64 = own.processors.iter().map(|processor| 1.0 / sharing(processor) as f64).sum();
        let threads = match own.processors.len() {
            0 => available_parallelism().map_or(1, NonZero::get) / beside(own),
            _ => share.round() as usize,
        };
        Ok(Self {
            peers,
            host: host.to_owned(),
            threads: threads_within(threads),
            memory: memory.unwrap_or(0),
            begun: AtomicBool::new(false),
            speaker: AtomicUsize::new(0),
        })
    }

    /// Returns whether this is process 0, which writes the table and prints.
    pub(crate) fn is_first(&self) -> bool {
        self.peers.rank() == 0
    }

    /// Agrees with all processes on what to do next. `prepared` describes the work for which this process is ready, if
    /// any.
    ///
    /// # Errors
    /// If processes are ready for different work.
    pub(crate) fn agree<E>(&self, prepared: &Result<Option<String>, E>) -> Result<Agreement, String> {
        let own = match prepared {
            Ok(Some(what)) => [&[GO], what.as_bytes()].concat(),
            Ok(None) => vec![NOTHING_TO_DO],
            Err(_) => vec![FAILED],
        };
        let all = self.peers.gather(&own);
        let first = &all[0];
        if let Some(failed) = all.iter().position(|word| word[0] == FAILED) {
            self.speaker.store(failed, Relaxed);
            return Ok(Agreement::Failed);
        }
        if first[0] == NOTHING_TO_DO {
            return Ok(Agreement::NothingToDo);
        }
        if let Some(other) = all.iter().position(|word| word != first) {
            return Err(format!(
                "process {other} has another file than process 0: give all machines the same ruleset, or table"
            ));
        }
        self.begun.store(true, Relaxed);
        Ok(Agreement::Begin)
    }

    /// Returns whether this process reports an error.
    pub(crate) fn speaks(&self) -> bool {
        self.has_begun() || self.peers.rank() == self.speaker.load(Relaxed)
    }

    /// Returns whether the other processes may be waiting for this one.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun.load(Relaxed)
    }

    /// Waits for all processes at the end. Returns the greatest peak memory of a process and the sum of all peaks, in
    /// bytes, if known.
    pub(crate) fn part(&self) -> Option<[u64; 2]> {
        let own = memory::peak().unwrap_or(0);
        let all = self.peers.gather(&own.to_le_bytes());
        self.begun.store(false, Relaxed);
        let all = all.iter().map(|bytes| bytes.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes)));
        let (most, sum) = all.fold((0, 0), |(most, sum), bytes| (bytes.max(most), sum + bytes));
        (most > 0).then_some([most, sum])
    }

    /// Adds the name of the process that met an error.
    pub(crate) fn signed(&self, error: Box<dyn Error>) -> Box<dyn Error> {
        if !self.has_begun() && self.is_first() {
            return error;
        }
        format!("process {} of {}, on {}: {error}", self.peers.rank(), self.peers.size(), self.host).into()
    }

    /// Describes the processes in words.
    pub(crate) fn in_words(&self) -> String {
        let threads =
            if self.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", self.threads) };
        format!("{} processes of {threads}", self.peers.size())
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

    /// A peer that sends what this process sends, with one change.
    #[derive(Debug)]
    struct Other(fn(&mut ProcessInfo));

    impl Communicator for Other {
        fn rank(&self) -> usize {
            0
        }

        fn size(&self) -> usize {
            2
        }

        fn exchange(&self, _: &mut [bouton_generator::Message<'_>]) {}

        fn gather(&self, bytes: &[u8]) -> Vec<Vec<u8>> {
            let mut other = ProcessInfo::from_text(&String::from_utf8_lossy(bytes));
            self.0(&mut other);
            vec![bytes.to_vec(), other.to_text().into_bytes()]
        }
    }

    #[test]
    fn processes_of_another_program_are_refused() {
        let meet = |change| Cluster::meet(&Other(change), "here", &1).map(|_| ());
        assert_eq!(meet(|_| {}), Ok(()));
        let refused = meet(|other| other.program.replace_range(..1, "x")).unwrap_err();
        assert!(
            refused.contains("process 1 on here runs another build of bouton-mpi than process 0"),
            "{refused}"
        );
        let refused = meet(|other| other.protocol.push('x')).unwrap_err();
        assert!(refused.contains("install the same program"), "{refused}");
        let refused = meet(|other| other.command.push('x')).unwrap_err();
        assert!(refused.contains("another command line"), "{refused}");
        assert_eq!(own_digest().unwrap().len(), 64);
    }

    #[test]
    fn a_process_is_read_as_it_was_written() {
        let member = ProcessInfo::own("a machine\nwith two lines", &"a command\nof two lines");
        let read = ProcessInfo::from_text(&member.to_text());
        assert_eq!(read.host, "a machine\\nwith two lines");
        assert_eq!(read.command, member.command.escape_debug().to_string());
        assert_eq!(
            (read.protocol, read.program, read.processors, read.memory),
            (member.protocol, member.program, member.processors, member.memory)
        );
        assert!(ProcessInfo::from_text("something else").command.is_empty());
    }
}
