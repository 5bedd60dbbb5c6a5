//! From the errors of the libraries to the exceptions of the package, which are classes of Python (`bouton/_errors.py`).

use std::io;

use bouton_answers::Refusal;
use bouton_draw::DrawError;
use bouton_generator::{GenerateError, VerifyError};
use bouton_study::Stopped;
use bouton_study::diff::DiffError;
use bouton_study::export::ExportError;
use bouton_study::select::FilterError;
use bouton_tables::grundy::GrundyError;
use bouton_tables::{AskError, OpenError, RulesetError};
use pyo3::PyErr;
use pyo3::exceptions::{PyKeyboardInterrupt, PyMemoryError, PyOSError};

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
        let what = self.to_string();
        match self {
            // Of several arguments Python makes what it has for this reason, as `FileNotFoundError`.
            Self::Io { path, source } => match source.raw_os_error() {
                Some(number) => PyOSError::new_err((number, what, path)),
                None => io::Error::new(source.kind(), what).into(),
            },
            _ => TableError::new_err(what),
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
            Self::Memory => PyMemoryError::new_err(self.to_string()),
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
            Self::Memory | Self::TooLittle { .. } => PyMemoryError::new_err(what),
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
            Self::Memory { .. } => PyMemoryError::new_err(what),
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
