//! A file of chances against a model of the opponent (`tables/FORMAT.md`, section 8).
//!
//! Positions have the numbers of a [`PositionNumbering`](crate::families::PositionNumbering), not their indices in the
//! table; mirror images can share a number. One list has the chances of the lost positions. A record for each 32
//! numbers leads to them: a bit for each number marks the lost ones, and a count gives the lost numbers before the
//! record.

use std::io;

use bouton_tables::format::{Body, Content, FileWriter, PADDING, Packed, Shape, in_memory};
use bouton_tables::{Damage, Map, OpenError};
use serde::{Deserialize, Serialize};

const RECORD: u64 = 32;
/// The stored number for a chance of 1.
const CERTAIN: u64 = (1 << 24) - 1;

/// The header of a file of chances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChancesHeader {
    /// The digest of the table that the chances belong to.
    pub table: [u8; 32],
    /// The model of the opponent, as text.
    pub model: String,
    /// Count of the numbers, which begin at 0.
    pub numbers: u64,
    /// Count of the numbers of positions that are lost for the player to move.
    pub lost: u64,
}

/// An open file of chances.
#[derive(Debug)]
pub struct ChancesFile {
    header: ChancesHeader,
    body: Body,
    marks: Packed<2>,
    chances: Packed<1>,
}

impl ChancesFile {
    /// Opens the bytes of a file. Checks the prefix, the numbers of records, and the checksums of the header and of a
    /// short body. The blocks of a long body are checked on first use; only [`check_whole`](Self::check_whole) checks
    /// the digest and the marks. Fails if the bytes are not a file of chances, have another format version, or are
    /// damaged.
    pub fn open(bytes: impl Into<Map>) -> Result<Self, OpenError> {
        let body = Body::open(bytes, Content::Chances)?;
        let header: ChancesHeader = body.header()?;
        if header.lost > header.numbers {
            let what = format!("it has {} lost positions of {}", header.lost, header.numbers);
            return Err(Damage::new(what).into());
        }
        let marks = Packed::read(&body, 0)?;
        let chances = Packed::<1>::read(&body, 1)?;
        if !body.ends_in_zeros(PADDING).map_err(Damage::from)? {
            return Err(Damage::new("its last bytes are not zero").into());
        }
        if marks.count() != header.numbers.div_ceil(RECORD) || chances.count() != header.lost {
            return Err(Damage::new("its records do not fit its header").into());
        }
        Ok(Self { header, body, marks, chances })
    }

    /// Returns the header.
    pub fn header(&self) -> &ChancesHeader {
        &self.header
    }

    /// Returns the chance of the player to move in the lost position with this number, from 0 to 1; `None` if the
    /// position is won. The number must be below `numbers` of the header. Fails if the file is damaged where the answer lies.
    pub fn get(&self, number: u64) -> Result<Option<f64>, Damage> {
        let [marks, before] = self.marks.get(&self.body, number / RECORD)?;
        let mark = 1 << (number % RECORD);
        if marks & mark == 0 {
            return Ok(None);
        }
        self.chance(before + u64::from((marks & (mark - 1)).count_ones())).map(Some)
    }

    /// Returns the chance of the lost position with this index among the lost positions.
    fn chance(&self, index: u64) -> Result<f64, Damage> {
        let [chance] = self.chances.get(&self.body, index)?;
        if chance > CERTAIN {
            return Err(Damage::new(format!("the chance of lost position {index} is above 1")));
        }
        Ok(chance as f64 / CERTAIN as f64)
    }

    /// Checks every block of the body, the digest, the counts of the marks, and all chances.
    pub fn check_whole(&self) -> Result<(), Damage> {
        self.body.check_whole()?;
        let mut lost = 0;
        for record in 0..self.marks.count() {
            let [marks, before] = self.marks.get(&self.body, record)?;
            let numbers = (self.header.numbers - record * RECORD).min(RECORD);
            if before != lost || marks >> numbers != 0 {
                return Err(Damage::new(format!("its marks of number {} and up are wrong", record * RECORD)));
            }
            lost += u64::from(marks.count_ones());
        }
        if lost != self.header.lost {
            return Err(Damage::new(format!("it marks {lost} lost positions, and has {}", self.header.lost)));
        }
        (0..lost).try_for_each(|index| self.chance(index).map(drop))
    }
}

/// Encodes a file of chances from the chance of each position number, or `None` if the position is won. Rounds
/// chances to the nearest multiple of 1 / (2^24 - 1).
///
/// # Panics
/// If a chance is not within 0 and 1.
pub fn encode_chances(
    table: [u8; 32],
    model: &str,
    chances: impl ExactSizeIterator<Item = Option<f64>>,
) -> io::Result<Vec<u8>> {
    let numbers = chances.len() as u64;
    let (mut marks, mut stored) = (Vec::new(), Vec::<u64>::new());
    marks.try_reserve_exact(numbers.div_ceil(RECORD) as usize)?;
    for (number, chance) in (0..).zip(chances) {
        if number % RECORD == 0 {
            marks.push([0, stored.len() as u64]);
        }
        let Some(chance) = chance else { continue };
        stored.try_reserve(1)?;
        assert!((0.0..=1.0).contains(&chance), "the chance {chance} is not within 0 and 1");
        let last = marks.last_mut().expect("a record for each number");
        last[0] |= 1 << (number % RECORD);
        stored.push((chance * CERTAIN as f64).round() as u64);
    }
    let header = ChancesHeader { table, model: model.to_owned(), numbers, lost: stored.len() as u64 };
    write(&header, &marks, &stored)
}

/// Returns the bytes of a file with these records.
fn write(header: &ChancesHeader, marks: &[[u64; 2]], stored: &[u64]) -> io::Result<Vec<u8>> {
    let (marks, stored) = (marks.iter().copied(), stored.iter().map(|&chance| [chance]));
    let shapes = vec![Shape::of(marks.clone())?, Shape::of(stored.clone())?];
    in_memory(|sink| {
        let mut file = FileWriter::new(sink, Content::Chances, header, shapes, 0)?;
        file.array(marks)?;
        file.array(stored)?;
        file.finish()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chances_of_300() -> Vec<Option<f64>> {
        (0..300_u32).map(|n| (n % 3 != 0 && n % 7 < 4).then(|| f64::from(n) / 299.0)).collect()
    }

    fn file(chances: &[Option<f64>]) -> Vec<u8> {
        encode_chances([7; 32], "err:0.05", chances.iter().copied()).unwrap()
    }

    #[test]
    fn chances_read_back_as_they_were_written() {
        for chances in
            [chances_of_300(), vec![], vec![None], vec![Some(0.0)], vec![Some(1.0); 65], vec![None; 64]]
        {
            let file = ChancesFile::open(file(&chances)).unwrap();
            file.check_whole().unwrap();
            assert_eq!((file.header().model.as_str(), file.header().table), ("err:0.05", [7; 32]));
            for (number, chance) in (0..).zip(&chances) {
                match (file.get(number).unwrap(), chance) {
                    (Some(found), Some(chance)) => assert!((found - chance).abs() <= 0.5 / CERTAIN as f64),
                    (found, chance) => assert_eq!(found, *chance),
                }
            }
            assert!(file.get(10_000).is_err());
        }
    }

    #[test]
    fn a_chance_above_1_is_found() {
        let header = ChancesHeader { table: [7; 32], model: String::new(), numbers: 3, lost: 2 };
        let file = |chance| ChancesFile::open(write(&header, &[[0b101, 0]], &[0, chance]).unwrap()).unwrap();
        file(CERTAIN).check_whole().unwrap();
        let wrong = file(CERTAIN + 1);
        assert!(wrong.check_whole().is_err() && wrong.get(2).is_err());
        assert_eq!(wrong.get(0).unwrap(), Some(0.0));
    }

    #[test]
    fn every_changed_byte_and_every_truncation_is_refused() {
        let valid = file(&chances_of_300());
        for at in 0..valid.len() {
            for change in 1..=255 {
                let mut changed = valid.clone();
                changed[at] ^= change;
                let found = ChancesFile::open(&changed[..]).and_then(|file| Ok(file.check_whole()?));
                assert!(found.is_err(), "byte {at} changed by {change}");
            }
            assert!(ChancesFile::open(&valid[..at]).is_err());
        }
    }

    #[test]
    fn tables_and_files_of_chances_are_not_confused() {
        let valid = file(&chances_of_300());
        assert!(
            bouton_tables::Table::open(&valid[..]).unwrap_err().to_string().contains("a file of chances")
        );
        let error = ChancesFile::open(&b"\x89BTN\r\n\x1a\n"[..]).unwrap_err().to_string();
        assert_eq!(error, "not a file of chances but a table; `bouton-match chances` makes such files");
        assert!(
            ChancesFile::open(&b"hello world"[..])
                .unwrap_err()
                .to_string()
                .contains("begins with \"hello wo\"")
        );
    }
}
