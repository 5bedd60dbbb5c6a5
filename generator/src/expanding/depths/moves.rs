//! The best move at each place of a line, from run to run.

use std::collections::VecDeque;

use bouton_tables::expanding::Expanding;
use bouton_tables::{Game, Outcome};

use super::stairs::{Builder, Cursor, Other, Stairs};
use super::twins::{Cover, Twin};
use crate::GenerateError;
use crate::control::Patience;
use crate::expanding::marks::NEVER;
use crate::expanding::row::Run;

/// How good it is to move to a position of some depth.
#[derive(Clone, Copy)]
pub(super) struct Scores {
    /// One more than the greatest depth.
    beyond: i64,
    /// Whether a player without stones to take has lost: positions of even depth are lost then.
    end_is_lost: bool,
}

impl Scores {
    pub(super) fn new(rules: &Expanding) -> Self {
        let end_is_lost = rules.outcome_without_moves() == Outcome::Loss;
        Self { beyond: i64::from(rules.stones()) + 2, end_is_lost }
    }

    /// More for a lost position than for a won one; for a lost one more, the sooner it ends, and for a won one, the later.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn of(self, depth: u32) -> i64 {
        let is_lost = depth.is_multiple_of(2) == self.end_is_lost;
        if is_lost { self.beyond - i64::from(depth) } else { i64::from(depth) - self.beyond }
    }
}

/// A position to which a move leads.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Arrival {
    score: i64,
    depth: u32,
    reset: bool,
}

/// Places behind a window's end that are better than all nearer ones: the farthest first.
struct Window {
    width: u64,
    best: VecDeque<(Arrival, u64)>,
}

impl Window {
    fn new(width: u64) -> Self {
        Self { width, best: VecDeque::new() }
    }

    /// The best place that a move from some place reaches: what is there, and one more than the last place where it is.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn best(&mut self, place: u64) -> Option<(Arrival, u64)> {
        while let Some(&(_, end)) = self.best.front()
            && end + self.width <= place
        {
            self.best.pop_front();
        }
        self.best.front().copied()
    }

    /// Takes what is at the places from one to another.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn push(&mut self, arrival: Arrival, start: u64, end: u64) -> Result<(), GenerateError> {
        if self.width == 0 {
            return Ok(());
        }
        // Of two places that are as good, the nearer one takes fewer stones, and is in reach longer.
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

/// Where the positions are to which moves within the row lead.
pub(super) enum Within<'a> {
    /// On a line that is known.
    Known(Cursor<'a>),
    /// On the line that is solved at the same time, or on this one, if a move with a reset does not lead to a better place.
    Solved(Option<Cursor<'a>>),
}

/// A line as it is solved.
pub(super) struct Side<'a> {
    window: Window,
    within: Within<'a>,
    /// Where moves lead that leave the row: of those that are as good, the first is preferred.
    leaving: Vec<(Cursor<'a>, Option<u32>)>,
    found: Builder,
    twin: Option<Matching>,
}

/// A line next to its twin.
struct Matching {
    twin: Other,
    /// Up to here they may differ.
    differ: u64,
    /// The twin's run at the place that was compared last.
    run: usize,
}

impl Matching {
    /// Notes a depth from one place to another.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn compare(&mut self, depth: u32, start: u64, end: u64) {
        let Other { runs, shift, deeper } = &self.twin;
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

/// The best move from a place on.
#[derive(Clone, Copy)]
struct Choice {
    run: Run,
    score: i64,
    until: u64,
    /// Whether it leads to the place just below, which goes on so.
    is_next: bool,
}

impl<'a> Side<'a> {
    /// A line where moves that take up to `stay` stones stay within the row.
    pub(super) fn new(
        stay: u64,
        within: Within<'a>,
        leaving: &'a [Cover],
        twin: Option<(Other, u64)>,
    ) -> Self {
        Self {
            window: Window::new(stay),
            within,
            leaving: leaving.iter().map(|cover| (Cursor::new(&cover.stairs, cover.by), cover.take)).collect(),
            found: Builder::default(),
            twin: twin.map(|(twin, settled)| Matching { twin, differ: settled, run: 0 }),
        }
    }

    /// All runs found.
    pub(super) fn finish(self) -> Vec<Run> {
        self.found.finish()
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn choose(&mut self, scores: Scores, place: u64) -> Choice {
        let start = place as u32;
        let none = Run { start, depth: 0, take: 0, advance: false, reset: false };
        let mut choice = Choice { run: none, score: i64::MIN, until: NEVER, is_next: false };
        if place == 0 {
            return Choice { until: 1, ..choice };
        }
        if let Some((Arrival { score, depth, reset }, end)) = self.window.best(place) {
            let is_next = end == place;
            let take = (place - (end - 1)) as u32;
            choice = Choice {
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
                    choice = Choice { run, score, until: NEVER, is_next: false };
                }
            }
            until = until.min(cursor.end);
        }
        choice.until = choice.until.min(until);
        choice
    }

    /// Whether the best move changes if this is just below the next place.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn changes(&self, choice: &Choice, arrival: Arrival) -> bool {
        if self.window.width == 0 {
            return false;
        }
        if choice.is_next {
            return self.window.best.front().is_none_or(|(before, _)| *before != arrival);
        }
        arrival.score >= choice.score
    }
}

/// Solves one line, or two of which each is where the other's moves lead, up to a place. If they become their twins before, tells
/// from where on.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn solve<const N: usize>(
    scores: Scores,
    sides: &mut [Side<'_>; N],
    end: u64,
    patience: &mut Patience,
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
                Within::Known(cursor) => {
                    let run = cursor.at(place).expect("a line begins at 0");
                    until = until.min(cursor.end);
                    Arrival { score: scores.of(run.depth), depth: run.depth, reset: run.reset }
                }
                Within::Solved(imposed) => {
                    // Of one line or two, the other.
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

/// The twins of two lines, one by one.
pub(super) fn each_twin<const N: usize>(twin: Option<&Twin<N>>) -> [Option<(Other, u64)>; N] {
    std::array::from_fn(|i| twin.map(|twin| (twin.others[i].clone(), twin.settled)))
}

/// Where it is good to arrive up to a place: on a line, or with a reset on another one where that is better.
pub(super) fn arrivals(
    scores: Scores,
    plain: &Stairs,
    imposed: Option<&Stairs>,
    end: u64,
    patience: &mut Patience,
) -> Result<Vec<Run>, GenerateError> {
    let (mut plain, mut imposed) = (Cursor::new(plain, 0), imposed.map(|line| Cursor::new(line, 0)));
    let mut found = Builder::default();
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

/// The better of two lines at each place from where the first begins to `end`, and of what is as good, the first.
pub(super) fn best_of(
    scores: Scores,
    covers: [&Cover; 2],
    end: u64,
    patience: &mut Patience,
) -> Result<Vec<Run>, GenerateError> {
    let mut cursors = covers.map(|cover| (Cursor::new(&cover.stairs, cover.by), cover.take));
    let mut found = Builder::default();
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
