//! Forged files for tests: arbitrary records in arbitrary arrays, with correct checksums.

use serde::Serialize;

use crate::format::prefix::{BLOCK_LEN, PREFIX_LEN, Prefix};
use crate::format::{Body, Content, FileWriter, Shape, in_memory};
use crate::heaps::ArrayLayout;
use crate::{Header, Ruleset};

/// The records of an array, padded with zeros to eight fields.
pub(crate) type Records = Vec<[u64; 8]>;

/// Pads records of `F` fields.
pub(crate) fn records<const F: usize>(records: impl IntoIterator<Item = [u64; F]>) -> Records {
    let padded = |record: [u64; F]| std::array::from_fn(|field| record.get(field).copied().unwrap_or(0));
    records.into_iter().map(padded).collect()
}

/// Returns the header of a table with one lost position.
pub(crate) fn header(ruleset: impl Into<Ruleset>, depths: bool) -> Header {
    Header {
        ruleset: ruleset.into(),
        layout: ArrayLayout::default(),
        has_depths: depths,
        positions: 1,
        wins: 0,
        deepest: 0,
    }
}

/// Makes a table file with this header and these arrays, each field as narrow as its values allow. If directory and
/// arrays are shorter than `min_len` bytes, zeros follow.
pub(crate) fn file(header: &impl Serialize, arrays: &[Records], min_len: u64) -> Vec<u8> {
    in_memory(|sink| {
        let shapes = arrays.iter().map(|array| Shape::of(array.iter().copied())).collect::<Result<_, _>>()?;
        let mut file = FileWriter::new(sink, Content::Table, header, shapes, min_len)?;
        arrays.iter().try_for_each(|array| file.array(array.iter().copied()))?;
        file.finish()
    })
    .expect("a file in memory")
}

/// Makes the body of a file with these arrays, and a meaningless header.
pub(crate) fn body(arrays: &[Records]) -> Body {
    Body::open(file(&(), arrays, 0), Content::Table).expect("all sums are right")
}

/// Changes the body of a file, and recomputes its checksums.
pub(crate) fn resealed(mut file: Vec<u8>, change: impl FnOnce(&mut [u8])) -> Vec<u8> {
    let prefix = Prefix::read(&file, Content::Table).expect("a whole file");
    let (at_sums, at_body) = (prefix.at_sums(), prefix.at_body());
    change(&mut file[at_body..]);
    let sums = file[at_body..].chunks(BLOCK_LEN).flat_map(|block| crc32fast::hash(block).to_le_bytes());
    let sums: Vec<u8> = sums.collect();
    file[at_sums..at_body].copy_from_slice(&sums);
    let index_crc = crc32fast::hash(&file[PREFIX_LEN..at_body]);
    let prefix = Prefix { index_crc, ..prefix };
    file[..PREFIX_LEN].copy_from_slice(&prefix.to_bytes(Content::Table));
    file
}
