//! One step of the search for classes: from the classes of multisets of n heaps to the classes of multisets of n - 1
//! heaps.
//!
//! Two multisets are equivalent if adding a heap of any size leads to the same class. So the *key* of a multiset is the
//! list of classes after adding a heap of size 0, 1, 2, ...; multisets with equal keys get the same class. An entry of
//! this list is a *step* of the class; the number of steps is the *width*. This minimizes an acyclic automaton level by
//! level (Revuz, 1992). Depths in a key are relative to the least depth in it, which becomes the `deeper` of the
//! multiset's edge to its class. So two multisets that differ by a constant in all depths are equivalent too.
//!
//! If heaps are added in descending order only, keys end at the least heap, and a key can share the class of a longer
//! one (`ordered_classes`). Depths are then relative to the key's first step to a lost position.
//!
//! Example, Nim with three heaps, without depths: {1,2} and {0,3} are lost with a third heap of 3 only, so they have
//! the same key. Cost: one lookup of an edge for each multiset and size. Threads number the keys of their chunks, and
//! the chunks are then merged in order, so class numbers do not depend on the number of threads.

use std::ops::Range;

use bouton_tables::heaps::{HeapRules, Ranks};

use super::dictionary::ClassDictionary;
use super::edges::{ClassEdge, EdgeList};
use super::multisets::{ClassLevel, FurtherSizes, MultisetSource, Multisets, SectionView, batches};
use super::numbering::Numbering;
use super::stage::{load, save, save_given_up};
use crate::control::{CancelCheck, Control, Phase, check_cancelled};
use crate::heaps::frame::search_checkpoints::SearchCheckpoints;
use crate::making::GenerateError;
use crate::memory::room;
use crate::parallel;
use crate::work::words::{WordReader, WordWriter};

/// Steps in a chunk of a thread. Few in tests, for many checkpoints.
const STEPS_PER_CHUNK: u64 = if cfg!(test) { 1 << 9 } else { 1 << 16 };

/// Memory budget, checkpoints and progress, shared by all stages of a search.
pub(crate) struct SearchContext<'a, 's> {
    pub(crate) memory: MemoryBudget,
    pub(crate) checkpoints: &'a mut SearchCheckpoints<'s>,
    pub(crate) control: &'a dyn Control,
}

/// Memory of a search, in bytes.
pub(crate) struct MemoryBudget {
    /// In use beyond the current stage.
    pub(crate) kept: u64,
    /// Maximum sum of `kept` and temporary memory so far.
    pub(crate) peak: u64,
    limit: u64,
}

impl MemoryBudget {
    pub(crate) fn within(limit: u64) -> Self {
        Self { kept: 0, peak: 0, limit }
    }

    pub(crate) fn keep(&mut self, bytes: u64) {
        self.kept += bytes;
        self.peak = self.peak.max(self.kept);
    }

    /// Counts temporary memory, in addition to `kept`, in the peak. Earlier temporary memory has been freed.
    ///
    /// # Errors
    /// If the sum exceeds the limit.
    pub(crate) fn note_temporary(&mut self, bytes: u64) -> Result<(), GenerateError> {
        self.peak = self.peak.max(self.kept + bytes);
        self.check(bytes)
    }

    /// Checks temporary memory against the limit, without counting it in the peak.
    pub(crate) fn check(&self, bytes: u64) -> Result<(), GenerateError> {
        if self.kept + bytes > self.limit { Err(GenerateError::Memory) } else { Ok(()) }
    }
}

/// Computes the classes of multisets with one heap less than those of `above`. `None` if these classes have more than
/// `max_steps` steps in all, `width` for each.
pub(crate) fn refine<D: ClassDictionary>(
    rules: &HeapRules,
    above: &dyn MultisetSource<ClassEdge>,
    width: usize,
    max_steps: u64,
    context: &mut SearchContext,
) -> Result<Option<ClassLevel>, GenerateError> {
    let heaps = above.ranks().heaps() - 1;
    let ranks = Ranks::try_new(&rules.bounds()[rules.heaps() - heaps..])?;
    let multisets = Multisets::new(rules, &ranks);
    let name = context.checkpoints.begin_stage();
    let load = |input: &mut WordReader| load::<D>(multisets.count(), input);
    let (classes, edges) = match context.checkpoints.read(&name, load)? {
        None => (D::default(), EdgeList::with_capacity(multisets.count())?),
        Some(Some(state)) => state,
        Some(None) => return Ok(None),
    };
    context.control.begin(Phase::Packing, multisets.count());
    context.control.advance(edges.len());
    let max_classes = usize::try_from(max_steps / width as u64).unwrap_or(usize::MAX);
    let mut refinement = Refinement { above, ranks: &ranks, width, max_classes, classes, edges };
    let refined = refinement.run(u64::from(rules.passes()) + 1, &name, context);
    let Refinement { classes, mut edges, .. } = refinement;
    if matches!(refined, Err(GenerateError::Cancelled)) {
        let mut save = |output: &mut WordWriter| save(output, &classes, &edges);
        context.checkpoints.stop(context.control, Some((&name, &mut save)))?;
    }
    if !refined? {
        context.checkpoints.end(&name, 0, context.control, &mut save_given_up)?;
        return Ok(None);
    }
    let SearchContext { memory, checkpoints, control } = context;
    let needed = (classes.bytes() + classes.len() * width * size_of::<ClassEdge>()) as u64;
    memory.note_temporary(needed)?;
    memory.check(needed + edges.wide_bytes())?;
    let bytes = classes.bytes() as u64 + edges.bytes();
    checkpoints.end(&name, bytes, *control, &mut |output| save(output, &classes, &edges))?;
    let steps = classes.steps(&mut edges, &ranks, width, *control)?;
    Ok(Some(ClassLevel { ranks, edges, steps }))
}

/// A level while its multisets get their classes, one after the other.
struct Refinement<'a, D> {
    /// The multisets with one heap more.
    above: &'a dyn MultisetSource<ClassEdge>,
    /// Ranks of the level's multisets.
    ranks: &'a Ranks,
    width: usize,
    max_classes: usize,
    /// The classes found so far.
    classes: D,
    /// The edge of each multiset so far to its class, in the order of layers and ranks.
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
            let remaining = section.start.max(done)..section.end;
            if remaining.is_empty() {
                continue;
            }
            check_cancelled(context.control)?;
            let view = self.above.view(layer, section)?;
            let chunk = |number: usize| {
                let first = remaining.start + number as u64 * chunk_len;
                first..(first + chunk_len).min(remaining.end)
            };
            for batch in batches((remaining.end - remaining.start).div_ceil(chunk_len) as usize) {
                check_cancelled(context.control)?;
                let find = |number| self.keys_of_chunk(&*view, chunk(batch.start + number), context.control);
                let found = parallel::map(batch.len(), find)?;
                // Each thread has buffers for the steps of a multiset and for a key.
                let buffers = 2 * 8 * self.width * batch.len().min(parallel::threads());
                let chunks = add_chunks(&mut self.classes, &mut self.edges, self.max_classes, found)?;
                let needed = (buffers + chunks + self.classes.bytes()) as u64;
                let SearchContext { memory, checkpoints, control } = context;
                memory.note_temporary(needed)?;
                memory.check(needed + self.edges.wide_bytes() + view.bytes())?;
                if self.classes.len() > self.max_classes {
                    return Ok(false);
                }
                let bytes = self.classes.bytes() as u64 + self.edges.bytes();
                checkpoints.checkpoint(name, bytes, *control, &mut |output| {
                    save(output, &self.classes, &self.edges)
                })?;
            }
        }
        Ok(true)
    }

    /// Returns the keys in a chunk of multisets, and the edge of each multiset.
    fn keys_of_chunk(
        &self,
        view: &dyn SectionView<ClassEdge>,
        chunk: Range<u64>,
        control: &dyn Control,
    ) -> Result<(Numbering, Vec<ClassEdge>), GenerateError> {
        let mut cancel_check = CancelCheck::new(control);
        let mut others = self.ranks.unrank(chunk.start);
        let mut found = Numbering::default();
        let mut edges = room(chunk.end - chunk.start)?;
        let (mut steps, mut key) = (room(self.width as u64)?, room(self.width as u64)?);
        let mut append_steps = view.query()?;
        let sizes = if D::DESCENDING { FurtherSizes::Least } else { FurtherSizes::All };
        for _ in chunk.clone() {
            cancel_check.spend(self.width)?;
            steps.clear();
            append_steps(&others, sizes, &mut steps);
            if let (FurtherSizes::Least, Some(&least)) = (sizes, others.last()) {
                steps.truncate(least as usize + 1);
            }
            key.clear();
            let deeper = D::key(&steps, &mut key)?;
            edges.push(ClassEdge { class: found.number(&key)?, deeper });
            self.ranks.advance(&mut others);
        }
        control.advance(chunk.end - chunk.start);
        Ok((found, edges))
    }
}

/// Merges the dictionaries of chunks in order, so that each class gets the number of its first occurrence, for any number
/// of threads. Appends the edges of the chunks' multisets; adds no more once there are over `max_classes` classes. Returns
/// the bytes of these dictionaries.
pub(crate) fn add_chunks<D: ClassDictionary>(
    classes: &mut D,
    edges: &mut EdgeList,
    max_classes: usize,
    chunks: impl Iterator<Item = (Numbering, Vec<ClassEdge>)>,
) -> Result<usize, GenerateError> {
    let mut bytes = 0;
    for (found, chunk_edges) in chunks {
        bytes += found.bytes();
        if classes.len() <= max_classes {
            let mut numbers = room(found.len() as u64)?;
            for key in found.keys() {
                numbers.push(classes.number(key)?);
            }
            let numbered = |edge: &ClassEdge| ClassEdge { class: numbers[edge.class as usize], ..*edge };
            edges.extend(chunk_edges.iter().map(numbered))?;
        }
    }
    Ok(bytes)
}
