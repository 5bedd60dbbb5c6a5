//! Analyses of whole heap tables: agreement with theorems, and Grundy values.

use std::collections::TryReserveError;
use std::iter::repeat;
use std::ops::Range;

use bouton_tables::heaps::theory::{Theory, grundy_values};
use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Heaps, Position, Take};
use bouton_tables::{Game, Outcome, Play, Region, Solved};
use rayon::prelude::*;

use crate::analyze::{
    Agreement, Analyzable, Findings, HeapFindings, HeapGrundyValues, MAX_SHOWN, Obstacle, Period,
    RuleDifference, Scope, TheoryException, period,
};
use crate::error::{Result, StudyError, check_count};
use crate::filter::Filter;
use crate::groups::map_reduce_chunks;
use crate::{MAX_POSITIONS, Progress};

impl Analyzable for HeapRules {
    fn scope(&self, filter: Option<&str>) -> Result<Scope> {
        if filter.is_some() {
            return Err(StudyError::Invalid(format!(
                "--where selects lines of stones, and game \"{}\" has none: its tables are analyzed as a \
                 whole; omit --where",
                Self::FAMILY
            )));
        }
        let positions = check_count(self.region()?.count(), MAX_POSITIONS, |positions, most| {
            format!(
                "a table of {positions} positions takes too long to analyze: at most {most} positions can be checked one by one; \
                 analyze a smaller game"
            )
        })?;
        // 8 bytes for each size of a heap. For each size of the greatest heap, a Grundy value and an entry of the
        // Z-function; for each size of the others, a number in the table from which the region computes ranks.
        let stones: u64 = self.bounds().iter().map(|&bound| u64::from(bound) + 1).sum();
        Ok(Scope { filter: Filter::default(), steps: positions, memory: 8 * stones })
    }

    fn findings<S: Solved<Game = Self>>(table: &S, _: &Filter, progress: &Progress) -> Result<Findings> {
        let rules = table.game();
        let (losing, theory) = agreement(table, progress)?;
        let positions = rules.positions();
        // Without an obstacle, the theorem of Sprague and Grundy applies, and `agreement` checked it at every position. A table that
        // contradicts it is wrong; Grundy values would describe another game.
        let obstacle = obstacle(rules);
        let has_values = obstacle.is_none() && !theory.as_ref().is_some_and(Agreement::proves_wrong);
        let density = losing as f64 / positions as f64;
        let grundy = has_values.then(|| values(rules)).transpose()?;
        Ok(Findings::Whole(HeapFindings { positions, losing, density, theory, grundy, obstacle }))
    }

    fn line_example(&self) -> Result<&'static str> {
        match self.heaps() {
            1 => Ok("passes=0"),
            2 => Err(StudyError::Invalid(
                "a sequence of losing numbers takes a game of one heap, and in this one pairs are lost; --sequence lower lists the \
                 lesser heap of each pair, --sequence upper the greater one"
                    .to_owned(),
            )),
            heaps => Err(StudyError::Invalid(format!(
                "a sequence of losing numbers takes a game of one heap, and this table has {heaps}; make a table of one \
                 heap, for example with --set 'bounds=[100]', or use --sequence grundy"
            ))),
        }
    }

    /// Checks the values against every position with at most two heaps: it is lost if and only if the two values are equal.
    fn heap_values<S: Solved<Game = Self>>(table: &S) -> Result<Vec<u32>> {
        let rules = table.game();
        if let Some(obstacle) = obstacle(rules) {
            let obstacle = match obstacle {
                Obstacle::Misere => "in misère play",
                Obstacle::Passes => "with passes",
                Obstacle::SeveralHeaps => "with several heaps per move",
            };
            return Err(StudyError::Invalid(format!(
                "heaps have Grundy values only in normal play, without passes and with one heap per move; this is a game \
                 {obstacle}"
            )));
        }
        let values = grundy_values(rules.take(), rules.greatest_bound());
        let [greatest, second] = greatest_two(rules);
        (0..=second).into_par_iter().try_for_each(|lesser| {
            for greater in lesser..=greatest {
                let heaps = [greater, lesser].into_iter().chain(repeat(0));
                let mut heaps: Heaps = heaps.take(rules.heaps()).collect();
                heaps.reverse();
                let position = Position { heaps, passes: 0 };
                let lost = table.outcome(&position)? == Outcome::Loss;
                if lost != (values[lesser as usize] == values[greater as usize]) {
                    return Err(StudyError::Wrong(format!(
                        "the table is wrong at {}: it contradicts the Grundy values; `bouton verify` checks every \
                         position",
                        rules.show_position(&position)
                    )));
                }
            }
            Ok(())
        })?;
        Ok(values)
    }
}

/// Computes the Grundy values of heaps, and their period.
fn values(rules: &HeapRules) -> Result<HeapGrundyValues, TryReserveError> {
    let values = grundy_values(rules.take(), rules.greatest_bound());
    let found = period(&values)?;
    let greatest_take = match rules.take() {
        Take::Any => None,
        Take::UpTo(most) => Some(*most),
        Take::Exactly(amounts) => amounts.last().copied(),
    };
    let length = values.len();
    let repeated_terms = |period: Period| length as u64 - period.preperiod - period.period;
    let for_ever =
        found.zip(greatest_take).is_some_and(|(period, take)| repeated_terms(period) >= u64::from(take));
    let shown = found.map_or(length, |found| (found.preperiod + found.period) as usize).min(MAX_SHOWN);
    Ok(HeapGrundyValues {
        values_to: rules.greatest_bound(),
        greatest: values.iter().copied().max().unwrap_or(0),
        preperiod: found.map(|found| found.preperiod),
        period: found.map(|found| found.period),
        for_ever,
        checked: pairs(rules),
        values: values[..shown].to_vec(),
    })
}

/// Returns the rule that prevents Grundy values of single heaps, if there is one.
fn obstacle(rules: &HeapRules) -> Option<Obstacle> {
    match rules {
        _ if rules.play() == Play::Misere => Some(Obstacle::Misere),
        _ if rules.passes() > 0 => Some(Obstacle::Passes),
        _ if rules.heaps_per_move() > 1 => Some(Obstacle::SeveralHeaps),
        _ => None,
    }
}

/// Returns the greatest and the second greatest bound; the second is 0 if there is only one heap.
fn greatest_two(rules: &HeapRules) -> [Heap; 2] {
    [rules.greatest_bound(), rules.bounds().iter().rev().nth(1).copied().unwrap_or(0)]
}

/// Counts the positions in which only the two heaps with the greatest bounds have stones. For the bounds 1 and 2: 0,0 0,1 0,2 1,1 and 1,2.
fn pairs(rules: &HeapRules) -> u64 {
    let [greatest, second] = greatest_two(rules).map(u64::from);
    (second + 1) * (greatest + 1) - second * (second + 1) / 2
}

/// Returns the theorem for the rules without passes, or else for the rules without passes in normal play; and the difference of rules.
fn nearest_theorem(rules: &HeapRules) -> Option<(Theory, RuleDifference)> {
    let theory_without_passes = |play| {
        let rules = HeapKeys { passes: 0, play, ..rules.keys().clone() }.rules();
        Theory::of(&rules.ok()?)
    };
    let passes = rules.passes() > 0;
    let same_play = theory_without_passes(rules.play());
    let same_play = same_play.map(|theory| (theory, RuleDifference { passes, play: false }));
    same_play.or_else(|| Some((theory_without_passes(Play::Normal)?, RuleDifference { passes, play: true })))
}

/// Returns the name of a theorem, and its authors with years.
pub(super) fn authors(theory: &Theory) -> [&'static str; 2] {
    match theory {
        Theory::Nim => ["Bouton", "Bouton (1901)"],
        Theory::MisereNim => ["Bouton, misère", "Bouton (1901)"],
        Theory::Bachet { .. } => ["Bachet", "Bachet (1612)"],
        Theory::Grundy(_) => ["Sprague and Grundy", "Sprague (1935) and Grundy (1939)"],
        Theory::Moore(_) => ["Moore", "Moore (1910)"],
        Theory::Wythoff => ["Wythoff", "Wythoff (1907)"],
    }
}

/// Counts over some positions.
#[derive(Default)]
struct OutcomeTally {
    lost: u64,
    /// Number of positions that contradict the theorem.
    exceptions: u64,
    /// The first contradiction in natural order.
    first_exception: Option<TheoryException>,
}

/// Counts the lost positions of a table, and checks all positions against the [`nearest_theorem`], if there is one.
pub(super) fn agreement<S: Solved<Game = HeapRules>>(
    table: &S,
    progress: &Progress,
) -> Result<(u64, Option<Agreement>)> {
    let rules = table.game();
    let region = rules.region()?;
    let nearest = nearest_theorem(rules);
    let judge = nearest.as_ref().map(|(theory, _)| theory.judge(rules.greatest_bound()));
    let check_range = |indices: Range<u64>| -> Result<OutcomeTally> {
        let (mut tally, count) = (OutcomeTally::default(), indices.end - indices.start);
        for position in region.walk(indices.start).take(count as usize) {
            let outcome = table.outcome(&position)?;
            let lost = outcome == Outcome::Loss;
            tally.lost += u64::from(lost);
            if judge.as_ref().is_some_and(|judge| judge.is_lost(&position.heaps) != lost) {
                tally.exceptions += 1;
                tally.first_exception.get_or_insert_with(|| TheoryException {
                    position: rules.show_position(&position),
                    outcome,
                    theory: outcome.reversed(),
                });
            }
        }
        progress(count)?;
        Ok(tally)
    };
    let tally = map_reduce_chunks(region.count(), check_range, |earlier, later| OutcomeTally {
        lost: earlier.lost + later.lost,
        exceptions: earlier.exceptions + later.exceptions,
        first_exception: earlier.first_exception.or(later.first_exception),
    })?;
    let agreement = nearest.map(|(theory, unlike)| Agreement {
        name: authors(&theory)[0],
        applies: unlike == RuleDifference::default(),
        unlike,
        checked: region.count(),
        exceptions: tally.exceptions,
        first_exception: tally.first_exception,
    });
    Ok((tally.lost, agreement))
}
