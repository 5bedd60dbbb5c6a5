//! What programs print: to a terminal in lines that fit it, to a file or pipe unchanged.

use std::fmt;
use std::io::{self, Write};

use terminal_size::{Width, terminal_size_of};

use super::wrap::wrapped;

/// Number of columns of the terminal that standard output leads to; `None` if that is no terminal.
#[must_use]
pub fn width() -> Option<usize> {
    known(terminal_size_of(io::stdout()))
}

/// The same for standard error.
#[must_use]
pub fn error_width() -> Option<usize> {
    known(terminal_size_of(io::stderr()))
}

/// A terminal may not know its width.
fn known(size: Option<(Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| columns.into()).filter(|&columns| columns > 0)
}

/// Standard output, or standard error beside it. If standard output is closed, writing to it is an error.
#[derive(Debug)]
pub struct Output {
    stream: Stream,
    /// Columns of the terminal, if lines are to fit it.
    width: Option<usize>,
    /// The start of a line that has not ended.
    line: Vec<u8>,
}

#[derive(Debug)]
enum Stream {
    Output(io::Stdout),
    Error(io::Stderr),
}

impl Output {
    /// Standard output for people: on a terminal, in lines that fit it.
    #[must_use]
    pub fn words() -> Self {
        Self::new(Stream::Output(io::stdout()), width())
    }

    /// Standard output for programs: JSON, rows, and the like are never broken.
    #[must_use]
    pub fn data() -> Self {
        Self::new(Stream::Output(io::stdout()), None)
    }

    /// Standard error for people, if standard output has something else.
    #[must_use]
    pub fn aside() -> Self {
        Self::new(Stream::Error(io::stderr()), error_width())
    }

    fn new(stream: Stream, width: Option<usize>) -> Self {
        Self { stream, width, line: Vec::new() }
    }

    /// Either [`data`](Self::data) or [`words`](Self::words).
    #[must_use]
    pub fn of(is_data: bool) -> Self {
        if is_data { Self::data() } else { Self::words() }
    }
}

impl Stream {
    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Output(out) => check_open().and_then(|()| out.write_all(bytes)),
            Self::Error(error) => error.write_all(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Output(out) => out.flush(),
            Self::Error(error) => error.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.width.is_none() {
            self.stream.write_all(bytes)?;
            return Ok(bytes.len());
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            let lines = wrapped(&String::from_utf8_lossy(&lines), self.width);
            self.stream.write_all(lines.as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let start = std::mem::take(&mut self.line);
        if !start.is_empty() {
            self.stream.write_all(&start)?;
        }
        self.stream.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            // An error that matters was met by a whole line before.
            _ = self.flush();
        }
    }
}

/// The error for output that nothing takes.
#[derive(Debug)]
pub(super) struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is closed; redirect it to a file, or to /dev/null")
    }
}

impl std::error::Error for Closed {}

/// Checks that standard output can be written to.
///
/// # Errors
/// If the program was started with standard output closed, or open for reading only.
pub fn check_open() -> io::Result<()> {
    if start::was_closed() { Err(io::Error::other(Closed)) } else { Ok(()) }
}

/// Standard output at the start of the program. Before `main`, the standard library opens /dev/null in place of a closed standard output,
/// and takes the error of one that is open for reading only for success: output would be lost without an error.
#[cfg(unix)]
mod start {
    use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

    use rustix::fs::{OFlags, fcntl_getfl};

    static CLOSED: AtomicBool = AtomicBool::new(false);

    pub(super) fn was_closed() -> bool {
        CLOSED.load(Relaxed)
    }

    extern "C" fn look() {
        let flags = fcntl_getfl(rustix::stdio::stdout());
        CLOSED.store(flags.map_or(true, |flags| flags & OFlags::RWMODE == OFlags::RDONLY), Relaxed);
    }

    /// The system calls what stands here before `main`. `look` uses nothing of the standard library that has to be initialized.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[allow(unsafe_code)]
    static AT_THE_START: extern "C" fn() = look;
}

#[cfg(not(unix))]
mod start {
    pub(super) fn was_closed() -> bool {
        false
    }
}
