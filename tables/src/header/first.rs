//! The header of format 1, as bincode has it: every field in its place, which can never change.

use bincode::Decode;

use crate::expanding::ExpandingKeys;
use crate::heaps::{HeapKeys, Layout, Take};
use crate::{Play, RulesetError};

#[derive(Decode)]
pub(super) struct Header {
    ruleset: Ruleset,
    depths: bool,
    positions: u64,
    wins: u64,
    deepest: u32,
}

#[derive(Decode)]
enum Ruleset {
    Expanding { stones: u32, base_limit: u32, growth: u32, reset_limit: u32, resets: [u8; 2], play: Play },
    Heaps { bounds: Vec<u32>, take: Amounts, heaps_per_move: u8, equal_take: bool, passes: u8, play: Play },
}

#[derive(Decode)]
enum Amounts {
    Any,
    UpTo(u32),
    Exactly(Vec<u32>),
}

impl TryFrom<Header> for super::Header {
    type Error = RulesetError;

    fn try_from(header: Header) -> Result<Self, RulesetError> {
        let Header { ruleset, depths, positions, wins, deepest } = header;
        let layout = Layout::default();
        Ok(Self {
            ruleset: ruleset.try_into()?,
            layout,
            gaps: false,
            stairs: false,
            depths,
            positions,
            wins,
            deepest,
        })
    }
}

impl TryFrom<Ruleset> for crate::Ruleset {
    type Error = RulesetError;

    fn try_from(ruleset: Ruleset) -> Result<Self, RulesetError> {
        match ruleset {
            Ruleset::Expanding { stones, base_limit, growth, reset_limit, resets, play } => {
                let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
                Ok(keys.rules()?.into())
            }
            Ruleset::Heaps { bounds, take, heaps_per_move, equal_take, passes, play } => {
                // A ruleset has one encoding.
                if !bounds.is_sorted() {
                    return Err(RulesetError::BadValue {
                        key: "bounds",
                        found: crate::error::shorten(&format!("{bounds:?}")),
                        allowed: "the bounds in ascending order".to_owned(),
                    });
                }
                let (heaps_per_move, passes) = (heaps_per_move.into(), passes.into());
                let take = match take {
                    Amounts::Any => Take::Any,
                    Amounts::UpTo(most) => Take::UpTo(most),
                    Amounts::Exactly(amounts) => Take::Exactly(amounts),
                };
                let keys = HeapKeys { bounds, take, heaps_per_move, equal_take, passes, play };
                Ok(keys.rules()?.into())
            }
        }
    }
}
