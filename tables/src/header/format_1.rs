//! The header of format 1: a fixed sequence of fields, encoded by bincode. It can never change.

use bincode::Decode;

use crate::expanding::ExpandingKeys;
use crate::heaps::{ArrayLayout, HeapKeys, Take};
use crate::{Play, RulesetError};

#[derive(Decode)]
pub(super) struct HeaderV1 {
    ruleset: RulesetV1,
    depths: bool,
    positions: u64,
    wins: u64,
    deepest: u32,
}

#[derive(Decode)]
enum RulesetV1 {
    Expanding { stones: u32, base_limit: u32, growth: u32, reset_limit: u32, resets: [u8; 2], play: Play },
    Heaps { bounds: Vec<u32>, take: AmountsV1, heaps_per_move: u8, equal_take: bool, passes: u8, play: Play },
}

#[derive(Decode)]
enum AmountsV1 {
    Any,
    UpTo(u32),
    Exactly(Vec<u32>),
}

impl TryFrom<HeaderV1> for super::Header {
    type Error = RulesetError;

    fn try_from(header: HeaderV1) -> Result<Self, RulesetError> {
        let HeaderV1 { ruleset, depths, positions, wins, deepest } = header;
        let layout = ArrayLayout::default();
        Ok(Self {
            ruleset: ruleset.try_into()?,
            layout,
            has_gaps: false,
            has_stairs: false,
            has_depths: depths,
            positions,
            wins,
            deepest,
        })
    }
}

impl TryFrom<RulesetV1> for crate::Ruleset {
    type Error = RulesetError;

    fn try_from(ruleset: RulesetV1) -> Result<Self, RulesetError> {
        match ruleset {
            RulesetV1::Expanding { stones, base_limit, growth, reset_limit, resets, play } => {
                let keys = ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play };
                Ok(keys.rules()?.into())
            }
            RulesetV1::Heaps { bounds, take, heaps_per_move, equal_take, passes, play } => {
                // Each ruleset has exactly one encoding.
                if !bounds.is_sorted() {
                    return Err(RulesetError::BadValue {
                        key: "bounds",
                        found: crate::error::shorten(&format!("{bounds:?}")),
                        allowed: "the bounds in ascending order".to_owned(),
                    });
                }
                let (heaps_per_move, passes) = (heaps_per_move.into(), passes.into());
                let take = match take {
                    AmountsV1::Any => Take::Any,
                    AmountsV1::UpTo(most) => Take::UpTo(most),
                    AmountsV1::Exactly(amounts) => Take::Exactly(amounts),
                };
                let keys = HeapKeys { bounds, take, heaps_per_move, equal_take, passes, play };
                Ok(keys.rules()?.into())
            }
        }
    }
}
