//! The rules of a match: the user's, completed and corrected by the server's announcements.

use std::time::Duration;

use bouton_tables::expanding::{Expanding, ExpandingKeys, MAX_BASE_LIMIT};

use super::error::{ClientResult, unplayable_game};
use super::match_options::MatchOptions;
use super::report::Report;
use crate::settings::differing_game;

/// The game as the server announces it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Announcement {
    pub(super) stones: u64,
    /// Resets of the first player and the second; `None` if the server does not announce them.
    pub(super) resets: Option<[u8; 2]>,
    /// The limit of the first moves, which is also the limit under a reset (`init_max`).
    pub(super) init_max: Option<u32>,
    /// Our time for all moves.
    pub(super) clock: Duration,
}

impl Announcement {
    /// Returns the expected rules, corrected by the announcement; `usual_resets` count if
    /// neither the server nor the user gives resets.
    pub(super) fn rules(&self, options: &MatchOptions, usual_resets: u8) -> ClientResult<Expanding> {
        let resets = self.resets.or(options.resets).unwrap_or([usual_resets; 2]);
        let keys = ExpandingKeys { stones: self.stones, resets, ..options.rules.keys().clone() };
        let rules = keys.rules().map_err(|error| unplayable_game(&error.to_string()))?;
        Ok(self.init_max.map_or_else(|| rules.clone(), |limit| with_init_max(&rules, limit)))
    }

    /// Notes an announced limit or announced resets that contradict the user's rules.
    pub(super) fn note_contradictions(&self, options: &MatchOptions, report: &mut Report) {
        let mut note = |text: &str| report.note(&format!("{text}; playing by the server's rules"));
        if let Some(limit) = self.init_max.filter(|_| options.are_rules_given) {
            let differing = differing_game(&options.rules, &with_init_max(&options.rules, limit));
            if !differing.is_empty() {
                let given = differing.join(" and ");
                note(&format!("the rules have {given}, but the server announces init_max {limit}"));
            }
        }
        if let (Some(given), Some(announced)) = (options.resets, self.resets)
            && given != announced
        {
            let [[a, b], [c, d]] = [given, announced];
            note(&format!("the rules have resets={a},{b}, but the server announces {c},{d}"));
        }
    }
}

/// Returns the rules with an announced `init_max`, which sets the limit of the first moves and the limit under a reset.
pub(super) fn with_init_max(rules: &Expanding, init_max: u32) -> Expanding {
    let limit = init_max.clamp(1, MAX_BASE_LIMIT);
    let keys = ExpandingKeys { base_limit: limit, reset_limit: limit, ..rules.keys().clone() };
    // With this base limit, a later limit could reach 2^32.
    keys.rules().unwrap_or_else(|_| rules.clone())
}
