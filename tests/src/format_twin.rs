//! A second reader of table files (the *twin*), written from `tables/FORMAT.md` alone: slow, naive, and without any
//! code of the library's reader. If the two disagree, one of them is wrong, or the document is.

mod body;
pub mod chances;
pub mod example;
pub mod expanding;
mod header;
pub mod heaps;

pub use header::{Header, Layout, Rules};

/// The reason for refusing a file.
pub type Refusal = String;

/// Refuses the file unless a rule of the format holds.
fn must(holds: bool, what: &str) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(format!("violated: {what}")) }
}

/// Decodes a little-endian number of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number * 256 + u64::from(byte))
}

/// Checks the prefix, with this magic, and every checksum of a file, and returns the bytes of its header and of its
/// body.
fn parts<'a>(file: &'a [u8], magic: &[u8; 8]) -> Result<(&'a [u8], &'a [u8]), Refusal> {
    let (prefix, rest) = file.split_at_checked(64).ok_or("the file is shorter than a prefix")?;
    must(prefix[..8] == *magic, "the magic")?;
    must(number(&prefix[60..64]) == u64::from(crc32fast::hash(&prefix[..60])), "the prefix's CRC")?;
    must(number(&prefix[8..12]) == 1, "the version is 1")?;
    let header_length = number(&prefix[12..16]);
    let body_length = number(&prefix[16..24]);
    must(header_length <= 1_048_576, "the header is at most 1,048,576 bytes")?;
    must(
        body_length >= 16 && body_length.is_multiple_of(8),
        "the body is at least 16 bytes and a multiple of 8",
    )?;
    let sums_length = 4 * u128::from(body_length.div_ceil(4096));
    let length = 64 + u128::from(header_length) + sums_length + u128::from(body_length);
    must(file.len() as u128 == length, "the length is that of the four parts")?;
    must(prefix[24..56] == *blake3::hash(rest).as_bytes(), "the digest")?;
    // Both lengths fit into memory: together they are at most the length of the file.
    let (head, body) = rest.split_at(rest.len() - body_length as usize);
    must(number(&prefix[56..60]) == u64::from(crc32fast::hash(head)), "the CRC of header and sums")?;
    let (header, sums) = head.split_at(header_length as usize);
    for (block, sum) in body.chunks(4096).zip(sums.chunks(4)) {
        must(number(sum) == u64::from(crc32fast::hash(block)), "the CRC of each block")?;
    }
    must(body[body.len() - 16..] == [0; 16], "the last 16 bytes are zero")?;
    Ok((header, body))
}
