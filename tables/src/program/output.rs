//! Output of programs: wrapped to the width of a terminal, unchanged to a file or pipe.

use std::fmt;
use std::io::{self, Write};

use terminal_size::{Width, terminal_size_of};

use super::wrap::wrapped;

/// Returns the number of columns of the terminal on standard output; `None` if it is no terminal.
pub fn width() -> Option<usize> {
    columns(terminal_size_of(io::stdout()))
}

/// Returns the number of columns of the terminal on standard error; `None` if it is not a terminal.
pub fn error_width() -> Option<usize> {
    columns(terminal_size_of(io::stderr()))
}

/// Returns the columns of a terminal; `None` if the terminal reports 0, as some do.
fn columns(size: Option<(Width, terminal_size::Height)>) -> Option<usize> {
    size.map(|(Width(columns), _)| columns.into()).filter(|&columns| columns > 0)
}

/// A writer to standard output or standard error. Writing to a closed standard output is an error.
pub struct Output {
    stream: Box<dyn Write + Send>,
    is_stdout: bool,
    /// Number of columns to wrap lines to; `None` for unwrapped output.
    width: Option<usize>,
    /// The beginning of an unfinished line.
    line: Vec<u8>,
}

impl Output {
    /// Returns standard output for people, wrapped to the width of a terminal.
    pub fn words() -> Self {
        Self::to_stdout(width())
    }

    /// Returns standard output for programs: lines of JSON or CSV are never wrapped.
    pub fn data() -> Self {
        Self::to_stdout(None)
    }

    /// Returns standard error for people, for use when standard output carries data.
    pub fn to_stderr() -> Self {
        Self { stream: Box::new(io::stderr()), is_stdout: false, width: error_width(), line: Vec::new() }
    }

    fn to_stdout(width: Option<usize>) -> Self {
        Self { stream: Box::new(io::stdout()), is_stdout: true, width, line: Vec::new() }
    }

    /// Returns [`data`](Self::data) or [`words`](Self::words).
    pub fn of(is_data: bool) -> Self {
        if is_data { Self::data() } else { Self::words() }
    }

    fn write_directly(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_stdout {
            check_open()?;
        }
        self.stream.write_all(bytes)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.width.is_none() {
            self.write_directly(bytes)?;
            return Ok(bytes.len());
        }
        self.line.extend_from_slice(bytes);
        if let Some(end) = self.line.iter().rposition(|&byte| byte == b'\n') {
            let rest = self.line.split_off(end + 1);
            let lines = std::mem::replace(&mut self.line, rest);
            let lines = wrapped(&String::from_utf8_lossy(&lines), self.width);
            self.write_directly(lines.as_bytes())?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let start = std::mem::take(&mut self.line);
        if !start.is_empty() {
            self.write_directly(&start)?;
        }
        self.stream.flush()
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if !self.line.is_empty() {
            // Ignore an error: it has most likely been reported before, for a complete line.
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

/// Checks that standard output is writable. Fails if the program was started with standard output closed, or open for
/// reading only.
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

    extern "C" fn record_state() {
        let flags = fcntl_getfl(rustix::stdio::stdout());
        CLOSED.store(flags.map_or(true, |flags| flags & OFlags::RWMODE == OFlags::RDONLY), Relaxed);
    }

    /// The system calls `record_state` before `main`, so it needs no initialized standard library.
    #[used]
    #[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
    #[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
    #[allow(unsafe_code)]
    static BEFORE_MAIN: extern "C" fn() = record_state;
}

#[cfg(not(unix))]
mod start {
    pub(super) fn was_closed() -> bool {
        false
    }
}
