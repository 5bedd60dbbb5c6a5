//! Covers. A lost position covers every position from which a move leads to it; covered positions are won. A position
//! that no lost position covers is lost.
//!
//! For example, with moves of 1 to 3 stones a lost place 4 covers the places 5, 6 and 7. If nothing else covers place
//! 8, place 8 is lost.

use std::sync::Arc;

use super::marks::NEVER;
use super::outcome_line::{
    EqualRuns, OutcomeLine, OutcomeLineBuilder, Runs, ShiftedMarks, Tail, toggle_change,
};
use crate::control::CancelCheck;
use crate::making::GenerateError;
use crate::memory::{Grow, room};

/// A solved line, and the stones of the moves that lead to it: a lost place y of the solved line covers the places from
/// y + `takes[0]` to y + `takes[1]` of the line that is being solved. With `takes` of 0, `line` is the set of covered
/// places itself.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) line: Arc<OutcomeLine>,
    /// The fewest and the most stones of the moves.
    pub(super) takes: [u64; 2],
}

impl Cover {
    /// The cover by moves of exactly `take` stones.
    pub(super) fn exactly(line: &Arc<OutcomeLine>, take: u64) -> Self {
        Self { line: line.clone(), takes: [take; 2] }
    }

    /// The cover by moves of 1 to `most` stones.
    pub(super) fn up_to(line: &Arc<OutcomeLine>, most: u64) -> Self {
        Self { line: line.clone(), takes: [1, most] }
    }

    /// Returns the place from which on the cover depends only on the tail of `line`.
    fn settled_from(&self) -> u64 {
        self.line.from + self.takes[1]
    }

    fn sweep(&self) -> Sweep<'_> {
        let mut sweep = Sweep { runs: self.line.runs(), takes: self.takes, start: 0, end: 0 };
        sweep.advance();
        sweep
    }

    /// Returns the covered places from [`settled_from`](Self::settled_from) on, or `None` if they are neither constant nor
    /// given by marks.
    fn tail(&self) -> Option<Tail> {
        let [least, most] = self.takes;
        let widening = most - least;
        match &self.line.tail {
            Tail::Constant(lost) => Some(Tail::Constant(*lost)),
            Tail::Marks(marks @ ShiftedMarks { list, shift, run, is_lost: true }) => {
                let (shift, run) = (shift + least, *run + widening);
                (run <= list.min_gap()).then(|| Tail::Marks(ShiftedMarks { shift, run, ..marks.clone() }))
            }
            // Between two marks there is a lost place.
            Tail::Marks(marks @ ShiftedMarks { list, shift, run, .. }) if *run < list.min_gap() => {
                let won = run.checked_sub(widening).filter(|&won| won > 0);
                let shift = shift + most;
                Some(won.map_or(Tail::Constant(true), |won| {
                    Tail::Marks(ShiftedMarks { shift, run: won, ..marks.clone() })
                }))
            }
            Tail::Marks(_) => None,
        }
    }
}

/// A cursor that moves a cover's runs along the line that is being solved.
struct Sweep<'a> {
    runs: Runs<'a>,
    takes: [u64; 2],
    /// First place that the current run covers.
    start: u64,
    /// First place after those that the current run covers.
    end: u64,
}

impl Sweep<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn advance(&mut self) {
        let [start, end] = self.runs.next_run();
        // A run's last place, moved by the most stones, is the last place that it covers. `NEVER` stays `NEVER`.
        self.start = start.saturating_add(self.takes[0]);
        self.end = end.saturating_add(self.takes[1]);
    }

    /// Returns the train of runs after the current one; `None` if it is unknown.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn equal_runs(&self) -> Option<EqualRuns> {
        self.runs.equal_runs_after([self.start - self.takes[0], self.end - self.takes[1]])
    }

    /// Advances to the first run that covers a place from `from` on.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pass(&mut self, from: u64) {
        while self.end <= from {
            if let Some(EqualRuns { gap, times: times @ 2.. }) = self.equal_runs()
                && from - self.end > 4 * gap
            {
                let passed = times.min((from - self.end) / gap);
                self.runs.skip(passed);
                (self.start, self.end) = (self.start + passed * gap, self.end + passed * gap);
            }
            self.advance();
        }
    }

    /// Returns for how many shifts by `step` places this cover looks the same in a window, which begins at `from` and has
    /// `window` places. The current run must be the first that covers a place from `from` on.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn repeats(&self, from: u64, window: u64, step: u64) -> u64 {
        if self.start == NEVER {
            return NEVER;
        }
        let Some(EqualRuns { gap, times }) = self.equal_runs() else { return 0 };
        if gap == step {
            // Each step moves the window from one run to the next, if the current run is before the window after one step.
            return if self.end <= from + step { times.saturating_sub(1) } else { 0 };
        }
        // Otherwise the window moves along the runs, and must touch none of them.
        let Some(distance) = self.start.checked_sub(from + window) else { return 0 };
        let before_last_run = (distance + times * gap) / step;
        if before_last_run == 0 {
            return 0;
        }
        // `place` is the distance of the window's last place from the start of a run, modulo `gap`. The window touches a
        // run if this distance is less than `touching`.
        let touching = window + (self.end - self.start) - 1;
        let place = gap - 1 - distance % gap;
        let free = steps_before(place, step % gap, gap, touching.min(gap));
        before_last_run.min(free)
    }

    /// Returns the first place from `from` on that this cover leaves uncovered, or a place from `end` on if there is none
    /// before `end`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn first_uncovered(&mut self, from: u64, end: u64) -> u64 {
        let mut uncovered = from;
        while self.start <= uncovered && uncovered < end {
            uncovered = uncovered.max(self.end);
            if self.end == NEVER {
                return NEVER;
            }
            self.advance();
        }
        uncovered
    }
}

/// Returns how many of the places `start + step`, `start + 2 × step`, … come before the first one that is less than
/// `below`, modulo `modulus`; [`NEVER`] if none is.
///
/// The problem: find the least multiple of `step` that lies in a range, modulo `modulus`. If the least multiple that
/// reaches the range lies in it, it is found. Otherwise a multiple of `modulus`, some *laps*, has to be added to the
/// range until it contains a multiple of `step`. To find the least number of laps is the same problem modulo `step`, as
/// in Euclid's algorithm. For example, among 3, 6, 9, 12, … modulo 7 the first number in 4 to 5 is 12, which is 5.
fn steps_before(start: u64, step: u64, modulus: u64, below: u64) -> u64 {
    let next = (start + step) % modulus;
    if next < below {
        return 0;
    }
    let least = modulus - next;
    first_multiple(step, modulus, [least, least + below - 1]).unwrap_or(NEVER)
}

/// Returns the least n with `step` × n in a range modulo `modulus`; `None` if there is none. The range is not empty, and
/// lies between 1 and `modulus` - 1; `step` is less than `modulus`.
fn first_multiple(step: u64, modulus: u64, [least, most]: [u64; 2]) -> Option<u64> {
    if step == 0 {
        return None;
    }
    if step > modulus / 2 {
        // Count downwards.
        return first_multiple(modulus - step, modulus, [modulus - most, modulus - least]);
    }
    let reaching = least.div_ceil(step);
    if step * reaching <= most {
        return Some(reaching);
    }
    let laps = first_multiple((step - modulus % step) % step, step, [least % step, most % step])?;
    Some((least + modulus * laps).div_ceil(step))
}

/// Cursors on several covers of the same line.
pub(super) struct Sweeps<'a>(Vec<Sweep<'a>>);

impl<'a> Sweeps<'a> {
    pub(super) fn new(covers: &'a [Cover]) -> Result<Self, GenerateError> {
        let mut sweeps = Vec::new();
        sweeps.grow_by(covers.iter().map(Cover::sweep))?;
        Ok(Self(sweeps))
    }

    /// Returns the first place from `from` on that no cover covers, or [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_uncovered(&mut self, from: u64) -> u64 {
        self.first_uncovered_before(from, NEVER)
    }

    /// Returns the first place from `from` on that no cover covers, or a place from `end` on if there is none before
    /// `end`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn first_uncovered_before(&mut self, from: u64, end: u64) -> u64 {
        if let [sweep] = &mut self.0[..] {
            return sweep.first_uncovered(from, end);
        }
        let mut uncovered = from;
        loop {
            let before = uncovered;
            for sweep in &mut self.0 {
                uncovered = sweep.first_uncovered(uncovered, end);
            }
            if uncovered == before {
                return uncovered;
            }
        }
    }

    /// If the next uncovered place is `step` places after the last one, returns how often this step repeats
    /// afterwards. Looks for the next place among the `window` places from `from` on.
    pub(super) fn repeats(&mut self, from: u64, window: u64, step: u64) -> u64 {
        let mut repeats = NEVER;
        for sweep in &mut self.0 {
            sweep.pass(from);
            if repeats > 0 {
                repeats = repeats.min(sweep.repeats(from, window, step));
            }
        }
        repeats
    }

    /// Returns the first place after an uncovered one that is covered again, or [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn next_start(&self) -> u64 {
        self.0.iter().map(|sweep| sweep.start).min().unwrap_or(NEVER)
    }
}

/// Returns the place from which on only the tails of the covers matter.
pub(super) fn settled_from(covers: &[Cover]) -> u64 {
    covers.iter().map(Cover::settled_from).max().unwrap_or(0)
}

/// Returns the runs of covered places that begin before `end`.
pub(super) fn covered_before(
    covers: &[Cover],
    end: u64,
    cancel_check: &mut CancelCheck,
) -> Result<OutcomeLineBuilder, GenerateError> {
    let mut sweeps = Sweeps::new(covers)?;
    let mut line = OutcomeLineBuilder::new(false);
    let mut uncovered = sweeps.first_uncovered_before(0, end);
    if uncovered > 0 {
        line.push(0, uncovered)?;
    }
    while uncovered < end {
        cancel_check.spend(4 * covers.len())?;
        let start = sweeps.next_start();
        if start >= end {
            break;
        }
        uncovered = sweeps.first_uncovered_before(start, end);
        line.push(start, uncovered)?;
    }
    Ok(line)
}

/// Returns the tail of the union, or `None` if the union must be computed run by run.
pub(super) fn union_of_tails(covers: &[Cover]) -> Option<Tail> {
    let mut union = Tail::Constant(false);
    let mut is_known = true;
    for cover in covers {
        match (cover.tail(), &union) {
            (Some(tail @ Tail::Constant(true)), _) => return Some(tail),
            (Some(Tail::Constant(false)), _) => {}
            (Some(tail), Tail::Constant(false)) => union = tail,
            _ => is_known = false,
        }
    }
    is_known.then_some(union)
}

/// Returns the lost places: from place 1 on, the uncovered ones. Place 0 is the end of the game, and lost if
/// `first_is_lost`.
pub(super) fn lost_places(covered: &OutcomeLine, first_is_lost: bool) -> Result<OutcomeLine, GenerateError> {
    // Invert all places, then set place 0.
    let mut head = room(covered.head.len() as u64 + 2)?;
    head.extend_from_slice(&covered.head);
    if covered.from > 0 {
        toggle_change(&mut head, 0);
    }
    let tail = match &covered.tail {
        Tail::Constant(lost) => Tail::Constant(!lost),
        Tail::Marks(marks) => Tail::Marks(ShiftedMarks { is_lost: !marks.is_lost, ..marks.clone() }),
    };
    let mut line = OutcomeLine { head, from: covered.from, tail };
    line.set_first(first_is_lost);
    line.trim();
    Ok(line)
}

/// The tails of a line's covers. If two lines have equal keys, the covers of one are those of the other, shifted by a
/// constant, from the place on where only tails matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoverKey(Vec<CoverPart>);

/// The stones of the moves and, if the tail has marks: the list's address, the run, whether covered places are lost,
/// and the shift relative to the first cover that has marks.
type CoverPart = ([u64; 2], Option<(usize, u64, bool, i64)>);

impl CoverKey {
    /// Returns the key, and the shift of the first cover that has marks.
    pub(super) fn of(covers: &[Cover]) -> Result<(Self, Option<i64>), GenerateError> {
        let mut shift_of_first = None;
        let mut key = Vec::new();
        for Cover { line, takes } in covers {
            match &line.tail {
                Tail::Constant(false) => {}
                Tail::Constant(true) => key.grow((*takes, None))?,
                Tail::Marks(ShiftedMarks { list, shift, run, is_lost }) => {
                    let shift = *shift as i64;
                    let first = *shift_of_first.get_or_insert(shift);
                    key.grow((*takes, Some((Arc::as_ptr(list).addr(), *run, *is_lost, shift - first))))?;
                }
            }
        }
        Ok((Self(key), shift_of_first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_into_a_range_is_found() {
        for modulus in 1..40_u64 {
            for (start, step) in (0..modulus).flat_map(|start| (0..modulus).map(move |step| (start, step))) {
                for below in 1..=modulus {
                    let place = |steps: &u64| (start + steps * step) % modulus;
                    let first = (1..=modulus).find(|steps| place(steps) < below);
                    let expected = first.map_or(NEVER, |steps| steps - 1);
                    assert_eq!(steps_before(start, step, modulus, below), expected);
                }
            }
        }
    }
}
