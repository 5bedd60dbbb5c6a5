//! A running program that a player talks to line by line, with threads that read and write its pipes.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bouton_tables::Game;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::input_line::{InputLine, LineReader};
use crate::{Reason, stop};

/// Default time for a program to exit after its input is closed.
pub(super) const EXIT_GRACE: Duration = Duration::from_millis(50);
/// Time to wait for a program's exit status and its standard error.
const EXIT_WAIT: Duration = Duration::from_millis(500);
/// Interval of checks that a silent program still runs.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum number of lines read ahead. A program that writes more has to wait.
const READ_AHEAD: usize = 4;
const MAX_SHOWN: usize = 200;

#[derive(Debug)]
enum ProgramEvent {
    /// The program wrote a line; true if more output came with it.
    Line(InputLine, bool),
    /// The program closed its input or output.
    Closed(&'static str),
}

/// A running program. Dropping this ends it and its process group.
#[derive(Debug)]
pub(super) struct Program {
    child: Child,
    /// The exit status, once the program has ended.
    status: Option<ExitStatus>,
    /// True if the program ended by itself, with no unread output; known once its end was noticed.
    pub(super) ended_silently: bool,
    /// Lines to the program; `None` once it is ended. A separate thread writes them, so that a program that does not
    /// read cannot keep us from watching the clock.
    lines: Option<Sender<String>>,
    events: Receiver<ProgramEvent>,
    last_error_line: Arc<Mutex<String>>,
    stderr_reader: Option<JoinHandle<()>>,
}

impl Program {
    /// Runs a command by the shell.
    pub(super) fn start(command: &str) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        in_own_group(&mut shell);
        let mut child = shell.spawn()?;
        stop::register_group(child.id());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped")
        };
        let (lines, lines_to_write) = mpsc::channel::<String>();
        let (send, events) = mpsc::sync_channel(READ_AHEAD);
        let last_error_line = Arc::new(Mutex::new(String::new()));
        // Complete before any thread starts: if one cannot start, dropping this ends the child.
        let mut program = Self {
            child,
            status: None,
            ended_silently: false,
            lines: Some(lines),
            events,
            last_error_line: Arc::clone(&last_error_line),
            stderr_reader: None,
        };
        let closed = send.clone();
        thread::Builder::new().spawn(move || {
            for line in lines_to_write {
                if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                    // The receiver may be gone already.
                    _ = closed.send(ProgramEvent::Closed("input"));
                    return;
                }
            }
        })?;
        thread::Builder::new().spawn(move || {
            let mut lines = LineReader::new(output);
            while let Some(line) = lines.next() {
                let is_invalid = line.text().is_err();
                let more = lines.has_more();
                if send.send(ProgramEvent::Line(line, more)).is_err() || is_invalid {
                    return;
                }
            }
            _ = send.send(ProgramEvent::Closed("output"));
        })?;
        program.stderr_reader = Some(thread::Builder::new().spawn(move || {
            for line in LineReader::new(errors) {
                let shown = line.shown(MAX_SHOWN);
                if !shown.is_empty() {
                    *last_error_line.lock().unwrap_or_else(PoisonError::into_inner) = shown;
                }
            }
        })?);
        Ok(program)
    }

    /// Writes a line to the program, and waits for the answer.
    pub(super) fn ask(&mut self, line: String, deadline: Option<Instant>) -> Result<InputLine, Reason> {
        self.check_silent()?;
        self.write_line(line);
        self.read_line(deadline)
    }

    /// Checks that the program wrote nothing since its last answer, and still listens.
    pub(super) fn check_silent(&mut self) -> Result<(), Reason> {
        match self.next_event(Some(Instant::now())) {
            None => Ok(()),
            Some(ProgramEvent::Line(line, _)) => Err(out_of_turn(&line)),
            Some(ProgramEvent::Closed(what)) => Err(self.closing_reason(what)),
        }
    }

    /// Writes a line to the program, without waiting.
    pub(super) fn write_line(&mut self, mut line: String) {
        line.push('\n');
        if let Some(lines) = &self.lines {
            // If this fails, the program has closed its input; the next event reports that.
            _ = lines.send(line);
        }
    }

    /// Waits for exactly one line.
    pub(super) fn read_line(&mut self, deadline: Option<Instant>) -> Result<InputLine, Reason> {
        match self.next_event(deadline) {
            None => Err(Reason::Time),
            Some(ProgramEvent::Line(line, false)) => Ok(line),
            Some(ProgramEvent::Line(line, true)) => {
                Err(Reason::Failed(format!("it said more than one line: '{}' and more", line.shown(60))))
            }
            Some(ProgramEvent::Closed(what)) => Err(self.closing_reason(what)),
        }
    }

    pub(super) fn ends_within(&mut self, limit: Duration) -> bool {
        wait_until(limit, || has_ended(&self.child));
        has_ended(&self.child)
    }

    /// Returns true if the shell did not find the command or could not run it. Call after the program has been ended.
    pub(super) fn was_not_found(&self) -> bool {
        matches!(self.status.and_then(|status| status.code()), Some(126 | 127))
    }

    /// Waits for the next event; `None` if none comes before the deadline. The end of the program closes its output, even
    /// if one of its children holds the output open.
    fn next_event(&mut self, deadline: Option<Instant>) -> Option<ProgramEvent> {
        let mut ended = false;
        loop {
            let left = deadline
                .map_or(CHECK_INTERVAL, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.events.recv_timeout(left.min(CHECK_INTERVAL)) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return None,
                // Look once more after the end: the last line may have been on the way.
                Err(RecvTimeoutError::Timeout) if !ended => ended = has_ended(&self.child),
                Err(_) => return Some(ProgramEvent::Closed("output")),
            }
        }
    }

    /// Ends a program that closed its input or output, and returns the reason.
    pub(super) fn closing_reason(&mut self, closed: &str) -> Reason {
        let by_itself = self.ends_within(EXIT_WAIT);
        self.end(EXIT_GRACE);
        let mut what = match self.status {
            Some(status) if by_itself => format!("it ended ({status})"),
            _ => format!("it closed its {closed}"),
        };
        if by_itself {
            match self.next_unread() {
                Some(line) => what += &format!(" after it said '{}'", line.shown(60)),
                None => self.ended_silently = true,
            }
        }
        // The last line of standard error may still be on the way.
        wait_until(EXIT_WAIT, || self.stderr_reader.as_ref().is_none_or(JoinHandle::is_finished));
        let last_error_line = self.last_error_line.lock().unwrap_or_else(PoisonError::into_inner);
        Reason::Failed(if last_error_line.is_empty() {
            what
        } else {
            format!("{what} and wrote to standard error: {last_error_line}")
        })
    }

    /// Returns the next unread line of an ended program, whose closed input may be noticed before its last output.
    pub(super) fn next_unread(&mut self) -> Option<InputLine> {
        let until = Instant::now() + EXIT_WAIT;
        loop {
            match self.events.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(ProgramEvent::Line(line, _)) => return Some(line),
                Ok(ProgramEvent::Closed(_)) => {}
                Err(_) => return None,
            }
        }
    }

    /// Closes the program's input, gives the program this long to end, and kills the rest of its group.
    pub(super) fn end(&mut self, grace: Duration) {
        // The writing thread closes the program's input when this sender is dropped.
        if self.lines.take().is_none() {
            return;
        }
        wait_until(grace, || has_ended(&self.child));
        // Fails if the group has no process left, which is fine.
        _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        // The child may have joined another group; if it survived, we would wait for it forever.
        _ = self.child.kill();
        stop::unregister_group(self.child.id());
        self.status = self.child.wait().ok();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end(EXIT_GRACE);
    }
}

/// Returns the failure of a program that wrote a line unasked.
pub(super) fn out_of_turn(line: &InputLine) -> Reason {
    Reason::Failed(format!("it spoke out of turn: '{}'", line.shown(60)))
}

/// Reads a program's answer as a move.
pub(super) fn read_move<G: Game>(game: &G, answer: &InputLine) -> Result<G::Move, Reason> {
    let text = answer.text().map_err(|what| Reason::Failed(format!("it said {what}")))?;
    let wrong =
        |error| Reason::Failed(format!("it said '{}', which is not a move: {error}", answer.shown(60)));
    game.parse_move(text).map_err(wrong)
}

fn wait_until(limit: Duration, mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() && start.elapsed() < limit {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Puts a command into its own process group, which can be killed as a whole. On Linux the kernel also kills the
/// command when the thread that started it ends, so the thread that begins a game must play it to the end.
fn in_own_group(command: &mut Command) {
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::set_parent_process_death_signal;
        // SAFETY: between fork and exec only a system call is made, and nothing is allocated.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
        }
    }
}

/// Returns true if a child has ended. Does not reap the child: until then its group's number cannot be reused.
fn has_ended(child: &Child) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}
