//! Covers. A lost position covers every position from which a move leads to it: those are won. A position that no lost
//! position covers is lost.
//!
//! For example, with moves of 1 to 3 stones a lost place 4 covers the places 5, 6 and 7. If nothing else covers place
//! 8, place 8 is lost.

use std::sync::Arc;

use super::marks::{MarkCursor, NEVER};
use super::outcome_line::{Marked, OutcomeLine, OutcomeLineBuilder, Runs, Tail};
use crate::GenerateError;
use crate::control::CancelCheck;
use crate::memory::Grow;

/// A line of targets, together with the moves that lead there: a lost place y covers the places from y + `by[0]` to y +
/// `by[1]` of the line that is being solved.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) line: Arc<OutcomeLine>,
    pub(super) by: [u64; 2],
}

impl Cover {
    /// The cover by moves of exactly `stones` stones.
    pub(super) fn just(line: &Arc<OutcomeLine>, stones: u64) -> Self {
        Self { line: line.clone(), by: [stones; 2] }
    }

    /// The cover by moves of 1 to `stones` stones.
    pub(super) fn up_to(line: &Arc<OutcomeLine>, stones: u64) -> Self {
        Self { line: line.clone(), by: [1, stones] }
    }

    /// From this place on, the cover depends only on the tail of `line`.
    fn settled(&self) -> u64 {
        u64::from(self.line.from) + self.by[1]
    }

    fn sweep(&self) -> Sweep<'_> {
        let mut sweep = Sweep { runs: self.line.runs(), by: self.by, start: 0, end: 0 };
        sweep.advance();
        sweep
    }

    /// Returns the covered places from [`settled`](Self::settled) on, or `None` if they are neither constant nor given
    /// by marks.
    fn tail(&self) -> Option<Tail> {
        let [least, most] = self.by;
        let wider = most - least;
        match &self.line.tail {
            Tail::Constant(lost) => Some(Tail::Constant(*lost)),
            Tail::Marked(Marked { list, shift, run, lost: true }) => {
                let run = u64::from(*run) + wider;
                (run <= list.least().into()).then(|| {
                    Tail::Marked(Marked {
                        list: list.clone(),
                        shift: shift + least as u32,
                        run: run as u32,
                        lost: true,
                    })
                })
            }
            // Between two marks there is a lost place.
            Tail::Marked(Marked { list, shift, run, lost: false }) if *run < list.least() => {
                let left = u64::from(*run).checked_sub(wider).filter(|&left| left > 0);
                Some(left.map_or(Tail::Constant(true), |left| {
                    Tail::Marked(Marked {
                        list: list.clone(),
                        shift: shift + most as u32,
                        run: left as u32,
                        lost: false,
                    })
                }))
            }
            Tail::Marked(_) => None,
        }
    }
}

/// A cursor that moves a cover's runs along the line that is being solved.
struct Sweep<'a> {
    runs: Runs<'a>,
    by: [u64; 2],
    /// The places that the current run covers.
    start: u64,
    end: u64,
}

impl Sweep<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn advance(&mut self) {
        let [start, end] = self.runs.next_run();
        // A run's last place, moved by the most stones, is the last place that it covers. `NEVER` stays `NEVER`.
        self.start = start.saturating_add(self.by[0]);
        self.end = end.saturating_add(self.by[1]);
    }

    /// Returns the first place from `from` on that this cover leaves uncovered.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn first_uncovered(&mut self, from: u64) -> u64 {
        let mut uncovered = from;
        while self.start <= uncovered {
            uncovered = uncovered.max(self.end);
            if self.end == NEVER {
                return NEVER;
            }
            self.advance();
        }
        uncovered
    }
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
        if let [sweep] = &mut self.0[..] {
            return sweep.first_uncovered(from);
        }
        let mut uncovered = from;
        loop {
            let before = uncovered;
            for sweep in &mut self.0 {
                uncovered = sweep.first_uncovered(uncovered);
            }
            if uncovered == before {
                return uncovered;
            }
        }
    }

    /// Returns where the next cover begins after an uncovered place, or [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn next_start(&self) -> u64 {
        self.0.iter().map(|sweep| sweep.start).min().unwrap_or(NEVER)
    }
}

/// The special case of covers that are marks from the beginning on, each covering single places. Moves out of a row are
/// mostly of this kind, and take most of the time.
pub(super) struct PointSweeps(Vec<(MarkCursor, u64)>);

impl PointSweeps {
    /// Returns `None` if a cover is of another kind.
    pub(super) fn new(covers: &[Cover]) -> Result<Option<Self>, GenerateError> {
        let mut points = Vec::new();
        for Cover { line, by } in covers {
            match &line.tail {
                Tail::Marked(Marked { list, shift, run: 1, lost: true })
                    if line.from == 0 && by[0] == by[1] =>
                {
                    points.grow((list.iter(), u64::from(*shift) + by[0]))?;
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(Self(points)))
    }

    /// Returns the first uncovered place from `from` on. `from` must not decrease from call to call.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_uncovered(&mut self, from: u64) -> u64 {
        let mut uncovered = from;
        loop {
            let before = uncovered;
            for (marks, by) in &mut self.0 {
                while marks.next != NEVER && marks.next + *by < uncovered {
                    marks.advance();
                }
                uncovered += u64::from(marks.next != NEVER && marks.next + *by == uncovered);
            }
            if uncovered == before || self.0.len() == 1 {
                // Marks of one list are never adjacent, as a move of one stone would lead from one lost place to the
                // other.
                return uncovered;
            }
        }
    }
}

/// Returns the place from which on only the tails of the covers matter.
pub(super) fn settled(covers: &[Cover]) -> u64 {
    covers.iter().map(Cover::settled).max().unwrap_or(0)
}

/// Returns the places below `length` that any cover covers.
pub(super) fn union(
    covers: &[Cover],
    length: u64,
    patience: &mut CancelCheck,
) -> Result<OutcomeLine, GenerateError> {
    let mut sweeps = Sweeps::new(covers)?;
    let mut line = OutcomeLineBuilder::new(false);
    let tail = union_of_tails(covers);
    let from = if tail.is_some() { settled(covers).min(length) } else { length };
    let mut uncovered = sweeps.first_uncovered(0);
    if uncovered > 0 {
        line.push(0, uncovered)?;
    }
    while uncovered < from {
        patience.spend(4 * covers.len())?;
        let start = sweeps.next_start();
        if start >= from {
            break;
        }
        uncovered = sweeps.first_uncovered(start);
        line.push(start, uncovered)?;
    }
    let mut line = match tail {
        Some(tail) => line.finish(from, if from < length { tail } else { Tail::Constant(false) })?,
        None => line.finish_all(length)?,
    };
    line.trim();
    Ok(line)
}

/// Returns the tail of the union, or `None` if the union must be computed place by place.
fn union_of_tails(covers: &[Cover]) -> Option<Tail> {
    let mut found = Tail::Constant(false);
    let mut is_known = true;
    for cover in covers {
        match (cover.tail(), &found) {
            (Some(all @ Tail::Constant(true)), _) => return Some(all),
            (Some(Tail::Constant(false)), _) => {}
            (Some(tail), Tail::Constant(false)) => found = tail,
            _ => is_known = false,
        }
    }
    is_known.then_some(found)
}

/// Returns the uncovered places, from place 1 on. Place 0 is the end of the game, and `first_is_lost` says whether it
/// is lost.
pub(super) fn uncovered(covered: &OutcomeLine, first_is_lost: bool) -> Result<OutcomeLine, GenerateError> {
    let mut head = Vec::new();
    head.try_reserve_exact(covered.head.len() + 2)?;
    // Invert all places, then set place 0.
    match covered.head.split_first() {
        Some((0, others)) => head.extend_from_slice(others),
        _ if covered.from > 0 => {
            head.push(0);
            head.extend_from_slice(&covered.head);
        }
        _ => {}
    }
    let tail = match &covered.tail {
        Tail::Constant(lost) => Tail::Constant(!lost),
        Tail::Marked(marked) => Tail::Marked(Marked { lost: !marked.lost, ..marked.clone() }),
    };
    let mut line = OutcomeLine { head, from: covered.from, tail };
    line.set_first(first_is_lost);
    line.trim();
    Ok(line)
}

/// The covers of a line, as far as they matter once they are settled. Two lines with equal keys are the same there,
/// except that one is shifted against the other by the difference of their covers' shifts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoverKey(Vec<CoverPart>);

/// The stones of the moves and, if the tail has marks: the list's address, the run, whether covered places are lost,
/// and the shift relative to the first cover that has marks.
type CoverPart = ([u64; 2], Option<(usize, u32, bool, i64)>);

impl CoverKey {
    /// Returns the key, and the shift of the first cover that has marks.
    pub(super) fn of(covers: &[Cover]) -> Result<(Self, Option<i64>), GenerateError> {
        let mut shift_of_first = None;
        let mut key = Vec::new();
        for Cover { line, by } in covers {
            match &line.tail {
                Tail::Constant(false) => {}
                Tail::Constant(true) => key.grow((*by, None))?,
                Tail::Marked(Marked { list, shift, run, lost }) => {
                    let shift = i64::from(*shift);
                    let first = *shift_of_first.get_or_insert(shift);
                    key.grow((*by, Some((Arc::as_ptr(list).addr(), *run, *lost, shift - first))))?;
                }
            }
        }
        Ok((Self(key), shift_of_first))
    }
}
