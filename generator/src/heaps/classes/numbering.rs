//! Numbers keys (lists of words) in the order in which they are first added.
//!
//! Example: of the keys `[1, 2]`, `[]` and `[1, 2]`, the first and the last get number 0, the second gets number 1. All
//! keys lie in one vector, so a key needs no allocation of its own.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::making::GenerateError;
use crate::memory::Grow;

/// A hash table from keys to numbers.
#[derive(Default)]
pub(crate) struct Numbering {
    numbers: HashTable<u32>,
    keys: KeyList,
}

/// Keys by number.
#[derive(Default)]
struct KeyList {
    /// The words of all keys, one key after the other.
    words: Vec<u64>,
    /// For each key, where its words end.
    ends: Vec<usize>,
}

impl KeyList {
    fn key(&self, number: usize) -> &[u64] {
        let begin = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[begin..self.ends[number]]
    }
}

impl Numbering {
    /// Returns the number of a key; adds the key if it is new.
    ///
    /// # Errors
    /// If there is not enough memory, or if there are more than 2^32 keys.
    pub(crate) fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError> {
        let Self { numbers, keys } = self;
        let hash = |key: &[u64]| FxBuildHasher.hash_one(key);
        if let Some(&number) = numbers.find(hash(key), |&number| keys.key(number as usize) == key) {
            return Ok(number);
        }
        let number = u32::try_from(keys.ends.len()).map_err(|_| GenerateError::Memory)?;
        keys.words.grow_by(key.iter().copied())?;
        keys.ends.grow(keys.words.len())?;
        let hash_of = |&number: &u32| hash(keys.key(number as usize));
        numbers.try_reserve(1, hash_of).map_err(|_| GenerateError::Memory)?;
        numbers.insert_unique(hash(key), number, hash_of);
        Ok(number)
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.ends.len()
    }

    /// Returns all keys in the order of their numbers.
    pub(crate) fn keys(&self) -> impl ExactSizeIterator<Item = &[u64]> {
        (0..self.len()).map(|number| self.keys.key(number))
    }

    /// Returns the maximum bytes of memory in use. While the hash table grows, the old table, half as large, exists
    /// too. Unused capacity of the vectors does not count, as the system has not provided memory for it yet.
    pub(crate) fn bytes(&self) -> usize {
        let KeyList { words, ends } = &self.keys;
        self.numbers.allocation_size() / 2 * 3 + size_of_val(&words[..]) + size_of_val(&ends[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_numbered_in_the_order_in_which_they_are_first_added() {
        let mut numbering = Numbering::default();
        let keys: [&[u64]; 5] = [&[], &[1, 2], &[1], &[2], &[1, 2, 0]];
        for round in 0..2 {
            for (number, key) in keys.iter().enumerate() {
                assert_eq!(numbering.number(key).unwrap() as usize, number, "round {round}");
            }
        }
        assert!(numbering.keys().eq(keys));
        for key in 0..10_000_u64 {
            assert_eq!(u64::from(numbering.number(&[key, key, key]).unwrap()), 5 + key);
        }
        assert_eq!(numbering.len(), 10_005);
        assert_eq!(numbering.number(&[9999; 3]).unwrap(), 10_004);
        assert!(numbering.bytes() >= 8 * (3 * 10_000) + 12 * 10_000);
    }
}
