//! The file that games are recorded in: one line of JSON for each.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bouton_tables::FileLock;
#[cfg(unix)]
use bouton_tables::input::is_dash;
use bouton_tables::printable::printable_path;
#[cfg(unix)]
use bouton_tables::program::check_open;
use bouton_tables::program::unwritten;

use crate::{GameRecord, Playable, Referee, stop};

/// A transcript to which games are appended.
///
/// A game can also be written move by move while it is played ([`tell`](Self::tell), [`end`](Self::end)): whatever happens
/// to the program, the moves so far are in the file. One whose moves may be taken back is [kept](Self::keep) until its end.
#[derive(Debug)]
pub struct Transcript(Arc<Mutex<Lines>>);

/// What is written.
#[derive(Debug)]
struct Lines {
    path: PathBuf,
    file: File,
    /// Two programs would write into each other's lines.
    _lock: Option<FileLock>,
    /// Whether the file was not there, and nothing was written.
    is_new: bool,
    /// The game that is being played, as its line would be if the program ended now; `None` if there is none.
    so_far: Option<GameRecord>,
    /// How many bytes of its line are in the file.
    written: usize,
}

impl Transcript {
    /// Opens a transcript, or begins a new one; `-` is standard output. Where the last line was never ended, it is ended first. A new one to which
    /// nothing is written is removed again.
    ///
    /// # Errors
    /// If the file cannot be written, or is there and is not a transcript.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let failed = |error| cannot_write(path, &error);
        #[cfg(unix)]
        if is_dash(path) {
            check_open().map_err(|error| {
                format!("cannot write standard output: {error}; or name a file with --record")
            })?;
            let file = File::from(io::stdout().as_fd().try_clone_to_owned().map_err(failed)?);
            let lines =
                Lines { path: path.to_owned(), file, _lock: None, is_new: false, so_far: None, written: 0 };
            return Ok(Self(Arc::new(Mutex::new(lines))));
        }
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        // A pipe can be a transcript too, and cannot be read.
        let is_file = is_new || path.is_file();
        let mut file = options.append(true).create(true).read(is_file).open(path).map_err(failed)?;
        let mut lock = None;
        if is_file {
            lock = FileLock::try_new(file.try_clone().map_err(failed)?);
            if lock.is_none() {
                let path = printable_path(path);
                return Err(format!(
                    "another program records its games to {path}; name another file with --record"
                )
                .into());
            }
            let (first, last) = ends(&mut file).map_err(failed)?;
            // What is no text is no transcript either.
            let first = String::from_utf8(first).map_err(|_| not_one(path))?;
            if !first.is_empty() && GameRecord::from_line(first.trim_end_matches('\n')).is_err() {
                return Err(not_one(path));
            }
            if last.is_some_and(|last| last != b'\n') {
                file.write_all(b"\n").map_err(failed)?;
            }
        }
        let path = path.to_owned();
        Ok(Self(Arc::new(Mutex::new(Lines { path, file, _lock: lock, is_new, so_far: None, written: 0 }))))
    }

    /// From now on, if the program is asked to end while a game is played, the line of the game is ended first, as that of
    /// one that broke off.
    pub fn end_when_interrupted(&self) {
        let lines = Arc::downgrade(&self.0);
        stop::before_the_end(move || {
            let Some(lines) = lines.upgrade() else { return };
            let mut lines = locked(&lines);
            // If it fails, the moves are in the file nevertheless.
            _ = lines.interrupt();
            // Nothing more is written: the lock stays closed.
            std::mem::forget(lines);
        });
    }

    /// Appends games in one write.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add<'a>(
        &mut self,
        records: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Result<(), Box<dyn Error>> {
        let lines: String = records.into_iter().map(|record| record.to_line() + "\n").collect();
        locked(&self.0).write(&lines)
    }

    /// Writes the moves of the game that is being played that are not yet in the file; at least one was made.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn tell<G: Playable>(&mut self, game: &Referee<G>, names: [&str; 2]) -> Result<(), Box<dyn Error>> {
        locked(&self.0).tell(game, names)
    }

    /// Keeps a game that can still be changed, with its end or as one that breaks off: if the program is asked to end, its
    /// line is written first. `None` forgets it. No move of the game may have been [told](Self::tell).
    pub fn keep(&mut self, so_far: Option<GameRecord>) {
        locked(&self.0).so_far = so_far;
    }

    /// Ends the line of the game that was told, or adds that of one of which nothing was, and makes sure that it is on the
    /// disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, whole: &GameRecord) -> Result<(), Box<dyn Error>> {
        locked(&self.0).end(&(whole.to_line() + "\n"))
    }
}

fn locked(lines: &Mutex<Lines>) -> MutexGuard<'_, Lines> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Lines {
    fn tell<G: Playable>(&mut self, game: &Referee<G>, names: [&str; 2]) -> Result<(), Box<dyn Error>> {
        let new = if let Some(so_far) = &mut self.so_far {
            let plies = &game.plies()[so_far.moves.len()..];
            so_far.add(plies);
            plies.iter().map(|ply| format!(",\"{}\"", ply.as_claimed())).collect()
        } else {
            self.so_far.insert(GameRecord::broken_off(game, names, "interrupted")).to_begun_line()
        };
        self.write(&new)?;
        self.written += new.len();
        Ok(())
    }

    fn end(&mut self, line: &str) -> Result<(), Box<dyn Error>> {
        self.write(&line[self.written..])?;
        (self.so_far, self.written) = (None, 0);
        match self.file.sync_all() {
            // What is no file has no disk to be on.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(cannot_write(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn interrupt(&mut self) -> Result<(), Box<dyn Error>> {
        match self.so_far.take() {
            Some(so_far) => self.end(&(so_far.to_line() + "\n")),
            None => Ok(()),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.is_new &= text.is_empty();
        self.file.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        if self.is_new {
            // An empty transcript harms nobody.
            _ = fs::remove_file(&self.path);
        }
    }
}

/// The most bytes of a line that are read to see whether it is one of a transcript.
const LONGEST: u64 = 1 << 24;

/// The first line of a file with its newline, and the last byte.
fn ends(file: &mut File) -> io::Result<(Vec<u8>, Option<u8>)> {
    let mut first = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    BufReader::new((&*file).take(LONGEST)).read_until(b'\n', &mut first)?;
    let mut last = Vec::new();
    if !first.is_empty() {
        file.seek(SeekFrom::End(-1))?;
        file.take(1).read_to_end(&mut last)?;
    }
    Ok((first, last.first().copied()))
}

fn not_one(path: &Path) -> Box<dyn Error> {
    let path = printable_path(path);
    format!("{path} is there and is not a transcript; name another file with --record").into()
}

fn cannot_write(path: &Path, error: &io::Error) -> Box<dyn Error> {
    let (path, why) = (printable_path(path), unwritten(error));
    format!("cannot write the transcript {path}: {why}; name another file with --record").into()
}
