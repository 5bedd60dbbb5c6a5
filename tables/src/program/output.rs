//! Output of programs: wrapped to the width of a terminal, unchanged to a file or pipe.

use std::fmt;
use std::io::{self, Write};

use terminal_size::{Width, terminal_size_of};

use super::wrap::wrapped;

/// Returns the number of columns of the terminal on standard output; `None` if it is not a terminal.
#[must_use]
pub fn width() -> Option<usize> {
    known(terminal_size_of(io::stdout()))
}

/// Returns the number of columns of the terminal on standard error; `None` if it is not a terminal.
#[must_use]
pub fn error_width() -> Option<usize> {
    known(terminal_size_of(io::stderr()))
}

/// Converts a width; some terminals report 0.
fn known(size: Option<(Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| columns.into()).filter(|&columns| columns > 0)
}

/// A writer to standard output or standard error. Writing to a closed standard output is an error.
#[derive(Debug)]
pub struct Output {
    stream: Stream,
    /// Number of columns to wrap lines to.
    width: Option<usize>,
    /// The beginning of an unfinished line.
    line: Vec<u8>,
}

#[derive(Debug)]
enum Stream {
    Output(io::Stdout),
    Error(io::Stderr),
}

impl Output {
    /// Returns standard output for people, wrapped to the width of a terminal.
    #[must_use]
    pub fn words() -> Self {
        Self::new(Stream::Output(io::stdout()), width())
    }

    /// Returns standard output for programs: lines of JSON or CSV are never wrapped.
    #[must_use]
    pub fn data() -> Self {
        Self::new(Stream::Output(io::stdout()), None)
    }

    /// Returns standard error for people, for use when standard output carries data.
    #[must_use]
    pub fn aside() -> Self {
        Self::new(Stream::Error(io::stderr()), error_width())
    }

    fn new(stream: Stream, width: Option<usize>) -> Self {
        Self { stream, width, line: Vec::new() }
    }

    /// Returns [`data`](Self::data) or [`words`](Self::words).
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
            // A significant error has already occurred in an earlier, whole line.
            _ = self.flush();
        }
    }
}

/// The error for a closed standard output.
#[derive(Debug)]
pub(super) struct Closed;

impl fmt::Display for Closed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is closed; redirect it to a file, or to /dev/null")
    }
}

impl std::error::Error for Closed {}

/// Checks that standard output is writable.
///
/// # Errors
/// If the program was started with standard output closed, or open for reading only.
pub fn check_open() -> io::Result<()> {
    if start::was_closed() { Err(io::Error::other(Closed)) } else { Ok(()) }
}

/// The state of standard output at the start of the program. Before `main`, the standard library opens /dev/null for
/// a closed standard output, and ignores the error of one open for reading only: output would be lost silently.
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

    /// The system calls `look` before `main`. It uses no part of the standard library that needs initialization.
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
