//! The player that is a program: it reads positions and writes moves, one per line.

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bouton_tables::Game;

use super::input_line::{InputLine, LineReader};
use crate::{Choice, MoveRequest, Player, Reason, Side, stop};

/// How long a program has to exit once its input is closed.
const GRACE: Duration = Duration::from_millis(50);
/// How long we wait to learn how a program ended and what it wrote to standard error.
const PATIENCE: Duration = Duration::from_millis(500);
/// How soon the shell says that there is no such command.
const TO_FAIL: Duration = Duration::from_millis(200);
/// How often we check that a silent program still runs.
const LOOK: Duration = Duration::from_millis(100);
/// The most lines that are read ahead. A program that writes more is blocked.
const WAITING: usize = 4;
/// The most characters of standard error that are shown.
const LONGEST_COMPLAINT: usize = 200;

/// Asks a program for every move: writes the position to its standard input and reads a move from its standard output, a
/// line each. Every game has a process of its own.
#[derive(Debug)]
pub struct ExecPlayer {
    command: String,
    program: Option<Program>,
}

impl ExecPlayer {
    /// The command is run by the shell, at the start of each game.
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), program: None }
    }

    /// Starts the command once, to see whether that is possible at all.
    ///
    /// # Errors
    /// Why it is not.
    pub fn try_start(command: &str) -> Result<(), String> {
        let mut program = Program::start(command).map_err(|error| error.to_string())?;
        wait_until(TO_FAIL, || has_ended(&mut program.child));
        if !has_ended(&mut program.child) {
            return Ok(());
        }
        let reason = program.gone("output");
        // So says the shell of a command that is not there, or is no program.
        match (program.status.and_then(|status| status.code()), reason) {
            (Some(126 | 127), Reason::Failed(what)) => Err(what),
            _ => Ok(()),
        }
    }
}

impl<G: Game> Player<G> for ExecPlayer {
    fn begin(&mut self, _: Side, _: &G::Position) -> Result<(), Reason> {
        // The process of the previous game ends first.
        self.program = None;
        let program = Program::start(&self.command);
        self.program =
            Some(program.map_err(|error| Reason::Failed(format!("it cannot be started: {error}")))?);
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        let Some(program) = &mut self.program else {
            return Err(Reason::Failed("it is not running".to_owned()));
        };
        let answer = program.ask(request.game.show_position(request.position), request.deadline);
        let chosen = answer.and_then(|line| {
            let text = line.text().map_err(|what| Reason::Failed(format!("it said {what}")))?;
            let wrong =
                |error| Reason::Failed(format!("it said '{}', which is not a move: {error}", line.shown(60)));
            request.game.parse_move(text).map_err(wrong)
        });
        if chosen.is_err() {
            self.program = None;
        }
        chosen.map(Choice::Move)
    }
}

#[derive(Debug)]
enum ProgramEvent {
    /// It wrote a line; and whether more came with it.
    Line(InputLine, bool),
    /// It closed its input or output.
    Closed(&'static str),
}

/// A running program. Dropping this ends it and all processes that it started.
#[derive(Debug)]
struct Program {
    child: Child,
    /// How it ended, once it has.
    status: Option<ExitStatus>,
    /// The questions, until the program is ended. A thread of its own writes them, so that a program that does not read
    /// does not keep us from watching the clock.
    questions: Option<Sender<String>>,
    events: Receiver<ProgramEvent>,
    complaint: Arc<Mutex<String>>,
    /// The thread that reads standard error.
    complaining: Option<JoinHandle<()>>,
}

impl Program {
    fn start(command: &str) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        in_its_own_group(&mut shell);
        let mut child = shell.spawn()?;
        stop::watch_over(child.id());
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped")
        };
        let (questions, to_write) = mpsc::channel::<String>();
        let (send, events) = mpsc::sync_channel(WAITING);
        let complaint = Arc::new(Mutex::new(String::new()));
        // Complete before any thread is started: if one cannot be, dropping this ends the child.
        let mut program = Self {
            child,
            status: None,
            questions: Some(questions),
            events,
            complaint: Arc::clone(&complaint),
            complaining: None,
        };
        let closed = send.clone();
        thread::Builder::new().spawn(move || {
            for question in to_write {
                if input.write_all(question.as_bytes()).and_then(|()| input.flush()).is_err() {
                    // The player may be gone already.
                    _ = closed.send(ProgramEvent::Closed("input"));
                    return;
                }
            }
        })?;
        thread::Builder::new().spawn(move || {
            let mut lines = LineReader::new(output);
            while let Some(line) = lines.next() {
                let nonsense = line.text().is_err();
                let more = lines.has_more();
                if send.send(ProgramEvent::Line(line, more)).is_err() || nonsense {
                    return;
                }
            }
            _ = send.send(ProgramEvent::Closed("output"));
        })?;
        program.complaining = Some(thread::Builder::new().spawn(move || {
            for line in LineReader::new(errors) {
                let shown = line.shown(LONGEST_COMPLAINT);
                if !shown.is_empty() {
                    *complaint.lock().unwrap_or_else(PoisonError::into_inner) = shown;
                }
            }
        })?);
        Ok(program)
    }

    fn ask(&mut self, mut position: String, deadline: Option<Instant>) -> Result<InputLine, Reason> {
        // Anything said before the question is not an answer to it.
        match self.events.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(ProgramEvent::Line(line, _)) => {
                return Err(Reason::Failed(format!("it spoke out of turn: '{}'", line.shown(60))));
            }
            Ok(ProgramEvent::Closed(what)) => return Err(self.gone(what)),
            Err(TryRecvError::Disconnected) => return Err(self.gone("output")),
        }
        position.push('\n');
        if let Some(questions) = &self.questions {
            // If this fails, the program has closed its input, which is noticed in a moment.
            _ = questions.send(position);
        }
        match self.hear(deadline) {
            Ok(ProgramEvent::Line(line, false)) => Ok(line),
            Ok(ProgramEvent::Line(line, true)) => {
                Err(Reason::Failed(format!("it said more than one line: '{}' and more", line.shown(60))))
            }
            Ok(ProgramEvent::Closed(what)) => Err(self.gone(what)),
            Err(RecvTimeoutError::Disconnected) => Err(self.gone("output")),
            Err(RecvTimeoutError::Timeout) => Err(Reason::Time),
        }
    }

    /// Waits for the next event. A program that has ended says no more, even if a process that it started holds its output
    /// open.
    fn hear(&mut self, deadline: Option<Instant>) -> Result<ProgramEvent, RecvTimeoutError> {
        let mut ended = false;
        loop {
            let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.events.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(RecvTimeoutError::Timeout),
                // Once more after it ended: its last line may have been on the way.
                Err(RecvTimeoutError::Timeout) if ended => return Err(RecvTimeoutError::Disconnected),
                Err(RecvTimeoutError::Timeout) => ended = has_ended(&mut self.child),
                heard => return heard,
            }
        }
    }

    /// Why a program closed its input or output.
    fn gone(&mut self, closed: &str) -> Reason {
        wait_until(PATIENCE, || has_ended(&mut self.child));
        let by_itself = has_ended(&mut self.child);
        self.end();
        let what = match self.status {
            Some(status) if by_itself => format!("it ended ({status})"),
            _ => format!("it closed its {closed}"),
        };
        // Its last words may still be on the way.
        wait_until(PATIENCE, || self.complaining.as_ref().is_none_or(JoinHandle::is_finished));
        let complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        Reason::Failed(if complaint.is_empty() {
            what
        } else {
            format!("{what} and wrote to standard error: {complaint}")
        })
    }

    /// Ends the program and all processes of its group.
    fn end(&mut self) {
        // The writing thread closes the program's input when there can be no more questions.
        if self.questions.take().is_none() {
            return;
        }
        wait_until(GRACE, || has_ended(&mut self.child));
        kill(&mut self.child);
        stop::forget(self.child.id());
        self.status = self.child.wait().ok();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until something is done, for a limited time.
fn wait_until(limit: Duration, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() && began.elapsed() < limit {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Puts a command into a process group of its own, which can be killed as a whole. On Linux it is killed if we die.
#[cfg(unix)]
fn in_its_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, set_parent_process_death_signal};
        // SAFETY: between fork and exec only a system call is made, and nothing is allocated.
        #[allow(unsafe_code)]
        unsafe {
            command.pre_exec(|| Ok(set_parent_process_death_signal(Some(Signal::KILL))?));
        }
    }
}

#[cfg(not(unix))]
fn in_its_own_group(_: &mut Command) {}

/// Whether a child has ended. It is not reaped: until it is, its group's number cannot be reused.
#[cfg(unix)]
fn has_ended(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    !matches!(waitid(WaitId::Pid(Pid::from_child(child)), options), Ok(None))
}

#[cfg(not(unix))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// Kills a child that was not reaped yet, and its group.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // It fails if no process of the group is left, which is fine.
    _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    // The child may have joined another group; if it were not killed, we would wait for it forever.
    _ = child.kill();
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    _ = child.kill();
}
