//! What a server's `current_max` means: learned from its messages.

use bouton_tables::expanding::{Expanding, Position};

use crate::protocol::tcp::Dialect;

/// The meanings that `current_max` has (2025 agrees with 2017).
const MEANINGS: [Dialect; 2] = [Dialect::Y2017, Dialect::Y2018];

/// The dialects that fit everything the server has said so far.
#[derive(Clone, Debug)]
pub(super) struct Dialects {
    fitting: Vec<Dialect>,
}

impl Default for Dialects {
    fn default() -> Self {
        Self { fitting: MEANINGS.to_vec() }
    }
}

impl Dialects {
    /// Learns from the `current_max` that the server gave for a position. `None` if a dialect fits; otherwise the
    /// limit that the server seems to mean: the lowest in any of the dialects that fitted before.
    pub(super) fn hear(&mut self, said: u32, rules: &Expanding, position: &Position) -> Option<u32> {
        let fits = |&dialect: &Dialect| dialect.current_max(rules, position) == said;
        if self.fitting.iter().any(fits) {
            self.fitting.retain(fits);
            return None;
        }
        let limits = self.fitting.iter().map(|dialect| match dialect {
            Dialect::Y2017 | Dialect::Y2025 => said,
            Dialect::Y2018 => rules.limit(said, position.imposed),
        });
        limits.min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::expanding::ExpandingKeys;

    #[test]
    fn a_dialect_is_learnt_and_only_what_fits_none_is_a_lie() {
        let rules = ExpandingKeys { stones: 100, ..Default::default() }.rules().unwrap();
        let at = |text: &str| bouton_tables::Game::parse_position(&rules, text).unwrap();
        let (early, reset, late) = (at("97/3/2"), at("90/4/1/4,3/r"), at("80/5/2"));
        for (said, expected) in [
            ([4, 3, 6], [None, None, None]),
            ([3, 2, 5], [None, None, None]),
            // 2 is too little for 2017, and 3 is not how 2018 writes a reset.
            ([4, 2, 6], [None, Some(2), None]),
            ([3, 3, 5], [None, Some(3), None]),
        ] {
            let mut dialects = Dialects::default();
            let heard = [(&early, said[0]), (&reset, said[1]), (&late, said[2])]
                .map(|(position, said)| dialects.hear(said, &rules, position));
            assert_eq!(heard, expected, "{said:?}");
        }
        let mut dialects = Dialects::default();
        assert_eq!(dialects.hear(9, &rules, &early), Some(9));
        assert_eq!(dialects.hear(1, &rules, &early), Some(1));
    }
}
