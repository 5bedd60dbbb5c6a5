//! The end of a program: its exit status, and messages on standard error.

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

use super::output::{Closed, error_width};
use super::{FAILURE, SUCCESS, wrapped};
use crate::printable::printable_lines;

/// Prints a program's error, if any, and returns the exit status. A pipe that its reader has closed is no error.
#[must_use]
pub fn end(program: &str, done: Result<u8, Box<dyn Error>>) -> ExitCode {
    // Flush the standard library's buffer now: an error after `main` would be lost.
    let flush = |status| io::stdout().flush().map(|()| status).map_err(Into::into);
    match done.and_then(flush) {
        Ok(status) => status.into(),
        Err(error) if error.downcast_ref().is_some_and(is_closed_pipe) => SUCCESS.into(),
        // An I/O error without a file name is of standard output.
        Err(error) if error.downcast_ref().is_some_and(is_output_error) => {
            print_failure(program, &format!("cannot write standard output: {error}"))
        }
        Err(error) => print_failure(program, &error),
    }
}

fn is_closed_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Returns true for an error of writing to standard output. (Errors of other files name the file, and have other types.)
fn is_output_error(error: &io::Error) -> bool {
    use io::ErrorKind::{FileTooLarge, QuotaExceeded, StorageFull};
    matches!(error.kind(), FileTooLarge | QuotaExceeded | StorageFull)
        || error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Closed>)
}

/// Prints an error, and returns its exit status.
#[must_use]
pub fn print_failure(program: &str, error: &impl Display) -> ExitCode {
    note(program, error);
    FAILURE.into()
}

/// Prints a message on standard error, wrapped to the width of a terminal. Ignores errors of standard error.
pub fn note(program: &str, what: &impl Display) {
    let text = format!("{program}: {}\n", printable_lines(&what.to_string()));
    let _ = io::stderr().write_all(wrapped(&text, error_width()).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(code: ExitCode) -> String {
        format!("{code:?}")
    }

    #[test]
    fn a_program_ends_with_the_status_of_its_answer_or_with_2_after_an_error() {
        for (answer, expected) in [(SUCCESS, 0), (super::super::ANSWER_NO, 1), (FAILURE, 2)] {
            assert_eq!(status(end("test", Ok(answer))), status(ExitCode::from(expected)));
        }
        let failed = |kind: io::ErrorKind| status(end("test", Err(io::Error::from(kind).into())));
        assert_eq!(failed(io::ErrorKind::BrokenPipe), status(ExitCode::from(0)));
        assert_eq!(failed(io::ErrorKind::NotFound), status(ExitCode::from(2)));
        assert_eq!(status(end("test", Err("no such thing".into()))), status(ExitCode::from(2)));
    }
}
