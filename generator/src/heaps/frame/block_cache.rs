//! Cache of the solver's blocks: in memory as far as they fit, the others in files of the work folder.
//!
//! The solver names the blocks of its next tasks ([`BlockCache::load`]). The cache reads those that are missing, and
//! first evicts others if memory is short. A block that has changed is written before it is evicted. Example: with room
//! for two blocks, loading A and B, then B and C evicts A. A checkpoint writes all changed blocks; all MPI ranks make
//! it together.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::block::Block;
use super::heap_ranges::TaskRanges;
use super::partition::Partition;
use super::search_checkpoints::PackingFolder;
use crate::census::Census;
use crate::clock::Instant;
use crate::communicator::Communicator;
use crate::control::{Control, Event};
use crate::making::{GenerateError, Resources};
use crate::memory::{Grow, filled_with, room};
use crate::parallel;
use crate::work::checkpoint_timer::{CheckpointTimer, LARGE};
use crate::work::{CheckpointState, Job, PACKING, SavedBlock, WorkError, WorkFolder};

/// The blocks of a game, the progress of its tasks, and the work folder.
pub(crate) struct BlockCache<'a> {
    pub(crate) partition: &'a dyn Partition,
    blocks: Vec<RwLock<Slot>>,
    /// For each block, the number of finished tasks that are counted for it.
    tasks_done: Vec<AtomicU32>,
    /// Maximum bytes of blocks in memory.
    max_bytes: u64,
    /// Bytes of blocks in memory.
    loaded_bytes: u64,
    /// Number of calls of [`BlockCache::load`]: the time for least-recently-used eviction.
    clock: u64,
    folder: Option<WorkFolder>,
    /// Files of the packer in the folder, which every checkpoint keeps.
    packing: BTreeMap<String, SavedBlock>,
    resources: &'a Resources<'a>,
    /// Identifies the game: a work folder of another job is refused.
    job: Job,
    timer: CheckpointTimer,
}

/// A block's place in the cache.
pub(crate) struct Slot {
    /// The block, if it is in memory.
    block: Option<Block>,
    /// The block differs from its file.
    is_changed: bool,
    /// Value of [`BlockCache::clock`] at the last use.
    last_use: u64,
}

/// Census and progress of the finished tasks.
#[derive(Clone, Copy, Default)]
pub(crate) struct WorkDone {
    pub(crate) census: Census,
    /// Steps of progress.
    pub(crate) steps: u64,
}

/// Locks a mutex; ignores poisoning.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    /// Returns the block, which must be in memory.
    pub(crate) fn block(&self) -> &Block {
        self.block.as_ref().expect("the block was loaded")
    }

    /// Returns the block for writing, and marks it as changed.
    pub(crate) fn block_mut(&mut self) -> &mut Block {
        self.is_changed = true;
        self.block.as_mut().expect("the block was loaded")
    }
}

impl<'a> BlockCache<'a> {
    /// Opens the cache of a game, with up to `max_bytes` bytes of blocks in memory. Resumes from the work folder, if it
    /// exists. Also returns the census of the finished tasks.
    pub(crate) fn open(
        partition: &'a dyn Partition,
        max_bytes: u64,
        resources: &'a Resources<'a>,
        job: Job,
    ) -> Result<(Self, Census), GenerateError> {
        let count = partition.blocks() as u64;
        let mut cache = Self {
            partition,
            blocks: filled_with(count, || RwLock::new(Slot { block: None, is_changed: false, last_use: 0 }))?,
            tasks_done: filled_with(count, || AtomicU32::new(0))?,
            max_bytes,
            loaded_bytes: 0,
            clock: 0,
            folder: None,
            packing: BTreeMap::new(),
            resources,
            job,
            timer: CheckpointTimer::new(resources.checkpoint_interval),
        };
        let saved = match (resources.folder, resources.communicator) {
            (Some(folder), Some(communicator)) => cache.share_folder(folder, communicator)?,
            (Some(folder), None) if folder.exists() => cache.make_folder()?,
            // Create the folder at once, so that another run of the same game is refused.
            (Some(_), None) if cache.partition.max_bytes() >= LARGE => match cache.make_folder() {
                Err(GenerateError::Work(WorkError::Io { .. })) if cache.all_fit() => None,
                made => made?,
            },
            _ => None,
        };
        let mut census = Census::default();
        if let (Some(saved), Some(folder)) = (saved, &cache.folder) {
            census = saved.census;
            let packing = saved.blocks.iter().filter(|(name, _)| name.starts_with(PACKING));
            cache.packing = packing.map(|(name, block)| (name.clone(), *block)).collect();
            // If everything fits into memory, the solver soon reads all files, and finds any damage. Otherwise check
            // now: damage found later would cost hours of work.
            if resources.communicator.is_none() && !cache.all_fit() {
                folder.check()?;
            }
            for (block, done) in cache.tasks_done.iter().enumerate() {
                let name = cache.partition.name(block);
                let saved = saved.blocks.get(&name).copied().unwrap_or_default();
                let tasks = saved.done.min(cache.partition.max_tasks(block).into());
                done.store(tasks as u32, Relaxed);
                if tasks > 0 && !folder.has_file(&name) {
                    return Err(folder.contradiction().into());
                }
            }
        }
        Ok((cache, census))
    }

    /// Creates the work folder, or opens an existing one.
    fn make_folder(&mut self) -> Result<Option<CheckpointState>, GenerateError> {
        let Some(path) = self.resources.folder else { return Err(GenerateError::Memory) };
        let (folder, saved) = WorkFolder::open(path, self.job.clone())?;
        self.folder = Some(folder);
        Ok(saved)
    }

    /// Creates or opens the work folder together with all ranks.
    fn share_folder(
        &mut self,
        path: &Path,
        communicator: &dyn Communicator,
    ) -> Result<Option<CheckpointState>, GenerateError> {
        let job = self.job.clone();
        let (folder, saved) = if communicator.rank() == 0 {
            let (folder, saved) = WorkFolder::open(path, job)?;
            communicator.gather(&folder.mark()?);
            (folder, saved)
        } else {
            WorkFolder::join(path, job, &communicator.gather(&[])[0])?
        };
        // No rank may write before all have read.
        communicator.gather(&[]);
        self.folder = Some(folder);
        Ok(saved)
    }

    /// Returns the work folder; creates it if necessary.
    fn folder(&mut self) -> Result<&mut WorkFolder, GenerateError> {
        if self.folder.is_none()
            && let Some(folder) = self.resources.folder
            && self.make_folder()?.is_some()
        {
            // The folder was missing when this run began. Another run has since made a checkpoint, which does not match
            // the blocks in memory.
            self.folder = None;
            return Err(WorkError::Taken(folder.to_owned()).into());
        }
        self.folder.as_mut().ok_or(GenerateError::Memory)
    }

    /// Reports whether the folder has a file of a block.
    pub(crate) fn has_file(&self, block: usize) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.has_file(&self.partition.name(block)))
    }

    pub(crate) fn is_done(&self, task: TaskRanges) -> bool {
        let (block, number) = self.partition.counter(task);
        self.tasks_done[block].load(Relaxed) >= number
    }

    pub(crate) fn mark_done(&self, task: TaskRanges) {
        let (block, number) = self.partition.counter(task);
        self.tasks_done[block].store(number, Relaxed);
    }

    pub(crate) fn read_lock(&self, block: usize) -> RwLockReadGuard<'_, Slot> {
        self.blocks[block].read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write_lock(&self, block: usize) -> RwLockWriteGuard<'_, Slot> {
        self.blocks[block].write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Loads blocks into memory. Evicts others if necessary, in ascending order of `worth(block, last_use)`.
    pub(crate) fn load(
        &mut self,
        wanted: &[usize],
        worth: &dyn Fn(usize, u64) -> u64,
    ) -> Result<(), GenerateError> {
        self.clock += 1;
        let mut missing = Vec::new();
        let mut room = 0;
        for &block in wanted {
            let mut slot = self.write_lock(block);
            slot.last_use = self.clock;
            if slot.block.is_none() {
                missing.grow(block)?;
                room += self.partition.memory_bytes(block);
            }
        }
        if self.loaded_bytes.saturating_add(room) > self.max_bytes {
            self.evict(room, worth)?;
        }
        let load = |block: usize| {
            let (shape, name) = (self.partition.shape(block), self.partition.name(block));
            let loaded = match &self.folder {
                Some(folder) if folder.has_file(&name) => Block::read(shape, folder, &name)?,
                _ => Block::new(shape)?,
            };
            self.write_lock(block).block = Some(loaded);
            Ok::<_, GenerateError>(())
        };
        parallel::for_each(missing.len(), |at| load(missing[at]))?;
        self.loaded_bytes += room;
        Ok(())
    }

    /// Removes a block from memory, and returns it.
    pub(crate) fn take(&mut self, block: usize) -> Option<Block> {
        let taken = self.write_lock(block).block.take()?;
        self.loaded_bytes -= self.partition.memory_bytes(block);
        Some(taken)
    }

    /// Frees a block that no task uses any more. Excludes a temporary block from the next checkpoint.
    pub(crate) fn discard(&mut self, block: usize) {
        self.take(block);
        if let Some(folder) = &mut self.folder
            && self.partition.is_temporary(block)
        {
            folder.exclude(&self.partition.name(block));
        }
    }

    /// Inserts a block that is new, or that another rank has sent. With `is_changed` false, the block is a copy: its
    /// owner writes the file.
    pub(crate) fn insert(&mut self, block: usize, loaded: Block, is_changed: bool) {
        let mut slot = self.write_lock(block);
        (slot.block, slot.is_changed) = (Some(loaded), is_changed);
        drop(slot);
        self.loaded_bytes += self.partition.memory_bytes(block);
    }

    /// Evicts blocks that the current call of `load` does not want, until `room` more bytes fit.
    fn evict(&mut self, room: u64, worth: &dyn Fn(usize, u64) -> u64) -> Result<(), GenerateError> {
        let mut others = Vec::new();
        for block in 0..self.blocks.len() {
            let slot = self.read_lock(block);
            if slot.block.is_some() && slot.last_use < self.clock {
                others.grow((worth(block, slot.last_use), block))?;
            }
        }
        others.sort_unstable();
        for (_, block) in others {
            if self.loaded_bytes.saturating_add(room) <= self.max_bytes {
                break;
            }
            self.write(block)?;
            self.write_lock(block).block = None;
            self.loaded_bytes -= self.partition.memory_bytes(block);
        }
        Ok(())
    }

    /// Writes a block to its file, if it has changed.
    fn write(&mut self, block: usize) -> Result<(), GenerateError> {
        self.folder()?;
        let name = self.partition.name(block);
        let mut slot = self.blocks[block].write().unwrap_or_else(PoisonError::into_inner);
        let Slot { block: Some(loaded), is_changed, .. } = &mut *slot else { return Ok(()) };
        if *is_changed && let Some(folder) = &mut self.folder {
            loaded.write(folder, &name)?;
            folder.set_written(name);
            *is_changed = false;
        }
        Ok(())
    }

    /// Writes all changed blocks and makes a checkpoint, together with all other ranks. Saves the `census` and the
    /// `steps` of rank 0 only. `steps` are the steps done, and the steps of the whole game.
    pub(crate) fn checkpoint(&mut self, census: Census, steps: [u64; 2]) -> Result<(), GenerateError> {
        let began = Instant::now();
        for block in 0..self.blocks.len() {
            self.write(block)?;
        }
        let mut saved = self.saved(census, steps);
        let communicator = self.resources.communicator;
        let folder = self.folder()?;
        folder.sync()?;
        match communicator {
            None => folder.checkpoint(&mut saved)?,
            Some(communicator) => {
                let own = folder.new_files().collect::<Vec<_>>().join("\n");
                for names in communicator.gather(own.as_bytes()) {
                    let names = String::from_utf8_lossy(&names);
                    names.lines().for_each(|name| folder.set_written(name.to_owned()));
                }
                match communicator.rank() == 0 {
                    true => folder.checkpoint(&mut saved)?,
                    false => folder.begin_next_epoch(),
                }
                // No rank may write before rank 0 has removed the old files.
                communicator.gather(&[]);
            }
        }
        self.timer.made(began);
        Ok(())
    }

    /// Returns the state for a checkpoint.
    fn saved(&self, census: Census, steps: [u64; 2]) -> CheckpointState {
        let saved = |(block, done): (usize, &AtomicU32)| {
            let content = self.partition.shape(block).file_bytes();
            (self.partition.name(block), SavedBlock { epoch: 0, done: done.load(Relaxed).into(), content })
        };
        let packing = self.packing.iter().map(|(name, saved)| (name.clone(), *saved));
        let blocks = self.tasks_done.iter().enumerate().map(saved).chain(packing).collect();
        CheckpointState { epoch: 0, census, steps, blocks }
    }

    pub(crate) fn is_due(&self) -> bool {
        self.resources.folder.is_some() && self.timer.is_due(self.loaded_bytes)
    }

    /// Reports whether all blocks fit into memory: the folder is then optional.
    pub(crate) fn all_fit(&self) -> bool {
        self.partition.max_bytes() <= self.max_bytes
    }

    /// Makes a checkpoint after some tasks if one is due, or if the work was cancelled and a checkpoint is worthwhile.
    /// Returns the result of the tasks. `all` is the number of steps of the whole game.
    pub(crate) fn checkpoint_after(
        &mut self,
        tasks: Result<(), GenerateError>,
        work_done: WorkDone,
        all: u64,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        let should_save = match &tasks {
            Ok(()) => self.is_due(),
            // After a short run, the loss is small.
            Err(GenerateError::Cancelled) => self.is_worth_saving(),
            Err(_) => false,
        };
        if should_save {
            if tasks.is_err() {
                control.report_event(Event::Stopping);
            }
            match self.checkpoint(work_done.census, [work_done.steps, all]) {
                // All blocks are in memory, so the work can continue without this checkpoint.
                Err(GenerateError::Work(error @ WorkError::Io { .. })) if tasks.is_ok() && self.all_fit() => {
                    // Wait as long as after a success; report only the first failure.
                    if self.timer.put_off() {
                        control.report_event(Event::NotSaved(&error));
                    }
                }
                saved => saved?,
            }
        }
        tasks
    }

    pub(crate) fn can_save(&self) -> bool {
        self.resources.folder.is_some()
    }

    /// Reports whether a checkpoint is worthwhile when the work is cancelled.
    pub(crate) fn is_worth_saving(&self) -> bool {
        self.resources.folder.is_some() && (self.folder.is_some() || self.timer.is_worth_saving())
    }

    /// Converts the cache into the solved blocks. With `in_memory`, packing reads the blocks from memory. Otherwise the
    /// folder has all blocks, and this frees them, since packing needs the memory.
    pub(crate) fn into_solved(
        self,
        census: Census,
        steps: u64,
        in_memory: bool,
    ) -> Result<SolvedBlocks<'a>, GenerateError> {
        let saved = self.resources.folder.map(|_| self.saved(census, [steps, steps])).unwrap_or_default();
        let (mut blocks, mut unsaved) = (room(self.blocks.len() as u64)?, Vec::new());
        let mut bytes = 0;
        for (block, slot) in self.blocks.into_iter().enumerate() {
            let slot = slot.into_inner().unwrap_or_else(PoisonError::into_inner);
            if slot.block.is_some() && slot.is_changed {
                unsaved.grow((block, self.partition.name(block)))?;
                bytes += self.partition.memory_bytes(block);
            }
            if in_memory {
                blocks.push(slot.block);
            }
        }
        let (folder, job, timer) = (self.folder, self.job, self.timer);
        let folder = self.resources.folder.map(|path| PackingFolder {
            path,
            folder,
            job,
            timer,
            saved,
            unsaved,
            unsaved_bytes: bytes,
            in_memory,
        });
        Ok(SolvedBlocks { census, blocks, folder })
    }
}

/// Solved blocks, for packing.
pub(crate) struct SolvedBlocks<'a> {
    /// Census of all positions.
    pub(crate) census: Census,
    /// All blocks, if they are in memory.
    pub(crate) blocks: Vec<Option<Block>>,
    /// For checkpoints of packing; `None` if the user gave no folder.
    pub(crate) folder: Option<PackingFolder<'a>>,
}
