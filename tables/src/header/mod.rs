//! The header of a table (FORMAT.md, section 2).

mod entries;

use crate::Ruleset;
use crate::heaps::ArrayLayout;

/// The header of a table, which describes its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The complete ruleset.
    pub ruleset: Ruleset,
    /// The layout of a heap table's body.
    pub layout: ArrayLayout,
    /// True if the table stores depths.
    pub has_depths: bool,
    /// Number of positions; in Expanding Nim, only those with player 1 to move.
    pub positions: u64,
    /// Number of these positions that are won for the player to move.
    pub wins: u64,
    /// The greatest depth of any position; 0 without depths.
    pub deepest: u32,
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::*;
    use crate::Play;
    use crate::expanding::ExpandingKeys;
    use crate::format::encode_header;
    use crate::format::tests::forged;
    use crate::heaps::{HeapKeys, MAX_AMOUNTS, MAX_SIZE, Take};

    fn header() -> Header {
        let keys =
            ExpandingKeys { reset_limit: 2, resets: [4, 15], play: Play::Misere, ..Default::default() };
        Header { positions: 70_000, wins: 251, ..forged::header(keys.rules().unwrap(), true) }
    }

    #[test]
    fn the_bytes_of_a_header_never_change() {
        // Numbers from 251 on have a marker (fb: two bytes follow, fc: four), by bincode's specification.
        let golden = b"\x0b\x04game\x01\x02\x09expanding\x06stones\x01\x01\xfb\xe8\x03\x0abase-limit\x01\x01\x03\
            \x06growth\x01\x01\x01\x0breset-limit\x01\x01\x02\x06resets\x01\x03\x02\x04\x0f\x04play\x01\x02\x06misere\
            \x06depths\x01\x00\x01\x09positions\x00\x01\xfc\x70\x11\x01\x00\x04wins\x00\x01\xfb\xfb\x00\x07deepest\x00\x01\x00";
        assert_eq!(encode_header(&header()), golden);
        assert_eq!(Header::decode(golden).unwrap(), header());
    }

    #[test]
    fn the_longest_list_of_the_greatest_amounts_fits_a_header() {
        let amounts = (MAX_SIZE - MAX_AMOUNTS as u32 + 1..=MAX_SIZE).collect();
        let keys = HeapKeys { bounds: vec![9], take: Take::exactly(amounts), ..Default::default() };
        let header = Header { ruleset: keys.rules().unwrap().into(), ..header() };
        let bytes = encode_header(&header);
        assert_eq!(Header::decode(&bytes).unwrap(), header);
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
        let other = HeapKeys {
            take: Take::UpTo(2),
            passes: 1,
            heaps_per_move: 2.into(),
            equal_take: true,
            ..plain.clone()
        };
        let (plain, other) = (named(plain), named(other));
        for key in ["take", "heaps-per-move", "equal-take", "passes"] {
            assert!(!plain.contains(key) && other.contains(key), "{key}");
        }
    }

    #[test]
    fn a_header_with_an_invalid_ruleset_or_more_bytes_is_refused() {
        let valid = encode_header(&header());
        let refused = |bytes: &[u8]| Header::decode(bytes).unwrap_err().to_string();
        assert!(refused(&[&valid[..], &[0]].concat()).contains("1 bytes too many"));
        assert!(refused(&valid[..valid.len() - 1]).contains("does not decode"));
        let with_wins = |wins| encode_header(&Header { wins, ..header() });
        assert!(refused(&with_wins(70_001)).contains("70001 wins in 70000 positions"));
        assert!(Header::decode(&with_wins(70_000)).is_ok(), "all positions may be won");
        let stones = valid.windows(6).position(|word| word == b"stones").unwrap();
        let mut without_stones = valid;
        without_stones[stones + 8..][..3].copy_from_slice(&[0xfb, 0, 0]);
        assert!(refused(&without_stones).contains("stones = 0"), "{}", refused(&without_stones));
    }
}
