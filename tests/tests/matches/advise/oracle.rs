//! Games solved by the oracles, with positions and moves as texts. This module uses none of the library's positions,
//! moves and notations.

use std::collections::BTreeMap;

use bouton_tables::Play;
use bouton_tables::expanding::Expanding;
use bouton_tables::heaps::{HeapRules, Take};
use bouton_tests::oracle::{expanding, heaps};

/// A game from a start, solved by an oracle.
pub(super) trait TextGame {
    /// A position.
    type At: Clone;

    /// Returns the start.
    fn start(&self) -> Self::At;

    /// Returns every legal move in a position, with the position after it.
    fn moves(&self, at: &Self::At) -> Vec<(String, Self::At)>;

    /// Returns whether the player to move wins.
    fn is_won(&self, at: &Self::At) -> bool;

    /// Returns the notation of a position.
    fn text(&self, at: &Self::At) -> String;
}

/// Expanding Nim.
pub(super) struct Pile {
    rules: expanding::Rules,
    verdicts: BTreeMap<expanding::Position, expanding::Verdict>,
}

impl Pile {
    /// Returns a game with the library's rules and this many stones at the start.
    pub(super) fn of(rules: &Expanding, stones: u32) -> Self {
        let rules = expanding::Rules {
            stones,
            base_limit: rules.base_limit(),
            growth: rules.growth(),
            reset_limit: rules.reset_limit(),
            resets: rules.resets().map(u32::from),
            misere: rules.play() == Play::Misere,
        };
        let verdicts = expanding::solve(&rules);
        Self { rules, verdicts }
    }
}

impl TextGame for Pile {
    type At = expanding::Position;

    fn start(&self) -> Self::At {
        let expanding::Rules { stones, resets, .. } = self.rules;
        expanding::Position { stones, currentmax: 0, turn: 1, resets, imposed: false }
    }

    fn moves(&self, at: &Self::At) -> Vec<(String, Self::At)> {
        let text = |(take, reset)| format!("{take}{}", if reset { "r" } else { "" });
        expanding::legal_moves(&self.rules, at)
            .into_iter()
            .map(|(chosen, next)| (text(chosen), next))
            .collect()
    }

    fn is_won(&self, at: &Self::At) -> bool {
        self.verdicts[at].win
    }

    fn text(&self, at: &Self::At) -> String {
        let expanding::Position { stones, currentmax, turn, resets: [first, second], imposed } = at;
        format!("{stones}/{currentmax}/{turn}/{first},{second}/{}", if *imposed { "r" } else { "-" })
    }
}

/// A heap game.
pub(super) struct Heaps {
    rules: heaps::Rules,
    verdicts: BTreeMap<heaps::Position, heaps::Verdict>,
}

impl Heaps {
    /// Returns a game with the library's rules and these heaps at the start.
    pub(super) fn of(rules: &HeapRules, bounds: &[u32]) -> Self {
        let take = match rules.take() {
            Take::Any => heaps::Take::Any,
            Take::UpTo(most) => heaps::Take::UpTo(*most),
            Take::Exactly(amounts) => heaps::Take::Exactly(amounts.clone()),
        };
        let rules = heaps::Rules {
            bounds: bounds.to_vec(),
            take,
            heaps_per_move: rules.heaps_per_move(),
            exactly: vec![],
            equal_take: rules.equal_take(),
            passes: rules.passes().into(),
            misere: rules.play() == Play::Misere,
        };
        let verdicts = heaps::solve(&rules);
        Self { rules, verdicts }
    }
}

impl TextGame for Heaps {
    /// The rows, and the passes left.
    type At = (Vec<u32>, u32);

    fn start(&self) -> Self::At {
        (self.rules.bounds.clone(), self.rules.passes)
    }

    fn moves(&self, (rows, passes): &Self::At) -> Vec<(String, Self::At)> {
        let text = |chosen| match chosen {
            heaps::Move::Pass => "pass".to_owned(),
            heaps::Move::Take(takes) => {
                let takes: Vec<String> = takes.iter().map(|(row, take)| format!("{row}:{take}")).collect();
                takes.join("+")
            }
        };
        let moves = heaps::legal_moves(&self.rules, rows, *passes).into_iter();
        moves.map(|(chosen, rows, passes)| (text(chosen), (rows, passes))).collect()
    }

    fn is_won(&self, (rows, passes): &Self::At) -> bool {
        self.verdicts[&heaps::Position::new(rows, *passes)].win
    }

    fn text(&self, (rows, passes): &Self::At) -> String {
        let rows: Vec<String> = rows.iter().map(u32::to_string).collect();
        let passes = if self.rules.passes > 0 { format!("/{passes}") } else { String::new() };
        rows.join(",") + &passes
    }
}
