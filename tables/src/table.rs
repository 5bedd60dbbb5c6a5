//! A table of any family, opened from the bytes of a file.

use std::io;
use std::path::Path;

use crate::expanding::ExpandingTable;
use crate::format::{Body, Content};
use crate::heaps::HeapTable;
use crate::input::display_name;
use crate::{Damage, Header, Map, OpenError, Ruleset, with_table};

/// An open table.
#[derive(Debug)]
pub struct Table {
    header: Header,
    family: FamilyTable,
}

/// The table of one family. [`with_table!`](crate::with_table) runs code on it for any family.
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
    pub fn map(path: &Path) -> Result<Self, OpenError> {
        Self::of_map(Map::open(path), path)
    }

    /// Opens the table that a command line names: a file, like [`map`](Self::map), a pipe, or `-` for standard input.
    /// If the name is a preset and no file, the error says so.
    pub fn named(name: &Path) -> Result<Self, OpenError> {
        Self::of_map(Map::named(name), display_name(name).as_ref())
    }

    /// Reads a table from a stream, such as a pipe; messages call the stream `name`. Reads at most one byte more than
    /// the prefix announces, so an endless stream is safe.
    pub fn from_stream(name: &Path, stream: impl io::Read) -> Result<Self, OpenError> {
        Self::of_map(Map::from_stream(stream), display_name(name).as_ref())
    }

    fn of_map(file: io::Result<Map>, path: &Path) -> Result<Self, OpenError> {
        let path = path.to_owned();
        match file {
            Ok(file) => Self::open(file).map_err(|error| OpenError::InFile { path, reason: Box::new(error) }),
            Err(source) => Err(OpenError::unreadable(path, source)),
        }
    }

    /// Opens the bytes of a file as a table; a slice is copied. Checks everything that answers rely on, except the
    /// blocks of a long body, which are checked before their first use. Only `check_whole` checks the digest.
    pub fn open(bytes: impl Into<Map>) -> Result<Self, OpenError> {
        let body = Body::open(bytes, Content::Table)?;
        let header = Header::decode(body.header_bytes())?;
        let family = match &header.ruleset {
            Ruleset::Expanding(rules) => FamilyTable::Expanding(rules.open(&header, body)?),
            Ruleset::Heaps(rules) => FamilyTable::Heaps(rules.open(&header, body)?),
        };
        Ok(Self { header, family })
    }

    /// Returns the table's header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the digest stated in the file, which identifies the table.
    pub fn digest(&self) -> [u8; 32] {
        self.body().digest()
    }

    /// Returns the family's table.
    pub fn family(&self) -> &FamilyTable {
        &self.family
    }

    /// Returns the map that holds the bytes of the file.
    pub fn holder(&self) -> &Map {
        self.body().holder()
    }

    fn body(&self) -> &Body {
        with_table!(&self.family, |table| table.body())
    }

    /// Returns the length of the file in bytes.
    pub fn file_len(&self) -> usize {
        self.body().file().len()
    }

    /// Checks every block of the body now.
    pub fn check_sums(&self) -> Result<(), Damage> {
        Ok(self.body().check_all()?)
    }

    /// Makes each later read copy the blocks that it needs, and check the copies against the checksums of this moment:
    /// if the file changes under the map, an answer is either correct or an error. An answer then takes microseconds
    /// instead of nanoseconds. Truncating the file still ends the program, unless the map is guarded.
    pub fn check_every_read(&mut self) {
        with_table!(&mut self.family, |table| table.body_mut().check_every_read());
    }

    /// Checks every block, then recomputes the digest and compares it with the stated one.
    #[cfg(feature = "write")]
    pub fn check_whole(&self) -> Result<(), Damage> {
        self.body().check_whole()
    }
}

/// Returns a digest in hexadecimal.
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

    /// Reads a file of `tests/data/tables`.
    fn read(name: &str) -> Vec<u8> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/tables");
        std::fs::read(folder.join(name)).unwrap()
    }

    #[test]
    fn a_table_returns_the_digest_of_its_file() {
        let file = read("sticks.bouton");
        assert_eq!(Table::open(&file[..]).unwrap().digest()[..], file[24..56]);
    }

    #[test]
    fn a_digest_is_shown_in_64_lowercase_digits() {
        let digest = std::array::from_fn(|index| 8 * index as u8 + 7);
        assert_eq!(hex(&digest), "070f171f272f373f474f575f676f777f878f979fa7afb7bfc7cfd7dfe7eff7ff");
    }

    /// Checks every `step`-th answer against the definitions: outcome, depth, best move and winning moves follow from
    /// the verdicts of the positions that moves lead to.
    fn check_answers<S: Solved>(table: &S, step: usize) {
        let game = table.game();
        let region = game.region().unwrap();
        let mut asked = 0;
        for position in region.walk(0).step_by(step) {
            let (answer, shown) = (table.answer(&position).unwrap(), game.show_position(&position));
            assert_eq!(table.verdict(&position).unwrap(), answer.verdict, "{shown}");
            let after = |chosen| table.verdict(&game.after(&position, chosen)).unwrap();
            let moves: Vec<_> = game.moves(&position).map(|chosen| (chosen, after(chosen))).collect();
            let won: Vec<_> = moves.iter().filter(|(_, after)| after.outcome == Outcome::Loss).collect();
            assert!(answer.winning.iter().eq(won.iter().map(|(chosen, _)| *chosen)), "{shown}");
            // With depths: least depth for the winner, greatest for the loser, then fewest stones. Without depths:
            // the first move.
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
    fn answers_follow_from_the_verdicts_of_the_next_positions() {
        for name in
            ["expanding", "expanding-bare", "other", "moore", "nim", "nim-pass", "nim-pass-bare", "up-to"]
        {
            let table = Table::open(read(&format!("{name}.bouton"))).unwrap();
            // A sample is enough here; a proof asks for every position.
            let asked = if name.starts_with("expanding") { 5000 } else { 500 };
            let step = (table.header().positions / asked).max(1) as usize;
            with_table!(table.family(), |table| check_answers(table, step));
        }
    }
}
