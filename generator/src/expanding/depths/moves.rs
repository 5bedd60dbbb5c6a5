//! The best move at each place of a line, found run by run.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;
use bouton_tables::{Game, Outcome};

use super::shifted_lines::{MoveTarget, ShiftedCopy};
use super::verdict_line::{Cursor, RunBuilder, ShiftedRuns, VerdictLine};
use crate::GenerateError;
use crate::control::CancelCheck;
use crate::expanding::marks::NEVER;
use crate::expanding::row::Run;

/// Scores targets by their depth: how good it is to move there.
#[derive(Clone, Copy)]
pub(super) struct Scores {
    /// One more than the greatest depth.
    beyond: i64,
    /// Whether a player who has no stones to take has lost. If so, positions of even depth are lost.
    end_is_lost: bool,
}

impl Scores {
    pub(super) fn new(rules: &Expanding) -> Self {
        let end_is_lost = rules.outcome_without_moves() == Outcome::Loss;
        Self { beyond: i64::from(rules.stones()) + 2, end_is_lost }
    }

    /// Returns the score of a target: higher for a lost position than for a won one. A lost position scores higher with
    /// less depth, a won one with more.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of(self, depth: u32) -> i64 {
        let is_lost = depth.is_multiple_of(2) == self.end_is_lost;
        if is_lost { self.beyond - i64::from(depth) } else { i64::from(depth) - self.beyond }
    }
}

/// The target of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Arrival {
    score: i64,
    depth: u32,
    reset: bool,
}

/// The places below the current one that moves within the row can reach, reduced to those that are better than all
/// nearer ones; the farthest first.
struct MoveWindow {
    width: u64,
    best: VecDeque<(Arrival, u64)>,
}

impl MoveWindow {
    fn new(width: u64) -> Self {
        Self { width, best: VecDeque::new() }
    }

    /// Returns the best target within reach of a place, and the end of the stretch of places that have this target.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn best(&mut self, place: u64) -> Option<(Arrival, u64)> {
        while let Some(&(_, end)) = self.best.front()
            && end + self.width <= place
        {
            self.best.pop_front();
        }
        self.best.front().copied()
    }

    /// Adds the target at the places from `start` to `end`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn push(&mut self, arrival: Arrival, start: u64, end: u64) -> Result<(), GenerateError> {
        if self.width == 0 {
            return Ok(());
        }
        // Of two equally good places, the nearer one takes fewer stones and stays within reach longer.
        while let Some((before, before_end)) = self.best.back_mut() {
            if before.score > arrival.score {
                break;
            }
            if *before == arrival && *before_end == start {
                *before_end = end;
                return Ok(());
            }
            self.best.pop_back();
        }
        self.best.try_reserve(1)?;
        self.best.push_back((arrival, end));
        Ok(())
    }
}

/// The line to which moves within the row lead.
pub(super) enum StayTarget<'a> {
    /// A line that is already solved.
    Solved(Cursor<'a>),
    /// The line being solved at the same time; or the given line, by a move with a reset, where that is better.
    Concurrent(Option<Cursor<'a>>),
}

/// A line that is being solved.
pub(super) struct LineSolver<'a> {
    window: MoveWindow,
    within: StayTarget<'a>,
    /// Targets of moves that leave the row. The first of equally good targets is preferred.
    leaving: Vec<(Cursor<'a>, Option<u32>)>,
    found: RunBuilder,
    twin: Option<CopyCheck>,
}

/// Checks whether a line has become the shifted copy of a solved one.
struct CopyCheck {
    twin: ShiftedRuns,
    /// The lines may differ before this place.
    differ: u64,
    /// Index of the copy's run at the place compared last.
    run: usize,
}

impl CopyCheck {
    /// Compares a depth with the copy's at the places from `start` to `end`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn compare(&mut self, depth: u32, start: u64, end: u64) {
        let ShiftedRuns { runs, shift, deeper } = &self.twin;
        let mut place = start.max(self.differ);
        while place < end {
            while let Some(next) = runs.get(self.run + 1)
                && u64::from(next.start) + u64::from(*shift) <= place
            {
                self.run += 1;
            }
            let ends = runs.get(self.run + 1).map_or(NEVER, |next| u64::from(next.start) + u64::from(*shift));
            if runs[self.run].depth + deeper != depth {
                self.differ = ends.min(end);
            }
            place = ends;
        }
    }
}

/// The best move from a place on, valid before `until`.
#[derive(Clone, Copy)]
struct BestStay {
    run: Run,
    score: i64,
    until: u64,
    /// Whether the move leads to the place just below, and the window's best target reaches up to here.
    is_next: bool,
}

impl<'a> LineSolver<'a> {
    /// Begins a line. Moves of up to `stay` stones stay within the row.
    pub(super) fn new(
        stay: u64,
        within: StayTarget<'a>,
        leaving: &'a [MoveTarget],
        twin: Option<(ShiftedRuns, u64)>,
    ) -> Self {
        Self {
            window: MoveWindow::new(stay),
            within,
            leaving: leaving.iter().map(|cover| (Cursor::new(&cover.stairs, cover.by), cover.take)).collect(),
            found: RunBuilder::default(),
            twin: twin.map(|(twin, settled)| CopyCheck { twin, differ: settled, run: 0 }),
        }
    }

    /// Returns all runs.
    pub(super) fn finish(self) -> Vec<Run> {
        self.found.finish()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn choose(&mut self, scores: Scores, place: u64) -> BestStay {
        let start = place as u32;
        let none = Run { start, depth: 0, take: 0, advance: false, reset: false };
        let mut choice = BestStay { run: none, score: i64::MIN, until: NEVER, is_next: false };
        if place == 0 {
            return BestStay { until: 1, ..choice };
        }
        if let Some((Arrival { score, depth, reset }, end)) = self.window.best(place) {
            let is_next = end == place;
            let take = (place - (end - 1)) as u32;
            choice = BestStay {
                run: Run { start, depth: depth + 1, take, advance: !is_next, reset },
                score,
                until: if is_next { NEVER } else { end + self.window.width },
                is_next,
            };
        }
        let mut until = NEVER;
        for (cursor, take) in &mut self.leaving {
            if let Some(run) = cursor.at(place) {
                let score = scores.of(run.depth);
                if score > choice.score {
                    let (take, advance) = match take {
                        Some(take) => (*take, false),
                        None => (run.take_at(start), run.advance),
                    };
                    let run = Run { start, depth: run.depth + 1, take, advance, reset: run.reset };
                    choice = BestStay { run, score, until: NEVER, is_next: false };
                }
            }
            until = until.min(cursor.end);
        }
        choice.until = choice.until.min(until);
        choice
    }

    /// Returns whether the best move changes at the next place, given the target at this one.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn changes(&self, choice: &BestStay, arrival: Arrival) -> bool {
        if self.window.width == 0 {
            return false;
        }
        if choice.is_next {
            return self.window.best.front().is_none_or(|(before, _)| *before != arrival);
        }
        arrival.score >= choice.score
    }
}

/// Solves one line, or two lines of which each is the target of the other's moves, up to place `end`. If they become
/// copies of solved lines earlier, returns the place from which on they are.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn solve<const N: usize>(
    scores: Scores,
    sides: &mut [LineSolver<'_>; N],
    end: u64,
    patience: &mut CancelCheck,
) -> Result<Option<u64>, GenerateError> {
    let mut place = 0;
    while place < end {
        patience.spend(64)?;
        let mut until = end;
        let mut choices = [None; N];
        for (side, choice) in sides.iter_mut().zip(&mut choices) {
            let chosen = side.choose(scores, place);
            until = until.min(chosen.until);
            *choice = Some(chosen);
        }
        let choices = choices.map(|choice| choice.expect("each side has chosen"));
        let mut arrivals = [None; N];
        for (number, side) in sides.iter_mut().enumerate() {
            let arrival = match &mut side.within {
                StayTarget::Solved(cursor) => {
                    let run = cursor.at(place).expect("a line begins at 0");
                    until = until.min(cursor.end);
                    Arrival { score: scores.of(run.depth), depth: run.depth, reset: run.reset }
                }
                StayTarget::Concurrent(imposed) => {
                    // With two lines the other one, with one line itself.
                    let depth = choices[N - 1 - number].run.depth;
                    let plain = Arrival { score: scores.of(depth), depth, reset: false };
                    match imposed.as_mut().and_then(|cursor| Some((cursor.at(place)?.depth, cursor.end))) {
                        None => plain,
                        Some((depth, ends)) => {
                            until = until.min(ends);
                            let imposed = Arrival { score: scores.of(depth), depth, reset: true };
                            if imposed.score > plain.score { imposed } else { plain }
                        }
                    }
                }
            };
            arrivals[number] = Some(arrival);
            if side.changes(&choices[number], arrival) {
                until = until.min(place + 1);
            }
        }
        let mut twins_since = 0;
        for ((side, choice), arrival) in sides.iter_mut().zip(&choices).zip(arrivals) {
            side.found.push(choice.run, until as u32)?;
            if let Some(arrival) = arrival {
                side.window.push(arrival, place, until)?;
            }
            twins_since = twins_since.max(match &mut side.twin {
                None => NEVER,
                Some(twin) => {
                    twin.compare(choice.run.depth, place, until);
                    twin.differ.saturating_add(side.window.width)
                }
            });
        }
        place = until;
        if twins_since <= place {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Splits expected copies into one for each line.
pub(super) fn each_twin<const N: usize>(twin: Option<&ShiftedCopy<N>>) -> [Option<(ShiftedRuns, u64)>; N] {
    std::array::from_fn(|i| twin.map(|twin| (twin.others[i].clone(), twin.settled)))
}

/// Returns the better arrival at each place below `end`: without a reset on `plain`, or with one on `imposed` where
/// that is better.
pub(super) fn arrivals(
    scores: Scores,
    plain: &VerdictLine,
    imposed: Option<&VerdictLine>,
    end: u64,
    patience: &mut CancelCheck,
) -> Result<Vec<Run>, GenerateError> {
    let (mut plain, mut imposed) = (Cursor::new(plain, 0), imposed.map(|line| Cursor::new(line, 0)));
    let mut found = RunBuilder::default();
    let mut place = 0;
    while place < end {
        patience.spend(16)?;
        let depth = plain.at(place).map_or(0, |run| run.depth);
        let mut run = Run { start: place as u32, depth, take: 0, advance: false, reset: false };
        let mut until = plain.end.min(end);
        if let Some(cursor) = &mut imposed
            && let Some(imposed) = cursor.at(place)
        {
            until = until.min(cursor.end);
            if scores.of(imposed.depth) > scores.of(depth) {
                run = Run { depth: imposed.depth, reset: true, ..run };
            }
        }
        found.push(run, until as u32)?;
        place = until;
    }
    Ok(found.finish())
}

/// Returns the better of two targets at each place, from where the first begins to `end`. If both are equally good, the
/// first counts.
pub(super) fn best_of(
    scores: Scores,
    covers: [&MoveTarget; 2],
    end: u64,
    patience: &mut CancelCheck,
) -> Result<Vec<Run>, GenerateError> {
    let mut cursors = covers.map(|cover| (Cursor::new(&cover.stairs, cover.by), cover.take));
    let mut found = RunBuilder::default();
    let mut place = u64::from(covers[0].by);
    while place < end {
        patience.spend(16)?;
        let mut best: Option<Run> = None;
        let mut until = end;
        for (cursor, take) in &mut cursors {
            if let Some(run) = cursor.at(place)
                && best.is_none_or(|best| scores.of(run.depth) > scores.of(best.depth))
            {
                let start = place as u32;
                best = Some(match take {
                    Some(take) => Run { start, take: *take, advance: false, ..run },
                    None => Run { start, take: run.take_at(start), ..run },
                });
            }
            until = until.min(cursor.end);
        }
        if let Some(best) = best {
            found.push(best, until as u32)?;
        }
        place = until;
    }
    Ok(found.finish())
}
