//! Writes the body of a heap table from its classes (FORMAT.md, section 5).

use std::borrow::Cow;

use bouton_tables::format::{Content, FileWriter, Shape, Sink};
use bouton_tables::heaps::{HeapRules, Layout, Take};
use bouton_tables::{Header, Ruleset};

use super::level_cut::{LevelCut, Voids, bits_of, least_bits, voids, voids_of_positions};
use crate::memory::{Grow, room};
use crate::{Census, GenerateError, Summary};

/// Where a heap, added to heaps of some class, leads: the class of all of them, and by how much it makes the
/// depth greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Edge {
    /// The class. That of a whole position is 0 if it is won, else one more than the stones that the best try
    /// takes in all (without depths, 1).
    pub class: u32,
    /// What to add to the depth; 0 without depths.
    pub deeper: u32,
}

/// The one lost position of a line, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Target {
    /// The size of the heap; one above the greatest bound if the line has no lost position.
    pub size: u32,
    /// What to add to the depth; 0 without depths.
    pub deeper: u32,
    /// Stones that the best try takes in all; 0 without depths.
    pub tries: u32,
}

/// The parts of a body, as FORMAT.md, section 5, describes them, with no level cut.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// For each number of passes left how many heaps the stem has; empty if it has as many for all.
    pub stems: Vec<u8>,
    /// For each number of passes left, and each rank of the heaps of the stem, their class. Empty if it is
    /// the number of the record.
    pub stem: Vec<Edge>,
    /// For each number of heaps that are fewer than all, for each class of so many and each size of a further
    /// heap, where that leads. Empty below the stem, and at the end where there are targets.
    pub levels: Vec<Vec<Edge>>,
    /// For each class of all heaps but one its target; empty where a line can have several lost positions.
    pub targets: Vec<Target>,
    /// Whether heaps are added in descending order only.
    pub descending: bool,
}

/// The arrays of a body as they are written.
struct Arrays<'a> {
    cuts: Vec<u8>,
    /// The stem and the levels with steps.
    edges: Vec<Cow<'a, [Edge]>>,
    targets: &'a [Target],
    /// Those of the levels that are cut.
    segments: Vec<Vec<Edge>>,
}

impl Parts {
    /// Bytes of memory that they take.
    pub(super) fn bytes(&self) -> u64 {
        let edges = self.stem.len() + self.levels.iter().map(Vec::len).sum::<usize>();
        (size_of::<Edge>() * edges + size_of::<Target>() * self.targets.len()) as u64
    }

    /// The parts of a table, but for its targets, of which those of each number of passes left are given, each for
    /// itself.
    pub(super) fn of_layers(
        rules: &HeapRules,
        descending: bool,
        layers: Vec<Self>,
    ) -> Result<Self, GenerateError> {
        let (heaps, widths) = (rules.heaps(), widths(rules, descending));
        let with_steps = heaps - usize::from(*rules.take() == Take::Any);
        let sum = |of: &dyn Fn(&Self) -> usize| room(layers.iter().map(of).sum::<usize>() as u64);
        let levels = (0..heaps).map(|level| sum(&|layer| layer.levels[level].len()));
        let mut all = Self {
            stem: sum(&|layer| layer.stem.len())?,
            levels: levels.collect::<Result<_, _>>()?,
            descending,
            ..Self::default()
        };
        for layer in layers {
            // The classes of a layer follow those of the layers before; the last ones are the same for all.
            let classes = |(steps, width): (&Vec<Edge>, &usize)| (steps.len() / width) as u32;
            let before: Vec<u32> = all.levels[..with_steps].iter().zip(&widths).map(classes).collect();
            let moved = |edge: &Edge, level: usize| Edge {
                class: edge.class + before.get(level).copied().unwrap_or(0),
                ..*edge
            };
            let stem = layer.levels[..with_steps].iter().take_while(|steps| steps.is_empty()).count();
            all.stems.push(stem as u8);
            all.stem.grow_by(layer.stem.iter().map(|edge| moved(edge, stem)))?;
            for (level, steps) in layer.levels.iter().enumerate() {
                all.levels[level].grow_by(steps.iter().map(|edge| moved(edge, level + 1)))?;
            }
        }
        all.descending &= all.levels.iter().any(|steps| !steps.is_empty());
        if all.stems.iter().all(|stem| *stem == all.stems[0]) {
            all.stems.clear();
        }
        Ok(all)
    }

    /// Which classes are void that the last level with steps leads to. `none` is the size of a target that there is not.
    pub(super) fn last_voids(targets: &[Target], none: u32) -> Voids {
        match targets {
            [] => voids_of_positions(),
            targets => targets.iter().map(|target| target.size == none).collect(),
        }
    }

    /// The levels with steps. Targets take the place of the last level, which is empty then.
    fn with_steps(&self) -> &[Vec<Edge>] {
        &self.levels[..self.levels.len() - usize::from(!self.targets.is_empty())]
    }

    /// Visits the levels with steps from the last one down: their number, their steps, how many these are for each
    /// class, and which classes are void that they lead to.
    fn each_level<'a>(
        &'a self,
        rules: &HeapRules,
        mut visit: impl FnMut(usize, &'a [Edge], usize, &Voids) -> Result<(), GenerateError>,
    ) -> Result<(), GenerateError> {
        let mut above = Self::last_voids(&self.targets, rules.greatest() + 1);
        let widths = widths(rules, self.descending);
        for ((level, steps), &width) in self.with_steps().iter().enumerate().zip(&widths).rev() {
            visit(level, steps, width, &above)?;
            above = voids(steps, width, &above)?;
        }
        Ok(())
    }

    /// Cuts what is worth it.
    fn arrays(&self, rules: &HeapRules) -> Result<Arrays<'_>, GenerateError> {
        let mut cuts = vec![0; self.levels.len()];
        let mut edges = vec![Cow::Borrowed(&self.stem[..]); self.with_steps().len() + 1];
        let mut segments = Vec::new();
        self.each_level(rules, |level, steps, width, above| {
            edges[1 + level] = Cow::Borrowed(steps);
            if let Some(cut) = LevelCut::best(steps, width, above)? {
                cuts[level] = cut.sizes;
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
        Ok(Arrays { cuts, edges, targets: &self.targets, segments })
    }

    /// The bits that stem and steps take.
    pub(super) fn bits(&self, rules: &HeapRules) -> Result<u64, GenerateError> {
        let mut bits = bits_of(&self.stem);
        self.each_level(rules, |_, steps, width, above| {
            bits += least_bits(steps, width, above)?[0];
            Ok(())
        })?;
        Ok(bits)
    }

    /// Writes the table of a game. `effective` are the rules with the bounds within which sizes are effective apart.
    ///
    /// # Errors
    /// Whatever the sink reports, and if there is not enough memory.
    ///
    /// # Panics
    /// If there are not as many levels as the rules ask for.
    pub fn write(
        &self,
        rules: &HeapRules,
        effective: &HeapRules,
        depths: bool,
        census: Census,
        sink: &mut dyn Sink,
    ) -> Result<Summary, GenerateError> {
        assert_eq!(self.levels.len(), rules.heaps(), "a level for each number of heaps");
        let Arrays { cuts, edges, targets, segments } = self.arrays(effective)?;
        let targets = targets.iter().map(|t| [t.size.into(), t.deeper.into(), t.tries.into()]);
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
        let greatest = Some(effective.greatest()).filter(|&greatest| greatest < rules.greatest());
        let layout = Layout { greatest, stems: self.stems.clone(), cuts, descending: self.descending };
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

/// How many steps a class of no heaps, of one heap, and so on has.
pub(super) fn widths(rules: &HeapRules, descending: bool) -> Vec<usize> {
    let sizes = Layout { descending, ..Layout::default() }.sizes(rules);
    sizes.into_iter().map(|sizes| sizes as usize).collect()
}

fn records(edges: &[Edge]) -> impl Iterator<Item = [u64; 2]> {
    edges.iter().map(|edge| [edge.class.into(), edge.deeper.into()])
}
