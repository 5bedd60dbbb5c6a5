//! Whether a heap table agrees with a theorem.

use bouton_tables::heaps::theory::Theory;
use bouton_tables::heaps::{HeapKeys, HeapRules, Position};
use bouton_tables::{AskError, Game, Outcome, Play, Region, Solved};

use crate::Progress;
use crate::analyze::{Agreement, AnalyzeError, Exception, Unlike};
use crate::groups::in_chunks;

/// The theorem nearest to some rules, and how they differ from the game that it is about.
fn nearest(rules: &HeapRules) -> Option<(Theory, Unlike)> {
    let like = |play| {
        let rules = HeapKeys { passes: 0, play, ..rules.keys().clone() }.rules();
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

/// How many positions are lost, and how many contradict a theorem.
#[derive(Clone, Copy, Default)]
struct Found {
    lost: u64,
    exceptions: u64,
    /// The number of the first exception.
    first: Option<u64>,
}

/// How many positions of a table are lost, and how they agree with the nearest theorem, if there is one.
///
/// # Errors
/// If the table is damaged, or has too many positions.
pub(super) fn agreement<S: Solved<Game = HeapRules> + Sync>(
    table: &S,
    progress: &Progress,
) -> Result<(u64, Option<Agreement>), AnalyzeError> {
    let rules = table.game();
    let region = rules.region()?;
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
    let seen = in_chunks(&region, look, |earlier, later| Found {
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
