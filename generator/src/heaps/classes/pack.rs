//! Writes the body of a heap table from its classes (FORMAT.md, section 5).
//!
//! A lookup begins with some heaps of the position, the *stem*, whose class is in the array `stem`. A *step* for each
//! further heap leads to a class of one heap more, until the class says lost or won. If a move takes any number of
//! stones, the lookup ends when one heap remains: the class then has a *target*, the only size of that heap with which
//! the position is lost. Depths are sums over all these records. Example, Nim: from the class of 1,2, the target of a
//! third heap is 3.

use std::borrow::Cow;

use bouton_tables::format::{Content, FileWriter, Shape, Sink};
use bouton_tables::heaps::{ArrayLayout, HeapRules};
use bouton_tables::{Header, Ruleset};

use super::edges::ClassEdge;
use super::level_cut::{LevelCut, Voids, bits_of, least_bits, steps_of, voids, voids_of_positions};
use crate::census::Census;
use crate::making::{GenerateError, Summary};
use crate::memory::{Grow, room};

/// The lost position of a line, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LostTarget {
    /// The size of the heap; one above the greatest bound if the line has no lost position.
    pub size: u32,
    /// Amount to add to the depth; 0 without depths.
    pub deeper: u32,
    /// Stones that the best move takes in all; 0 without depths.
    pub best_take: u32,
}

impl LostTarget {
    pub(crate) fn without_depth(size: u32) -> Self {
        Self { size, ..Self::default() }
    }
}

/// The parts of a body (FORMAT.md, section 5). Levels are cut when the table is written.
#[derive(Clone, Debug, Default)]
pub struct TableParts {
    /// Number of stem heaps for each number of passes left; empty if all are equal.
    pub stems: Vec<u8>,
    /// Classes of the stem, by passes left and rank. Empty if each class is its own index in this order.
    pub stem: Vec<ClassEdge>,
    /// Steps by number of heaps (fewer than all), class, and size of a further heap. Empty below the stem; with targets,
    /// also empty at the last level.
    pub levels: Vec<Vec<ClassEdge>>,
    /// Target of each class of all heaps except one; empty if a line can have several lost positions.
    pub targets: Vec<LostTarget>,
    /// Heaps are added in descending order only.
    pub descending: bool,
}

/// The arrays of a body, in the order of the file.
struct PackedArrays<'a> {
    cuts: Vec<u8>,
    /// The stem and the levels with steps.
    edges: Vec<Cow<'a, [ClassEdge]>>,
    targets: &'a [LostTarget],
    /// Segments of each cut level.
    segments: Vec<Vec<ClassEdge>>,
}

impl TableParts {
    pub(crate) fn bytes(&self) -> u64 {
        let edges = self.stem.len() + self.levels.iter().map(Vec::len).sum::<usize>();
        (size_of::<ClassEdge>() * edges + size_of::<LostTarget>() * self.targets.len()) as u64
    }

    /// Combines the parts of all layers, if each layer was searched on its own. `targets` stay empty.
    pub(crate) fn of_layers(
        rules: &HeapRules,
        descending: bool,
        layers: Vec<Self>,
    ) -> Result<Self, GenerateError> {
        let (heaps, widths) = (rules.heaps(), widths(rules, descending));
        let with_steps = heaps - usize::from(rules.at_most_one_loss_per_line());
        let room_for = |len: &dyn Fn(&Self) -> usize| room(layers.iter().map(len).sum::<usize>() as u64);
        let levels = (0..heaps).map(|level| room_for(&|layer| layer.levels[level].len()));
        let mut all = Self {
            stem: room_for(&|layer| layer.stem.len())?,
            levels: levels.collect::<Result<_, _>>()?,
            descending,
            ..Self::default()
        };
        for layer in layers {
            // The classes of a layer get the next numbers after those of earlier layers. The classes after the last
            // level with steps are the same for all layers.
            let classes = |(steps, width): (&Vec<ClassEdge>, &usize)| (steps.len() / width) as u32;
            let before: Vec<u32> = all.levels[..with_steps].iter().zip(&widths).map(classes).collect();
            let renumbered = |edge: &ClassEdge, level: usize| ClassEdge {
                class: edge.class + before.get(level).copied().unwrap_or(0),
                ..*edge
            };
            let stem = layer.levels[..with_steps].iter().take_while(|steps| steps.is_empty()).count();
            all.stems.push(stem as u8);
            all.stem.grow_by(layer.stem.iter().map(|edge| renumbered(edge, stem)))?;
            for (level, steps) in layer.levels.iter().enumerate() {
                all.levels[level].grow_by(steps.iter().map(|edge| renumbered(edge, level + 1)))?;
            }
        }
        all.descending &= all.levels.iter().any(|steps| !steps.is_empty());
        if all.stems.iter().all(|stem| *stem == all.stems[0]) {
            all.stems.clear();
        }
        Ok(all)
    }

    /// Returns which classes of the last level are void. Targets of size `none` stand for no lost position.
    pub(crate) fn last_voids(targets: &[LostTarget], none: u32) -> Voids {
        match targets {
            [] => voids_of_positions(),
            targets => targets.iter().map(|target| target.size == none).collect(),
        }
    }

    /// Returns the levels with steps. If there are targets, the last level is empty.
    fn with_steps(&self) -> &[Vec<ClassEdge>] {
        &self.levels[..self.levels.len() - usize::from(!self.targets.is_empty())]
    }

    /// Visits the levels with steps from the last one down: number, steps, steps for each class, and the void classes
    /// of the level above.
    fn each_level<'a>(
        &'a self,
        rules: &HeapRules,
        mut visit: impl FnMut(usize, &'a [ClassEdge], usize, &Voids) -> Result<(), GenerateError>,
    ) -> Result<(), GenerateError> {
        let mut above = Self::last_voids(&self.targets, rules.greatest_bound() + 1);
        let widths = widths(rules, self.descending);
        for ((level, steps), &width) in self.with_steps().iter().enumerate().zip(&widths).rev() {
            visit(level, steps, width, &above)?;
            above = voids(steps, width, &above)?;
        }
        Ok(())
    }

    /// Returns the arrays to write: cuts each level for which that saves enough. `single_heap` is as in
    /// [`write_with`](Self::write_with).
    fn arrays(
        &self,
        mut single_heap: Option<LevelCut>,
        rules: &HeapRules,
    ) -> Result<PackedArrays<'_>, GenerateError> {
        let mut cuts = vec![0; self.levels.len()];
        let mut edges = vec![Cow::Borrowed(&self.stem[..]); self.with_steps().len() + 1];
        let mut segments = Vec::new();
        self.each_level(rules, |level, steps, width, above| {
            edges[1 + level] = Cow::Borrowed(steps);
            let cut = match single_heap.take() {
                None => LevelCut::best(&steps_of(steps, width), above)?,
                cut => cut,
            };
            if let Some(cut) = cut {
                cuts[level] = cut.sizes_log2;
                let mut records = room(cut.records_len())?;
                records.extend(cut.records());
                edges[1 + level] = Cow::Owned(records);
                segments.push(cut.segments);
            }
            Ok(())
        })?;
        if segments.is_empty() {
            cuts.clear();
        }
        segments.reverse();
        Ok(PackedArrays { cuts, edges, targets: &self.targets, segments })
    }

    /// Returns the bits of the stem and of the steps, cut where that saves enough.
    pub(crate) fn bits(&self, rules: &HeapRules) -> Result<u64, GenerateError> {
        let mut bits = bits_of(self.stem.iter().copied());
        self.each_level(rules, |_, steps, width, above| {
            bits += least_bits(steps, width, above)?[0];
            Ok(())
        })?;
        Ok(bits)
    }

    /// Writes the table of a game. `effective` are the game's rules with effective bounds.
    ///
    /// # Errors
    /// If the sink fails or memory is short.
    ///
    /// # Panics
    /// If the number of levels is not the number of heaps.
    pub fn write(
        &self,
        rules: &HeapRules,
        effective: &HeapRules,
        depths: bool,
        census: Census,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        self.write_with(None, rules, effective, depths, census, sink)
    }

    /// Does what [`write`](Self::write) does. `single_heap` are the steps of a single heap, if they are cut already and
    /// not in `levels`.
    pub(crate) fn write_with(
        &self,
        single_heap: Option<LevelCut>,
        rules: &HeapRules,
        effective: &HeapRules,
        depths: bool,
        census: Census,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        assert_eq!(self.levels.len(), rules.heaps(), "a level for each number of heaps");
        let PackedArrays { cuts, edges, targets, segments } = self.arrays(single_heap, effective)?;
        let targets = targets.iter().map(|t| [t.size.into(), t.deeper.into(), t.best_take.into()]);
        let mut shapes = Vec::new();
        for edges in &edges {
            shapes.push(Shape::of(records(edges))?);
        }
        if !self.targets.is_empty() {
            shapes.push(Shape::of(targets.clone())?);
        }
        for edges in &segments {
            shapes.push(Shape::of(records(edges))?);
        }
        let greatest = Some(effective.greatest_bound()).filter(|&greatest| greatest < rules.greatest_bound());
        let layout =
            ArrayLayout { greatest, stems: self.stems.clone(), cuts, is_descending: self.descending };
        let header = Header { layout, ..census.header(Ruleset::Heaps(rules.clone()), depths) };
        let mut file = FileWriter::new(sink, Content::Table, &header, shapes, 0)?;
        edges.iter().try_for_each(|edges| file.array(records(edges)))?;
        if !self.targets.is_empty() {
            file.array(targets)?;
        }
        segments.iter().try_for_each(|edges| file.array(records(edges)))?;
        Ok(Summary::new(header, file.finish()?))
    }
}

/// Returns the width of each level: the number of steps of a class of no heaps, of one heap, and so on.
pub(crate) fn widths(rules: &HeapRules, descending: bool) -> Vec<usize> {
    let sizes = ArrayLayout { is_descending: descending, ..ArrayLayout::default() }.sizes(rules);
    sizes.into_iter().map(|sizes| sizes as usize).collect()
}

fn records(edges: &[ClassEdge]) -> impl Iterator<Item = [u64; 2]> {
    edges.iter().map(|edge| [edge.class.into(), edge.deeper.into()])
}
