//! All blocks: in memory as far as they fit, the others in the files of a work folder.

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::block::{Block, Known, Shape, Size};
use super::cell::Cell;
use super::due::{Due, LARGE};
use super::layout::{Layout, Task};
use crate::memory::{Grow, filled_with, room};
use crate::peers::{Peers, is_first};
use crate::work::{BLOCKS, Job, Saved, SavedBlock, WorkError, WorkFolder};
use crate::{Census, GenerateError, Resources, parallel};

pub(super) struct Store<'a, C, S> {
    layout: &'a Layout,
    shapes: Vec<Shape>,
    blocks: Vec<Mutex<Held<C, S>>>,
    /// Of each block how many tasks are done that begin with it: those with the least third ranges.
    done: Vec<AtomicU32>,
    /// Bytes that blocks may take.
    most: u64,
    /// Bytes that they take.
    held: u64,
    /// Counts how often blocks were asked for.
    clock: u64,
    folder: Option<WorkFolder>,
    resources: &'a Resources<'a>,
    job: Job,
    due: Due,
}

/// A block, if it is in memory.
struct Held<C, S> {
    block: Option<Block<C, S>>,
    /// Whether its file is not the same.
    changed: bool,
    /// When it was last asked for.
    last: u64,
}

/// Locks what no other thread has for long.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The name of a block in the work folder.
pub(super) fn name([first, second]: [usize; 2]) -> String {
    format!("{BLOCKS}{first:02}-{second:02}")
}

impl<'a, C: Cell, S: Size> Store<'a, C, S> {
    /// The store of a game, with blocks of `most` bytes in memory. Goes on with the work folder, if there is one; gives what is
    /// counted so far.
    pub(super) fn open(
        layout: &'a Layout,
        layers: u64,
        most: u64,
        resources: &'a Resources<'a>,
        job: Job,
    ) -> Result<(Self, Census), GenerateError> {
        let count = layout.blocks() as u64;
        let mut shapes = room(count)?;
        shapes.extend(layout.all_blocks().map(|block| Shape { lines: layout.block_lines(block), layers }));
        let mut store = Self {
            layout,
            shapes,
            blocks: filled_with(count, || Mutex::new(Held { block: None, changed: false, last: 0 }))?,
            done: filled_with(count, || AtomicU32::new(0))?,
            most,
            held: 0,
            clock: 0,
            folder: None,
            resources,
            job,
            due: Due::new(resources.pause),
        };
        let saved = match (resources.folder, resources.peers) {
            (Some(folder), Some(peers)) => store.share_folder(folder, peers)?,
            (Some(folder), None) if folder.exists() => store.make_folder()?,
            // At once, so that another run is refused before it does the same again.
            (Some(_), None) if store.all_bytes() >= LARGE => match store.make_folder() {
                Err(GenerateError::Work(WorkError::Io { .. })) if store.has_all() => None,
                made => made?,
            },
            _ => None,
        };
        let mut census = Census::default();
        if let (Some(saved), Some(folder)) = (saved, &store.folder) {
            census = saved.census;
            // What is held from the beginning is read at once; damage to all else would be found when hours of work are lost by it.
            if resources.peers.is_none() && !store.has_all() {
                folder.check()?;
            }
            for (block, done) in layout.all_blocks().zip(&store.done) {
                let saved = saved.blocks.get(&name(block)).copied().unwrap_or_default();
                // There are no more tasks that begin with a block than it has second ranges below.
                let tasks = saved.done.min(block[1] as u64 + 1);
                done.store(tasks as u32, Relaxed);
                if tasks > 0 && !folder.has(&name(block)) {
                    return Err(folder.contradiction().into());
                }
            }
        }
        Ok((store, census))
    }

    /// Makes the work folder, or opens that which is there.
    fn make_folder(&mut self) -> Result<Option<Saved>, GenerateError> {
        let Some(path) = self.resources.folder else { return Err(GenerateError::Memory) };
        let (folder, saved) = WorkFolder::open(path, self.job.clone())?;
        self.folder = Some(folder);
        Ok(saved)
    }

    /// Makes the work folder for all processes, or opens that which is there.
    fn share_folder(&mut self, path: &Path, peers: &dyn Peers) -> Result<Option<Saved>, GenerateError> {
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
    pub(super) fn is_known(&self, block: [usize; 2]) -> bool {
        self.folder.as_ref().is_some_and(|folder| folder.has(&name(block)))
    }

    /// Whether a task is done.
    pub(super) fn is_done(&self, [one, two, three]: Task) -> bool {
        self.done[self.layout.block([one, two])].load(Relaxed) as usize > three
    }

    /// Notes that a task is done, as are those of the same first ranges with a lesser third one.
    pub(super) fn set_done(&self, [one, two, three]: Task) {
        self.done[self.layout.block([one, two])].store(three as u32 + 1, Relaxed);
    }

    /// Takes blocks into memory, and puts others out of it where there is no room.
    pub(super) fn hold(&mut self, wanted: &[[usize; 2]]) -> Result<(), GenerateError> {
        self.clock += 1;
        let mut missing = Vec::new();
        let mut room = 0;
        for &ranges in wanted {
            let number = self.layout.block(ranges);
            let mut held = lock(&self.blocks[number]);
            held.last = self.clock;
            if held.block.is_none() {
                missing.grow((number, ranges))?;
                room += self.shapes[number].bytes::<C, S>();
            }
        }
        if self.held.saturating_add(room) > self.most {
            self.put_out(room)?;
        }
        let load = |&(number, ranges): &(usize, [usize; 2])| {
            let (shape, name) = (self.shapes[number], name(ranges));
            let block = match &self.folder {
                Some(folder) if folder.has(&name) => Block::read(shape, folder, &name)?,
                _ => Block::new(shape)?,
            };
            lock(&self.blocks[number]).block = Some(block);
            Ok::<_, GenerateError>(())
        };
        parallel::for_each(missing.len(), |at| load(&missing[at]))?;
        self.held += room;
        Ok(())
    }

    /// Takes a block away, for another process.
    pub(super) fn take(&mut self, ranges: [usize; 2]) -> Option<Block<C, S>> {
        let number = self.layout.block(ranges);
        let taken = lock(&self.blocks[number]).block.take()?;
        self.held -= self.shapes[number].bytes::<C, S>();
        Some(taken)
    }

    /// A block of which nothing is known.
    pub(super) fn new_block(&self, ranges: [usize; 2]) -> Result<Block<C, S>, GenerateError> {
        Block::new(self.shapes[self.layout.block(ranges)])
    }

    /// Takes in a block that is new, or of which another process has found out more than is in the folder.
    pub(super) fn put(&mut self, ranges: [usize; 2], block: Block<C, S>) {
        let number = self.layout.block(ranges);
        let mut held = lock(&self.blocks[number]);
        (held.block, held.changed) = (Some(block), true);
        self.held += self.shapes[number].bytes::<C, S>();
    }

    /// Puts blocks out of memory, those first that were not asked for longest, until there is room for so many bytes.
    fn put_out(&mut self, room: u64) -> Result<(), GenerateError> {
        let mut oldest = Vec::new();
        for (number, ranges) in self.layout.all_blocks().enumerate() {
            let held = lock(&self.blocks[number]);
            if held.block.is_some() && held.last < self.clock {
                oldest.grow((held.last, number, ranges))?;
            }
        }
        oldest.sort_unstable();
        for (_, number, ranges) in oldest {
            if self.held.saturating_add(room) <= self.most {
                break;
            }
            self.write(number, ranges)?;
            lock(&self.blocks[number]).block = None;
            self.held -= self.shapes[number].bytes::<C, S>();
        }
        Ok(())
    }

    /// Writes a block, if its file is not the same.
    fn write(&mut self, number: usize, ranges: [usize; 2]) -> Result<(), GenerateError> {
        self.folder()?;
        let mut held = lock(&self.blocks[number]);
        let Held { block: Some(block), changed, .. } = &mut *held else { return Ok(()) };
        if *changed && let Some(folder) = &mut self.folder {
            let name = name(ranges);
            block.write(folder, &name)?;
            folder.wrote(name);
            *changed = false;
        }
        Ok(())
    }

    /// Gives blocks, which are in memory and no other thread has, to a function, with where each of those asked for is among
    /// them: some may be the same.
    pub(super) fn with<T>(
        &self,
        wanted: [[usize; 2]; 3],
        work: impl FnOnce(&mut [Known<C, S>], [usize; 3]) -> T,
    ) -> T {
        let numbers = wanted.map(|ranges| self.layout.block(ranges));
        let mut each = numbers.to_vec();
        each.sort_unstable();
        each.dedup();
        let mut locked: Vec<_> = each.iter().map(|&number| lock(&self.blocks[number])).collect();
        locked.iter_mut().for_each(|held| held.changed = true);
        let blocks = locked.iter_mut().map(|held| held.block.as_mut().expect("it is held").known());
        let mut blocks: Vec<_> = blocks.collect();
        work(&mut blocks, numbers.map(|number| each.partition_point(|&other| other < number)))
    }

    /// Writes all that is in memory, and makes a checkpoint of it; with all other processes, if there are some. What is counted
    /// is asked of the first one.
    pub(super) fn checkpoint(&mut self, census: Census, steps: [u64; 2]) -> Result<(), GenerateError> {
        let began = Instant::now();
        for (number, ranges) in self.layout.all_blocks().enumerate() {
            self.write(number, ranges)?;
        }
        let blocks = self.layout.all_blocks().zip(self.done.iter().zip(&self.shapes));
        let saved = |(block, (done, shape)): ([usize; 2], (&AtomicU32, &Shape))| {
            let done = done.load(Relaxed).into();
            (name(block), SavedBlock { epoch: 0, done, content: shape.content::<C, S>() })
        };
        let blocks = blocks.map(saved).collect();
        let saved = Saved { epoch: 0, census, steps, blocks };
        let peers = self.resources.peers;
        let folder = self.folder()?;
        folder.sync()?;
        match peers {
            None => folder.checkpoint(saved)?,
            Some(peers) => {
                let own = folder.new_files().collect::<Vec<_>>().join("\n");
                for names in peers.gather(own.as_bytes()) {
                    let names = String::from_utf8_lossy(&names);
                    names.lines().for_each(|name| folder.wrote(name.to_owned()));
                }
                match is_first(Some(peers)) {
                    true => folder.checkpoint(saved)?,
                    false => folder.follow(),
                }
                // Nothing more is written before what is not needed any more is removed.
                peers.gather(&[]);
            }
        }
        self.due.made(began);
        Ok(())
    }

    /// Whether a checkpoint is due.
    pub(super) fn is_due(&self) -> bool {
        self.resources.folder.is_some() && self.due.is_now(self.held)
    }

    /// Whether all blocks fit memory, so that none has to be in the folder.
    pub(super) fn has_all(&self) -> bool {
        self.all_bytes() <= self.most
    }

    fn all_bytes(&self) -> u64 {
        self.shapes.iter().map(|shape| shape.bytes::<C, S>()).fold(0, u64::saturating_add)
    }

    /// Waits before another checkpoint as if one had been made.
    pub(super) fn wait_for_another(&mut self) {
        self.due.put_off();
    }

    /// Whether checkpoints can be made.
    pub(super) fn can_save(&self) -> bool {
        self.resources.folder.is_some()
    }

    /// Whether a checkpoint is worth its while, if the work is broken off.
    pub(super) fn is_worth(&self) -> bool {
        self.resources.folder.is_some() && (self.folder.is_some() || self.due.is_worth())
    }

    /// All blocks, each as far as it is in memory, and the work folder.
    pub(super) fn into_parts(self) -> Result<Kept<C, S>, GenerateError> {
        let block = |held: Mutex<Held<C, S>>| held.into_inner().unwrap_or_else(PoisonError::into_inner).block;
        let mut blocks = room(self.blocks.len() as u64)?;
        blocks.extend(self.blocks.into_iter().map(block));
        Ok((blocks, self.folder))
    }
}

/// What a store has kept.
type Kept<C, S> = (Vec<Option<Block<C, S>>>, Option<WorkFolder>);
