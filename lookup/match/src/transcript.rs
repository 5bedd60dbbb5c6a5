//! Transcripts: files in which games are recorded, one line of JSON for each game.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bouton_tables::FileLock;
use bouton_tables::input::is_dash;
use bouton_tables::printable::printable_path;
use bouton_tables::program::{check_open, unwritten};

use crate::{GameRecord, Playable, Referee, stop};

/// A transcript to which games are appended.
///
/// A game can also be written move by move while it is played ([`append`](Self::append), [`end`](Self::end)): if the
/// program dies, the moves so far are in the file. A game whose moves may be taken back is kept [in
/// memory](Self::remember) until its end.
#[derive(Debug)]
pub struct Transcript(Arc<Mutex<Appender>>);

/// The open file, and the game that is being written.
#[derive(Debug)]
struct Appender {
    path: PathBuf,
    file: File,
    /// Keeps another program from writing into this one's lines.
    _lock: Option<FileLock>,
    /// True if the file is new and still empty.
    is_new: bool,
    /// The current game, as its line would be if the program ended now; `None` between games.
    so_far: Option<GameRecord>,
    /// Number of bytes of the current game's line in the file.
    written: usize,
}

impl Transcript {
    /// Opens a transcript, or creates one; `-` is standard output. Ends an unfinished last line first. A new transcript
    /// that stays empty is removed again. Fails if the file cannot be written, or exists and is not a transcript.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let failed = |error| cannot_write(path, &error);
        if is_dash(path) {
            check_open().map_err(|error| {
                format!("cannot write standard output: {error}; you can also name a file with --record")
            })?;
            let file = File::from(io::stdout().as_fd().try_clone_to_owned().map_err(failed)?);
            return Ok(Self::append_to(path, file, None, false));
        }
        let is_new = !path.exists();
        let mut options = OpenOptions::new();
        // A pipe can be a transcript too, but cannot be read.
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
            let (first, last) = first_line_and_last_byte(&mut file).map_err(failed)?;
            // Bytes that are not UTF-8 are not a transcript.
            let first = String::from_utf8(first).map_err(|_| not_a_transcript(path))?;
            if !first.is_empty() && GameRecord::from_line(first.trim_end_matches('\n')).is_err() {
                return Err(not_a_transcript(path));
            }
            if last.is_some_and(|last| last != b'\n') {
                file.write_all(b"\n").map_err(failed)?;
            }
        }
        Ok(Self::append_to(path, file, lock, is_new))
    }

    fn append_to(path: &Path, file: File, lock: Option<FileLock>, is_new: bool) -> Self {
        let path = path.to_owned();
        Self(Arc::new(Mutex::new(Appender { path, file, _lock: lock, is_new, so_far: None, written: 0 })))
    }

    /// Ensures that a signal which ends the program during a game first completes the game's line, as interrupted.
    pub fn end_when_interrupted(&self) {
        let lines = Arc::downgrade(&self.0);
        stop::set_exit_action(move || {
            let Some(lines) = lines.upgrade() else { return };
            let mut lines = appender(&lines);
            if let Some(so_far) = lines.so_far.take() {
                // Even if this fails, the moves are in the file.
                _ = lines.end(&so_far);
            }
            // Leave the mutex locked, so that nothing more is written.
            std::mem::forget(lines);
        });
    }

    /// Appends a game in one write.
    pub fn add(&mut self, record: &GameRecord) -> Result<(), Box<dyn Error>> {
        appender(&self.0).write(&(record.to_line() + "\n"))
    }

    /// Writes the moves of the current game that are not yet in the file. The game must have a move.
    pub fn append<G: Playable>(&mut self, game: &Referee<G>, names: [&str; 2]) -> Result<(), Box<dyn Error>> {
        let mut appender = appender(&self.0);
        let new = if let Some(so_far) = &mut appender.so_far {
            let plies = &game.plies()[so_far.moves.len()..];
            so_far.add(plies);
            plies.iter().map(|ply| format!(",\"{}\"", ply.as_claimed())).collect()
        } else {
            appender.so_far.insert(GameRecord::unfinished(game, names, "interrupted")).to_line_so_far()
        };
        appender.write(&new)?;
        appender.written += new.len();
        Ok(())
    }

    /// Remembers a game whose moves may still be taken back. A signal that ends the program first writes the game's line.
    /// `None` forgets the game. No move of the game may have been [written](Self::append).
    pub fn remember(&mut self, so_far: Option<GameRecord>) {
        appender(&self.0).so_far = so_far;
    }

    /// Completes the line of the current game, or writes all of it if no move was written, and syncs the file.
    pub fn end(&mut self, record: &GameRecord) -> Result<(), Box<dyn Error>> {
        appender(&self.0).end(record)
    }
}

fn appender(lines: &Mutex<Appender>) -> MutexGuard<'_, Appender> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Appender {
    fn end(&mut self, record: &GameRecord) -> Result<(), Box<dyn Error>> {
        let line = record.to_line() + "\n";
        self.write(&line[self.written..])?;
        (self.so_far, self.written) = (None, 0);
        match self.file.sync_all() {
            // Pipes and the like cannot be synced.
            Err(error) if error.kind() != io::ErrorKind::InvalidInput => {
                Err(cannot_write(&self.path, &error))
            }
            _ => Ok(()),
        }
    }

    fn write(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.is_new &= text.is_empty();
        self.file.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))
    }
}

impl Drop for Appender {
    fn drop(&mut self) {
        if self.is_new {
            // An empty transcript left behind does no harm.
            _ = fs::remove_file(&self.path);
        }
    }
}

/// Maximum number of bytes of the first line that are read to recognize a transcript.
const MAX_FIRST_LINE: u64 = 1 << 24;

/// Returns the first line of a file with its newline, and the last byte.
fn first_line_and_last_byte(file: &mut File) -> io::Result<(Vec<u8>, Option<u8>)> {
    let mut first = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    BufReader::new((&*file).take(MAX_FIRST_LINE)).read_until(b'\n', &mut first)?;
    let mut last = Vec::new();
    if !first.is_empty() {
        file.seek(SeekFrom::End(-1))?;
        file.take(1).read_to_end(&mut last)?;
    }
    Ok((first, last.first().copied()))
}

fn not_a_transcript(path: &Path) -> Box<dyn Error> {
    let path = printable_path(path);
    format!("{path} exists and is not a transcript; name another file with --record").into()
}

fn cannot_write(path: &Path, error: &io::Error) -> Box<dyn Error> {
    let (path, why) = (printable_path(path), unwritten(error));
    format!("cannot write the transcript {path}: {why}; name another file with --record").into()
}
