//! How each of the programs ends: its exit status, and what it prints on standard error.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use crate::printable::printable_lines;

/// Exit status: success.
pub const FINE: u8 = 0;
/// Exit status: the answer is no.
pub const NO: u8 = 1;
/// Exit status: an error.
pub const TROUBLE: u8 = 2;

/// Prints the error of a program, if there is one, and gives its exit status. That the reader of its output has closed
/// the pipe is not an error.
#[must_use]
pub fn end(program: &str, done: Result<u8, Box<dyn Error>>) -> ExitCode {
    let is_closed_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    match done {
        Ok(status) => status.into(),
        Err(error) if error.downcast_ref().is_some_and(is_closed_pipe) => FINE.into(),
        // Every file's error names the file.
        Err(error) if error.downcast_ref().is_some_and(is_full) => {
            trouble(program, &format!("cannot write standard output: {error}"))
        }
        Err(error) => trouble(program, &error),
    }
}

fn is_full(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
}

/// Prints an error, and gives the exit status for it.
#[must_use]
pub fn trouble(program: &str, error: &impl Display) -> ExitCode {
    note(program, error);
    TROUBLE.into()
}

/// Says something on standard error. If nobody can hear it, because that is closed or full, nothing is lost but this.
pub fn note(program: &str, what: &impl Display) {
    let _ = writeln!(io::stderr(), "{program}: {}", printable_lines(&what.to_string()));
}

/// Why a file cannot be written, without the error's own text, which names a temporary file.
pub fn unwritten(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        kind => kind.to_string(),
    }
}

/// Prints what is wrong with a command line, and gives the exit status for it, if what was typed may not be printed as
/// it is. Otherwise prints nothing, so that the parser of the command line can show its own message, in colour.
#[must_use]
pub fn misused(error: &impl Display) -> Option<ExitCode> {
    match printable_lines(&error.to_string()) {
        Cow::Borrowed(_) => None,
        Cow::Owned(shown) => {
            let _ = write!(io::stderr(), "{shown}");
            Some(TROUBLE.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: ExitCode) -> String {
        format!("{code:?}")
    }

    #[test]
    fn a_program_ends_with_its_answer_or_with_2_after_an_error() {
        for (answer, expected) in [(FINE, 0), (NO, 1), (TROUBLE, 2)] {
            assert_eq!(status(end("test", Ok(answer))), status(ExitCode::from(expected)));
        }
        let failed = |kind: io::ErrorKind| status(end("test", Err(io::Error::from(kind).into())));
        assert_eq!(failed(io::ErrorKind::BrokenPipe), status(ExitCode::from(0)));
        assert_eq!(failed(io::ErrorKind::NotFound), status(ExitCode::from(2)));
        assert_eq!(status(end("test", Err("no such thing".into()))), status(ExitCode::from(2)));
    }

    #[test]
    fn a_file_that_is_not_written_has_a_reason_without_a_name() {
        assert_eq!(unwritten(&io::ErrorKind::NotFound.into()), "there is no such folder");
        assert_eq!(unwritten(&io::ErrorKind::PermissionDenied.into()), "permission denied");
    }

    #[test]
    fn only_what_may_not_be_printed_as_it_is_is_printed_here() {
        assert!(misused(&"unknown option '--frobnicate'").is_none());
        let printed = misused(&"unknown option '\u{1b}[31m'");
        assert_eq!(printed.map(status), Some(status(ExitCode::from(2))));
    }
}
