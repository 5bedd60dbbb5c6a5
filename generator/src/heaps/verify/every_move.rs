//! The proof of a table move by move: compares the answer for each position with the verdicts of all its successors, as
//! the plain rules enumerate them. This is the slowest proof, and the simplest one.
//!
//! Problem: each move needs the verdict of its successor, and looking all of these up takes long. Idea: a first pass
//! stores the verdicts of the first positions in the natural order, as many as fit into memory. Moves lead to earlier
//! positions, so these are needed most. The proof looks the other verdicts up when it needs them.
//!
//! Cost: two lookups for each position, and a step for each move, or a lookup if the verdict is not stored. A stored
//! verdict takes 4 bytes. Example: in Nim with two heaps of up to 2, the first three positions are 0,0, 1,0 and 1,1. If
//! there is memory for three verdicts, those that 2,0 needs are stored, and 2,2 needs lookups of 2,0 and 2,1.

use bouton_tables::heaps::{HeapRegion, HeapRules, HeapTable, Position, Ranks};
use bouton_tables::{AskError, Game, Region, Solved, Verdict};

use crate::control::{Control, check_cancelled};
use crate::making::GenerateError;
use crate::memory::{filled, len};
use crate::parallel;
use crate::proof::{CompactVerdict, Counts, VerifyError, check_position};

/// Positions that a thread checks at a time.
const CHUNK: usize = 64;

/// Returns the bytes of the proof without stored verdicts.
pub(super) fn least_bytes(rules: &HeapRules) -> u128 {
    Ranks::bytes(rules.bounds())
}

/// A table, and the verdicts of its first positions.
struct EveryMove<'a> {
    table: &'a HeapTable,
    region: HeapRegion,
    /// Verdicts by index.
    stored: Vec<CompactVerdict>,
    control: &'a dyn Control,
}

/// Checks and counts all positions, and stores verdicts in up to `room` bytes. A step of progress is a position.
///
/// # Errors
/// Names the first wrong position by rank. Also if the table contradicts itself, an allocation fails, or `control`
/// cancels.
pub(super) fn check(table: &HeapTable, room: u64, control: &dyn Control) -> Result<Counts, VerifyError> {
    let region = table.game().region().map_err(GenerateError::from)?;
    let chunks = len(region.count().div_ceil(CHUNK as u64))?;
    let mut proof = EveryMove { table, region, stored: Vec::new(), control };
    proof.stored = proof.first_verdicts(room / size_of::<CompactVerdict>() as u64)?;
    parallel::reduce(chunks, |chunk| proof.check_chunk(chunk), |a, b| Ok(a.and(b)))
}

impl EveryMove<'_> {
    /// Returns the positions of a chunk.
    fn positions(&self, chunk: usize) -> impl Iterator<Item = Position> {
        let positions = self.region.walk((chunk * CHUNK) as u64).take(CHUNK);
        positions.map(|Position { heaps, passes }| Position { heaps: heaps.descending(), passes })
    }

    /// Returns the verdicts of the first positions, at most `most`.
    fn first_verdicts(&self, most: u64) -> Result<Vec<CompactVerdict>, VerifyError> {
        let mut verdicts = filled(self.region.count().min(most), CompactVerdict::UNKNOWN)?;
        parallel::chunks(&mut verdicts, CHUNK, |chunk, verdicts| {
            check_cancelled(self.control)?;
            for (verdict, position) in verdicts.iter_mut().zip(self.positions(chunk)) {
                // If the table has no verdict, the check fails at this position, unless an earlier one is wrong.
                if let Ok(found) = self.table.verdict(&position) {
                    *verdict = CompactVerdict::new(found);
                }
            }
            Ok::<_, VerifyError>(())
        })?;
        Ok(verdicts)
    }

    fn verdict(&self, position: &Position) -> Result<Verdict, AskError> {
        let index = usize::try_from(self.region.index_of(position));
        match index.ok().and_then(|index| self.stored.get(index)) {
            Some(&stored) if stored != CompactVerdict::UNKNOWN => Ok(stored.verdict()),
            _ => self.table.verdict(position),
        }
    }

    fn check_chunk(&self, chunk: usize) -> Result<Counts, VerifyError> {
        let mut counts = Counts::default();
        for position in self.positions(chunk) {
            check_cancelled(self.control)?;
            let (answer, own) = (self.table.answer(&position)?, self.verdict(&position)?);
            check_position(self.table, &position, &answer, own, |next| self.verdict(next))?;
            counts.add(&answer.verdict, 1);
        }
        self.control.advance(counts.positions);
        Ok(counts)
    }
}
