//! The header of a table (FORMAT.md, section 2).

mod entries;
mod format_1;

#[cfg(feature = "write")]
use serde::Serialize;

use crate::format::decode;
use crate::heaps::ArrayLayout;
use crate::{Damage, OpenError, Ruleset, RulesetError};

/// The header of a table, which describes its content.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "write", derive(Serialize), serde(into = "entries::Entries"))]
pub struct Header {
    /// The complete ruleset.
    pub ruleset: Ruleset,
    /// The layout of a heap table's body.
    pub layout: ArrayLayout,
    /// True if a table of Expanding Nim has gaps in its lists of marks, and an open last row. Older tables have neither.
    pub has_gaps: bool,
    /// True if a table of Expanding Nim stores verdicts as staircases with codes. Older tables do not.
    pub has_stairs: bool,
    /// True if the table stores depths.
    pub has_depths: bool,
    /// Number of positions; in Expanding Nim, only those with player 1 to move.
    pub positions: u64,
    /// Number of these positions that are won for the player to move.
    pub wins: u64,
    /// The greatest depth of any position; 0 without depths.
    pub deepest: u32,
}

impl Header {
    /// Decodes a header of a format version, and checks its ruleset.
    pub(crate) fn decode(bytes: &[u8], version: u32) -> Result<Self, OpenError> {
        let header = match version {
            1 => decode::<format_1::HeaderV1>(bytes)?.try_into().map_err(|error| invalid_ruleset(&error))?,
            _ => decode::<entries::Entries>(bytes)?.into_header()?,
        };
        if header.wins > header.positions {
            let Self { positions, wins, .. } = header;
            return Err(Damage::new(format!("it has {wins} wins in {positions} positions")).into());
        }
        Ok(header)
    }
}

fn invalid_ruleset(error: &RulesetError) -> Damage {
    Damage::new(format!("its header has no ruleset: {error}"))
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::*;
    use crate::Play;
    use crate::expanding::ExpandingKeys;
    use crate::format::{encode_header, forged};
    use crate::heaps::{HeapKeys, MAX_AMOUNTS, MAX_SIZE, Take};

    fn header() -> Header {
        let keys =
            ExpandingKeys { reset_limit: 2, resets: [4, 15], play: Play::Misere, ..Default::default() };
        Header { positions: 70_000, wins: 251, ..forged::header(keys.rules().unwrap(), true) }
    }

    #[test]
    fn a_header_of_version_1_can_be_read() {
        // Numbers from 251 on have a marker (fb: two bytes follow, fc: four), by bincode's specification.
        let golden = [0, 0xfb, 0xe8, 0x03, 3, 1, 2, 4, 15, 1, 1, 0xfc, 0x70, 0x11, 0x01, 0, 0xfb, 0xfb, 0, 0];
        assert_eq!(Header::decode(&golden, 1).unwrap(), header());
    }

    #[test]
    fn the_bytes_of_a_header_never_change() {
        let golden = b"\x0b\x04game\x01\x02\x09expanding\x06stones\x01\x01\xfb\xe8\x03\x0abase-limit\x01\x01\x03\
            \x06growth\x01\x01\x01\x0breset-limit\x01\x01\x02\x06resets\x01\x03\x02\x04\x0f\x04play\x01\x02\x06misere\
            \x06depths\x01\x00\x01\x09positions\x00\x01\xfc\x70\x11\x01\x00\x04wins\x00\x01\xfb\xfb\x00\x07deepest\x00\x01\x00";
        assert_eq!(encode_header(&header()), golden);
        assert_eq!(Header::decode(golden, 2).unwrap(), header());
    }

    #[test]
    fn gaps_is_an_entry_that_matters_and_only_tables_of_expanding_nim_have_it() {
        let with_gaps = Header { has_gaps: true, ..header() };
        let bytes = encode_header(&with_gaps);
        assert_eq!(Header::decode(&bytes, 2).unwrap(), with_gaps);
        let entry = b"\x04gaps\x01\x00\x01";
        assert!(bytes.ends_with(entry));
        let without = encode_header(&header());
        assert_eq!(bytes[1..bytes.len() - entry.len()], without[1..]);
        let refused = |bytes: &[u8]| Header::decode(bytes, 2).unwrap_err().to_string();
        // False is omitted, and no other value is a truth value.
        let mut other = bytes.clone();
        *other.last_mut().unwrap() = 0;
        assert!(refused(&other).contains("another value for gaps"), "{}", refused(&other));
        let keys = HeapKeys { bounds: vec![3, 5], ..Default::default() };
        let heaps = Header { ruleset: keys.rules().unwrap().into(), ..with_gaps };
        assert!(refused(&encode_header(&heaps)).contains("gaps"));
    }

    #[test]
    fn the_longest_list_of_the_greatest_amounts_fits_a_header() {
        let amounts = (MAX_SIZE - MAX_AMOUNTS as u32 + 1..=MAX_SIZE).collect();
        let keys = HeapKeys { bounds: vec![9], take: Take::exactly(amounts), ..Default::default() };
        let header = Header { ruleset: keys.rules().unwrap().into(), ..header() };
        let bytes = encode_header(&header);
        assert_eq!(Header::decode(&bytes, 2).unwrap(), header);
        // Each amount takes five bytes.
        assert!((500_000..500_200).contains(&bytes.len()), "{}", bytes.len());
    }

    #[test]
    fn an_optional_key_with_its_default_is_omitted() {
        let named = |keys: HeapKeys| {
            let ruleset = keys.rules().unwrap().into();
            let bytes = encode_header(&Header { ruleset, ..header() });
            String::from_utf8_lossy(&bytes).into_owned()
        };
        let plain = HeapKeys { bounds: vec![3, 5], ..Default::default() };
        let other =
            HeapKeys { take: Take::UpTo(2), passes: 1, heaps_per_move: 2, equal_take: true, ..plain.clone() };
        let (plain, other) = (named(plain), named(other));
        for key in ["take", "heaps-per-move", "equal-take", "passes"] {
            assert!(!plain.contains(key) && other.contains(key), "{key}");
        }
    }

    #[test]
    fn a_header_with_an_invalid_ruleset_or_more_bytes_is_refused() {
        let golden = [0, 10, 3, 1, 2, 4, 4, 0, 0, 100, 50, 0];
        let refused = |bytes: &[u8]| Header::decode(bytes, 1).unwrap_err().to_string();
        assert!(Header::decode(&golden, 1).is_ok());
        assert!(refused(&[&golden[..], &[0]].concat()).contains("1 bytes too many"));
        assert!(refused(&golden[..11]).contains("does not decode"));
        assert!(refused(&[&golden[..10], &[101, 0]].concat()).contains("101 wins in 100 positions"));
        assert!(Header::decode(&[&golden[..10], &[100, 0]].concat(), 1).is_ok(), "all positions may be won");
        assert!(refused(&[&[0, 0], &golden[2..]].concat()).contains("stones = 0"));
    }
}
