//! Analyses of Expanding Nim along lines: positions that differ only in stones.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::{Outcome, Solved};
use rayon::prelude::*;

use super::filter::selected_at;
use crate::Progress;
use crate::analyze::{Analyzable, Findings, Run, Scope, StoneLine, period};
use crate::error::{Result, StudyError};
use crate::filter::{Filter, Span};
use crate::words::grouped;

/// The default filter: the lines of starts, for each pair of both players' resets.
const START_LINES: &str = "currentmax=0 turn=1 imposed=-";
/// Maximum number of lines of one analysis, which keeps the results of all lines in memory.
const MAX_LINES: usize = 1_000_000;
/// Bytes for each position of a line: 1 for the outcome, 4 for the Z-function.
const BYTES_PER_POSITION: u64 = 5;

impl Analyzable for Expanding {
    fn scope(&self, filter: Option<&str>) -> Result<Scope> {
        let filter = Filter::parse(self, true, filter.unwrap_or(START_LINES))?;
        if filter.restricts_answer() || filter.span("stones", 0) != Span::ANY {
            return Err(StudyError::Invalid(
                "lines are analyzed as a whole: --where can select by currentmax, turn, resets and imposed"
                    .to_owned(),
            ));
        }
        let selected = lines(self, &filter).take(MAX_LINES + 1).count();
        if selected > MAX_LINES {
            return Err(StudyError::Invalid(format!(
                "more than {} lines are selected; select fewer with --where, for example 'currentmax=0..100'",
                grouped(MAX_LINES as u64)
            )));
        }
        let longest = lines(self, &filter).next().and_then(|line| self.max_stones(line.currentmax));
        let longest = longest.unwrap_or(0);
        if longest >= u32::MAX.into() {
            return Err(StudyError::Invalid(format!(
                "a line has {} positions, and at most {} are analyzed; select lines of a greater currentmax \
                 with --where, or analyze a table of fewer stones",
                grouped(longest + 1),
                grouped(u32::MAX.into())
            )));
        }
        let at_once = selected.min(rayon::current_num_threads()) as u64;
        let memory = BYTES_PER_POSITION * longest * at_once;
        Ok(Scope { filter, steps: selected as u64, memory })
    }

    fn findings<S: Solved<Game = Self>>(table: &S, filter: &Filter, progress: &Progress) -> Result<Findings> {
        let selected: Vec<Position> = lines(table.game(), filter).collect();
        let analyze = |first| {
            let line = analyze_line(table, first)?;
            progress(1)?;
            Ok(line)
        };
        let lines = selected.par_iter().map(analyze).collect::<Result<_>>()?;
        Ok(Findings::Lines { lines })
    }

    fn line_example(&self) -> Result<&'static str> {
        Ok("currentmax=0 turn=1 resets=0,0 imposed=-")
    }
}

/// Returns the selected lines in natural order, each given by its position without stones.
fn lines(rules: &Expanding, filter: &Filter) -> impl Iterator<Item = Position> {
    const TURNS: &[Turn] = &[Turn::First, Turn::Second];
    let resets = rules.resets();
    let values = filter.span("currentmax", 0).up_to(rules.greatest_currentmax().into());
    values.flat_map(move |currentmax| selected_at(filter, (0, currentmax as u32), TURNS, resets))
}

/// Analyzes a line, given by its position without stones.
fn analyze_line<S: Solved<Game = Expanding>>(table: &S, line: &Position) -> Result<StoneLine> {
    let most = table.game().max_stones(line.currentmax).unwrap_or(0);
    let mut lost = Vec::new();
    lost.try_reserve_exact(most as usize + 1)?;
    for stones in 0..=most {
        lost.push(table.outcome(&Position { stones, ..line.clone() })? == Outcome::Loss);
    }
    let numbers = || (0..=most).zip(&lost).filter(|(_, lost)| **lost).map(|(stones, _)| stones);
    let (losing, first, last) = (numbers().count() as u64, numbers().next(), numbers().last());
    let mut gaps = BTreeMap::new();
    for (earlier, later) in numbers().zip(numbers().skip(1)) {
        *gaps.entry(later - earlier).or_insert(0) += 1;
    }
    let period = period(&lost)?;
    let ends = first.zip(last).filter(|_| period.is_none() && losing > 2);
    Ok(StoneLine {
        currentmax: line.currentmax,
        turn: line.turn.number(),
        resets: line.resets,
        imposed: line.imposed,
        stones: most,
        losing,
        density: losing as f64 / (most as f64 + 1.0),
        first,
        last,
        gaps: gaps.into_iter().collect(),
        longest_wins: longest_wins(&lost),
        period,
        quasi_period: ends.map(|(first, last)| (last - first) as f64 / (losing - 1) as f64),
    })
}

/// Returns the longest run of won numbers, the first of several.
fn longest_wins(lost: &[bool]) -> Option<Run> {
    let mut from = 0;
    let runs = lost.split(|&lost| lost).map(|wins| {
        let run = Run { from, length: wins.len() as u64 };
        from += run.length + 1;
        run
    });
    runs.filter(|run| run.length > 0).reduce(|first, run| if run.length > first.length { run } else { first })
}
