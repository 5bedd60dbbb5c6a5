//! Whether a heap table agrees with a theorem.

use bouton_tables::heaps::theory::Theory;
use bouton_tables::heaps::{HeapKeys, HeapRules, HeapTable, Position};
use bouton_tables::{AskError, Game, Outcome, Play, Solved};
use serde::Serialize;

use crate::{Multisets, Progress, Region};

/// A table held against a theorem. The fields stand in this order in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Whose theorem.
    pub name: &'static str,
    /// Whether it is about these very rules, and not about the same in normal play or without passes.
    pub applies: bool,
    /// Positions looked at: all.
    pub checked: u64,
    /// How many have another outcome than it says.
    pub exceptions: u64,
    /// The first of them in natural order.
    pub first_exception: Option<Exception>,
    /// In what the game that the theorem is about differs, where it is not this one.
    #[serde(skip)]
    pub unlike: Unlike,
}

/// In what a game differs from one that a theorem is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unlike {
    /// It has passes.
    pub passes: bool,
    /// It is in misère play, and the theorem in normal play.
    pub play: bool,
}

impl Agreement {
    /// Whether the table is wrong: it is otherwise than the theorem that decides its game.
    #[must_use]
    pub fn proves_wrong(&self) -> bool {
        self.applies && self.exceptions > 0
    }
}

/// A position that is not as a theorem says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Exception {
    /// The position.
    pub position: String,
    /// In the table.
    pub outcome: Outcome,
    /// By the theorem.
    pub theory: Outcome,
}

/// The theorem nearest to some rules, and in what the game that it is about differs.
fn nearest(rules: &HeapRules) -> Option<(Theory, Unlike)> {
    let like = |play| {
        let (take, heaps_per_move) = (rules.take().clone(), rules.heaps_per_move() as u32);
        let rules = HeapKeys {
            bounds: rules.bounds().to_vec(),
            take,
            heaps_per_move,
            equal_take: rules.equal_take(),
            play,
            ..Default::default()
        }
        .rules();
        Theory::of(&rules.ok()?)
    };
    let passes = rules.passes() > 0;
    let same_play = like(rules.play()).map(|theory| (theory, Unlike { passes, play: false }));
    same_play.or_else(|| Some((like(Play::Normal)?, Unlike { passes, play: true })))
}

fn name(theory: &Theory) -> &'static str {
    match theory {
        Theory::Nim => "Bouton",
        Theory::MisereNim => "Bouton, misère",
        Theory::Grundy(_) => "Sprague and Grundy",
        Theory::Moore(_) => "Moore",
        Theory::Wythoff => "Wythoff",
    }
}

/// What is lost, and what is otherwise than a theorem says.
#[derive(Clone, Copy, Default)]
struct Found {
    lost: u64,
    exceptions: u64,
    /// The number of the first exception.
    first: Option<u64>,
}

/// How many positions of a table are lost, and how they agree with the nearest theorem, if there is one.
pub(super) fn agreement<D: AsRef<[u8]> + Sync>(
    table: &HeapTable<D>,
    progress: &Progress,
) -> Result<(u64, Option<Agreement>), AskError> {
    let rules = table.game();
    let region = Multisets::of(rules);
    let nearest = nearest(rules);
    let judge = nearest.as_ref().map(|(theory, _)| theory.judge(rules.greatest()));
    let look = |first: u64, positions: &mut dyn Iterator<Item = Position>| -> Result<Found, AskError> {
        let mut seen = Found::default();
        let mut number = first;
        for position in positions {
            let lost = table.verdict(&position)?.outcome == Outcome::Loss;
            seen.lost += u64::from(lost);
            if judge.as_ref().is_some_and(|judge| judge.is_lost(&position.heaps) != lost) {
                seen.exceptions += 1;
                seen.first = seen.first.or(Some(number));
            }
            number += 1;
        }
        progress(number - first);
        Ok(seen)
    };
    let seen = region.in_chunks(look, |earlier, later| Found {
        lost: earlier.lost + later.lost,
        exceptions: earlier.exceptions + later.exceptions,
        first: earlier.first.or(later.first),
    })?;
    let exception = |number| -> Result<Exception, AskError> {
        let position: Position = region.walk(number).next().expect("it is one of them");
        let outcome = table.verdict(&position)?.outcome;
        Ok(Exception { position: rules.show_position(&position), outcome, theory: outcome.reversed() })
    };
    let first_exception = seen.first.map(exception).transpose()?;
    let agreement = nearest.map(|(theory, unlike)| Agreement {
        name: name(&theory),
        applies: unlike == Unlike::default(),
        unlike,
        checked: region.count(),
        exceptions: seen.exceptions,
        first_exception,
    });
    Ok((seen.lost, agreement))
}
