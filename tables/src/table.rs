//! A table of any family, opened from the bytes of a file.

use std::io;
use std::path::Path;

use crate::expanding::ExpandingTable;
use crate::format::{Body, Content};
use crate::heaps::HeapTable;
use crate::input::shown;
use crate::{Damage, Header, Map, OpenError, with_rules, with_table};

/// An open table.
#[derive(Debug)]
pub struct Table {
    header: Header,
    family: FamilyTable,
}

/// The table of one family. [`with_table!`](crate::with_table) does something with it, whichever it is.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "there are few of them, and boxing would slow each answer down")]
pub enum FamilyTable {
    /// A table of Expanding Nim.
    Expanding(ExpandingTable),
    /// A table of a heap game.
    Heaps(HeapTable),
}

impl Table {
    /// Maps a file and opens it as a table.
    ///
    /// # Errors
    /// If the file cannot be read, is not a table, is one of a newer format version, or is damaged.
    pub fn map(path: &Path) -> Result<Self, OpenError> {
        Self::of_map(Map::open(path), path)
    }

    /// Opens what a command line names: a file as [`map`](Self::map) does, `-` for standard input, or a pipe.
    ///
    /// # Errors
    /// As of [`map`](Self::map); of the name of a preset, which is no file, says so.
    pub fn named(name: &Path) -> Result<Self, OpenError> {
        Self::of_map(Map::named(name), shown(name).as_ref())
    }

    /// Reads a table from what need not end, such as a pipe; the path is its name. Not more is read than it says that it has, and one
    /// byte.
    ///
    /// # Errors
    /// As of [`map`](Self::map).
    pub fn from_stream(name: &Path, stream: impl io::Read) -> Result<Self, OpenError> {
        Self::of_map(Map::from_stream(stream), shown(name).as_ref())
    }

    fn of_map(file: io::Result<Map>, path: &Path) -> Result<Self, OpenError> {
        let path = path.to_owned();
        match file {
            Ok(file) => Self::open(file).map_err(|error| OpenError::InFile { path, reason: Box::new(error) }),
            Err(source) => Err(OpenError::unread(path, source)),
        }
    }

    /// Opens the bytes of a file as a table; those of a slice are copied. Checks all but the blocks of a long body, which are checked when
    /// they are first needed.
    ///
    /// # Errors
    /// If they are not a table, are one of a newer format version, or are damaged.
    pub fn open(bytes: impl Into<Map>) -> Result<Self, OpenError> {
        let body = Body::open(bytes, Content::Table)?;
        let header = Header::decode(body.header_bytes(), body.version())?;
        let family = with_rules!(&header.ruleset, |rules| rules.open(&header, body)?);
        Ok(Self { header, family })
    }

    /// What the table says of itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The version of the format in which the file is written.
    pub fn format(&self) -> u32 {
        self.body().version()
    }

    /// The digest that names the table, as its file states it.
    pub fn digest(&self) -> [u8; 32] {
        self.body().digest()
    }

    /// The table by its family.
    pub fn family(&self) -> &FamilyTable {
        &self.family
    }

    /// What holds the bytes of the file.
    pub fn holder(&self) -> &Map {
        self.body().holder()
    }

    fn body(&self) -> &Body {
        with_table!(&self.family, |table| table.body())
    }

    /// Length of the file in bytes.
    pub fn file_len(&self) -> usize {
        self.body().file().len()
    }

    /// Checks every block of the body now.
    ///
    /// # Errors
    /// Names the first one that is damaged.
    pub fn check_sums(&self) -> Result<(), Damage> {
        Ok(self.body().check_all()?)
    }

    /// From now on each read checks the blocks that it needs, in copies of them, against the sums as they are now: if the
    /// file changes under a map, an answer is either the table's or an error. An answer then takes microseconds instead
    /// of nanoseconds. A file that is cut short ends the program all the same, unless its map is guarded.
    pub fn check_every_read(&mut self) {
        with_table!(&mut self.family, |table| table.body_mut().check_every_read());
    }

    /// Computes the digest anew and compares it with the one stated, besides checking every sum.
    ///
    /// # Errors
    /// If either does not hold.
    #[cfg(feature = "write")]
    pub fn check_whole(&self) -> Result<(), Damage> {
        self.body().check_whole()
    }
}

/// A digest in hexadecimal.
#[must_use]
pub fn hex(digest: &[u8; 32]) -> String {
    use std::fmt::Write;
    digest.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("writing to a string");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, MoveSet, Outcome, Region, Solved, Verdict};

    #[test]
    fn a_table_tells_the_format_and_the_digest_that_its_file_states() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/format-1/sticks.bouton");
        let mut file = std::fs::read(path).unwrap();
        let table = Table::open(&file[..]).unwrap();
        assert_eq!((table.format(), &table.digest()[..]), (1, &file[24..56]));
        // As one of format 2, its header is none.
        file[8] = 2;
        let sum = crc32fast::hash(&file[..60]).to_le_bytes();
        file[60..64].copy_from_slice(&sum);
        assert!(Table::open(file).unwrap_err().to_string().contains("header"));
    }

    #[test]
    fn a_digest_is_shown_in_64_lowercase_digits() {
        let digest = std::array::from_fn(|place| 8 * place as u8 + 7);
        assert_eq!(hex(&digest), "070f171f272f373f474f575f676f777f878f979fa7afb7bfc7cfd7dfe7eff7ff");
    }

    /// Holds one answer in so many against the definitions: outcome, depth, best move and winning moves follow from
    /// the verdicts one move further.
    fn follow<S: Solved>(table: &S, every: usize) {
        let game = table.game();
        let region = game.region().unwrap();
        let mut asked = 0;
        for position in region.walk(0).step_by(every) {
            let (answer, shown) = (table.answer(&position).unwrap(), game.show_position(&position));
            assert_eq!(table.verdict(&position).unwrap(), answer.verdict, "{shown}");
            let after = |chosen| table.verdict(&game.after(&position, chosen)).unwrap();
            let moves: Vec<_> = game.moves(&position).map(|chosen| (chosen, after(chosen))).collect();
            let won: Vec<_> = moves.iter().filter(|(_, after)| after.outcome == Outcome::Loss).collect();
            assert!(answer.winning.iter().eq(won.iter().map(|(chosen, _)| *chosen)), "{shown}");
            // First the least depth for the winner and the greatest for the loser, then the fewest stones. Without depths
            // it is the first move.
            let key = |chosen, depth| (depth, if table.has_depths() { game.stones_taken(chosen) } else { 0 });
            let quick = |after: &Verdict| after.depth.map(i64::from);
            let slow = |after: &Verdict| after.depth.map(|depth| -i64::from(depth));
            let (outcome, best) = match (moves.is_empty(), won.is_empty()) {
                (true, _) => (game.outcome_without_moves(), None),
                (_, false) => {
                    let best = won.iter().min_by_key(|(chosen, after)| key(*chosen, quick(after)));
                    (Outcome::Win, best.copied())
                }
                (_, true) => {
                    let best = moves.iter().min_by_key(|(chosen, after)| key(*chosen, slow(after)));
                    (Outcome::Loss, best)
                }
            };
            let depth = best.map_or(0, |(_, after)| 1 + after.depth.unwrap_or(0));
            let verdict = Verdict { outcome, depth: table.has_depths().then_some(depth) };
            assert_eq!((answer.verdict, answer.best), (verdict, best.map(|(chosen, _)| *chosen)), "{shown}");
            asked += 1;
        }
        assert!(asked > 0);
    }

    #[test]
    fn every_answer_follows_from_those_one_move_further() {
        for name in
            ["expanding", "expanding-bare", "other", "moore", "nim", "nim-pass", "nim-pass-bare", "up-to"]
        {
            let name = format!("{name}.bouton");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/format-1").join(&name);
            let table = Table::open(std::fs::read(path).unwrap()).unwrap();
            // Some of them are enough here; a proof asks for all.
            let asked = if name.starts_with("expanding") { 5000 } else { 500 };
            let every = (table.header().positions / asked).max(1) as usize;
            with_table!(table.family(), |table| follow(table, every));
        }
    }
}
