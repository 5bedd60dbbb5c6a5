//! The levels of an automaton, whose edges lead from a class to the next by one further heap (FORMAT.md, section 5.4).

use super::layout::ArrayLayout;
use super::position::Heap;
use crate::Damage;
use crate::format::{Body, Fault, Packed};

/// The edges from all classes of one number of heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    pub(super) classes: u64,
    /// Number of sizes of a further heap.
    pub(super) width: u64,
    /// A record for each class and size; in a cut level, for each segment and size within the segment.
    records: Packed<2>,
    /// `None` if the level is not cut.
    cut: Option<LevelCut>,
}

/// The segments of a level: the edges of a class are cut into segments, and classes share equal segments.
#[derive(Clone, Copy, Debug)]
struct LevelCut {
    /// The binary logarithm of the number of sizes in a segment.
    log_sizes: u32,
    /// Number of segments of each class.
    per_class: u64,
    /// For each class and each part of its edges: the number of the segment, and a depth to add.
    segments: Packed<2>,
}

impl Level {
    /// Looks up the edge from a class by a heap of `size` stones: the class that it leads to, and the depth that it
    /// adds.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn edge(&self, body: &Body, class: u64, size: Heap) -> Result<[u64; 2], Fault> {
        let size = u64::from(size);
        let Some(LevelCut { log_sizes, per_class, segments }) = &self.cut else {
            return self.records.get(body, class * self.width + size);
        };
        let [segment, first_deeper] = segments.get(body, class * per_class + (size >> log_sizes))?;
        let [class, deeper] =
            self.records.get(body, (segment << log_sizes) + (size & ((1 << log_sizes) - 1)))?;
        Ok([class, first_deeper + deeper])
    }

    pub(super) fn edge_count(&self) -> u64 {
        self.classes.saturating_mul(self.width)
    }

    fn arrays(&self) -> impl Iterator<Item = &Packed<2>> {
        [&self.records].into_iter().chain(self.cut.as_ref().map(|cut| &cut.segments))
    }

    /// Returns true if edges have a field for depths.
    pub(super) fn has_depths(&self) -> bool {
        self.arrays().any(|records| records.greatest(1) > 0)
    }

    /// Reads the levels of an automaton, from the first one with records. `widths` has the number of sizes at each
    /// level with edges. `roots` are the records of the stem: for each number of passes left, they lead to one of these
    /// levels, or to whole positions.
    pub(super) fn read_all(
        body: &Body,
        layout: &ArrayLayout,
        widths: &[u64],
        roots: &Packed<2>,
    ) -> Result<Vec<Self>, Damage> {
        let misfit = || Damage::new("its classes do not fit its ruleset");
        let mut levels: Vec<Self> = Vec::new();
        // The segment arrays of cut levels follow the record arrays of all levels.
        let mut next_segments = 1 + layout.cuts.len();
        for (level, &width) in widths.iter().enumerate() {
            let log_sizes = layout.cuts.get(level).map_or(0, |&log_sizes| u32::from(log_sizes));
            let records = Packed::<2>::read(body, 1 + level)?;
            if records.count() == 0 && levels.is_empty() && log_sizes == 0 {
                continue;
            }
            let mut segments = None;
            if log_sizes > 0 {
                segments = Some(Packed::<2>::read(body, next_segments)?);
                next_segments += 1;
            }
            levels.push(
                Self::new(records, segments.map(|segments| (log_sizes, segments)), width)
                    .ok_or_else(misfit)?,
            );
        }
        // Check that no index of a record can overflow: neither class x sizes + size, nor segment x segment length +
        // index in the segment.
        let greatest_class =
            levels.iter().map(|level| level.records.greatest(0)).chain([roots.greatest(0)]).max();
        let widest = widths.iter().copied().max().unwrap_or(1);
        let edge_count = greatest_class.and_then(|greatest| (greatest + 1).checked_mul(widest));
        let mut cuts = levels.iter().filter_map(|level| level.cut);
        let overflows =
            |cut: LevelCut| (cut.segments.greatest(0) + 1).checked_mul(1 << cut.log_sizes).is_none();
        if edge_count.is_none() || cuts.any(overflows) {
            return Err(Damage::new("the fields of its classes are too wide"));
        }
        Ok(levels)
    }

    /// Builds a level of these arrays; `None` if an array is empty, or does not have whole classes or whole segments.
    fn new(records: Packed<2>, cut: Option<(u32, Packed<2>)>, width: u64) -> Option<Self> {
        let count = records.count();
        let (count, per_class, are_whole_segments, cut) = match cut {
            None => (count, width, true, None),
            Some((log_sizes, segments)) => {
                let per_class = width.div_ceil(1 << log_sizes);
                let are_whole = count > 0 && count.is_multiple_of(1 << log_sizes);
                (segments.count(), per_class, are_whole, Some(LevelCut { log_sizes, per_class, segments }))
            }
        };
        let fits = count > 0 && count.is_multiple_of(per_class) && are_whole_segments;
        fits.then(|| Self { classes: count / per_class, width, records, cut })
    }
}
