//! The prefix of a file, its first 64 bytes (FORMAT.md, section 1). Each offset follows from the one before.

use crate::{Damage, OpenError};

/// The format version that this crate reads and writes.
pub const FORMAT_VERSION: u32 = 1;

/// A kind of file, which its first bytes name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A table.
    Table,
    /// Chances against a model of the opponent (FORMAT.md, section 8).
    Chances,
}

const MAGIC_LEN: usize = 8;

impl Content {
    /// Returns the magic bytes, which text conversions damage: a high bit, both line endings, a DOS end-of-file.
    pub(crate) fn magic(self) -> [u8; MAGIC_LEN] {
        match self {
            Self::Table => *b"\x89BTN\r\n\x1a\n",
            Self::Chances => *b"\x89BTC\r\n\x1a\n",
        }
    }

    /// Checks the magic bytes of a file that should have this content.
    fn check(self, file: &[u8]) -> Result<(), OpenError> {
        let found = &file[..file.len().min(MAGIC_LEN)];
        if found == self.magic() {
            return Ok(());
        }
        let found = match (file.len(), file.first()) {
            (0, _) => "an empty file".to_owned(),
            (n, _) if n < MAGIC_LEN => format!("a file of {n} bytes"),
            _ if found == Self::Chances.magic() => {
                "a file of chances, which belongs beside a table".to_owned()
            }
            _ if found == Self::Table.magic() => "a table".to_owned(),
            (_, Some(0x89)) if file[1..4] == self.magic()[1..4] => {
                "one damaged by a transfer in text mode".to_owned()
            }
            _ => format!("a file that begins with \"{}\"", found.escape_ascii()),
        };
        Err(match self {
            Self::Table => OpenError::NotATable { found },
            Self::Chances => OpenError::NotChances { found },
        })
    }
}

/// Length of a block of the body. Each block has a checksum; the last one may be shorter.
pub(crate) const BLOCK_LEN: usize = 4096;
pub(crate) const PREFIX_LEN: usize = AT_OWN_CRC + 4;
pub(crate) const MAX_HEADER_LEN: usize = 1 << 20;

const AT_VERSION: usize = MAGIC_LEN;
const AT_HEADER_LEN: usize = AT_VERSION + 4;
const AT_BODY_LEN: usize = AT_HEADER_LEN + 4;
const AT_DIGEST: usize = AT_BODY_LEN + 8;
const AT_INDEX_CRC: usize = AT_DIGEST + 32;
const AT_OWN_CRC: usize = AT_INDEX_CRC + 4;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    /// Length of the header.
    pub(crate) header: usize,
    /// Length of the body.
    pub(crate) body: usize,
    /// BLAKE3 of all bytes after the prefix.
    pub(crate) digest: [u8; 32],
    /// CRC-32 of the header and the sums.
    pub(crate) index_crc: u32,
}

impl Prefix {
    /// Reads and checks the prefix of a whole file.
    pub(crate) fn read(file: &[u8], content: Content) -> Result<Self, OpenError> {
        content.check(file)?;
        let Some(prefix) = file.first_chunk::<PREFIX_LEN>() else {
            return Err(Damage::new(format!(
                "it ends after {} bytes, within its first {PREFIX_LEN}",
                file.len()
            ))
            .into());
        };
        // Check the version before the checksum, which another version may compute in another way.
        let version = u32::from_le_bytes(bytes_at(prefix, AT_VERSION));
        if version != FORMAT_VERSION {
            return Err(OpenError::Version { found: version, supported: FORMAT_VERSION });
        }
        if u32::from_le_bytes(bytes_at(prefix, AT_OWN_CRC)) != crc32fast::hash(&prefix[..AT_OWN_CRC]) {
            return Err(Damage::new("the checksum of its first 64 bytes is wrong").into());
        }
        let header = u32::from_le_bytes(bytes_at(prefix, AT_HEADER_LEN)) as usize;
        let body = u64::from_le_bytes(bytes_at(prefix, AT_BODY_LEN));
        // Bound the body by the length of the file before adding lengths.
        let body = usize::try_from(body).ok().filter(|&n| n <= file.len());
        let Some(body) = body else {
            return Err(Damage::new(format!("it is truncated after {} bytes", file.len())).into());
        };
        if header > MAX_HEADER_LEN {
            return Err(Damage::new(format!("a header cannot have {header} bytes")).into());
        }
        let prefix = Self {
            header,
            body,
            digest: bytes_at(prefix, AT_DIGEST),
            index_crc: u32::from_le_bytes(bytes_at(prefix, AT_INDEX_CRC)),
        };
        if prefix.file_len() != file.len() {
            let (found, expected) = (file.len(), prefix.file_len());
            return Err(Damage::new(format!("it has {found} bytes, expected {expected}")).into());
        }
        if body < 16 || body % 8 != 0 {
            return Err(Damage::new(format!("a body cannot have {body} bytes")).into());
        }
        Ok(prefix)
    }

    #[cfg(feature = "write")]
    pub(crate) fn to_bytes(&self, content: Content) -> [u8; PREFIX_LEN] {
        let mut bytes = [0; PREFIX_LEN];
        bytes[..AT_VERSION].copy_from_slice(&content.magic());
        bytes[AT_VERSION..AT_HEADER_LEN].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        let header = u32::try_from(self.header).expect("a header is at most 1 MiB");
        bytes[AT_HEADER_LEN..AT_BODY_LEN].copy_from_slice(&header.to_le_bytes());
        bytes[AT_BODY_LEN..AT_DIGEST].copy_from_slice(&(self.body as u64).to_le_bytes());
        bytes[AT_DIGEST..AT_INDEX_CRC].copy_from_slice(&self.digest);
        bytes[AT_INDEX_CRC..AT_OWN_CRC].copy_from_slice(&self.index_crc.to_le_bytes());
        let crc = crc32fast::hash(&bytes[..AT_OWN_CRC]);
        bytes[AT_OWN_CRC..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    pub(crate) fn at_sums(&self) -> usize {
        PREFIX_LEN + self.header
    }

    pub(crate) fn at_body(&self) -> usize {
        self.at_sums() + 4 * self.body.div_ceil(BLOCK_LEN)
    }

    pub(crate) fn file_len(&self) -> usize {
        self.at_body() + self.body
    }
}

/// Returns the length that a file's first bytes announce; `None` if they are not the prefix of a Bouton file.
pub(crate) fn stated_len(file: &[u8]) -> Option<u64> {
    let prefix = file.first_chunk::<PREFIX_LEN>()?;
    let is_ours = [Content::Table, Content::Chances].map(Content::magic).contains(&bytes_at(prefix, 0));
    let header = u32::from_le_bytes(bytes_at(prefix, AT_HEADER_LEN));
    let body = u64::from_le_bytes(bytes_at(prefix, AT_BODY_LEN));
    let sums = body.div_ceil(BLOCK_LEN as u64).saturating_mul(4);
    is_ours.then(|| sums.saturating_add(body).saturating_add(u64::from(header) + PREFIX_LEN as u64))
}

/// Returns the bytes at `at`. The caller has checked that they exist.
pub(crate) fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    *bytes[at..].first_chunk().expect("the caller has checked the length")
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::Body;
    use super::super::tests::forged::{file, records};
    use super::*;

    fn good_file() -> Vec<u8> {
        file(&"a header", &[records((0..1000).map(|n| [n]))], 0)
    }

    /// Returns a file with this prefix, and zeros up to its length.
    fn with_zeros(prefix: &Prefix, len: usize) -> Vec<u8> {
        let mut file = prefix.to_bytes(Content::Table).to_vec();
        file.resize(len, 0);
        file
    }

    fn refusal(file: &[u8]) -> String {
        Prefix::read(file, Content::Table).unwrap_err().to_string()
    }

    #[test]
    fn a_prefix_reads_back_as_it_was_written() {
        let digest = std::array::from_fn(|i| i as u8);
        for (header, body) in [(0, 16), (300, 4096), (MAX_HEADER_LEN, 12_288 + 8)] {
            let prefix = Prefix { header, body, digest, index_crc: 0xA1B2_C3D4 };
            let sums = 4 * body.div_ceil(4096);
            assert_eq!(prefix.at_sums(), 64 + header);
            assert_eq!(prefix.at_body(), 64 + header + sums);
            assert_eq!(prefix.file_len(), 64 + header + sums + body);
            let file = with_zeros(&prefix, 64 + header + sums + body);
            assert_eq!(Prefix::read(&file, Content::Table).unwrap(), prefix);
        }
    }

    #[test]
    fn the_bytes_of_a_prefix_never_change() {
        let prefix = Prefix { header: 0x135, body: 0x138, digest: [7; 32], index_crc: 0xA1B2_C3D4 };
        let bytes = prefix.to_bytes(Content::Chances);
        assert_eq!(bytes[..24], *b"\x89BTC\r\n\x1a\n\x01\0\0\0\x35\x01\0\0\x38\x01\0\0\0\0\0\0");
        assert_eq!(bytes[24..60], [&[7; 32][..], &[0xD4, 0xC3, 0xB2, 0xA1]].concat());
        assert_eq!(bytes[60..], crc32fast::hash(&bytes[..60]).to_le_bytes());
        assert_eq!(prefix.to_bytes(Content::Table)[..8], *b"\x89BTN\r\n\x1a\n");
    }

    #[test]
    fn a_file_that_is_not_a_table_is_refused_with_its_kind() {
        let table = good_file();
        let chances = with_magic(&table, Content::Chances);
        for (file, found) in [
            (&b""[..], "an empty file"),
            (b"\x89BTN\r\n\x1a", "a file of 7 bytes"),
            (b"\x89BTN\n\x1a\n?", "one damaged by a transfer in text mode"),
            (b"\x89PNG\r\n\x1a\n", "a file that begins with \"\\x89PNG\\r\\n\\x1a\\n\""),
            (b"BTN\r\n\x1a\n\n", "a file that begins with \"BTN"),
            (&chances, "a file of chances, which belongs beside a table"),
        ] {
            let error = refusal(file);
            assert!(error.contains(&format!("not a Bouton table but {found}")), "{error}");
        }
        let error = Prefix::read(&table, Content::Chances).unwrap_err().to_string();
        assert!(error.contains("not a file of chances but a table"), "{error}");
        assert!(Body::open(table, Content::Table).is_ok());
    }

    fn with_magic(file: &[u8], content: Content) -> Vec<u8> {
        [&content.magic(), &file[MAGIC_LEN..]].concat()
    }

    #[test]
    fn a_file_of_the_wrong_length_is_refused() {
        let good = good_file();
        for end in 8..PREFIX_LEN {
            let error = refusal(&good[..end]);
            assert!(error.contains(&format!("it ends after {end} bytes, within its first 64")), "{error}");
        }
        let body = Prefix::read(&good, Content::Table).unwrap().body;
        for end in PREFIX_LEN..good.len() {
            let error = refusal(&good[..end]);
            let expected = if end < body {
                format!("truncated after {end} bytes")
            } else {
                format!("it has {end} bytes, expected {}", good.len())
            };
            assert!(error.contains(&expected), "{error}");
        }
        assert!(refusal(&[&good[..], &[0]].concat()).contains("bytes, expected"));
    }

    #[test]
    fn every_byte_of_the_prefix_is_checked() {
        let good = good_file();
        for at in MAGIC_LEN..PREFIX_LEN {
            let mut file = good.clone();
            file[at] ^= 0x80;
            let expected =
                if at < AT_HEADER_LEN { "format version" } else { "the checksum of its first 64 bytes" };
            assert!(refusal(&file).contains(expected), "byte {at}");
        }
    }

    #[test]
    fn other_versions_than_1_are_refused() {
        for version in [0, 1, 2, u32::MAX] {
            let mut file = good_file();
            file[AT_VERSION..AT_HEADER_LEN].copy_from_slice(&version.to_le_bytes());
            let crc = crc32fast::hash(&file[..AT_OWN_CRC]);
            file[AT_OWN_CRC..PREFIX_LEN].copy_from_slice(&crc.to_le_bytes());
            let found = Prefix::read(&file, Content::Table);
            assert_eq!(found.is_ok(), version == 1, "{found:?}");
            let is_refused = matches!(found, Err(OpenError::Version { found, .. }) if found == version);
            assert_eq!(is_refused, version != 1);
        }
        let error = OpenError::Version { found: 2, supported: FORMAT_VERSION }.to_string();
        assert!(error.contains("format version 2, this program reads version 1;"), "{error}");
    }

    #[test]
    fn invalid_lengths_are_refused() {
        let refused = |header, body, len| {
            let prefix = Prefix { header, body, digest: [0; 32], index_crc: 0 };
            Prefix::read(&with_zeros(&prefix, len), Content::Table).err().map(|error| error.to_string())
        };
        assert_eq!(refused(0, 16, 84), None);
        assert_eq!(refused(MAX_HEADER_LEN, 16, 84 + MAX_HEADER_LEN), None);
        for (header, body, len, expected) in [
            (MAX_HEADER_LEN + 1, 16, 85 + MAX_HEADER_LEN, "a header cannot have 1048577 bytes"),
            (0, 8, 76, "a body cannot have 8 bytes"),
            (0, 15, 83, "a body cannot have 15 bytes"),
            (0, 17, 85, "a body cannot have 17 bytes"),
            (0, 20, 88, "a body cannot have 20 bytes"),
            (0, 84, 84, "it has 84 bytes, expected 152"),
            (0, 85, 84, "it is truncated after 84 bytes"),
            (0, usize::MAX, 84, "it is truncated after 84 bytes"),
        ] {
            let found = refused(header, body, len).unwrap();
            assert!(found.contains(expected), "{found}");
        }
    }
}
