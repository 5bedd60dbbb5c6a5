//! Conversion of the libraries' errors to the exceptions of the package, which are Python classes (`bouton/_errors.py`).

use std::io::{self, ErrorKind};
use std::path::Path;

use bouton_answers::Refusal;
use bouton_generator::{GenerateError, VerifyError};
use bouton_study::{Stopped, StudyError};
use bouton_tables::grundy::GrundyError;
use bouton_tables::program::unwritten as why_unwritten;
use bouton_tables::rulesets::PRESETS;
use bouton_tables::{AskError, OpenError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError};
use pyo3::prelude::*;

pyo3::import_exception!(bouton._errors, ColumnError);
pyo3::import_exception!(bouton._errors, PlayerError);
pyo3::import_exception!(bouton._errors, PositionError);
pyo3::import_exception!(bouton._errors, QuestionError);
pyo3::import_exception!(bouton._errors, RulesError);
pyo3::import_exception!(bouton._errors, TableError);
pyo3::import_exception!(bouton._errors, TooMuchError);
pyo3::import_exception!(bouton._errors, WrongTableError);

/// Conversion of an error to a Python exception.
pub(crate) trait IntoException {
    /// Returns the exception, with the message of the error.
    fn into_exception(self) -> PyErr;
}

/// Conversion of a result whose error becomes a Python exception.
pub(crate) trait OrRaise<T> {
    fn or_raise(self) -> PyResult<T>;
}

impl<T, E: IntoException> OrRaise<T> for Result<T, E> {
    fn or_raise(self) -> PyResult<T> {
        self.map_err(IntoException::into_exception)
    }
}

/// Replaces advice for a shell in a message by advice for Python. The package's own exceptions do this themselves.
fn in_python(what: &str) -> String {
    Python::attach(|py| py.import("bouton._errors")?.getattr("in_python")?.call1((what,))?.extract())
        .unwrap_or_else(|_: PyErr| what.to_owned())
}

fn out_of_memory(what: &str) -> PyErr {
    PyMemoryError::new_err(in_python(what))
}

/// Makes the exception for a file, with the error number and the path that the user gave. Python derives the class, such as
/// `FileNotFoundError`, from the number.
pub(crate) fn file_error(path: &Path, error: &io::Error, what: String) -> PyErr {
    match error.raw_os_error().or_else(|| errno_of(error.kind())) {
        Some(number) => PyOSError::new_err((number, what, path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{what}: {}", path.display())),
    }
}

/// Returns the system's error number for a kind of error.
fn errno_of(kind: ErrorKind) -> Option<i32> {
    let name = match kind {
        ErrorKind::NotFound => "ENOENT",
        ErrorKind::PermissionDenied => "EACCES",
        ErrorKind::AlreadyExists => "EEXIST",
        ErrorKind::NotADirectory => "ENOTDIR",
        ErrorKind::IsADirectory => "EISDIR",
        ErrorKind::InvalidInput => "EINVAL",
        ErrorKind::InvalidFilename => "ENAMETOOLONG",
        ErrorKind::ReadOnlyFilesystem => "EROFS",
        ErrorKind::StorageFull => "ENOSPC",
        ErrorKind::QuotaExceeded => "EDQUOT",
        ErrorKind::FileTooLarge => "EFBIG",
        _ => return None,
    };
    Python::attach(|py| py.import("errno")?.getattr(name)?.extract()).ok()
}

/// Makes the exception for a file that cannot be written.
pub(crate) fn unwritten(path: &Path, error: &io::Error) -> PyErr {
    let advice = match error.kind() {
        ErrorKind::NotFound => "make it first, or name another file",
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "make its folder writable, or name another file"
        }
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
            "free some space, or name a file on another disk"
        }
        ErrorKind::AlreadyExists => "it was created meanwhile: give replace=True, or name another file",
        _ => "name another file",
    };
    file_error(path, error, format!("{}; {advice}", why_unwritten(error)))
}

/// Makes the exception for a table's file that cannot be opened.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    let preset = PRESETS.iter().map(|preset| preset.name).find(|&name| path.as_os_str() == name);
    let what = match (error.kind(), preset) {
        (ErrorKind::NotFound, Some(preset)) => {
            let table = path.with_extension("bouton");
            let saved = match table.is_file() {
                true => format!(", and {} is its table", table.display()),
                false => String::new(),
            };
            format!(
                "there is no such file, but a preset of that name: bouton.solve('{preset}') solves it{saved}"
            )
        }
        (ErrorKind::NotFound, None) => {
            "there is no such file; give the path of a table that bouton.generate or Table.save wrote"
                .to_owned()
        }
        (kind, _) => format!("{kind}; give the path of a table that you can read"),
    };
    file_error(path, error, what)
}

impl IntoException for Refusal {
    fn into_exception(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Question(_) => QuestionError::new_err(what),
            Self::Rules(_) => RulesError::new_err(what),
            Self::Position(_) | Self::Move(_) => PositionError::new_err(what),
            Self::TooMuch(_) => TooMuchError::new_err(what),
            Self::Damaged(_) => TableError::new_err(what),
        }
    }
}

impl IntoException for AskError {
    fn into_exception(self) -> PyErr {
        Refusal::from(self).into_exception()
    }
}

impl IntoException for OpenError {
    fn into_exception(self) -> PyErr {
        match self {
            Self::Io { path, source } => unreadable(&path, &source),
            error => TableError::new_err(error.to_string()),
        }
    }
}

impl IntoException for io::Error {
    fn into_exception(self) -> PyErr {
        match self.raw_os_error() {
            Some(number) => PyOSError::new_err((number, self.to_string())),
            None => self.into(),
        }
    }
}

impl IntoException for GenerateError {
    fn into_exception(self) -> PyErr {
        match self {
            Self::Depths(_) => RulesError::new_err(self.to_string()),
            Self::Memory => out_of_memory(&self.to_string()),
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
            Self::Write(error) => error.into_exception(),
            Self::Unproved(_) | Self::Work(_) => TableError::new_err(self.to_string()),
        }
    }
}

impl IntoException for VerifyError {
    fn into_exception(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
            Self::Memory | Self::TooLittle { .. } => out_of_memory(&what),
            Self::Damaged(_) => TableError::new_err(what),
            Self::Wrong(_) | Self::Contradictory(_) | Self::Miscounted { .. } => {
                WrongTableError::new_err(what)
            }
        }
    }
}

impl IntoException for StudyError {
    fn into_exception(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Damaged(error) => error.into_exception(),
            Self::DamagedOf { .. } => TableError::new_err(what),
            Self::Io(error) => error.into_exception(),
            Self::Filter(_) | Self::Invalid(_) => QuestionError::new_err(what),
            Self::MapStart(why) => PositionError::new_err(why.to_string()),
            Self::Memory(_) => out_of_memory(&what),
            Self::Wrong(_) => WrongTableError::new_err(what),
            Self::Grundy(error) => error.into_exception(),
            Self::Stopped(Stopped) => PyKeyboardInterrupt::new_err(()),
            Self::Long(_) | Self::TooMany(_) => TooMuchError::new_err(what),
        }
    }
}

impl IntoException for GrundyError {
    fn into_exception(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Misere => QuestionError::new_err(what),
            Self::TooMany { .. } | Self::Countless(_) => TooMuchError::new_err(what),
            Self::Memory { .. } => out_of_memory(&what),
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
        }
    }
}
