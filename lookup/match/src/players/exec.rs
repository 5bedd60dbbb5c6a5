//! The player that is a program: any that reads a position a line and writes a move a line.

use std::io::{self, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use bouton_tables::Game;

use super::input_line::{InputLine, LineReader};
use crate::{Choice, Failure, MoveRequest, Player, Side};

/// How long a program has to end by itself, once its input is closed.
const GRACE: Duration = Duration::from_millis(50);
/// How long we wait to learn how a program ended, and what it complained of.
const PATIENCE: Duration = Duration::from_millis(500);
/// How often we look whether a program that says nothing still runs.
const LOOK: Duration = Duration::from_millis(100);
/// How many lines may wait to be looked at. A program that says more waits.
const WAITING: usize = 4;
/// How many characters of a complaint are told.
const LONGEST_COMPLAINT: usize = 200;

/// Asks a program for every move: it is told the position on its standard input, a line each time, and says a
/// move on its standard output. Each game has a process of its own.
#[derive(Debug)]
pub struct ExecPlayer {
    command: String,
    program: Option<Program>,
}

impl ExecPlayer {
    /// The command is one of the shell's; it is started when a game begins.
    #[must_use]
    pub fn new(command: &str) -> Self {
        Self { command: command.to_owned(), program: None }
    }
}

impl<G: Game> Player<G> for ExecPlayer {
    fn begin(&mut self, _: Side, _: &G::Position) -> Result<(), Failure> {
        // One at a time: the one of the game before ends first.
        self.program = None;
        let program = Program::start(&self.command);
        self.program = Some(program.map_err(|error| Failure::Failed(format!("cannot start it: {error}")))?);
        Ok(())
    }

    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Failure> {
        let Some(program) = &mut self.program else {
            return Err(Failure::Failed("it does not run".to_owned()));
        };
        let answer = program.ask(request.game.show_position(request.position), request.deadline);
        let chosen = answer.and_then(|line| {
            let text = line.text().map_err(|what| Failure::Failed(format!("it said {what}")))?;
            let wrong =
                |error| Failure::Failed(format!("it said '{}', which is no move: {error}", line.shown(60)));
            request.game.parse_move(text).map_err(wrong)
        });
        if chosen.is_err() {
            self.program = None;
        }
        chosen.map(Choice::Move)
    }
}

/// What there is to hear of a program.
#[derive(Debug)]
enum Said {
    /// A line, and whether more came with it.
    Line(InputLine, bool),
    /// It closed its output.
    NoMore,
    /// It closed its input.
    Deaf,
}

/// A running program, which is gone when this is dropped, with all the processes that it started.
#[derive(Debug)]
struct Program {
    child: Child,
    /// How it ended, once it is gone.
    status: Option<ExitStatus>,
    /// Where the questions go, until it is ended. A program that reads none does not keep us from looking at
    /// the clock, as a thread of their own writes them.
    questions: Option<Sender<String>>,
    said: Receiver<Said>,
    complaint: Arc<Mutex<String>>,
    /// Ends when nothing can be complained of any more.
    complaining: Option<JoinHandle<()>>,
}

impl Program {
    fn start(command: &str) -> io::Result<Self> {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        in_its_own_group(&mut shell);
        let mut child = shell.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(mut input), Some(output), Some(errors)) = pipes else {
            unreachable!("all three are piped")
        };
        let (questions, to_write) = mpsc::channel::<String>();
        let (hear, said) = mpsc::sync_channel(WAITING);
        let complaint = Arc::new(Mutex::new(String::new()));
        // Whole before any thread is started: if one cannot be, dropping this ends the child.
        let mut program = Self {
            child,
            status: None,
            questions: Some(questions),
            said,
            complaint: Arc::clone(&complaint),
            complaining: None,
        };
        let deaf = hear.clone();
        thread::Builder::new().spawn(move || {
            for question in to_write {
                if input.write_all(question.as_bytes()).and_then(|()| input.flush()).is_err() {
                    // Nobody left to hear it is no trouble.
                    _ = deaf.send(Said::Deaf);
                    return;
                }
            }
        })?;
        thread::Builder::new().spawn(move || {
            let mut lines = LineReader::new(output);
            while let Some(line) = lines.next() {
                let nonsense = line.text().is_err();
                let more = lines.has_more();
                if hear.send(Said::Line(line, more)).is_err() || nonsense {
                    return;
                }
            }
            _ = hear.send(Said::NoMore);
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

    /// Asks, and waits for the answer.
    fn ask(&mut self, mut position: String, deadline: Option<Instant>) -> Result<InputLine, Failure> {
        // What was said before the question is no answer to it.
        match self.said.try_recv() {
            Err(TryRecvError::Empty) => {}
            Ok(Said::Line(line, _)) => {
                return Err(Failure::Failed(format!("it spoke out of turn: '{}'", line.shown(60))));
            }
            Ok(Said::Deaf) => return Err(self.gone("input")),
            Ok(Said::NoMore) | Err(TryRecvError::Disconnected) => return Err(self.gone("output")),
        }
        position.push('\n');
        if let Some(questions) = &self.questions {
            // If nobody writes questions any more, then the program is deaf, which is heard in a moment.
            _ = questions.send(position);
        }
        match self.hear(deadline) {
            Ok(Said::Line(line, false)) => Ok(line),
            Ok(Said::Line(line, true)) => {
                Err(Failure::Failed(format!("it said more than one move: '{}', and more", line.shown(60))))
            }
            Ok(Said::Deaf) => Err(self.gone("input")),
            Ok(Said::NoMore) | Err(RecvTimeoutError::Disconnected) => Err(self.gone("output")),
            Err(RecvTimeoutError::Timeout) => Err(Failure::Time),
        }
    }

    /// Waits for what there is to hear next. A program that ended says no more, even if another process that
    /// it started holds its output open.
    fn hear(&mut self, deadline: Option<Instant>) -> Result<Said, RecvTimeoutError> {
        let mut ended = false;
        loop {
            let left = deadline.map_or(LOOK, |deadline| deadline.saturating_duration_since(Instant::now()));
            match self.said.recv_timeout(left.min(LOOK)) {
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(RecvTimeoutError::Timeout),
                // Once more after it ended: its last line may have been on its way.
                Err(RecvTimeoutError::Timeout) if ended => return Err(RecvTimeoutError::Disconnected),
                Err(RecvTimeoutError::Timeout) => ended = has_ended(&mut self.child),
                heard => return heard,
            }
        }
    }

    /// What became of a program that closed its input or output.
    fn gone(&mut self, closed: &str) -> Failure {
        wait_until(PATIENCE, || has_ended(&mut self.child));
        let by_itself = has_ended(&mut self.child);
        self.end();
        let what = match self.status {
            Some(status) if by_itself => format!("it ended ({status})"),
            _ => format!("it closed its {closed}"),
        };
        // What it complained of may still be on its way.
        wait_until(PATIENCE, || self.complaining.as_ref().is_none_or(JoinHandle::is_finished));
        let complaint = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
        Failure::Failed(if complaint.is_empty() {
            what
        } else {
            format!("{what}, and complained: {complaint}")
        })
    }

    /// Ends it, with all the processes of its group.
    fn end(&mut self) {
        // The thread that writes closes the program's input when no question can come any more.
        if self.questions.take().is_none() {
            return;
        }
        wait_until(GRACE, || has_ended(&mut self.child));
        kill(&mut self.child);
        self.status = self.child.wait().ok();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.end();
    }
}

/// Waits until something is done, but not for ever.
fn wait_until(limit: Duration, mut done: impl FnMut() -> bool) {
    let began = Instant::now();
    while !done() && began.elapsed() < limit {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Puts a command into a group of its own, with which all that it starts can be killed.
#[cfg(unix)]
fn in_its_own_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

#[cfg(not(unix))]
fn in_its_own_group(_: &mut Command) {}

/// Whether a child ended. It is not waited for here: until it is, no other group can have its number.
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

/// Kills a child that was not waited for yet, and its group.
#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    // A group of which nobody is left is what we want.
    _ = kill_process_group(Pid::from_child(child), Signal::KILL);
    // It may have joined another group; who is not killed would be waited for without end.
    _ = child.kill();
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    _ = child.kill();
}
