//! Where a command writes its result: a file, standard output, or a pipe or device.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use bouton_tables::input::is_stream;
use bouton_tables::printable::printable_path;
use bouton_tables::program::{Output, check_open, unwritten};
use bouton_tables::{can_write_beside, write_whole};

/// Where a command writes its result.
#[derive(Debug)]
pub enum OutputTarget {
    /// A file, written atomically. If the name is a link, the linked file is replaced, not the link.
    File(PathBuf),
    /// Standard output.
    Stdout,
    /// A pipe, or a device such as /dev/null.
    Stream(PathBuf),
}

impl OutputTarget {
    /// Interprets a name from a command line.
    pub fn named(name: &Path) -> Self {
        // On Unix, the last three names are files that lead to the standard output. If that is a file, write to it
        // rather than replace it.
        let stdout_names = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
        if stdout_names.iter().any(|stdout| name.as_os_str() == *stdout) {
            Self::Stdout
        } else if is_stream(name) {
            Self::Stream(name.to_owned())
        } else if name.is_symlink() {
            Self::File(name.canonicalize().unwrap_or_else(|_| name.to_owned()))
        } else {
            Self::File(name.to_owned())
        }
    }

    /// Returns the path of a file; `None` for the others, which are written directly.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::File(file) => Some(file),
            Self::Stdout | Self::Stream(_) => None,
        }
    }

    /// Checks, before the work begins, that the output can be written. An existing file is an error unless `force` is
    /// set; the message is the file's name with `complaint`, such as `exists and is not this table`. If the output is not
    /// text, `binary` names it, such as `a table`, and a terminal is an error.
    pub fn check(&self, force: bool, complaint: &str, binary: Option<&str>) -> Result<(), Box<dyn Error>> {
        match (self, binary) {
            (Self::File(file), _) => check_file(file, force, complaint),
            (Self::Stdout, Some(binary)) if io::stdout().is_terminal() => {
                Err(format!("{binary} cannot be shown on a terminal; name a file with -o").into())
            }
            (Self::Stdout, _) => check_open().map_err(|error| {
                format!("cannot write standard output: {error}; you can also name a file with -o").into()
            }),
            (Self::Stream(_), _) => Ok(()),
        }
    }

    /// Opens standard output or a stream for writing. The target must not be a file.
    pub fn open_directly(&self) -> Result<Box<dyn Write>, Box<dyn Error>> {
        match self {
            Self::File(_) => unreachable!("files are written by `write`"),
            Self::Stdout => Ok(Box::new(Output::data())),
            Self::Stream(name) => match File::options().write(true).open(name) {
                Ok(stream) => Ok(Box::new(stream)),
                Err(error) => Err(cannot_write(name, &error)),
            },
        }
    }

    /// Writes all bytes: a file atomically, the others directly. An existing file is an error unless `force` is set.
    pub fn write(&self, bytes: &[u8], force: bool) -> Result<(), Box<dyn Error>> {
        match self {
            Self::File(file) => write_whole(file, bytes, force).map_err(|error| cannot_write(file, &error)),
            Self::Stdout | Self::Stream(_) => {
                let mut stream = self.open_directly()?;
                Ok(stream.write_all(bytes).and_then(|()| stream.flush())?)
            }
        }
    }

    /// Returns the writer for a command's report: standard output, or standard error if the result goes to standard
    /// output; with `quiet`, nowhere. A report in JSON is never wrapped.
    pub fn report(&self, quiet: bool, is_json: bool) -> Box<dyn Write> {
        match self {
            _ if quiet => Box::new(io::sink()),
            Self::Stdout if is_json => Box::new(io::stderr()),
            Self::Stdout => Box::new(Output::to_stderr()),
            Self::File(_) | Self::Stream(_) => Box::new(Output::of(is_json)),
        }
    }
}

impl Display for OutputTarget {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(name) | Self::Stream(name) => write!(f, "{}", printable_path(name)),
            Self::Stdout => write!(f, "standard output"),
        }
    }
}

/// Checks that a file can be written.
fn check_file(file: &Path, force: bool, complaint: &str) -> Result<(), Box<dyn Error>> {
    let shown = printable_path(file);
    let message = match file.metadata() {
        Ok(metadata) if metadata.is_dir() => {
            format!("{shown} is a folder; name a file in it, for example -o {shown}/NAME")
        }
        Ok(metadata) if !metadata.is_file() => {
            format!("{shown} is not a regular file; name another one with -o")
        }
        Ok(_) if !force => format!("{shown} {complaint}; --force replaces it, -o names another file"),
        Err(_) if file.is_symlink() => {
            format!("{shown} is a link to nothing; remove it, or name another file with -o")
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(cannot_write(file, &error)),
        Ok(_) | Err(_) => return can_write_beside(file).map_err(|error| cannot_write(file, &error)),
    };
    Err(message.into())
}

/// Returns the error for a file that cannot be written, with advice.
pub fn cannot_write(file: &Path, error: &io::Error) -> Box<dyn Error> {
    let advice = advice_on_writing(error.kind()).unwrap_or(match error.kind() {
        io::ErrorKind::NotFound => "make its folder first, or name another file with -o",
        io::ErrorKind::AlreadyExists => "it was created meanwhile; --force replaces it",
        _ => "name another file with -o",
    });
    format!("cannot write {}: {}; {advice}", printable_path(file), unwritten(error)).into()
}

/// Returns advice for this kind of error in writing a file; `None` if the advice depends on the command.
pub fn advice_on_writing(kind: io::ErrorKind) -> Option<&'static str> {
    match kind {
        io::ErrorKind::PermissionDenied => Some("make its folder writable, or name another file with -o"),
        io::ErrorKind::StorageFull => Some("free some space, or name a file on another disk with -o"),
        _ => None,
    }
}
