//! What may be taken from one heap.

use std::fmt;

use serde::de::{self, Deserializer, Unexpected};
use serde::{Deserialize, Serialize, Serializer};

use super::position::Heap;
use super::rules::MAX_SIZE;
use crate::RulesetError;

/// The most amounts of a list.
pub const MAX_AMOUNTS: usize = 1000;

/// What may be taken from one heap in one move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Take {
    /// Any number of stones, at least one.
    Any,
    /// From one stone up to so many.
    UpTo(Heap),
    /// Exactly one of these amounts, ascending.
    Exactly(Vec<Heap>),
}

impl Take {
    /// Exactly one of these amounts, in any order.
    #[must_use]
    pub fn exactly(mut amounts: Vec<Heap>) -> Self {
        amounts.sort_unstable();
        Self::Exactly(amounts)
    }

    pub(super) fn check(&self) -> Result<(), RulesetError> {
        let allowed = match self {
            Self::UpTo(most) if !(1..=MAX_SIZE).contains(most) => {
                format!("\"any\", a whole number from 1 to {MAX_SIZE}, or a list such as [1, 3, 4]")
            }
            Self::Exactly(amounts)
                if !(1..=MAX_AMOUNTS).contains(&amounts.len())
                    || amounts.iter().any(|amount| !(1..=MAX_SIZE).contains(amount))
                    || !amounts.is_sorted_by(|a, b| a < b) =>
            {
                format!(
                    "a list of 1 to {MAX_AMOUNTS} different amounts from 1 to {MAX_SIZE}, such as [1, 3, 4]"
                )
            }
            _ => return Ok(()),
        };
        Err(RulesetError::BadValue { key: "take", found: crate::error::shorten(&self.to_string()), allowed })
    }

    /// Whether so many stones may be taken from a heap that has them.
    #[inline]
    #[must_use]
    pub fn allows(&self, stones: Heap) -> bool {
        match self {
            Self::Any => stones > 0,
            Self::UpTo(most) => (1..=*most).contains(&stones),
            Self::Exactly(amounts) => amounts.binary_search(&stones).is_ok(),
        }
    }

    /// The least amount above `stones` that may be taken from a heap of `heap` stones.
    #[inline]
    #[must_use]
    pub fn next(&self, stones: Heap, heap: Heap) -> Option<Heap> {
        let next = match self {
            Self::Any => stones + 1,
            Self::UpTo(most) if stones < *most => stones + 1,
            Self::UpTo(_) => return None,
            Self::Exactly(amounts) => *amounts.get(amounts.partition_point(|&amount| amount <= stones))?,
        };
        (next <= heap).then_some(next)
    }

    /// How many different amounts may be taken from a heap of `heap` stones.
    #[must_use]
    pub fn count(&self, heap: Heap) -> Heap {
        match self {
            Self::Any => heap,
            Self::UpTo(most) => heap.min(*most),
            Self::Exactly(amounts) => amounts.partition_point(|&amount| amount <= heap) as Heap,
        }
    }

    /// The amounts that may be taken from a heap of `heap` stones, ascending.
    pub fn amounts(&self, heap: Heap) -> impl Iterator<Item = Heap> {
        std::iter::successors(self.next(0, heap), move |&stones| self.next(stones, heap))
    }
}

/// As in a ruleset file.
impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("\"any\""),
            Self::UpTo(most) => write!(f, "{most}"),
            Self::Exactly(amounts) => write!(f, "{amounts:?}"),
        }
    }
}

/// In a file's header.
#[derive(Serialize, Deserialize)]
enum Encoded {
    Any,
    UpTo(Heap),
    Exactly(Vec<Heap>),
}

/// For people: as in a ruleset file.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    Word(&'a str),
    Number(Heap),
    List(&'a [Heap]),
}

/// The same, as it is read.
#[derive(Deserialize)]
#[serde(untagged, expecting = "\"any\", a number, or a list")]
enum Read {
    Word(String),
    Number(Heap),
    List(Vec<Heap>),
}

impl Serialize for Take {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            return match self {
                Self::Any => Shown::Word("any"),
                Self::UpTo(most) => Shown::Number(*most),
                Self::Exactly(amounts) => Shown::List(amounts),
            }
            .serialize(serializer);
        }
        match self.clone() {
            Self::Any => Encoded::Any,
            Self::UpTo(most) => Encoded::UpTo(most),
            Self::Exactly(amounts) => Encoded::Exactly(amounts),
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Take {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return match Read::deserialize(deserializer)? {
                Read::Word(word) if word == "any" => Ok(Self::Any),
                Read::Word(word) => {
                    Err(de::Error::invalid_value(Unexpected::Str(&word), &"\"any\", a number, or a list"))
                }
                Read::Number(most) => Ok(Self::UpTo(most)),
                Read::List(amounts) => Ok(Self::exactly(amounts)),
            };
        }
        Ok(match Encoded::deserialize(deserializer)? {
            Encoded::Any => Self::Any,
            Encoded::UpTo(most) => Self::UpTo(most),
            Encoded::Exactly(amounts) => Self::Exactly(amounts),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_the_allowed_ones_that_the_heap_has() {
        let amounts = |take: &Take, heap| take.amounts(heap).collect::<Vec<_>>();
        for (take, heap, expected) in [
            (Take::Any, 3, &[1, 2, 3][..]),
            (Take::UpTo(2), 3, &[1, 2]),
            (Take::UpTo(5), 3, &[1, 2, 3]),
            (Take::exactly(vec![4, 1, 3]), 3, &[1, 3]),
            (Take::exactly(vec![2]), 1, &[]),
            (Take::Any, 0, &[]),
        ] {
            assert_eq!(amounts(&take, heap), expected, "{take} of {heap}");
            assert!((0..=heap).all(|n| take.allows(n) == expected.contains(&n)), "{take} of {heap}");
        }
    }
}
