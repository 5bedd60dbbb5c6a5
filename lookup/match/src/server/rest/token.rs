//! The secrets by which players are known.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A secret of 128 bits, in hexadecimal digits.
///
/// The keys of a [`RandomState`] come from the system's source of randomness, and its hash function is made so
/// that nobody who does not know the keys can tell what it gives.
pub(super) fn token() -> String {
    let half = || {
        // Two of one thread have keys that are near each other, which shows in nothing they give.
        let mut hasher = RandomState::new().build_hasher();
        hasher.write(b"a player's token");
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_two_tokens_are_alike() {
        let tokens: BTreeSet<String> = (0..10_000).map(|_| token()).collect();
        assert_eq!(tokens.len(), 10_000);
        assert!(tokens.iter().all(|token| token.len() == 32));
    }
}
