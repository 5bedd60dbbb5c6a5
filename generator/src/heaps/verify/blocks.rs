//! The proof of a table in parts that can be dealt out.

use std::cell::RefCell;
use std::path::Path;

use bouton_tables::heaps::{HeapRules, HeapTable, Heaps, Position, Ranks};
use bouton_tables::{AskError, FamilyTable, Outcome, Solved, Table, Verdict};

use super::partition::ProofPartition;
use super::successor_ranks::SuccessorRanks;
use super::verdict_cache::{CompactVerdict, VerdictCache};
use crate::control::{Patience, check};
use crate::estimate::for_proof;
use crate::memory::room;
use crate::proof::{Counts, PlainRules, ProofRecord, VerifyError, VerifyOptions, check_position};
use crate::{Control, GenerateError, parallel};

/// Positions that one thread looks at in one go.
const CHUNK: u64 = 256;
/// One position in so many is asked which verdicts it needs. Blocks that this overlooks are needed so seldom that the table may as
/// well be asked. The number is prime, so that it fits to no rhythm of the numbering.
const SAMPLE: u64 = 61;
/// Blocks that are checked together, where memory is not short.
const TOGETHER: u64 = 8;

/// The proof of a table of a heap game, cut into blocks of positions that can be checked in any order, and in different processes.
///
/// Blocks are numbered from 0 up to [`blocks`](Self::blocks). A table is right if [`check`](Self::check) finds nothing wrong in any
/// block, the whole file is undamaged ([`Table::check_whole`]), and the counts of all blocks together are those of its header.
/// [`verify_with`](crate::verify_with) sees to all of this in one process. To deal the work out to several, open the table and make a
/// `BlockProof` with the same [`VerifyOptions::block`] in each of them; let one of them hand out pieces of [`order`](Self::order),
/// gather their [`Counts`] in a [`Checked`](crate::Checked), and write that down with a
/// [`ProofRecord`](crate::ProofRecord), if it is to outlive the process. Other processes need no more than the numbers of blocks,
/// and answer with counts, or with what is wrong.
///
/// Each process holds verdicts of blocks, made from the table, within its own memory. A piece of the order of some hundred blocks
/// or more lets it use most of them several times.
pub struct BlockProof<'a> {
    table: &'a HeapTable,
    digest: [u8; 32],
    rules: &'a HeapRules,
    ranks: Ranks,
    cut: ProofPartition,
    order: Vec<u32>,
    held: VerdictCache,
    /// Whether all blocks fit memory that can be needed at a time.
    fits: bool,
    /// Blocks that are checked together.
    together: usize,
}

/// How a game is cut into blocks.
fn cut(rules: &HeapRules, block: Option<u64>) -> ProofPartition {
    let cut = ProofPartition::new(rules.multisets(), u64::from(rules.passes()) + 1, rules.most_moves());
    block.map_or(cut, |block| cut.with_len(block))
}

/// Bytes that the proof of a table takes if all fits, and at the least, besides what every proof takes.
pub(crate) fn memory(rules: &HeapRules, block: Option<u64>) -> [u128; 2] {
    let cut = cut(rules, block);
    let list = u128::from(VerdictCache::BYTES) * u128::from(cut.all());
    let of_blocks = |blocks: u64| list + u128::from(blocks) * u128::from(bytes_of_block(&cut));
    [of_blocks(cut.of_two_layers()), of_blocks(fewest(rules, &cut))]
}

/// Blocks that must be held at the least: those to which the moves of one position lead.
fn fewest(rules: &HeapRules, cut: &ProofPartition) -> u64 {
    cut.of_two_layers().min(rules.most_moves().saturating_add(1))
}

fn bytes_of_block(cut: &ProofPartition) -> u64 {
    // With what an allocation takes besides.
    cut.longest().saturating_mul(CompactVerdict::BYTES).saturating_add(64)
}

impl<'a> BlockProof<'a> {
    /// Prepares the proof of a table. `None` if its game is not one of heaps: such a table is not proved in blocks.
    ///
    /// # Errors
    /// If the header does not count the positions that there are, or the memory is too little.
    pub fn new(table: &'a Table, options: &VerifyOptions) -> Result<Option<Self>, VerifyError> {
        match table.family() {
            FamilyTable::Heaps(of_family) => Self::of(of_family, table, options).map(Some),
            FamilyTable::Expanding(_) => Ok(None),
        }
    }

    pub(super) fn of(
        of_family: &'a HeapTable,
        table: &Table,
        options: &VerifyOptions,
    ) -> Result<Self, VerifyError> {
        let (rules, header, file) = (of_family.game(), table.header(), table.file_len() as u64);
        // Before room is made for them. No table has the greatest number, which stands for all that are greater.
        let positions = rules.positions();
        if positions != header.positions || positions == u64::MAX {
            let or_more = if positions == u64::MAX { " or more" } else { "" };
            return Err(VerifyError::Miscounted {
                stated: format!("{} positions", header.positions),
                counted: format!("{positions}{or_more}"),
            });
        }
        let cut = cut(rules, options.block);
        let room =
            for_proof(options.memory, file).saturating_sub(VerdictCache::BYTES.saturating_mul(cut.all()));
        let most = (room / bytes_of_block(&cut)).min(cut.all());
        let fewest = fewest(rules, &cut);
        if most < fewest {
            let least = crate::estimate::proof(memory(rules, options.block)[1], file);
            return Err(VerifyError::TooLittle { least, limit: options.memory });
        }
        let ranks = Ranks::try_new(rules.bounds()).map_err(GenerateError::from)?;
        Ok(Self {
            table: of_family,
            digest: table.digest(),
            rules,
            order: cut.order(&ranks, most)?,
            held: VerdictCache::new(&cut, most)?,
            ranks,
            fits: most >= cut.of_two_layers(),
            together: (most / fewest).clamp(1, TOGETHER.max(parallel::threads() as u64)) as usize,
            cut,
        })
    }

    /// How many blocks there are.
    #[must_use]
    pub fn blocks(&self) -> u32 {
        self.cut.all() as u32
    }

    /// How many positions a block has: the same number in all processes that cut the game with the same
    /// [`VerifyOptions::block`].
    ///
    /// # Panics
    /// If there is no such block.
    #[must_use]
    pub fn positions(&self, block: u32) -> u64 {
        assert!(block < self.blocks(), "there are {} blocks", self.blocks());
        self.cut.positions(block)
    }

    /// The file at a path in which it is written down which blocks are checked.
    #[must_use]
    pub fn record(&self, path: &Path) -> ProofRecord {
        let cut = [self.cut.all(), self.cut.len()];
        ProofRecord::new(path, &self.digest, cut, self.rules.positions())
    }

    /// All positions.
    pub(crate) fn all_positions(&self) -> u64 {
        self.rules.positions()
    }

    /// The numbers of all blocks, in an order in which verdicts are seldom made again. It depends on the memory; that different
    /// processes have different ones does no harm.
    #[must_use]
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// How many blocks are checked together: so many, or a multiple, are best handed to [`check`](Self::check).
    #[must_use]
    pub fn together(&self) -> usize {
        self.together
    }

    /// Checks every position of some blocks, and counts them. A progress step is a position.
    ///
    /// # Errors
    /// Names a position that is wrong: one of the first in the order given, but which of several depends on the threads. Or
    /// says that the table contradicts itself, that an allocation failed, or that `control` cancels.
    ///
    /// # Panics
    /// If there is no such block.
    pub fn check(&mut self, blocks: &[u32], control: &dyn Control) -> Result<Counts, VerifyError> {
        let mut counts = Counts::default();
        for together in blocks.chunks(self.together) {
            self.hold(together, control)?;
            // Chunks of all of them, so that no thread waits for another's block.
            let of_block = self.cut.longest().div_ceil(CHUNK);
            let chunk = |number: usize| {
                let (block, chunk) = (number as u64 / of_block, number as u64 % of_block);
                self.check_chunk(together[block as usize], chunk * CHUNK, control)
            };
            let chunks = together.len() * of_block as usize;
            counts = counts.and(parallel::reduce(chunks, chunk, |a, b| Ok(a.and(b)))?);
        }
        Ok(counts)
    }

    /// Makes the verdicts that blocks need, as far as they fit.
    fn hold(&mut self, blocks: &[u32], control: &dyn Control) -> Result<(), VerifyError> {
        if self.fits {
            // Moves lead to lower numbers.
            let last = blocks.iter().max().copied().unwrap_or(0);
            let layer_below = u64::from(last).saturating_sub(self.cut.of_two_layers() - 1) as u32;
            let mut wanted = room(u64::from(last - layer_below) + 1)?;
            wanted.extend(layer_below..=last);
            return self.make(&wanted, control);
        }
        parallel::for_each(blocks.len(), |at| self.look_ahead(blocks[at], control))?;
        let wanted = self.held.take_used(blocks)?;
        self.make(&wanted, control)
    }

    /// Notes which blocks some positions of a block need.
    fn look_ahead(&self, block: u32, control: &dyn Control) -> Result<(), VerifyError> {
        for place in (0..self.cut.positions(block)).step_by(SAMPLE as usize) {
            check(control)?;
            let (passes, first) = self.cut.first(block);
            let position = Position { heaps: self.ranks.unrank(first + place), passes };
            let mut neighbours = SuccessorRanks::new(&self.ranks, position);
            self.rules.each_move(&position, |chosen, stones, next| {
                let rank = neighbours.rank(chosen, stones, next);
                self.held.note(self.cut.place(next.passes, rank).0);
            });
        }
        Ok(())
    }

    /// Makes the verdicts of those blocks that are not held.
    fn make(&mut self, wanted: &[u32], control: &dyn Control) -> Result<(), VerifyError> {
        let mut missing = self.held.ask(wanted, &self.cut)?;
        parallel::chunks(&mut missing, 1, |_, missing| {
            let (block, verdicts) = &mut missing[0];
            parallel::chunks(verdicts, CHUNK as usize, |chunk, verdicts| {
                check(control)?;
                let positions = self.walk(*block, chunk as u64 * CHUNK);
                for (verdict, position) in verdicts.iter_mut().zip(positions) {
                    *verdict = CompactVerdict::new(self.table.verdict(&position)?);
                }
                Ok::<_, VerifyError>(())
            })
        })?;
        self.held.put(missing);
        Ok(())
    }

    /// The positions of a block from a place on, some of them at the most.
    fn walk(&self, block: u32, from: u64) -> impl Iterator<Item = Position> {
        let ((passes, first), len) = (self.cut.first(block), self.cut.positions(block));
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
        let mut patience = Patience::new(control);
        check(control)?;
        let moves = usize::try_from(self.rules.most_moves()).unwrap_or(usize::MAX);
        let failed = RefCell::new(None);
        let verdict = |position: &Position, rank: u64| {
            let place = self.cut.place(position.passes, rank);
            self.held.verdict(place).unwrap_or_else(|| self.ask(position, &failed))
        };
        for position in self.walk(block, from) {
            patience.spend(moves)?;
            let answer = self.table.answer(&position)?;
            let mut neighbours = SuccessorRanks::new(&self.ranks, position);
            let own = verdict(&position, neighbours.own());
            let checked = check_position(self.table, &position, &answer, own, |chosen, stones, next| {
                verdict(next, neighbours.rank(chosen, stones, next))
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

    /// The verdict of a position whose block is not held.
    #[cold]
    fn ask(&self, position: &Position, failed: &RefCell<Option<AskError>>) -> Verdict {
        self.table.verdict(position).unwrap_or_else(|error| {
            failed.replace(Some(error));
            Verdict { outcome: Outcome::Loss, depth: None }
        })
    }
}
