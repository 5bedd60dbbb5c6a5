//! Packs verdict lines (FORMAT.md, section 4.4): staircases, and references to other lines.

use std::collections::HashMap;
use std::sync::Arc;

use super::flights::Flights;
use crate::expanding::depths::verdict_line::{ShiftedRuns, VerdictLine};
use crate::making::GenerateError;
use crate::memory::Grow;

/// The record of a verdict line. Numbers of flights and lines count within the row.
#[derive(Clone, Debug)]
pub(super) struct VerdictRecord {
    /// Number of the first flight of the line's own staircase.
    pub(super) first: u32,
    pub(super) flights: u32,
    /// Number of places that the own staircase has.
    pub(super) own: u32,
    /// Number of the line that answers from place `own` on.
    pub(super) other: u32,
    pub(super) shift: u32,
    pub(super) deeper: u32,
}

/// The packed verdicts of a row.
#[derive(Debug, Default)]
pub(super) struct RowVerdicts {
    pub(super) lines: Vec<VerdictRecord>,
    pub(super) flights: Flights,
}

impl RowVerdicts {
    /// Estimated bytes in memory.
    pub(super) fn bytes(&self) -> usize {
        size_of::<VerdictRecord>() * self.lines.capacity() + self.flights.bytes()
    }
}

/// Packs the distinct lines of a row.
pub(super) fn encode(length: u32, lines: &[&VerdictLine]) -> Result<RowVerdicts, GenerateError> {
    let mut packed = RowVerdicts::default();
    // The whole lines, to which the others refer, by the address of their runs.
    let whole_lines: HashMap<_, u32> = (0..)
        .zip(lines)
        .filter(|(_, line)| line.is_whole())
        .map(|(number, line)| (Arc::as_ptr(&line.tail.runs), number))
        .collect();
    for line in lines {
        let VerdictLine { head, tail_from, tail: ShiftedRuns { runs, shift, deeper } } = line;
        let (own_runs, own, other) = if line.is_whole() {
            (&runs[..], length, 0)
        } else {
            (&head[..], *tail_from, whole_lines[&Arc::as_ptr(runs)])
        };
        let first = packed.flights.count() as u32;
        packed.flights.add_line(own_runs, own)?;
        let flights = packed.flights.count() as u32 - first;
        packed.lines.grow(VerdictRecord { first, flights, own, other, shift: *shift, deeper: *deeper })?;
    }
    packed.flights.finish();
    Ok(packed)
}
