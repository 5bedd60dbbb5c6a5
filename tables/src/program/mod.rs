//! Output, error messages and exit statuses of the programs.

#[cfg(feature = "program")]
mod ending;
#[cfg(feature = "program")]
mod output;
#[cfg(feature = "program")]
mod wrap;

use std::io;

#[cfg(feature = "program")]
pub use ending::{end, note, print_failure};
#[cfg(feature = "program")]
pub use output::{Output, check_open, error_width, width};
#[cfg(feature = "program")]
pub use wrap::wrapped;

/// Exit status: success.
pub const SUCCESS: u8 = 0;
/// Exit status: the answer is no.
pub const ANSWER_NO: u8 = 1;
/// Exit status: an error.
pub const FAILURE: u8 = 2;

/// Returns the reason why a file cannot be written. The error's own message is not used, since it names a temporary file.
pub fn unwritten(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        kind => kind.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_why_a_file_is_not_written_names_no_file() {
        assert_eq!(unwritten(&io::ErrorKind::NotFound.into()), "there is no such folder");
        assert_eq!(unwritten(&io::ErrorKind::PermissionDenied.into()), "permission denied");
    }
}
