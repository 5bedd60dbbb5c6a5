//! The proof of a table in blocks that can be checked in any order, and by different processes.

use std::cell::RefCell;

use bouton_tables::heaps::{HeapRules, HeapTable, Heaps, Position, Ranks};
use bouton_tables::{AskError, Outcome, Solved, Table, Verdict};

use super::partition::ProofPartition;
use super::successor_ranks::SuccessorRanks;
use super::verdict_cache::VerdictCache;
use crate::control::{CancelCheck, Control, check_cancelled};
use crate::estimate::bytes_for_proof;
use crate::making::GenerateError;
use crate::memory::collected;
use crate::parallel;
use crate::proof::{
    CompactVerdict, Counts, PlainRules, RecordedProof, VerifyError, VerifyOptions, check_position,
};

/// Positions in a chunk of a thread.
const CHUNK: u64 = 256;
/// One in this many positions is sampled for the verdicts it needs. Blocks that the sample misses are needed so rarely
/// that the proof can ask the table. The number is prime, to avoid resonance with the numbering.
const SAMPLE: u64 = 61;
/// Maximum number of blocks that are checked together with at most as many threads; with more threads, their number.
const TOGETHER: u64 = 8;

/// The proof of a table of a heap game, cut into blocks of positions that can be checked in any order, and in different
/// processes.
///
/// Blocks are numbered from 0. A table is right if [`check`](Self::check) finds nothing wrong in any block,
/// [`check_orders`](super::orders::check_orders) finds nothing wrong, the whole file is undamaged
/// ([`Table::check_whole`]), and the counts of all blocks together are those of its header.
///
/// Each process caches verdicts of blocks within its own memory. Pieces of a few hundred blocks or more use most of
/// these verdicts several times.
pub(super) struct BlockProof<'a> {
    table: &'a HeapTable,
    digest: [u8; 32],
    rules: &'a HeapRules,
    ranks: Ranks,
    partition: ProofPartition,
    /// The numbers of all blocks in an order that computes few verdicts twice. The order depends on the memory, and may
    /// differ between processes.
    pub(super) order: Vec<u32>,
    cache: VerdictCache,
    /// All blocks that can be needed at a time fit into memory.
    all_fit: bool,
    /// Number of blocks that are checked together: [`check`](Self::check) is fastest with a multiple of this number.
    pub(super) together: usize,
}

/// Returns the partition of a game into blocks.
fn partition(rules: &HeapRules, block: Option<u64>) -> ProofPartition {
    let partition = ProofPartition::new(rules.multisets(), u64::from(rules.passes()) + 1, rules.max_moves());
    block.map_or(partition, |block| partition.with_len(block))
}

/// Returns the bytes of the fewest verdicts with which the proof of a table is possible.
pub(super) fn least_memory(rules: &HeapRules, block: Option<u64>) -> u128 {
    let partition = partition(rules, block);
    let list = u128::from(VerdictCache::BYTES) * u128::from(partition.all());
    list + u128::from(fewest(rules, &partition)) * u128::from(bytes_of_block(&partition))
}

/// Returns the minimum number of cached blocks: the block of a position, and a block for each of its moves.
fn fewest(rules: &HeapRules, partition: &ProofPartition) -> u64 {
    partition.of_two_layers().min(rules.max_moves().saturating_add(1))
}

fn bytes_of_block(partition: &ProofPartition) -> u64 {
    // Plus the overhead of an allocation.
    partition.longest().saturating_mul(size_of::<CompactVerdict>() as u64).saturating_add(64)
}

impl<'a> BlockProof<'a> {
    /// Prepares the proof of a table, with at least [`least_memory`].
    ///
    /// # Errors
    /// If an allocation fails.
    pub(super) fn new(
        of_family: &'a HeapTable,
        table: &Table,
        options: &VerifyOptions,
    ) -> Result<Self, VerifyError> {
        let (rules, file) = (of_family.game(), table.file_len() as u64);
        let partition = partition(rules, options.block);
        let room = bytes_for_proof(options.memory, file)
            .saturating_sub(VerdictCache::BYTES.saturating_mul(partition.all()));
        let fewest = fewest(rules, &partition);
        let most = (room / bytes_of_block(&partition)).clamp(fewest, partition.all());
        let ranks = Ranks::try_new(rules.bounds()).map_err(GenerateError::from)?;
        Ok(Self {
            table: of_family,
            digest: table.digest(),
            rules,
            order: partition.order(&ranks, most)?,
            cache: VerdictCache::new(&partition, most)?,
            ranks,
            all_fit: most >= partition.of_two_layers(),
            together: (most / fewest).clamp(1, TOGETHER.max(parallel::threads() as u64)) as usize,
            partition,
        })
    }

    /// Returns the record of this proof before the first block is checked.
    pub(super) fn record(&self) -> Result<RecordedProof, GenerateError> {
        let division = [self.partition.all(), self.partition.len()];
        RecordedProof::new(&self.digest, division, self.rules.positions())
    }

    /// Checks and counts every position of some blocks. A step of progress is a position.
    ///
    /// # Errors
    /// Names a wrong position: one of the first in the given order, depending on the threads. Also if the table
    /// contradicts itself, an allocation fails, or `control` cancels.
    pub(super) fn check(&mut self, blocks: &[u32], control: &dyn Control) -> Result<Counts, VerifyError> {
        let mut counts = Counts::default();
        for together in blocks.chunks(self.together) {
            self.load_verdicts(together, control)?;
            // Distribute the chunks of all blocks at once, so that no thread waits at the end of a block.
            let chunks_per_block = self.partition.longest().div_ceil(CHUNK);
            let chunk = |number: usize| {
                let (block, chunk) = (number as u64 / chunks_per_block, number as u64 % chunks_per_block);
                self.check_chunk(together[block as usize], chunk * CHUNK, control)
            };
            let chunks = together.len() * chunks_per_block as usize;
            counts = counts.and(parallel::reduce(chunks, chunk, |a, b| Ok(a.and(b)))?);
        }
        Ok(counts)
    }

    /// Caches the verdicts that some blocks need, as far as they fit into memory.
    fn load_verdicts(&mut self, blocks: &[u32], control: &dyn Control) -> Result<(), VerifyError> {
        if self.all_fit {
            // Moves lead to lower numbers.
            let last = blocks.iter().max().copied().unwrap_or(0);
            let layer_below = u64::from(last).saturating_sub(self.partition.of_two_layers() - 1) as u32;
            return self.compute_verdicts(&collected(layer_below..=last)?, control);
        }
        parallel::for_each(blocks.len(), |at| self.sample_uses(blocks[at], control))?;
        let wanted = self.cache.most_used(blocks)?;
        self.compute_verdicts(&wanted, control)
    }

    /// Counts the blocks that a sample of a block's positions needs.
    fn sample_uses(&self, block: u32, control: &dyn Control) -> Result<(), VerifyError> {
        for place in (0..self.partition.positions(block)).step_by(SAMPLE as usize) {
            check_cancelled(control)?;
            let (passes, first) = self.partition.first(block);
            let position = Position { heaps: self.ranks.unrank(first + place), passes };
            let mut successors = SuccessorRanks::new(&self.ranks, position);
            self.rules.each_move(&position, |chosen, stones, next| {
                let rank = successors.rank(chosen, stones, next);
                self.cache.count_use(self.partition.place(next.passes, rank).0);
            });
        }
        Ok(())
    }

    /// Computes the verdicts of the blocks that are not cached.
    fn compute_verdicts(&mut self, wanted: &[u32], control: &dyn Control) -> Result<(), VerifyError> {
        let mut missing = self.cache.reserve(wanted, &self.partition)?;
        parallel::chunks(&mut missing, 1, |_, missing| {
            let (block, verdicts) = &mut missing[0];
            parallel::chunks(verdicts, CHUNK as usize, |chunk, verdicts| {
                check_cancelled(control)?;
                let positions = self.walk(*block, chunk as u64 * CHUNK);
                for (verdict, position) in verdicts.iter_mut().zip(positions) {
                    *verdict = CompactVerdict::new(self.table.verdict(&position)?);
                }
                Ok::<_, VerifyError>(())
            })
        })?;
        self.cache.insert(missing);
        Ok(())
    }

    /// Returns the positions of a block from an index on, at most [`CHUNK`].
    fn walk(&self, block: u32, from: u64) -> impl Iterator<Item = Position> {
        let ((passes, first), len) = (self.partition.first(block), self.partition.positions(block));
        let count = len.saturating_sub(from).min(CHUNK);
        let mut next = Position { heaps: Heaps::new(), passes };
        if count > 0 {
            next.heaps = self.ranks.unrank(first + from);
        }
        (0..count).map(move |_| {
            let position = next;
            self.ranks.advance(&mut next.heaps);
            position
        })
    }

    fn check_chunk(&self, block: u32, from: u64, control: &dyn Control) -> Result<Counts, VerifyError> {
        let mut counts = Counts::default();
        let mut cancel_check = CancelCheck::new(control);
        check_cancelled(control)?;
        let moves = usize::try_from(self.rules.max_moves()).unwrap_or(usize::MAX);
        let failed = RefCell::new(None);
        let verdict = |position: &Position, rank: u64| {
            let place = self.partition.place(position.passes, rank);
            self.cache.verdict(place).unwrap_or_else(|| self.ask(position, &failed))
        };
        for position in self.walk(block, from) {
            cancel_check.spend(moves)?;
            let answer = self.table.answer(&position)?;
            let mut successors = SuccessorRanks::new(&self.ranks, position);
            let own = verdict(&position, successors.own());
            let checked = check_position(self.table, &position, &answer, own, |chosen, stones, next| {
                verdict(next, successors.rank(chosen, stones, next))
            });
            if let Some(error) = failed.take() {
                return Err(error.into());
            }
            checked?;
            counts.add(&answer.verdict, 1);
        }
        control.advance(counts.positions);
        Ok(counts)
    }

    /// Looks up the verdict of a position whose block is not cached.
    #[cold]
    fn ask(&self, position: &Position, failed: &RefCell<Option<AskError>>) -> Verdict {
        self.table.verdict(position).unwrap_or_else(|error| {
            failed.replace(Some(error));
            Verdict { outcome: Outcome::Loss, depth: None }
        })
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::{FamilyTable, Ruleset, rulesets};

    use super::*;
    use crate::generate::generate_in_memory;
    use crate::verify::verify;

    /// Games with unequal bounds, passes, and moves from several heaps.
    const GAMES: [(&str, &[&str]); 5] = [
        ("nim", &["heaps=5", "size=7"]),
        ("nim", &["bounds=[1,3,3,8]", "passes=3", "play=misere"]),
        ("nim", &["bounds=[7,9,20]", "take=[1,3,4]"]),
        ("moore", &["bounds=[2,5,9]", "passes=1"]),
        ("wythoff", &["size=20"]),
    ];

    fn check_in_two_processes(ruleset: &Ruleset, depths: bool) {
        let table = Table::open(generate_in_memory(ruleset, depths).unwrap()).unwrap();
        let FamilyTable::Heaps(of_family) = table.family() else { panic!("it is another game") };
        let proof = |memory| {
            let options = VerifyOptions { memory, block: Some(8), ..Default::default() };
            BlockProof::new(of_family, &table, &options).unwrap()
        };
        let mut workers = [u64::MAX, 0].map(proof);
        let mut progress = workers[0].record().unwrap();
        for (number, blocks) in workers[1].order.clone().chunks(3).enumerate() {
            let counts = workers[number % 2].check(blocks, &()).unwrap();
            let of_blocks = blocks.iter().map(|&block| workers[0].partition.positions(block));
            assert_eq!(counts.positions, of_blocks.sum::<u64>());
            progress.add(blocks, counts);
        }
        assert!((0..workers[0].partition.all() as u32).all(|block| progress.contains(block)));
        assert_eq!(progress.counts(), verify(&table).unwrap());
    }

    #[test]
    fn proofs_of_blocks_in_two_processes_add_up_to_the_whole_proof() {
        for (preset, settings) in GAMES {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let ruleset = rulesets::find(preset, &settings).expect("an allowed ruleset").ruleset;
            for depths in [true, false] {
                check_in_two_processes(&ruleset, depths);
            }
        }
    }
}
