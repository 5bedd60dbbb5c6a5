//! What covers places of a line: a place from which a move leads to a lost position is covered, and what nothing covers is lost.

use std::sync::Arc;

use super::line::{Builder, Line, Marked, Runs, Tail};
use super::marks::{MarksFrom, NEVER};
use crate::GenerateError;
use crate::control::Patience;
use crate::memory::Grow;

/// A line whose lost places cover others: each those from so many stones above it to so many, as many as moves take.
#[derive(Clone, Debug)]
pub(super) struct Cover {
    pub(super) line: Arc<Line>,
    pub(super) by: [u64; 2],
}

impl Cover {
    /// That of moves of just so many stones.
    pub(super) fn just(line: &Arc<Line>, stones: u64) -> Self {
        Self { line: line.clone(), by: [stones; 2] }
    }

    /// That of moves from one to so many stones.
    pub(super) fn up_to(line: &Arc<Line>, stones: u64) -> Self {
        Self { line: line.clone(), by: [1, stones] }
    }

    /// From here on only the line's tail matters.
    fn settled(&self) -> u64 {
        u64::from(self.line.from) + self.by[1]
    }

    fn sweep(&self) -> Sweep<'_> {
        let mut sweep = Sweep { runs: self.line.runs(), by: self.by, start: 0, end: 0 };
        sweep.go_on();
        sweep
    }

    /// What it covers, from where it is settled on. `None` if that is neither constant nor marked.
    fn tail(&self) -> Option<Tail> {
        let [least, most] = self.by;
        let wider = most - least;
        match &self.line.tail {
            Tail::All(lost) => Some(Tail::All(*lost)),
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
            // Between two of them something is lost.
            Tail::Marked(Marked { list, shift, run, lost: false }) if *run < list.least() => {
                let left = u64::from(*run).checked_sub(wider).filter(|&left| left > 0);
                Some(left.map_or(Tail::All(true), |left| {
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

/// A cover on its way along a line.
struct Sweep<'a> {
    runs: Runs<'a>,
    by: [u64; 2],
    /// The places that the present run covers.
    start: u64,
    end: u64,
}

impl Sweep<'_> {
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn go_on(&mut self) {
        let [start, end] = self.runs.next_run();
        // The last place that a run covers is its last one moved by most; NEVER stays so.
        self.start = start.saturating_add(self.by[0]);
        self.end = end.saturating_add(self.by[1]);
    }

    /// The first place from one on that this does not cover.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn first_bare(&mut self, from: u64) -> u64 {
        let mut bare = from;
        while self.start <= bare {
            bare = bare.max(self.end);
            if self.end == NEVER {
                return NEVER;
            }
            self.go_on();
        }
        bare
    }
}

/// Several covers on their way along a line.
pub(super) struct Sweeps<'a>(Vec<Sweep<'a>>);

impl<'a> Sweeps<'a> {
    pub(super) fn new(covers: &'a [Cover]) -> Result<Self, GenerateError> {
        let mut sweeps = Vec::new();
        sweeps.grow_by(covers.iter().map(Cover::sweep))?;
        Ok(Self(sweeps))
    }

    /// The first place from one on that is not covered, or [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_bare(&mut self, from: u64) -> u64 {
        if let [sweep] = &mut self.0[..] {
            return sweep.first_bare(from);
        }
        let mut bare = from;
        loop {
            let before = bare;
            for sweep in &mut self.0 {
                bare = sweep.first_bare(bare);
            }
            if bare == before {
                return bare;
            }
        }
    }

    /// Where, behind a bare place, the next cover begins; or [`NEVER`].
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn next_start(&self) -> u64 {
        self.0.iter().map(|sweep| sweep.start).min().unwrap_or(NEVER)
    }
}

/// Covers of single places, as moves out of a row make them where each line is marks from its beginning on: most of the time goes
/// into these.
pub(super) struct Points(Vec<(MarksFrom, u64)>);

impl Points {
    /// `None` if the covers are not of that kind.
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

    /// The first place from one on that is not covered. Places asked for ascend.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn first_bare(&mut self, from: u64) -> u64 {
        let mut bare = from;
        loop {
            let before = bare;
            for (marks, by) in &mut self.0 {
                while marks.next != NEVER && marks.next + *by < bare {
                    marks.go_on();
                }
                bare += u64::from(marks.next != NEVER && marks.next + *by == bare);
            }
            if bare == before || self.0.len() == 1 {
                // Of one list no two marks are next to each other, as a player can move from one to the other.
                return bare;
            }
        }
    }
}

/// From where on only the tails of covers matter.
pub(super) fn settled(covers: &[Cover]) -> u64 {
    covers.iter().map(Cover::settled).max().unwrap_or(0)
}

/// What covers cover together, along so many places.
pub(super) fn union(covers: &[Cover], length: u64, patience: &mut Patience) -> Result<Line, GenerateError> {
    let mut sweeps = Sweeps::new(covers)?;
    let mut line = Builder::new(false);
    let tail = union_of_tails(covers);
    let from = if tail.is_some() { settled(covers).min(length) } else { length };
    let mut bare = sweeps.first_bare(0);
    if bare > 0 {
        line.push(0, bare)?;
    }
    while bare < from {
        patience.spend(4 * covers.len())?;
        let start = sweeps.next_start();
        if start >= from {
            break;
        }
        bare = sweeps.first_bare(start);
        line.push(start, bare)?;
    }
    let mut line = match tail {
        Some(tail) => line.finish(from, if from < length { tail } else { Tail::All(false) })?,
        None => line.finish_all(length)?,
    };
    line.trim();
    Ok(line)
}

/// The tail of what covers cover together. `None` if it must be found place by place.
fn union_of_tails(covers: &[Cover]) -> Option<Tail> {
    let mut found = Tail::All(false);
    let mut is_known = true;
    for cover in covers {
        match (cover.tail(), &found) {
            (Some(all @ Tail::All(true)), _) => return Some(all),
            (Some(Tail::All(false)), _) => {}
            (Some(tail), Tail::All(false)) => found = tail,
            _ => is_known = false,
        }
    }
    is_known.then_some(found)
}

/// What is not covered from the second place on; of the first, which is where the game ends, it is told whether it is lost.
pub(super) fn bare(covered: &Line, first_is_lost: bool) -> Result<Line, GenerateError> {
    let mut head = Vec::new();
    head.try_reserve_exact(covered.head.len() + 2)?;
    // All is turned over, and then the first place is as it should be.
    match covered.head.split_first() {
        Some((0, others)) => head.extend_from_slice(others),
        _ if covered.from > 0 => {
            head.push(0);
            head.extend_from_slice(&covered.head);
        }
        _ => {}
    }
    let tail = match &covered.tail {
        Tail::All(lost) => Tail::All(!lost),
        Tail::Marked(marked) => Tail::Marked(Marked { lost: !marked.lost, ..marked.clone() }),
    };
    let mut line = Line { head, from: covered.from, tail };
    line.set_first(first_is_lost);
    line.trim();
    Ok(line)
}

/// Covers from where they are settled on, as far as they decide a line: two lines of which these are the same are the same
/// there, shifted by as much as their covers are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key(Vec<OfCover>);

/// The stones of the moves, and of a marked line which list it has, the run and whether marks are lost, and how much further than the
/// first one it is shifted.
type OfCover = ([u64; 2], Option<(usize, u32, bool, i64)>);

impl Key {
    /// The key of covers, and how far the first marked one is shifted.
    pub(super) fn of(covers: &[Cover]) -> Result<(Self, Option<i64>), GenerateError> {
        let mut shift_of_first = None;
        let mut key = Vec::new();
        for Cover { line, by } in covers {
            match &line.tail {
                Tail::All(false) => {}
                Tail::All(true) => key.grow((*by, None))?,
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
