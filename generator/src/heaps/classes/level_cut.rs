//! Cuts the steps of a level into segments that classes share (FORMAT.md, section 5.4).
//!
//! Different classes often have the same steps for most sizes of a further heap, and the steps of a class often repeat
//! themselves. So we cut the steps of each class into segments of 2^k sizes, store each different segment once, and for
//! each class the numbers of its segments. Example: steps AABB, AACC and BBCC with segments of 2 sizes are 3 segments
//! (AA, BB, CC) and 6 numbers. Depths within a segment are relative to its least one, so that segments that differ by a
//! constant are equal.

use std::ops::Range;

use super::edges::{ClassEdge, VOID, from_wide, wide};
use super::multisets::{UsedBits, stored};
use super::numbering::Numbering;
use crate::making::GenerateError;
use crate::memory::{collected, filled, room};
use crate::parallel;

/// Levels with fewer bits are not cut: that would only slow answers.
const MIN_BITS: u64 = 1 << 12;

/// In levels with more steps, about this many are sampled to choose the length of segments.
const SAMPLE: usize = 1 << 17;

/// How the steps of a class repeat: from index `from` on, the step `period` further on is the same, but deeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repetition {
    pub(crate) from: usize,
    pub(crate) period: usize,
    /// By how much depths grow in a period.
    pub(crate) deeper: u32,
}

/// The steps of all classes of a level.
#[derive(Clone, Copy)]
pub(crate) struct LevelSteps<F> {
    pub(crate) classes: usize,
    /// Steps of a class.
    pub(crate) width: usize,
    /// Returns a step, by its index among the steps of all classes.
    pub(crate) step: F,
    /// How the steps repeat, if this is known and there is one class. Then most steps need not be visited.
    pub(crate) repetition: Option<Repetition>,
}

impl<F: Fn(usize) -> ClassEdge + Copy> LevelSteps<F> {
    /// Returns the bits of all steps in the table, without cuts.
    fn bits(&self) -> u64 {
        let all = self.classes * self.width;
        let of = |steps: Range<usize>| UsedBits::of_all(steps.map(self.step));
        let used = match self.repetition {
            None => of(0..all),
            // The depths of the last period are the greatest, so they need most bits.
            Some(Repetition { from, period, .. }) => {
                of(0..all.min(from + period)) | of(all.saturating_sub(period)..all)
            }
        };
        used.bits(all as u64)
    }
}

/// Returns the steps of a level's classes, `width` for each.
pub(crate) fn steps_of(
    edges: &[ClassEdge],
    width: usize,
) -> LevelSteps<impl Fn(usize) -> ClassEdge + Copy + Sync> {
    LevelSteps { classes: edges.len() / width, width, step: move |at: usize| edges[at], repetition: None }
}

/// A level whose steps are cut into segments.
pub(crate) struct LevelCut {
    /// Binary logarithm of the number of sizes in a segment.
    pub(crate) sizes_log2: u8,
    /// For each class, its segments: the number of each in the field `class`, and the depth to add to its steps.
    pub(crate) segments: Vec<ClassEdge>,
    /// The different segments, with eight bytes for each step.
    steps: Numbering,
}

/// For each class, true if it is void: only won positions are reached from it. Classes beyond the end are not void.
pub(crate) type Voids = Vec<bool>;

/// Returns the void classes of whole positions: class 0 is won.
pub(crate) fn voids_of_positions() -> Voids {
    vec![true]
}

/// Returns the void classes of a level, given those of the level above.
pub(crate) fn voids(steps: &[ClassEdge], width: usize, above: &Voids) -> Result<Voids, GenerateError> {
    collected(steps.chunks_exact(width).map(|steps| steps.iter().all(|step| is_void(*step, above))))
}

/// Reports whether a step leads to a void class of the level above.
fn is_void(step: ClassEdge, above: &Voids) -> bool {
    above.get(step.class as usize).copied().unwrap_or(false)
}

impl LevelCut {
    /// Returns the smallest cut of the steps of all classes; `None` if it saves less than a quarter.
    pub(crate) fn best(
        steps: &LevelSteps<impl Fn(usize) -> ClassEdge + Copy + Sync>,
        above: &Voids,
    ) -> Result<Option<Self>, GenerateError> {
        let LevelSteps { classes, width, .. } = *steps;
        let bits = steps.bits();
        // In most games, segments of about the square root of the width are best.
        let root = width.ilog2() / 2;
        let logs: Vec<u32> = (root.max(2) - 1..=root + 1).filter(|&log| 1 << log < width).collect();
        if bits < MIN_BITS || logs.is_empty() {
            return Ok(None);
        }
        let best_of = |steps: &LevelSteps<_>, every: usize| {
            let cut = |number: usize| Self::new(steps, every, logs[number], above);
            Ok::<_, GenerateError>(parallel::map(logs.len(), cut)?.min_by_key(Self::bits))
        };
        let best = match classes * width {
            ..=SAMPLE => best_of(steps, 1)?,
            len => {
                let sampled = match width {
                    ..=SAMPLE => best_of(steps, len.div_ceil(SAMPLE))?,
                    _ => best_of(&LevelSteps { classes: 1, width: SAMPLE, ..*steps }, 1)?,
                };
                sampled.map(|cut| Self::new(steps, 1, u32::from(cut.sizes_log2), above)).transpose()?
            }
        };
        Ok(best.filter(|cut| cut.bits() <= bits / 4 * 3))
    }

    /// Cuts the steps of every `every`-th class into segments of 2^`sizes_log2` sizes.
    fn new(
        &LevelSteps { classes, width, step, repetition }: &LevelSteps<impl Fn(usize) -> ClassEdge + Copy>,
        every: usize,
        sizes_log2: u32,
        above: &Voids,
    ) -> Result<Self, GenerateError> {
        let len = 1 << sizes_log2;
        let mut numbering = Numbering::default();
        let mut segments: Vec<ClassEdge> = room((classes.div_ceil(every) * width.div_ceil(len)) as u64)?;
        let mut segment = filled(len as u64, wide(ClassEdge::default()))?;
        // The segments repeat after the least number of whole periods that is also a number of whole segments.
        let repeated = repetition.map(|Repetition { from, period, deeper }| {
            let periods = len / greatest_common_divisor(len, period);
            (from.div_ceil(len), periods * period / len, deeper.wrapping_mul(periods as u32))
        });
        let of_class =
            |class: usize| (class * width..(class + 1) * width).step_by(len).map(move |first| (class, first));
        for (class, first) in (0..classes).step_by(every).flat_map(of_class) {
            if let Some((from, back, deeper)) = repeated
                && first + len <= width
                && let Some(&before) =
                    segments.len().checked_sub(back).filter(|&at| at >= from).map(|at| &segments[at])
            {
                let deeper = if before.deeper == VOID { VOID } else { before.deeper + deeper };
                segments.push(ClassEdge { deeper, ..before });
                continue;
            }
            let piece = (first..(first + len).min((class + 1) * width)).map(step);
            // Steps to void classes have no depth.
            let depths = piece.clone().filter(|step| !is_void(*step, above)).map(|step| step.deeper);
            let least = depths.min().unwrap_or(VOID);
            segment.fill(wide(ClassEdge::default()));
            for (in_segment, step) in segment.iter_mut().zip(piece) {
                let deeper = if is_void(step, above) { 0 } else { step.deeper - least };
                *in_segment = wide(ClassEdge { deeper, ..step });
            }
            segments.push(ClassEdge { class: numbering.number(&segment)?, deeper: least });
        }
        segments.iter_mut().for_each(|segment| *segment = stored(*segment));
        Ok(Self { sizes_log2: sizes_log2 as u8, segments, steps: numbering })
    }

    /// Returns the steps of all different segments.
    pub(crate) fn records(&self) -> impl Iterator<Item = ClassEdge> {
        self.steps.keys().flatten().copied().map(from_wide)
    }

    pub(crate) fn records_len(&self) -> u64 {
        (self.steps.len() as u64) << self.sizes_log2
    }

    /// Returns the bytes of memory, including a copy of the steps for writing.
    pub(crate) fn bytes(&self) -> u64 {
        let edges = self.segments.len() as u64 + self.records_len();
        self.steps.bytes() as u64 + edges * size_of::<ClassEdge>() as u64
    }

    /// Returns the bits of the cut and its segments in the table.
    pub(crate) fn bits(&self) -> u64 {
        bits_of(self.segments.iter().copied()) + UsedBits::of_all(self.records()).bits(self.records_len())
    }
}

fn greatest_common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { greatest_common_divisor(b, a % b) }
}

/// Returns the bits of edges in the table.
pub(crate) fn bits_of(edges: impl ExactSizeIterator<Item = ClassEdge>) -> u64 {
    let count = edges.len() as u64;
    UsedBits::of_all(edges).bits(count)
}

/// Returns the bits of a level's steps in the table, cut if that saves enough; and the bytes of memory for the cut.
pub(crate) fn least_bits(
    steps: &[ClassEdge],
    width: usize,
    above: &Voids,
) -> Result<[u64; 2], GenerateError> {
    let cut = LevelCut::best(&steps_of(steps, width), above)?;
    Ok(cut.map_or_else(|| [bits_of(steps.iter().copied()), 0], |cut| [cut.bits(), cut.bytes()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_level_leads_to_the_same_classes_and_depths() {
        for width in [17, 64, 100] {
            // The steps repeat after 7 sizes, deeper each time. One of the 7 leads to a void class.
            let step = |class: u32, size: u32| match (size + class) % 7 {
                0 => ClassEdge { class: 0, deeper: 1000 },
                rest => ClassEdge { class: rest, deeper: 5 * class + 3 * (size / 7) + rest },
            };
            let steps: Vec<ClassEdge> =
                (0..40).flat_map(|class| (0..width).map(move |size| step(class, size))).collect();
            let cut = LevelCut::best(&steps_of(&steps, width as usize), &vec![true])
                .unwrap()
                .expect("much is saved");
            assert!(cut.bits() < bits_of(steps.iter().copied()) / 2);
            let records: Vec<ClassEdge> = cut.records().collect();
            let per_class = (width as usize).div_ceil(1 << cut.sizes_log2);
            for (class, size) in (0..40).flat_map(|class| (0..width).map(move |size| (class, size))) {
                let segment = cut.segments[class as usize * per_class + (size as usize >> cut.sizes_log2)];
                let record =
                    ((segment.class as usize) << cut.sizes_log2) + size as usize % (1 << cut.sizes_log2);
                let (found, expected) = (records[record], step(class, size));
                assert_eq!(found.class, expected.class);
                assert!(expected.class == 0 || segment.deeper + found.deeper == expected.deeper);
            }
        }
    }

    #[test]
    fn a_level_is_cut_only_if_it_is_large_and_segments_repeat() {
        let steps: Vec<ClassEdge> = (0..4096_u32)
            .map(|n| ClassEdge {
                class: n.wrapping_mul(0x9E37_79B9) >> 20,
                deeper: n.wrapping_mul(0x85EB_CA6B) >> 25,
            })
            .collect();
        assert!(LevelCut::best(&steps_of(&steps, 64), &Vec::new()).unwrap().is_none());
        let equal = [ClassEdge::default(); 8192];
        assert!(LevelCut::best(&steps_of(&equal[..64], 64), &Vec::new()).unwrap().is_none(), "it is small");
        assert!(LevelCut::best(&steps_of(&equal, 64), &Vec::new()).unwrap().is_some());
    }

    #[test]
    fn classes_are_void_if_all_their_steps_are() {
        let edge = |class| ClassEdge { class, deeper: 0 };
        let steps = [edge(0), edge(0), edge(0), edge(1), edge(2), edge(2)];
        assert_eq!(voids(&steps, 2, &voids_of_positions()).unwrap(), [true, false, false]);
        assert_eq!(voids(&steps, 2, &vec![true, false, true]).unwrap(), [true, false, true]);
    }
}
