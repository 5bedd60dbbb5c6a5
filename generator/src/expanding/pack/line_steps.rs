//! The steps of a verdict line, from its runs.
//!
//! Another move may interrupt a step at a single place. For example, at 316 stones the best move leaves 315, and from 317 to 378
//! it leaves 316, except at 320, where another move wins sooner. These four runs are three steps: 316; 317 to 378; and the
//! *single* step 320.

use crate::expanding::run::Run;
use crate::making::GenerateError;
use crate::memory::room;

/// Maximum number of adjacent single steps. A flight cannot begin with a single step, so more of them than fit into a round
/// could not be packed.
pub(super) const MAX_SINGLES: usize = 6;

/// The steps of a staircase.
pub(super) struct LineSteps {
    pub(super) steps: Vec<LineStep>,
    /// The place after the last step.
    end: u32,
}

/// A step of a staircase.
#[derive(Clone, Copy)]
pub(super) struct LineStep {
    pub(super) start: u32,
    pub(super) depth: u32,
    pub(super) reset: bool,
    pub(super) takes: Takes,
    /// The step has a single place, after which the last step that is not single continues.
    pub(super) single: bool,
}

/// The field `take` of a step, for each way to store the takes; `None` if this way is impossible. For a single place both are
/// possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Takes {
    /// The same take at all places.
    pub(super) constant: Option<u32>,
    /// One more stone at each further place.
    pub(super) advance: Option<u32>,
}

impl Takes {
    /// Returns the takes of a run that belongs to a step, `offset` places after the step's start.
    fn of(run: &Run, has_one_place: bool, offset: u32) -> Self {
        Self {
            constant: (!run.advance || has_one_place).then_some(run.take),
            advance: run.take.checked_sub(offset).filter(|_| run.advance || has_one_place),
        }
    }

    /// Returns the ways that are possible for both; `None` if there is none.
    pub(super) fn and(self, other: Self) -> Option<Self> {
        let both = |one: Option<u32>, other: Option<u32>| one.filter(|_| one == other);
        let takes = Self {
            constant: both(self.constant, other.constant),
            advance: both(self.advance, other.advance),
        };
        (takes != Self::default()).then_some(takes)
    }
}

impl LineSteps {
    /// Returns the steps of runs. The last run ends at `end`.
    pub(super) fn of(runs: &[Run], end: u32) -> Result<Self, GenerateError> {
        let mut line = Self { steps: room(runs.len() as u64)?, end };
        let end_of = |run: usize| runs.get(run + 1).map_or(end, |next| next.start);
        // Index of the last step that is not single, and number of the steps after it.
        let (mut continued, mut singles) = (0, 0);
        let mut index = 0;
        while index < runs.len() {
            let run = &runs[index];
            let has_one_place = end_of(index) - run.start == 1;
            let mut step = LineStep {
                start: run.start,
                depth: run.depth,
                reset: run.reset,
                takes: Takes::of(run, has_one_place, 0),
                single: false,
            };
            let takes_after = |before: &LineStep| {
                let next = runs.get(index + 1).filter(|_| has_one_place && singles < MAX_SINGLES)?;
                let takes = Takes::of(next, end_of(index + 1) - next.start == 1, next.start - before.start);
                let is_same = next.depth == before.depth && next.reset == before.reset;
                before.takes.and(takes).filter(|_| is_same)
            };
            match line.steps.get(continued).and_then(takes_after) {
                Some(takes) => {
                    line.steps[continued].takes = takes;
                    step.single = true;
                    step.takes.advance = None;
                    singles += 1;
                    // The next run is part of the step that continues.
                    index += 2;
                }
                None => {
                    (continued, singles) = (line.steps.len(), 0);
                    index += 1;
                }
            }
            line.steps.push(step);
        }
        Ok(line)
    }

    /// Returns the place where a step begins, or the end after the last step.
    pub(super) fn start(&self, step: usize) -> i64 {
        self.steps.get(step).map_or(self.end, |step| step.start).into()
    }

    /// Returns whether a flight may begin with a step, or end with the line.
    pub(super) fn may_begin(&self, step: usize) -> bool {
        self.steps.get(step).is_none_or(|step| !step.single)
    }
}
