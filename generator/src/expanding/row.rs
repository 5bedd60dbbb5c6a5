//! A row as a solver hands it over: each line by where it changes, so that it takes room for the changes alone,
//! however many stones there are.

use std::collections::HashSet;
use std::sync::Arc;

use super::depths::Stairs;
use super::line::{Line, Tail};

/// A solved row.
#[derive(Clone, Debug)]
pub(super) struct SolvedRow {
    /// Number of the row.
    pub(super) row: usize,
    /// Which positions of each line are lost, by the numbers of lines.
    pub(super) outcomes: Vec<Arc<Line>>,
    /// The verdicts of each line. There are none without depths.
    pub(super) verdicts: Vec<Arc<Stairs>>,
}

impl SolvedRow {
    /// Bytes that it takes, about: those of marks for the lines that they are of in the first place.
    pub(super) fn bytes(&self) -> usize {
        let outcomes = self.outcomes.iter().map(|line| match &line.tail {
            Tail::Marked(marked) if marked.shift == 0 && marked.run == 1 => {
                line.bytes() + marked.list.bytes()
            }
            _ => line.bytes(),
        });
        let mut counted = HashSet::new();
        let verdicts = self.verdicts.iter().filter(|line| counted.insert(line.identity()));
        outcomes.sum::<usize>() + verdicts.map(|line| line.bytes()).sum::<usize>()
    }
}

/// Numbers of stones that follow each other on a line, with the same verdict but for the stones taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Run {
    /// The first one. The run ends where the next begins.
    pub(super) start: u32,
    /// Plies to the end.
    pub(super) depth: u32,
    /// Stones that the best move takes at the start; 0 if there is no move.
    pub(super) take: u32,
    /// Whether the best move takes one more for each further stone, or as many from each.
    pub(super) advance: bool,
    /// Whether it imposes a reset.
    pub(super) reset: bool,
}

impl Run {
    /// Stones that the best move takes at a place of the run.
    #[inline(always)]
    pub(super) fn take_at(&self, place: u32) -> u32 {
        if self.advance { self.take + (place - self.start) } else { self.take }
    }
}
