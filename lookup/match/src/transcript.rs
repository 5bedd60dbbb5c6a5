//! The file that games are recorded in: one line of JSON for each.

use std::error::Error;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use bouton_tables::printable::printable_path;
use bouton_tables::program::unwritten;

use crate::{GameRecord, Playable, Referee};

/// A transcript to which games are appended.
///
/// A game can also be written move by move while it is played ([`tell`](Self::tell), [`end`](Self::end)): whatever happens
/// to the program, the moves so far are in the file.
#[derive(Debug)]
pub struct Transcript {
    path: PathBuf,
    file: File,
    /// Of the line of the game that is being played, how many bytes are in the file, and how many moves.
    written: usize,
    moves: usize,
}

impl Transcript {
    /// Opens a transcript, or begins a new one. Where the last line was never ended, it is ended first.
    ///
    /// # Errors
    /// If the file cannot be written, or is there and is not a transcript.
    pub fn open(path: &Path) -> Result<Self, Box<dyn Error>> {
        let failed = |error| cannot_write(path, &error);
        let is_new = !path.is_file();
        let mut options = OpenOptions::new();
        options.append(true).create(true).read(!is_new);
        let mut file = options.open(path).map_err(failed)?;
        if !is_new {
            let [first, last] = ends(&mut file).map_err(failed)?;
            // Each line of a transcript is a JSON object.
            if first.is_some_and(|first| first != b'{') {
                let path = printable_path(path);
                let error =
                    format!("{path} is there and is not a transcript; name another file with --record");
                return Err(error.into());
            }
            if last.is_some_and(|last| last != b'\n') {
                file.write_all(b"\n").map_err(failed)?;
            }
        }
        Ok(Self { path: path.to_owned(), file, written: 0, moves: 0 })
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
        self.write(&lines)
    }

    /// Writes the moves of the game that is being played that are not yet in the file.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn tell<G: Playable>(&mut self, game: &Referee<G>, names: [&str; 2]) -> Result<(), Box<dyn Error>> {
        let new = if self.written == 0 {
            GameRecord::broken_off(game, names, "").to_begun_line()
        } else {
            game.plies()[self.moves..].iter().map(|ply| format!(",\"{}\"", ply.chosen)).collect()
        };
        self.written += new.len();
        self.moves = game.plies().len();
        self.write(&new)
    }

    /// Ends the line of the game that was told, or adds that of one of which nothing was, and makes sure that it is on the
    /// disk.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn end(&mut self, whole: &GameRecord) -> Result<(), Box<dyn Error>> {
        let line = whole.to_line() + "\n";
        self.write(&line[self.written..])?;
        (self.written, self.moves) = (0, 0);
        self.file.sync_all().map_err(|error| cannot_write(&self.path, &error))
    }

    fn write(&mut self, text: &str) -> Result<(), Box<dyn Error>> {
        self.file.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))
    }
}

/// The first byte of a file, and the last.
fn ends(file: &mut File) -> io::Result<[Option<u8>; 2]> {
    let mut read = |from: SeekFrom| -> io::Result<Option<u8>> {
        let mut byte = [0];
        file.seek(from)?;
        Ok((file.read(&mut byte)? == 1).then_some(byte[0]))
    };
    let first = read(SeekFrom::Start(0))?;
    let last = if first.is_some() { read(SeekFrom::End(-1))? } else { None };
    Ok([first, last])
}

fn cannot_write(path: &Path, error: &io::Error) -> Box<dyn Error> {
    let (path, why) = (printable_path(path), unwritten(error));
    format!("cannot write the transcript {path}: {why}; name another file with --record").into()
}
