//! From the errors of the libraries to the exceptions of the package, which are classes of Python (`bouton/_errors.py`).

use std::io::{self, ErrorKind};
use std::path::Path;

use bouton_answers::Refusal;
use bouton_draw::DrawError;
use bouton_generator::{GenerateError, VerifyError};
use bouton_study::Stopped;
use bouton_study::diff::DiffError;
use bouton_study::export::ExportError;
use bouton_study::select::FilterError;
use bouton_tables::grundy::GrundyError;
use bouton_tables::program::unwritten as why_unwritten;
use bouton_tables::rulesets::PRESETS;
use bouton_tables::{AskError, OpenError, RulesetError};
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

/// An error that has an exception of the package.
pub(crate) trait Raised {
    /// The exception, with the program's message.
    fn raised(self) -> PyErr;
}

/// A message with advice for Python in place of advice for a shell. The package's own exceptions translate theirs by themselves.
fn in_python(what: &str) -> String {
    Python::attach(|py| py.import("bouton._errors")?.getattr("in_python")?.call1((what,))?.extract())
        .unwrap_or_else(|_: PyErr| what.to_owned())
}

fn out_of_memory(what: &str) -> PyErr {
    PyMemoryError::new_err(in_python(what))
}

/// The exception for a file: with its number, of which Python makes `FileNotFoundError` and the like, and the path as it was given.
pub(crate) fn of_file(path: &Path, error: &io::Error, what: String) -> PyErr {
    match error.raw_os_error().or_else(|| number_of(error.kind())) {
        Some(number) => PyOSError::new_err((number, what, path.as_os_str().to_owned())),
        None => PyOSError::new_err(format!("{what}: {}", path.display())),
    }
}

/// The system's number of an error that lost it.
fn number_of(kind: ErrorKind) -> Option<i32> {
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

/// The exception for a file that cannot be written.
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
    of_file(path, error, format!("{}; {advice}", why_unwritten(error)))
}

/// The exception for a table's file that cannot be opened.
pub(crate) fn unread(path: &Path, error: &io::Error) -> PyErr {
    let preset = PRESETS.iter().map(|preset| preset.name).find(|&name| path.as_os_str() == name);
    let what = match (error.kind(), preset) {
        (ErrorKind::NotFound, Some(preset)) => {
            let table = path.with_extension("bouton");
            let saved = if table.is_file() {
                format!(", and {} is its table", table.display())
            } else {
                String::new()
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
    of_file(path, error, what)
}

impl Raised for Refusal {
    fn raised(self) -> PyErr {
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

impl Raised for AskError {
    fn raised(self) -> PyErr {
        Refusal::from(self).raised()
    }
}

impl Raised for RulesetError {
    fn raised(self) -> PyErr {
        RulesError::new_err(self.to_string())
    }
}

impl Raised for FilterError {
    fn raised(self) -> PyErr {
        QuestionError::new_err(self.to_string())
    }
}

impl Raised for OpenError {
    fn raised(self) -> PyErr {
        match self {
            Self::Io { path, source } => unread(&path, &source),
            error => TableError::new_err(error.to_string()),
        }
    }
}

impl Raised for io::Error {
    fn raised(self) -> PyErr {
        match self.raw_os_error() {
            Some(number) => PyOSError::new_err((number, self.to_string())),
            None => self.into(),
        }
    }
}

impl Raised for GenerateError {
    fn raised(self) -> PyErr {
        match self {
            Self::Memory => out_of_memory(&self.to_string()),
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
            Self::Write(error) => error.raised(),
            Self::Unproved(_) | Self::Work(_) => TableError::new_err(self.to_string()),
        }
    }
}

impl Raised for VerifyError {
    fn raised(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
            Self::Memory | Self::TooLittle { .. } => out_of_memory(&what),
            Self::Damaged(_) | Self::Record(_) => TableError::new_err(what),
            Self::Peer { .. } | Self::Wrong(_) | Self::Contradictory(_) | Self::Miscounted { .. } => {
                WrongTableError::new_err(what)
            }
        }
    }
}

impl Raised for ExportError {
    fn raised(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Damaged(error) => error.raised(),
            Self::Io(error) => error.raised(),
            Self::NoSequence(_) => QuestionError::new_err(what),
            Self::Wrong(_) => WrongTableError::new_err(what),
            Self::Grundy(error) => error.raised(),
            Self::Stopped(Stopped) => PyKeyboardInterrupt::new_err(()),
            Self::Long(_) | Self::TooMany(_) => TooMuchError::new_err(what),
        }
    }
}

impl Raised for GrundyError {
    fn raised(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Misere => QuestionError::new_err(what),
            Self::TooMany { .. } | Self::Countless(_) => TooMuchError::new_err(what),
            Self::Memory { .. } => out_of_memory(&what),
            Self::Cancelled => PyKeyboardInterrupt::new_err(()),
        }
    }
}

impl Raised for DiffError {
    fn raised(self) -> PyErr {
        let what = self.to_string();
        match self {
            Self::Incomparable(_) => QuestionError::new_err(what),
            Self::Long(_) | Self::TooMany(_) => TooMuchError::new_err(what),
            Self::A(_) | Self::B(_) => TableError::new_err(what),
            Self::Stopped(Stopped) => PyKeyboardInterrupt::new_err(()),
        }
    }
}

impl Raised for DrawError {
    fn raised(self) -> PyErr {
        match self {
            Self::Table(error) => error.raised(),
            Self::Filter(_) | Self::Invalid(_) => QuestionError::new_err(self.to_string()),
            Self::From(why) => PositionError::new_err(why.to_string()),
            Self::Stopped(Stopped) => PyKeyboardInterrupt::new_err(()),
        }
    }
}
