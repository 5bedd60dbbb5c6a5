//! Finds the best move at each place of a line, run by run.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;
use bouton_tables::{Game, Outcome};

use super::shifted_lines::MoveTarget;
use super::verdict_line::{Cursor, RunBuilder, ShiftedRuns, VerdictLine};
use crate::control::CancelCheck;
use crate::expanding::marks::NEVER;
use crate::expanding::run::Run;
use crate::making::GenerateError;

/// Scores targets by their depth. The higher the score, the better it is to move there.
#[derive(Clone, Copy)]
pub(super) struct Scores {
    /// One more than the greatest depth.
    depth_end: i64,
    /// True in normal play: a player who has no stones to take has lost, and so positions of even depth are lost.
    end_is_lost: bool,
}

impl Scores {
    pub(super) fn new(rules: &Expanding) -> Self {
        let end_is_lost = rules.outcome_without_moves() == Outcome::Loss;
        Self { depth_end: rules.stones() as i64 + 2, end_is_lost }
    }

    /// Returns the score of a target, which is higher for a lost position than for a won one. A lost position scores higher
    /// with less depth, a won one with more.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of(self, depth: u32) -> i64 {
        let is_lost = depth.is_multiple_of(2) == self.end_is_lost;
        if is_lost { self.depth_end - i64::from(depth) } else { i64::from(depth) - self.depth_end }
    }
}

/// The target of a move, and the way to get there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Arrival {
    score: i64,
    depth: u32,
    /// True if the move imposes a reset.
    reset: bool,
}

/// The places below the current one that moves within the row can reach, except places for which a nearer one is at least
/// as good.
struct MoveWindow {
    /// Maximum number of stones of a move within the row.
    width: u64,
    /// Stretches of places with equal arrivals, the farthest first: the arrival, and the end of the stretch.
    stretches: VecDeque<(Arrival, u64)>,
}

impl MoveWindow {
    fn new(width: u64) -> Self {
        Self { width, stretches: VecDeque::new() }
    }

    /// Returns the best arrival within reach of a place, and the end of its stretch.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn best(&mut self, place: u64) -> Option<(Arrival, u64)> {
        while let Some(&(_, end)) = self.stretches.front()
            && end + self.width <= place
        {
            self.stretches.pop_front();
        }
        self.stretches.front().copied()
    }

    /// Adds the places from `start` to `end`, with this arrival.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn push(&mut self, arrival: Arrival, start: u64, end: u64) -> Result<(), GenerateError> {
        if self.width == 0 {
            return Ok(());
        }
        // Of two equally good places, keep the nearer one: moves there take fewer stones, and it stays within reach longer.
        while let Some((last, last_end)) = self.stretches.back_mut() {
            if last.score > arrival.score {
                break;
            }
            if *last == arrival && *last_end == start {
                *last_end = end;
                return Ok(());
            }
            self.stretches.pop_back();
        }
        self.stretches.try_reserve(1)?;
        self.stretches.push_back((arrival, end));
        Ok(())
    }
}

/// The line to which moves within the row lead.
pub(super) enum StayTarget<'a> {
    /// A line that is already solved.
    Solved(Cursor<'a>),
    /// By plain moves, a line that is being solved at the same time; by moves with a reset, the given solved line.
    Concurrent(Option<Cursor<'a>>),
}

/// A line that is being solved.
pub(super) struct LineSolver<'a> {
    window: MoveWindow,
    stay_target: StayTarget<'a>,
    /// Targets of moves that leave the row, each with the stones of the moves; `None` if the target's runs state the
    /// stones. The solver prefers the first of equally good targets.
    leaving: Vec<(Cursor<'a>, Option<u32>)>,
    runs: RunBuilder,
    copy_check: Option<CopyCheck>,
}

/// Checks whether a line has become the shifted copy of a solved one.
struct CopyCheck {
    /// The tail that the line is expected to have.
    copy: ShiftedRuns,
    /// From this place on, all depths found so far equal the copy's.
    agrees_from: u64,
    /// Index of the copy's run at the place compared last.
    run: usize,
}

impl CopyCheck {
    /// Compares a depth with the copy's depths at the places from `start` to `end`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn compare(&mut self, depth: u32, start: u64, end: u64) {
        let ShiftedRuns { runs, deeper, .. } = &self.copy;
        let mut place = start.max(self.agrees_from);
        while place < end {
            while self.copy.start(self.run + 1) <= place {
                self.run += 1;
            }
            let run_end = self.copy.start(self.run + 1);
            if runs[self.run].depth + deeper != depth {
                self.agrees_from = run_end.min(end);
            }
            place = run_end;
        }
    }
}

/// The best move at a place, and at the places after it up to `until`.
#[derive(Clone, Copy)]
struct BestMove {
    run: Run,
    score: i64,
    /// The first place at which another move may be best. The window may change earlier.
    until: u64,
    /// True if the move leads to the place just below: the window's best stretch ends at the current place.
    takes_one: bool,
}

impl<'a> LineSolver<'a> {
    /// Begins a line. Moves of up to `stay` stones stay within the row. The line is expected to equal `copy`, if given, from
    /// the given place on.
    pub(super) fn new(
        stay: u64,
        stay_target: StayTarget<'a>,
        leaving: &'a [MoveTarget],
        copy: Option<(ShiftedRuns, u64)>,
    ) -> Self {
        Self {
            window: MoveWindow::new(stay),
            stay_target,
            leaving: leaving.iter().map(MoveTarget::cursor).collect(),
            runs: RunBuilder::default(),
            copy_check: copy.map(|(copy, settled_from)| CopyCheck {
                copy,
                agrees_from: settled_from,
                run: 0,
            }),
        }
    }

    /// Returns all runs.
    pub(super) fn finish(self) -> Vec<Run> {
        self.runs.finish()
    }

    /// Returns the best move at a place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn best_move(&mut self, scores: Scores, place: u64) -> BestMove {
        let start = place as u32;
        let none = Run { start, depth: 0, take: 0, advance: false, reset: false };
        let mut best = BestMove { run: none, score: i64::MIN, until: NEVER, takes_one: false };
        if place == 0 {
            return BestMove { until: 1, ..best };
        }
        if let Some((Arrival { score, depth, reset }, end)) = self.window.best(place) {
            let takes_one = end == place;
            let take = (place - (end - 1)) as u32;
            best = BestMove {
                run: Run { start, depth: depth + 1, take, advance: !takes_one, reset },
                score,
                until: if takes_one { NEVER } else { end + self.window.width },
                takes_one,
            };
        }
        let mut until = NEVER;
        for (cursor, take) in &mut self.leaving {
            if let Some(run) = cursor.at(place) {
                let score = scores.of(run.depth);
                if score > best.score {
                    let (take, advance) = match take {
                        Some(take) => (*take, false),
                        None => (run.take_at(start), run.advance),
                    };
                    let run = Run { start, depth: run.depth + 1, take, advance, reset: run.reset };
                    best = BestMove { run, score, until: NEVER, takes_one: false };
                }
            }
            until = until.min(cursor.end);
        }
        best.until = best.until.min(until);
        best
    }

    /// Returns whether the best move changes at the next place, given the arrival at this one.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn changes(&self, best: &BestMove, arrival: Arrival) -> bool {
        if self.window.width == 0 {
            return false;
        }
        if best.takes_one {
            return self.window.stretches.front().is_none_or(|(front, _)| *front != arrival);
        }
        arrival.score >= best.score
    }
}

/// Solves one line, or two lines whose plain moves within the row lead to each other, up to place `end`. If they become
/// copies of solved lines earlier, stops there and returns the place from which on they are copies.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn solve<const N: usize>(
    scores: Scores,
    sides: &mut [LineSolver<'_>; N],
    end: u64,
    cancel_check: &mut CancelCheck,
) -> Result<Option<u64>, GenerateError> {
    let mut place = 0;
    while place < end {
        cancel_check.spend(64)?;
        let mut until = end;
        let mut best_moves = [None; N];
        for (side, best_move) in sides.iter_mut().zip(&mut best_moves) {
            let best = side.best_move(scores, place);
            until = until.min(best.until);
            *best_move = Some(best);
        }
        let best_moves = best_moves.map(|best| best.expect("a best move for each side"));
        let mut arrivals = [None; N];
        for (number, side) in sides.iter_mut().enumerate() {
            let arrival = match &mut side.stay_target {
                StayTarget::Solved(cursor) => {
                    let run = cursor.at(place).expect("a line begins at 0");
                    until = until.min(cursor.end);
                    Arrival { score: scores.of(run.depth), depth: run.depth, reset: run.reset }
                }
                StayTarget::Concurrent(imposed) => {
                    // With two lines the target is the other one, with one line that line itself.
                    let depth = best_moves[N - 1 - number].run.depth;
                    let plain = Arrival { score: scores.of(depth), depth, reset: false };
                    match imposed.as_mut().and_then(|cursor| Some((cursor.at(place)?.depth, cursor.end))) {
                        None => plain,
                        Some((depth, run_end)) => {
                            until = until.min(run_end);
                            let imposed = Arrival { score: scores.of(depth), depth, reset: true };
                            if imposed.score > plain.score { imposed } else { plain }
                        }
                    }
                }
            };
            arrivals[number] = Some(arrival);
            if side.changes(&best_moves[number], arrival) {
                until = until.min(place + 1);
            }
        }
        let mut copied_from = 0;
        for ((side, best), arrival) in sides.iter_mut().zip(&best_moves).zip(arrivals) {
            side.runs.push(best.run, until as u32)?;
            if let Some(arrival) = arrival {
                side.window.push(arrival, place, until)?;
            }
            copied_from = copied_from.max(match &mut side.copy_check {
                None => NEVER,
                Some(check) => {
                    check.compare(best.run.depth, place, until);
                    check.agrees_from.saturating_add(side.window.width)
                }
            });
        }
        place = until;
        if copied_from <= place {
            return Ok(Some(place));
        }
    }
    Ok(None)
}

/// Returns the better arrival at each place below `end`: with a plain move on `plain`, or with a reset on `imposed` where
/// this is better.
pub(super) fn best_arrivals(
    scores: Scores,
    plain: &VerdictLine,
    imposed: Option<&VerdictLine>,
    end: u64,
    cancel_check: &mut CancelCheck,
) -> Result<Vec<Run>, GenerateError> {
    let (mut plain, mut imposed) = (Cursor::new(plain, 0), imposed.map(|line| Cursor::new(line, 0)));
    let mut runs = RunBuilder::default();
    let mut place = 0;
    while place < end {
        cancel_check.spend(16)?;
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
        runs.push(run, until as u32)?;
        place = until;
    }
    Ok(runs.finish())
}

/// Returns the better of two targets at each place, from where the first one begins to `end`. If both are equally good,
/// the first one counts.
pub(super) fn best_of(
    scores: Scores,
    targets: [&MoveTarget; 2],
    end: u64,
    cancel_check: &mut CancelCheck,
) -> Result<Vec<Run>, GenerateError> {
    let mut cursors = targets.map(MoveTarget::cursor);
    let mut runs = RunBuilder::default();
    let mut place = u64::from(targets[0].shift);
    while place < end {
        cancel_check.spend(16)?;
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
            runs.push(best, until as u32)?;
        }
        place = until;
    }
    Ok(runs.finish())
}
