//! Proof of a heap table: every position follows from its successors, as the plain rules enumerate them.
//!
//! Nothing here is shared with the solvers but the numbering of positions. As every move takes a stone or a pass, a
//! table in which this holds everywhere is right everywhere.

use bouton_tables::heaps::{Heap, HeapRules, HeapTable, Move, Position, Ranks, Take};
use bouton_tables::{AskError, Header, Outcome, Play, Solved, Verdict};

use crate::memory::filled;
use crate::proof::{Counts, PlainRules, Provable, VerifyError, check_position};
use crate::{GenerateError, Progress, parallel};

/// Positions that one thread looks at in one go.
const CHUNK: usize = 1024;

/// A move that is begun: what is taken so far, and what that leaves.
#[derive(Clone, Copy)]
struct Begun {
    chosen: Move,
    stones: u64,
    left: Position,
    heaps: usize,
}

/// Calls `visit` with every move that goes on from one that is begun, by taking from rows from `first` on: in lexicographic
/// order of row and take, each move before those that go on from it.
fn each_further(
    rules: &HeapRules,
    begun: &Begun,
    first: usize,
    visit: &mut impl FnMut(Move, u64, &Position),
) {
    for row in first..begun.left.heaps.len() {
        let heap = begun.left.heaps[row];
        let mut take = |take: Heap| {
            let mut next = *begun;
            next.chosen.set(row, take);
            next.stones += u64::from(take);
            next.left.heaps[row] = heap - take;
            next.heaps += 1;
            visit(next.chosen, next.stones, &next.left);
            if next.heaps < rules.heaps_per_move() {
                each_further(rules, &next, row + 1, visit);
            }
        };
        if rules.equal_take() && begun.heaps > 0 {
            let same = begun.stones / begun.heaps as u64;
            if same <= u64::from(heap) {
                take(same as Heap);
            }
            continue;
        }
        match rules.take() {
            Take::Any => (1..=heap).for_each(take),
            Take::UpTo(most) => (1..=heap.min(*most)).for_each(take),
            Take::Exactly(amounts) => amounts.iter().copied().filter(|&amount| amount <= heap).for_each(take),
        }
    }
}

impl PlainRules for HeapRules {
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(Move, u64, &Position)) {
        let begun = Begun { chosen: Move::PASS, stones: 0, left: *position, heaps: 0 };
        each_further(self, &begun, 0, &mut visit);
        if position.passes > 0 && position.heaps.iter().any(|&heap| heap > 0) {
            visit(Move::PASS, 0, &Position { passes: position.passes - 1, ..*position });
        }
    }

    fn play(&self) -> Play {
        HeapRules::play(self)
    }
}

/// A verdict in four bytes.
#[derive(Clone, Copy, Default)]
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

/// Progress is counted in positions.
impl<D: AsRef<[u8]> + Sync> Provable for HeapTable<D> {
    fn verify(&self, header: &Header, progress: &Progress) -> Result<Counts, VerifyError> {
        let rules = self.game();
        // Before room is made for them. No table has the greatest number, which stands for all that are greater.
        let positions = rules.positions();
        if positions != header.positions || positions == u64::MAX {
            let or_more = if positions == u64::MAX { " or more" } else { "" };
            return Err(VerifyError::Miscounted {
                stated: format!("{} positions", header.positions),
                counted: format!("{positions}{or_more}"),
            });
        }
        let ranks = Ranks::try_new(rules.bounds()).map_err(GenerateError::from)?;
        let mut counts = Counts::default();
        let mut passed: Option<Vec<Compact>> = None;
        for passes in 0..=rules.passes() {
            let verdict = |position: &Position| self.verdict(position).map(Compact::new);
            let mut verdicts = filled(ranks.count(), Compact::default())?;
            parallel::chunks(&mut verdicts, CHUNK, |chunk, verdicts| {
                let mut pairs = verdicts.iter_mut().zip(positions_of(&ranks, passes, chunk));
                pairs.try_for_each(|(place, position)| {
                    *place = verdict(&position)?;
                    Ok::<_, AskError>(())
                })
            })?;
            let after = |next: &Position| {
                let layer = if next.passes == passes { Some(&verdicts) } else { passed.as_ref() };
                layer.map_or_else(
                    || unreachable!("no pass is left"),
                    |layer| layer[rank(&ranks, next)].verdict(),
                )
            };
            let check = |chunk| -> Result<Counts, VerifyError> {
                let mut counts = Counts::default();
                for position in positions_of(&ranks, passes, chunk) {
                    let answer = self.answer(&position)?;
                    check_position(self, &position, &answer, after)?;
                    counts.add(&answer.verdict, true);
                    progress(1);
                }
                Ok(counts)
            };
            let chunks = verdicts.len().div_ceil(CHUNK);
            counts = counts.and(parallel::reduce(chunks, check, |a, b| Ok(a.and(b)))?);
            passed = Some(verdicts);
        }
        Ok(counts)
    }
}

fn rank(ranks: &Ranks, position: &Position) -> usize {
    ranks.rank(&position.heaps.descending()) as usize
}

/// The positions of a chunk, by rank, with so many passes left.
fn positions_of(ranks: &Ranks, passes: u8, chunk: usize) -> impl Iterator<Item = Position> {
    let first = (chunk * CHUNK) as u64;
    let mut next = Position { heaps: ranks.unrank(first), passes };
    (first..ranks.count().min(first + CHUNK as u64)).map(move |_| {
        let position = next;
        ranks.advance(&mut next.heaps);
        position
    })
}
