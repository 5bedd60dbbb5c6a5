//! One step of the search for classes: from the classes of multisets of n heaps to the classes of multisets of n - 1
//! heaps.
//!
//! Two multisets are equivalent if adding a heap of any size leads to the same class. So the *key* of a multiset is the
//! list of classes after adding a heap of size 0, 1, 2, ...; multisets with equal keys get the same class. An entry of
//! this list is a *step* of the class, and their number is the *width*. This minimizes an acyclic automaton level by
//! level (Revuz, 1992). Depths in a key are relative to the least depth in it, which becomes the `deeper` of the
//! multiset's edge to its class. So two multisets that differ by a constant in all depths are equivalent too.
//!
//! Example, Nim with three heaps, without depths: {1,2} and {0,3} are lost with a third heap of 3 only, so they have
//! the same key. Cost: one lookup of an edge for each multiset and size. Threads number the keys of their chunks, and
//! the chunks are then merged in order, so class numbers do not depend on the number of threads.

use std::io;
use std::ops::Range;

use bouton_tables::heaps::{HeapRules, Ranks};

use super::edges::{EdgeList, from_wide, wide};
use super::multisets::{ClassLevel, EdgeSource, EdgeView, FurtherSizes, Multisets, VOID, batches};
use super::numbering::Numbering;
use super::pack::ClassEdge;
use super::search_checkpoints::{SearchCheckpoints, StageState, save_complete, save_given_up, save_partial};
use crate::control::{CancelCheck, check_cancelled};
use crate::memory::{Grow, room};
use crate::work::words::{WordReader, WordWriter};
use crate::{Control, GenerateError, Phase, parallel};

/// Steps in a chunk of a thread. Few in tests, for many checkpoints.
const STEPS_PER_CHUNK: u64 = if cfg!(test) { 1 << 9 } else { 1 << 16 };

/// Numbers the classes of multisets by their keys: the classes after adding a heap of each size.
pub(super) trait ClassDictionary: Default + Sync {
    /// Heaps are added in descending order only.
    const DESCENDING: bool;

    /// Appends the key for these steps. Returns the depth that the key omits, which all steps share; [`VOID`] if no
    /// step leads to a lost position.
    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError>;

    /// Returns the class of a key: a compatible one, or a new one.
    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError>;

    fn len(&self) -> usize;

    fn bytes(&self) -> usize;

    fn save(&self, output: &mut WordWriter) -> io::Result<()>;

    fn load(input: &mut WordReader) -> Result<Self, GenerateError>;

    /// Returns the steps of all classes, `width` for each. May adjust the edges of the multisets.
    fn steps(
        self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        width: usize,
        control: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError>;
}

/// Classes to which heaps are added in any order.
impl ClassDictionary for Numbering {
    const DESCENDING: bool = false;

    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError> {
        let deeper = steps.iter().map(|step| step.deeper).min().unwrap_or(VOID);
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { 0 } else { step.deeper - deeper };
            wide(ClassEdge { deeper, ..*step })
        }))?;
        // Sizes that do not fit are never looked up, so a key without them may equal a longer one that ends with zeros.
        while key.last() == Some(&0) {
            key.pop();
        }
        Ok(deeper)
    }

    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError> {
        self.number(key)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        output.write_word(self.len() as u64)?;
        self.keys().try_for_each(|key| {
            output.write_word(key.len() as u64)?;
            output.words(key)
        })
    }

    fn load(input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut numbering = Self::default();
        for number in 0..input.word()? {
            let len = input.word()?;
            if u64::from(numbering.number(&input.words(len)?)?) != number {
                return Err(input.damaged());
            }
        }
        Ok(numbering)
    }

    fn steps(
        self,
        _: &mut EdgeList,
        _: &Ranks,
        width: usize,
        _: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError> {
        // Sizes that the key omits have zero steps.
        let mut steps = room(self.len() as u64 * width as u64)?;
        for key in self.keys() {
            steps.extend(key.iter().copied().chain(std::iter::repeat(0)).take(width).map(from_wide));
        }
        Ok(steps)
    }
}

/// Memory budget, checkpoints and progress, shared by all stages of a search.
pub(super) struct SearchContext<'a, 's> {
    pub(super) memory: MemoryBudget,
    pub(super) checkpoints: &'a mut SearchCheckpoints<'s>,
    pub(super) control: &'a dyn Control,
}

/// Memory of a search, in bytes.
pub(super) struct MemoryBudget {
    /// In use until further notice.
    pub(super) kept: u64,
    /// Maximum of `kept` and temporary memory so far.
    pub(super) peak: u64,
    limit: u64,
}

impl MemoryBudget {
    pub(super) fn within(limit: u64) -> Self {
        Self { kept: 0, peak: 0, limit }
    }

    pub(super) fn keep(&mut self, bytes: u64) {
        self.kept += bytes;
        self.peak = self.peak.max(self.kept);
    }

    /// Accounts for temporary memory in addition to `kept`.
    ///
    /// # Errors
    /// If this exceeds the limit.
    pub(super) fn add_temporary(&mut self, bytes: u64) -> Result<(), GenerateError> {
        self.peak = self.peak.max(self.kept + bytes);
        self.check(bytes)
    }

    /// Checks temporary memory against the limit, without counting it in the peak.
    pub(super) fn check(&self, bytes: u64) -> Result<(), GenerateError> {
        if self.kept + bytes > self.limit { Err(GenerateError::Memory) } else { Ok(()) }
    }
}

/// Computes the classes of multisets with one heap less than those of `above`. `None` if these classes have more than
/// `max_steps` steps in all, `width` for each.
pub(super) fn refine<D: ClassDictionary>(
    rules: &HeapRules,
    above: &dyn EdgeSource,
    width: usize,
    max_steps: u64,
    context: &mut SearchContext,
) -> Result<Option<ClassLevel>, GenerateError> {
    let heaps = above.ranks().heaps() - 1;
    let ranks = Ranks::try_new(&rules.bounds()[rules.heaps() - heaps..])?;
    let multisets = Multisets::new(rules, &ranks);
    let (name, stage) = context.checkpoints.begin::<D>(multisets.count(), width)?;
    let (classes, edges) = match stage {
        StageState::GivenUp => return Ok(None),
        StageState::Complete(edges, steps) => return Ok(Some(ClassLevel { ranks, edges, steps })),
        StageState::Partial(classes, edges) => (classes, edges),
    };
    context.control.begin(Phase::Packing, multisets.count());
    context.control.advance(edges.len());
    let max_classes = usize::try_from(max_steps / width as u64).unwrap_or(usize::MAX);
    let mut refinement = Refinement { above, ranks: &ranks, width, max_classes, classes, edges };
    let refined = refinement.run(u64::from(rules.passes()) + 1, &name, context);
    let Refinement { classes, mut edges, .. } = refinement;
    if matches!(refined, Err(GenerateError::Cancelled)) {
        let save = |output: &mut WordWriter| save_partial(output, &classes, &edges);
        context.checkpoints.stop(context.control, |checkpointer| checkpointer.write(&name, save))?;
    }
    if !refined? {
        context.checkpoints.end(&name, 0, context.control, save_given_up)?;
        return Ok(None);
    }
    let SearchContext { memory, checkpoints, control } = context;
    let needed = (classes.bytes() + classes.len() * width * size_of::<ClassEdge>()) as u64;
    memory.add_temporary(needed)?;
    memory.check(needed + edges.wide_bytes())?;
    let steps = classes.steps(&mut edges, &ranks, width, *control)?;
    let bytes = edges.bytes() + size_of_val(&steps[..]) as u64;
    checkpoints.end(&name, bytes, *control, |output| save_complete(output, &edges, &steps))?;
    Ok(Some(ClassLevel { ranks, edges, steps }))
}

/// A level while its multisets are numbered one after the other.
struct Refinement<'a, D> {
    /// The multisets with one heap more.
    above: &'a dyn EdgeSource,
    /// Ranks of the level's multisets.
    ranks: &'a Ranks,
    width: usize,
    max_classes: usize,
    /// Classes of the first multisets.
    classes: D,
    /// Edges to the first multisets, in the order of layers and ranks.
    edges: EdgeList,
}

impl<D: ClassDictionary> Refinement<'_, D> {
    /// Continues to the last multiset. Returns false if there are too many classes.
    fn run(&mut self, layers: u64, name: &str, context: &mut SearchContext) -> Result<bool, GenerateError> {
        let chunk_len = (STEPS_PER_CHUNK / self.width as u64).clamp(16, 4096);
        let sections = self.above.sections(self.ranks)?;
        for (layer, section) in
            (0..layers).flat_map(|layer| sections.iter().map(move |section| (layer, section)))
        {
            let done = self.edges.len().saturating_sub(layer * self.ranks.count());
            let left = section.start.max(done)..section.end;
            if left.is_empty() {
                continue;
            }
            check_cancelled(context.control)?;
            let view = self.above.view(layer, section)?;
            let chunk = |number: usize| {
                let first = left.start + number as u64 * chunk_len;
                first..(first + chunk_len).min(left.end)
            };
            for batch in batches((left.end - left.start).div_ceil(chunk_len) as usize) {
                check_cancelled(context.control)?;
                let find = |number| self.keys_of_chunk(&*view, chunk(batch.start + number), context.control);
                let found = parallel::map(batch.len(), find)?;
                // Each thread has buffers for the steps of a multiset and for a key.
                let buffers = 2 * 8 * self.width * batch.len().min(parallel::threads());
                let needed = (buffers + self.add_chunks(found)? + self.classes.bytes()) as u64;
                let SearchContext { memory, checkpoints, control } = context;
                memory.add_temporary(needed)?;
                memory.check(needed + self.edges.wide_bytes() + view.bytes())?;
                if self.classes.len() > self.max_classes {
                    return Ok(false);
                }
                let bytes = self.classes.bytes() as u64 + self.edges.bytes();
                checkpoints.checkpoint(name, bytes, *control, |output| {
                    save_partial(output, &self.classes, &self.edges)
                })?;
            }
        }
        Ok(true)
    }

    /// Merges the dictionaries of chunks in order, so that each class gets the number of its first occurrence, for any
    /// number of threads. Returns the bytes of these dictionaries.
    fn add_chunks(
        &mut self,
        chunks: impl Iterator<Item = (Numbering, Vec<ClassEdge>)>,
    ) -> Result<usize, GenerateError> {
        let mut bytes = 0;
        for (found, chunk_edges) in chunks {
            bytes += found.bytes();
            if self.classes.len() <= self.max_classes {
                let mut numbers = room(found.len() as u64)?;
                for key in found.keys() {
                    numbers.push(self.classes.number(key)?);
                }
                let numbered = |edge: &ClassEdge| ClassEdge { class: numbers[edge.class as usize], ..*edge };
                self.edges.extend(chunk_edges.iter().map(numbered))?;
            }
        }
        Ok(bytes)
    }

    /// Returns the keys in a chunk of multisets, and the edge of each multiset.
    fn keys_of_chunk(
        &self,
        view: &dyn EdgeView,
        chunk: Range<u64>,
        control: &dyn Control,
    ) -> Result<(Numbering, Vec<ClassEdge>), GenerateError> {
        let mut cancel_check = CancelCheck::new(control);
        let mut others = self.ranks.unrank(chunk.start);
        let mut found = Numbering::default();
        let mut edges = room(chunk.end - chunk.start)?;
        let (mut steps, mut key) = (room(self.width as u64)?, room(self.width as u64)?);
        let mut append_steps = view.query();
        let sizes = if D::DESCENDING { FurtherSizes::Least } else { FurtherSizes::All };
        for _ in chunk.clone() {
            cancel_check.spend(self.width)?;
            steps.clear();
            append_steps(&others, sizes, &mut steps);
            key.clear();
            let deeper = D::key(&steps, &mut key)?;
            edges.push(ClassEdge { class: found.number(&key)?, deeper });
            self.ranks.advance(&mut others);
        }
        control.advance(chunk.end - chunk.start);
        Ok((found, edges))
    }
}
