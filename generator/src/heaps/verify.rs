//! Proof of a heap table: every position follows from its successors, as the plain rules enumerate them.
//!
//! Nothing here is shared with the solvers but the numbering of positions. As every move takes a stone or a
//! pass, a table in which this holds everywhere is right everywhere.

use bouton_tables::heaps::{HeapTable, Position, Ranks};
use bouton_tables::{AskError, Header, Outcome, Solved, Verdict};
use rayon::prelude::*;

use crate::verify::check_position;
use crate::{Counts, Progress, VerifyError};

/// Positions that one thread looks at in one go.
const CHUNK: u64 = 1024;

/// A verdict in four bytes.
#[derive(Clone, Copy)]
pub(super) struct Compact(u32);

impl Compact {
    fn new(verdict: Verdict) -> Self {
        // The reader refuses depths above 2^30, so that there is room for the other two bits.
        let depth = verdict.depth.map_or(0, |depth| depth + 1);
        Self(depth << 1 | u32::from(verdict.outcome == Outcome::Win))
    }

    fn verdict(self) -> Verdict {
        Verdict { outcome: Outcome::from_won(self.0 & 1 == 1), depth: (self.0 >> 1).checked_sub(1) }
    }
}

/// Checks every position of a table, through the table's public reader. Progress is counted in positions.
///
/// # Errors
/// Names the first position that is wrong, in the order of the check; or tells that the table is damaged.
pub fn verify<D: AsRef<[u8]> + Sync>(
    table: &HeapTable<D>,
    header: &Header,
    progress: &Progress,
) -> Result<Counts, VerifyError> {
    let rules = table.game();
    // Before room is made for them. No table has the greatest number, which stands for all that are greater.
    let positions = rules.positions();
    if positions != header.positions || positions == u64::MAX {
        let or_more = if positions == u64::MAX { " or more" } else { "" };
        return Err(VerifyError::Miscounted {
            stated: format!("{} positions", header.positions),
            counted: format!("{positions}{or_more}"),
        });
    }
    let ranks = Ranks::new(rules.bounds());
    let mut counts = Counts::default();
    let mut passed: Option<Vec<Compact>> = None;
    for passes in 0..=rules.passes() {
        let verdict = |position: &Position| table.verdict(position).map(Compact::new);
        let verdicts: Vec<Compact> = in_chunks(&ranks, passes)
            .flat_map_iter(|positions| positions.map(|position| verdict(&position)))
            .collect::<Result<_, AskError>>()?;
        let after = |next: &Position| {
            let layer = if next.passes == passes { Some(&verdicts) } else { passed.as_ref() };
            layer.map_or_else(|| unreachable!("no pass is left"), |layer| layer[rank(&ranks, next)].verdict())
        };
        let check = |positions: Chunk| -> Result<Counts, VerifyError> {
            let mut counts = Counts::default();
            for position in positions {
                let answer = table.answer(&position)?;
                check_position(table, &position, &answer, after)?;
                counts.add(&answer.verdict, true);
                progress(1);
            }
            Ok(counts)
        };
        let layer = in_chunks(&ranks, passes).map(check).try_reduce(Counts::default, |a, b| Ok(a.and(b)))?;
        counts = counts.and(layer);
        passed = Some(verdicts);
    }
    counts.agree_with(header)?;
    Ok(counts)
}

fn rank(ranks: &Ranks, position: &Position) -> usize {
    ranks.rank(&position.heaps.descending()) as usize
}

/// Some positions that follow each other.
struct Chunk<'a> {
    ranks: &'a Ranks,
    next: Position,
    left: u64,
}

impl Iterator for Chunk<'_> {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        self.left = self.left.checked_sub(1)?;
        let position = self.next;
        self.ranks.advance(&mut self.next.heaps);
        Some(position)
    }
}

/// All positions with so many passes left, by rank.
fn in_chunks(ranks: &Ranks, passes: u8) -> impl IndexedParallelIterator<Item = Chunk<'_>> {
    let chunks = ranks.count().div_ceil(CHUNK);
    (0..chunks as usize).into_par_iter().map(move |chunk| {
        let first = chunk as u64 * CHUNK;
        let next = Position { heaps: ranks.unrank(first), passes };
        Chunk { ranks, next, left: CHUNK.min(ranks.count() - first) }
    })
}
