//! Cache of the solver's blocks: in memory as far as they fit, the others in the files of a work folder.
//!
//! The solver asks for the blocks of its next tasks ([`BlockCache::hold`]); the cache evicts others, which it writes
//! first if they have changed. A checkpoint writes all changed blocks, with all other ranks if there are some.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::checkpoint::Checkpointer;
use super::checkpoint_timer::{CheckpointTimer, LARGE};
use crate::clock::Instant;
use crate::memory::{Grow, filled_with, room};
use crate::peers::{Peers, is_first};
use crate::work::{CheckpointState, Job, PACKING, SavedBlock, WorkError, WorkFolder};
use crate::{Census, Control, Event, GenerateError, Resources, parallel};

/// A part of what is known of a game, in memory and in a file.
pub(super) trait CachedBlock: Sized + Send + Sync {
    /// What its length follows from.
    type Shape: Copy + Send + Sync;

    /// Bytes that a block takes in memory.
    fn bytes(shape: Self::Shape) -> u64;

    /// Bytes of the content of its file.
    fn content(shape: Self::Shape) -> u64;

    /// A block of which nothing is known.
    fn new(shape: Self::Shape) -> Result<Self, GenerateError>;

    /// Reads its file.
    fn read(shape: Self::Shape, folder: &WorkFolder, name: &str) -> Result<Self, GenerateError>;

    /// Writes its file.
    fn write(&self, folder: &WorkFolder, name: &str) -> Result<(), WorkError>;
}

/// How what is known of a game is cut into blocks, which are numbered.
pub(super) trait Partition: Sync {
    type Block: CachedBlock;

    /// How many numbers there are. Blocks of some may have nothing in them.
    fn blocks(&self) -> usize;

    fn shape(&self, block: usize) -> <Self::Block as CachedBlock>::Shape;

    /// The name of a block in the work folder.
    fn name(&self, block: usize) -> String;

    /// How many tasks begin with a block, at the most.
    fn tasks(&self, block: usize) -> u32;

    /// Bytes that all blocks take in memory that are needed at a time.
    fn bytes(&self) -> u64 {
        (0..self.blocks()).map(|block| Self::Block::bytes(self.shape(block))).fold(0, u64::saturating_add)
    }
}

pub(super) struct BlockCache<'a, L: Partition> {
    pub(super) cut: L,
    blocks: Vec<RwLock<Slot<L::Block>>>,
    /// Finished tasks for each block, in order of the third range.
    done: Vec<AtomicU32>,
    /// Bytes that blocks may take.
    most: u64,
    /// Bytes that they take.
    held: u64,
    /// Counts how often blocks were asked for.
    clock: u64,
    folder: Option<WorkFolder>,
    /// What the folder has of packing: nothing is lost of it.
    packing: BTreeMap<String, SavedBlock>,
    resources: &'a Resources<'a>,
    job: Job,
    due: CheckpointTimer,
}

/// Slot for a block, which may be in memory.
pub(super) struct Slot<B> {
    block: Option<B>,
    /// The block differs from its file.
    changed: bool,
    /// When it was last asked for.
    last: u64,
}

/// Progress of the work: census and steps.
#[derive(Clone, Copy, Default)]
pub(super) struct WorkDone {
    /// What its positions count.
    pub(super) census: Census,
    pub(super) steps: u64,
}

/// Locks a mutex that threads hold only briefly; ignores poisoning.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<B> Slot<B> {
    /// The block.
    pub(super) fn block(&self) -> &B {
        self.block.as_ref().expect("it is held")
    }

    /// The block, to change it.
    pub(super) fn block_mut(&mut self) -> &mut B {
        self.changed = true;
        self.block.as_mut().expect("it is held")
    }
}

impl<'a, L: Partition> BlockCache<'a, L> {
    /// The store of a game, with blocks of `most` bytes in memory. Goes on with the work folder, if there is one; gives
    /// what is counted so far.
    pub(super) fn open(
        cut: L,
        most: u64,
        resources: &'a Resources<'a>,
        job: Job,
    ) -> Result<(Self, Census), GenerateError> {
        let count = cut.blocks() as u64;
        let mut store = Self {
            cut,
            blocks: filled_with(count, || RwLock::new(Slot { block: None, changed: false, last: 0 }))?,
            done: filled_with(count, || AtomicU32::new(0))?,
            most,
            held: 0,
            clock: 0,
            folder: None,
            packing: BTreeMap::new(),
            resources,
            job,
            due: CheckpointTimer::new(resources.pause),
        };
        let saved = match (resources.folder, resources.peers) {
            (Some(folder), Some(peers)) => store.share_folder(folder, peers)?,
            (Some(folder), None) if folder.exists() => store.make_folder()?,
            // At once, so that another run is refused before it does the same again.
            (Some(_), None) if store.cut.bytes() >= LARGE => match store.make_folder() {
                Err(GenerateError::Work(WorkError::Io { .. })) if store.has_all() => None,
                made => made?,
            },
            _ => None,
        };
        let mut census = Census::default();
        if let (Some(saved), Some(folder)) = (saved, &store.folder) {
            census = saved.census;
            let packing = saved.blocks.iter().filter(|(name, _)| name.starts_with(PACKING));
            store.packing = packing.map(|(name, block)| (name.clone(), *block)).collect();
            // What is held from the beginning is read at once; damage to all else would be found when hours of work are
            // lost by it.
            if resources.peers.is_none() && !store.has_all() {
                folder.check()?;
            }
            for (block, done) in store.done.iter().enumerate() {
                let name = store.cut.name(block);
                let saved = saved.blocks.get(&name).copied().unwrap_or_default();
                let tasks = saved.done.min(store.cut.tasks(block).into());
                done.store(tasks as u32, Relaxed);
                if tasks > 0 && !folder.has(&name) {
                    return Err(folder.contradiction().into());
                }
            }
        }
        Ok((store, census))
    }

    /// Makes the work folder, or opens that which is there.
    fn make_folder(&mut self) -> Result<Option<CheckpointState>, GenerateError> {
        let Some(path) = self.resources.folder else { return Err(GenerateError::Memory) };
        let (folder, saved) = WorkFolder::open(path, self.job.clone())?;
        self.folder = Some(folder);
        Ok(saved)
    }

    /// Makes the work folder for all processes, or opens that which is there.
    fn share_folder(
        &mut self,
        path: &Path,
        peers: &dyn Peers,
    ) -> Result<Option<CheckpointState>, GenerateError> {
        let job = self.job.clone();
        let (folder, saved) = if is_first(Some(peers)) {
            let (folder, saved) = WorkFolder::open(path, job)?;
            peers.gather(&folder.mark()?);
            (folder, saved)
        } else {
            WorkFolder::join(path, job, &peers.gather(&[])[0])?
        };
        // Nothing is written before all have read.
        peers.gather(&[]);
        self.folder = Some(folder);
        Ok(saved)
    }

    /// The work folder, which is made if there is none.
    fn folder(&mut self) -> Result<&mut WorkFolder, GenerateError> {
        if self.folder.is_none()
            && let Some(folder) = self.resources.folder
            && self.make_folder()?.is_some()
        {
            // What another run has left there meanwhile does not fit to what is in memory here.
            self.folder = None;
            return Err(WorkError::Taken(folder.to_owned()).into());
        }
        self.folder.as_mut().ok_or(GenerateError::Memory)
    }

    /// Whether the folder has a block.
    pub(super) fn is_known(&self, block: usize) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.has(&self.cut.name(block)))
    }

    /// How many tasks are done that begin with a block.
    pub(super) fn done(&self, block: usize) -> u32 {
        self.done[block].load(Relaxed)
    }

    pub(super) fn set_done(&self, block: usize, tasks: u32) {
        self.done[block].store(tasks, Relaxed);
    }

    /// Bytes that a block takes in memory.
    fn bytes(&self, block: usize) -> u64 {
        L::Block::bytes(self.cut.shape(block))
    }

    /// A block, which is in memory, to look at.
    pub(super) fn look_at(&self, block: usize) -> RwLockReadGuard<'_, Slot<L::Block>> {
        self.blocks[block].read().unwrap_or_else(PoisonError::into_inner)
    }

    /// A block that no other thread has.
    pub(super) fn lock(&self, block: usize) -> RwLockWriteGuard<'_, Slot<L::Block>> {
        self.blocks[block].write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes blocks into memory, and puts others out of it where there is no room: those first for which `worth` gives
    /// least, which is told a block, and when it was last asked for.
    pub(super) fn hold(
        &mut self,
        wanted: &[usize],
        worth: impl Fn(usize, u64) -> u64,
    ) -> Result<(), GenerateError> {
        self.clock += 1;
        let mut missing = Vec::new();
        let mut room = 0;
        for &block in wanted {
            let mut held = self.lock(block);
            held.last = self.clock;
            if held.block.is_none() {
                missing.grow(block)?;
                room += self.bytes(block);
            }
        }
        if self.held.saturating_add(room) > self.most {
            self.put_out(room, worth)?;
        }
        let load = |block: usize| {
            let (shape, name) = (self.cut.shape(block), self.cut.name(block));
            let known = match &self.folder {
                Some(folder) if folder.has(&name) => L::Block::read(shape, folder, &name)?,
                _ => L::Block::new(shape)?,
            };
            self.lock(block).block = Some(known);
            Ok::<_, GenerateError>(())
        };
        parallel::for_each(missing.len(), |at| load(missing[at]))?;
        self.held += room;
        Ok(())
    }

    /// Takes a block away.
    pub(super) fn take(&mut self, block: usize) -> Option<L::Block> {
        let taken = self.lock(block).block.take()?;
        self.held -= self.bytes(block);
        Some(taken)
    }

    /// Lets go of a block that no task needs any more: neither memory nor the next checkpoint has it.
    pub(super) fn forget(&mut self, block: usize) {
        self.take(block);
        if let Some(folder) = &mut self.folder {
            folder.forget(&self.cut.name(block));
        }
    }

    /// A block of which nothing is known.
    pub(super) fn new_block(&self, block: usize) -> Result<L::Block, GenerateError> {
        L::Block::new(self.cut.shape(block))
    }

    /// Takes in a block that is new, or of which another process has found out more than is in the folder.
    pub(super) fn put(&mut self, block: usize, known: L::Block) {
        let mut held = self.lock(block);
        (held.block, held.changed) = (Some(known), true);
        drop(held);
        self.held += self.bytes(block);
    }

    /// Puts blocks out of memory, but those that are asked for now, until there is room for so many bytes.
    fn put_out(&mut self, room: u64, worth: impl Fn(usize, u64) -> u64) -> Result<(), GenerateError> {
        let mut others = Vec::new();
        for block in 0..self.blocks.len() {
            let held = self.look_at(block);
            if held.block.is_some() && held.last < self.clock {
                others.grow((worth(block, held.last), block))?;
            }
        }
        others.sort_unstable();
        for (_, block) in others {
            if self.held.saturating_add(room) <= self.most {
                break;
            }
            self.write(block)?;
            self.lock(block).block = None;
            self.held -= self.bytes(block);
        }
        Ok(())
    }

    /// Writes a block, if its file is not the same.
    fn write(&mut self, block: usize) -> Result<(), GenerateError> {
        self.folder()?;
        let name = self.cut.name(block);
        let mut held = self.blocks[block].write().unwrap_or_else(PoisonError::into_inner);
        let Slot { block: Some(known), changed, .. } = &mut *held else { return Ok(()) };
        if *changed && let Some(folder) = &mut self.folder {
            known.write(folder, &name)?;
            folder.wrote(name);
            *changed = false;
        }
        Ok(())
    }

    /// Writes all that is in memory, and makes a checkpoint of it; with all other processes, if there are some. What is
    /// counted is asked of the first one.
    pub(super) fn checkpoint(&mut self, census: Census, steps: [u64; 2]) -> Result<(), GenerateError> {
        let began = Instant::now();
        for block in 0..self.blocks.len() {
            self.write(block)?;
        }
        let mut saved = self.saved(census, steps);
        let peers = self.resources.peers;
        let folder = self.folder()?;
        folder.sync()?;
        match peers {
            None => folder.checkpoint(&mut saved)?,
            Some(peers) => {
                let own = folder.new_files().collect::<Vec<_>>().join("\n");
                for names in peers.gather(own.as_bytes()) {
                    let names = String::from_utf8_lossy(&names);
                    names.lines().for_each(|name| folder.wrote(name.to_owned()));
                }
                match is_first(Some(peers)) {
                    true => folder.checkpoint(&mut saved)?,
                    false => folder.follow(),
                }
                // Nothing more is written before what is not needed any more is removed.
                peers.gather(&[]);
            }
        }
        self.due.made(began);
        Ok(())
    }

    /// What a checkpoint tells.
    fn saved(&self, census: Census, steps: [u64; 2]) -> CheckpointState {
        let saved = |(block, done): (usize, &AtomicU32)| {
            let content = L::Block::content(self.cut.shape(block));
            (self.cut.name(block), SavedBlock { epoch: 0, done: done.load(Relaxed).into(), content })
        };
        let packing = self.packing.iter().map(|(name, saved)| (name.clone(), *saved));
        let blocks = self.done.iter().enumerate().map(saved).chain(packing).collect();
        CheckpointState { epoch: 0, census, steps, blocks }
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.resources.folder.is_some() && self.due.is_now(self.held)
    }

    /// Whether all blocks fit memory, so that none has to be in the folder.
    pub(super) fn has_all(&self) -> bool {
        self.cut.bytes() <= self.most
    }

    /// Makes a checkpoint after some tasks, if one is due, or if they were broken off and it is worth it. `counted` is
    /// what was done so far of so many steps.
    pub(super) fn after_tasks(
        &mut self,
        tasks: Result<(), GenerateError>,
        counted: WorkDone,
        all: u64,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        let keep = match &tasks {
            Ok(()) => self.is_due(),
            // After a short run, the loss is small.
            Err(GenerateError::Cancelled) => self.is_worth(),
            Err(_) => false,
        };
        if keep {
            if tasks.is_err() {
                control.tell(Event::Stopping);
            }
            match self.checkpoint(counted.census, [counted.steps, all]) {
                // Nothing is lost as long as this process runs.
                Err(GenerateError::Work(error @ WorkError::Io { .. })) if tasks.is_ok() && self.has_all() => {
                    // Another one is waited for as if this one had been made; only the first one that failed is told of.
                    if self.due.put_off() {
                        control.tell(Event::NotSaved(&error));
                    }
                }
                saved => saved?,
            }
        }
        tasks
    }

    /// Whether checkpoints can be made.
    pub(super) fn can_save(&self) -> bool {
        self.resources.folder.is_some()
    }

    /// Reports whether a checkpoint is worthwhile when the work is cancelled.
    pub(super) fn is_worth(&self) -> bool {
        self.resources.folder.is_some() && (self.folder.is_some() || self.due.is_worth())
    }

    /// All that is solved: what it counts, and so many steps. `in_memory` tells that it is packed from memory.
    pub(super) fn into_solved(
        self,
        census: Census,
        steps: u64,
        in_memory: bool,
    ) -> Result<SolvedBlocks<'a, L::Block>, GenerateError> {
        let folder = self.resources.folder.map(|path| (path, self.saved(census, [steps, steps])));
        let (mut blocks, mut unsaved) = (room(self.blocks.len() as u64)?, Vec::new());
        let mut bytes = 0;
        for (block, held) in self.blocks.into_iter().enumerate() {
            let held = held.into_inner().unwrap_or_else(PoisonError::into_inner);
            if held.block.is_some() && held.changed && folder.is_some() {
                unsaved.grow((block, self.cut.name(block)))?;
                bytes += L::Block::bytes(self.cut.shape(block));
            }
            blocks.push(held.block);
        }
        let saver = folder
            .map(|(path, saved)| Checkpointer::new(path, self.folder, self.job, self.due, saved, in_memory));
        Ok(SolvedBlocks { blocks, unsaved, bytes, saver })
    }
}

/// What a store has kept when all is solved.
pub(super) struct SolvedBlocks<'a, B> {
    /// All blocks, each as far as it is in memory.
    pub(super) blocks: Vec<Option<B>>,
    /// Those that are not in the folder as they are, with their names.
    pub(super) unsaved: Vec<(usize, String)>,
    /// Bytes of these.
    pub(super) bytes: u64,
    /// What saves how far packing is, where there is a folder or can be one.
    pub(super) saver: Option<Checkpointer<'a>>,
}
