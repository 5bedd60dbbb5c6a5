//! The levels of a diagram, which map a class and one further heap to the next class (FORMAT.md, section 5.4).

use super::layout::ArrayLayout;
use super::position::Heap;
use crate::Damage;
use crate::format::{Body, Fault, Packed};

/// The steps from all classes of a given number of heaps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Number of classes.
    pub(super) classes: u64,
    /// Number of sizes of a further heap.
    pub(super) width: u64,
    /// A record for each class and size; in a cut level, for each segment and size within it.
    records: Packed<2>,
    cut: Option<LevelCut>,
}

/// The segments of a level: the steps of a class are cut into segments, and classes share equal segments.
#[derive(Clone, Copy, Debug)]
struct LevelCut {
    /// The logarithm to base 2 of the number of sizes in a segment.
    sizes: u32,
    /// Number of segments of each class.
    of_class: u64,
    /// The segment number for each class and each part of its steps.
    segments: Packed<2>,
}

impl Level {
    /// Looks up the step from a class by a heap of a size. Returns the class it leads to, and the depth it adds.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(super) fn step(&self, body: &Body, class: u64, size: Heap) -> Result<[u64; 2], Fault> {
        let size = u64::from(size);
        let Some(LevelCut { sizes, of_class, segments }) = &self.cut else {
            return self.records.get(body, class * self.width + size);
        };
        let [segment, before] = segments.get(body, class * of_class + (size >> sizes))?;
        let [class, deeper] = self.records.get(body, (segment << sizes) + (size & ((1 << sizes) - 1)))?;
        Ok([class, before + deeper])
    }

    /// Returns the number of steps.
    pub(super) fn steps(&self) -> u64 {
        self.classes.saturating_mul(self.width)
    }

    /// Returns the arrays of the level.
    fn arrays(&self) -> impl Iterator<Item = &Packed<2>> {
        [&self.records].into_iter().chain(self.cut.as_ref().map(|cut| &cut.segments))
    }

    /// Returns true if some step adds to the depth.
    pub(super) fn has_depths(&self) -> bool {
        self.arrays().any(|records| records.greatest(1) > 0)
    }

    /// Reads the levels of a diagram, from the first one with records. `widths` has the number of sizes for each
    /// number of heaps. `roots` lead to classes of any level.
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
            let cut = layout.cuts.get(level).map_or(0, |&cut| u32::from(cut));
            let records = Packed::<2>::read(body, 1 + level)?;
            if records.count() == 0 && levels.is_empty() && cut == 0 {
                continue;
            }
            let mut segments = None;
            if cut > 0 {
                segments = Some(Packed::<2>::read(body, next_segments)?);
                next_segments += 1;
            }
            levels.push(
                Self::new(records, segments.map(|segments| (cut, segments)), width).ok_or_else(misfit)?,
            );
        }
        // Check that the index of a step cannot overflow.
        let classes = levels.iter().map(|level| level.records.greatest(0)).chain([roots.greatest(0)]).max();
        let widest = widths.iter().copied().max().unwrap_or(1);
        let steps = classes.and_then(|greatest| (greatest + 1).checked_mul(widest));
        if steps.is_none() || levels.iter().any(Self::can_overflow) {
            return Err(Damage::new("its classes are in fields too wide"));
        }
        Ok(levels)
    }

    /// Builds a level of these arrays; `None` if their lengths do not match or are 0.
    fn new(records: Packed<2>, cut: Option<(u32, Packed<2>)>, width: u64) -> Option<Self> {
        let cut =
            cut.map(|(sizes, segments)| LevelCut { sizes, of_class: width.div_ceil(1 << sizes), segments });
        let (count, of_class) = match &cut {
            None => (records.count(), width),
            Some(cut) => (cut.segments.count(), cut.of_class),
        };
        let whole = cut
            .as_ref()
            .is_none_or(|cut| records.count() > 0 && records.count().is_multiple_of(1 << cut.sizes));
        let fits = count > 0 && count.is_multiple_of(of_class) && whole;
        fits.then(|| Self { classes: count / of_class, width, records, cut })
    }

    /// Returns true if the index of a step in a segment can overflow.
    fn can_overflow(&self) -> bool {
        self.cut
            .as_ref()
            .is_some_and(|cut| (cut.segments.greatest(0) + 1).checked_mul(1 << cut.sizes).is_none())
    }
}
