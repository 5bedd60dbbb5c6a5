//! Tokens: the secrets that identify players.

use std::hash::{BuildHasher, Hasher, RandomState};

/// A secret of 128 bits, in hexadecimal digits.
///
/// The keys of a [`RandomState`] come from the system's source of randomness, and the output of its hash function cannot
/// be guessed without the keys.
pub(super) fn token() -> String {
    let half = || {
        // Within a thread the keys are close to each other, which does not show in the output.
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
