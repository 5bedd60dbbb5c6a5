//! The header of a table (FORMAT.md, section 2).

mod first;

use serde::{Deserialize, Serialize};

use crate::format::decode;
use crate::{Damage, Ruleset};

/// What a table says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "first::Header", try_from = "first::Header")]
pub struct Header {
    /// The whole ruleset.
    pub ruleset: Ruleset,
    /// Whether the table holds depths.
    pub depths: bool,
    /// Positions, counted as the ruleset's family counts them.
    pub positions: u64,
    /// How many of them are won for the player to move.
    pub wins: u64,
    /// The greatest depth of any position; 0 without depths.
    pub deepest: u32,
}

impl Header {
    /// Reads the bytes of a header, and checks that its ruleset is a valid one.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, Damage> {
        let header: Self = decode(bytes)?;
        if header.wins > header.positions {
            return Err(Damage::new(format!(
                "it has {} wins in {} positions",
                header.wins, header.positions
            )));
        }
        Ok(header)
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;
    use crate::Play;
    use crate::expanding::ExpandingKeys;
    use crate::format::encode_header;

    #[test]
    fn the_bytes_of_a_header_never_change() {
        let keys =
            ExpandingKeys { reset_limit: 2, resets: [4, 15], play: Play::Misere, ..Default::default() };
        let header = Header {
            ruleset: keys.rules().unwrap().into(),
            depths: true,
            positions: 70_000,
            wins: 251,
            deepest: 0,
        };
        // 251 and up take a marker (fb: two bytes follow, fc: four), as bincode's specification has it.
        let golden = [0, 0xfb, 0xe8, 0x03, 3, 1, 2, 4, 15, 1, 1, 0xfc, 0x70, 0x11, 0x01, 0, 0xfb, 0xfb, 0, 0];
        assert_eq!(encode_header(&header), golden);
        assert_eq!(Header::decode(&golden).unwrap(), header);
    }

    #[test]
    fn a_header_with_an_invalid_ruleset_or_more_bytes_is_refused() {
        let golden = [0, 10, 3, 1, 2, 4, 4, 0, 0, 100, 50, 0];
        assert!(Header::decode(&golden).is_ok());
        assert!(Header::decode(&[&golden[..], &[0]].concat()).unwrap_err().what.contains("1 bytes too many"));
        assert!(Header::decode(&golden[..11]).unwrap_err().what.contains("does not decode"));
        let wins = [&golden[..10], &[101, 0]].concat();
        assert!(Header::decode(&wins).unwrap_err().what.contains("101 wins in 100 positions"));
        let no_stones = [&[0, 0], &golden[2..]].concat();
        assert!(Header::decode(&no_stones).unwrap_err().what.contains("stones = 0"));
    }
}
