//! The source of all positions for packing, from blocks in memory or in a work folder.
//!
//! A *section* is all multisets with one heap less than positions and with the same greatest heap g. Adding a heap to
//! them gives positions whose greatest or second heap is g: parts of many blocks. From a folder, the source reads the
//! parts for one section at a time. If there is memory, the section has all g of a range, and its parts are whole
//! blocks. Example: from a multiset {6,2}, a heap of 4 leads to {6,4,2}, a heap of 9 to {9,6,2}.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::cell::PositionCode;
use super::layout::PositionLayout;
use crate::heaps::classes::edges::{ClassEdge, VOID};
use crate::heaps::classes::multisets::{
    FurtherSizes, MultisetSource, SectionQuery, SectionView, ValueBuffer,
};
use crate::heaps::frame::block::Block;
use crate::heaps::frame::heap_ranges::{TASK_HEAPS, TaskRanges};
use crate::heaps::frame::numbers::Number;
use crate::heaps::frame::partition::Partition;
use crate::heaps::line::{HeapLine, greatest_with};
use crate::making::GenerateError;
use crate::memory::{Grow, room};
use crate::parallel;
use crate::work::WorkFolder;

/// Positions of a block that are read from a file at a time.
const POSITIONS_PER_READ: usize = 1 << 15;

/// All positions of a game.
pub(super) struct Positions<'a, C> {
    pub(super) layout: &'a PositionLayout,
    pub(super) code: PositionCode<C>,
    pub(super) depths: bool,
    /// All blocks, if they are in memory.
    pub(super) blocks: &'a [Option<Block>],
    /// The folder with all blocks, if they are not in memory.
    pub(super) folder: Option<&'a WorkFolder>,
    /// Maximum bytes of a section with several sizes.
    pub(super) section: u64,
}

/// Adjacent positions of a layer of a block, read from a file.
struct PositionPiece<C> {
    block: usize,
    /// Index of the first position in the block.
    first: usize,
    cells: Vec<C>,
}

/// Adjacent positions of a block that a section needs.
struct BlockPart {
    ranges: TaskRanges,
    positions: Range<usize>,
}

/// Visits the parts of blocks that a section needs. `sizes` are its greatest heaps, all in one range.
fn each_part(
    layout: &PositionLayout,
    sizes: Range<Heap>,
    mut visit: impl FnMut(BlockPart) -> Result<(), GenerateError>,
) -> Result<(), GenerateError> {
    let range = layout.ranges.range(sizes.start);
    for second in 0..=range {
        for third in 0..=second {
            let ranges = [range, second, third];
            if layout.ranges.exists(&ranges) {
                let indexer = layout.indexer(ranges);
                let at = |size: Heap| indexer.before_first(layout, size) as usize;
                visit(BlockPart { ranges, positions: at(sizes.start)..at(sizes.end) })?;
            }
        }
    }
    let seconds = layout.ranges.sizes(1, range);
    let seconds = sizes.start.max(seconds.start)..sizes.end.min(seconds.end);
    if seconds.is_empty() {
        return Ok(());
    }
    for first in range..layout.ranges.count {
        for third in 0..=range {
            let ranges = [first, range, third];
            if !layout.ranges.exists(&ranges) {
                continue;
            }
            let indexer = layout.indexer(ranges);
            if first > range && seconds == layout.ranges.sizes(1, range) {
                visit(BlockPart { ranges, positions: 0..indexer.positions as usize })?;
                continue;
            }
            for greatest in layout.ranges.sizes(0, first).filter(|&size| size >= sizes.end) {
                let at = |size: Heap| indexer.begin(layout, greatest, size);
                visit(BlockPart { ranges, positions: at(seconds.start)..at(seconds.end) })?;
            }
        }
    }
    Ok(())
}

/// Returns the bytes of a section.
fn bytes(layout: &PositionLayout, sizes: Range<Heap>) -> Result<u64, GenerateError> {
    let mut bytes: u64 = 0;
    each_part(layout, sizes, |part| {
        bytes = bytes.saturating_add((part.positions.len() as u64).saturating_mul(layout.cell_bytes as u64));
        Ok(())
    })?;
    Ok(bytes)
}

/// Returns the bytes of the largest section with a single size.
pub(super) fn greatest_section(layout: &PositionLayout) -> Result<u64, GenerateError> {
    // Games of one or two heaps have one section.
    if layout.ranges.stand_ins > 0 {
        return Ok(layout.all_cells_bytes());
    }
    let mut most = 0;
    for range in 0..layout.ranges.count {
        // Within a range, the first or the last size has the largest section.
        let sizes = layout.ranges.sizes(0, range);
        for size in sizes.clone().take(1).chain(sizes.last()) {
            most = bytes(layout, size..size + 1)?.max(most);
        }
    }
    Ok(most)
}

impl<'a, C: Number> Positions<'a, C> {
    #[inline(always)]
    fn edge(&self, cell: C) -> ClassEdge {
        match self.code.read(cell) {
            (_, false) => ClassEdge { class: 0, deeper: VOID },
            (solved, true) if self.depths => ClassEdge { class: 1 + solved.stones, deeper: solved.depth },
            _ => ClassEdge { class: 1, deeper: 0 },
        }
    }

    /// Visits some positions of a layer of a block.
    fn each_in_block(
        &self,
        layer: u64,
        block: usize,
        mut positions: Range<usize>,
        buffer: &mut ValueBuffer<ClassEdge>,
    ) -> Result<(), GenerateError> {
        let Some(folder) = self.folder else {
            let cells = &self.cells(layer, block)[positions];
            buffer.add(cells.iter().map(|&cell| self.edge(cell)));
            return Ok(());
        };
        while !positions.is_empty() {
            let end = positions.end.min(positions.start + POSITIONS_PER_READ);
            let cells = self.read(folder, layer, block, positions.start..end)?;
            buffer.add(cells.into_iter().map(|cell| self.edge(cell)));
            positions.start = end;
        }
        Ok(())
    }

    fn read(
        &self,
        folder: &WorkFolder,
        layer: u64,
        block: usize,
        positions: Range<usize>,
    ) -> Result<Vec<C>, GenerateError> {
        let (shape, name) = (self.layout.shape(block), self.layout.name(block));
        shape.read_cells(folder, &name, layer, positions.start as u64..positions.end as u64)
    }

    /// Returns the cells of a block in memory, from a layer on.
    #[inline(always)]
    fn cells(&self, layer: u64, block: usize) -> &'a [C] {
        self.blocks[block].as_ref().map_or(&[], |block| block.layer(layer))
    }
}

impl<C: Number> MultisetSource<ClassEdge> for Positions<'_, C> {
    fn ranks(&self) -> &Ranks {
        &self.layout.all
    }

    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut dyn FnMut(&[ClassEdge]),
    ) -> Result<(), GenerateError> {
        let layout = self.layout;
        let mut buffer = ValueBuffer::new(visit)?;
        let mut rank = ranks.start;
        while rank < ranks.end {
            let own = layout.all.unrank(rank);
            let stand_ins = std::iter::repeat_n(layout.ranges.bound(0), layout.ranges.stand_ins);
            let mut heaps = stand_ins.chain(own.iter().copied());
            let [first, second, third] = std::array::from_fn(|_| heaps.next().unwrap_or(0));
            let before = layout.part(0, first) + layout.part(1, second);
            let ranges = [first, second, third].map(|heap| layout.ranges.range(heap));
            let thirds = layout.ranges.sizes(2, ranges[2]);
            let end = ranks.end.min(before + layout.part(2, thirds.end.min(second + 1)));
            let base = layout.indexer(ranges).base(layout, first, second);
            let at = base.wrapping_add((rank - before) as usize);
            self.each_in_block(layer, layout.block(ranges), at..at + (end - rank) as usize, &mut buffer)?;
            rank = end;
        }
        buffer.hand_over();
        Ok(())
    }

    fn parts(&self) -> usize {
        self.layout.cell_blocks()
    }

    fn part(
        &self,
        layer: u64,
        block: usize,
        visit: &mut dyn FnMut(&[ClassEdge]),
    ) -> Result<(), GenerateError> {
        let positions = self.layout.shape(block).cells as usize;
        if positions > 0 {
            let mut buffer = ValueBuffer::new(visit)?;
            self.each_in_block(layer, block, 0..positions, &mut buffer)?;
            buffer.hand_over();
        }
        Ok(())
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        let mut sections = Vec::new();
        if self.folder.is_none() || self.layout.ranges.stand_ins > 0 {
            sections.grow(0..below.count())?;
            return Ok(sections);
        }
        for range in 0..=self.layout.ranges.range(below.bound(0)) {
            let sizes = self.layout.ranges.sizes(0, range);
            let step = if bytes(self.layout, sizes.clone())? <= self.section { sizes.len() } else { 1 };
            for size in sizes.clone().step_by(step) {
                let end = (size + step as Heap).min(below.bound(0) + 1);
                sections.grow(below.part(0, size)..below.part(0, end))?;
            }
        }
        Ok(sections)
    }

    fn view(
        &self,
        layer: u64,
        section: &Range<u64>,
    ) -> Result<Box<dyn SectionView<ClassEdge> + '_>, GenerateError> {
        let mut pieces = Vec::new();
        if let Some(folder) = self.folder {
            let layout = self.layout;
            let mut parts = Vec::new();
            if layout.ranges.stand_ins > 0 {
                for block in 0..layout.cell_blocks() {
                    let positions = 0..layout.shape(block).cells as usize;
                    parts.grow(BlockPart { ranges: layout.ranges_of(block), positions })?;
                }
            } else {
                let below = Ranks::try_new(&layout.ranges.own_bounds()[1..])?;
                let sizes = below.unrank(section.start)[0]..below.unrank(section.end - 1)[0] + 1;
                each_part(layout, sizes, |part| parts.grow(part))?;
            }
            parts.retain(|part| !part.positions.is_empty());
            pieces.try_reserve_exact(parts.len())?;
            pieces.extend(parallel::map(parts.len(), |at| {
                let BlockPart { ranges, ref positions } = parts[at];
                let block = layout.block(ranges);
                let cells = self.read(folder, layer, block, positions.clone())?;
                Ok(PositionPiece { block, first: positions.start, cells })
            })?);
            pieces.sort_unstable_by_key(|piece| (piece.block, piece.first));
        }
        Ok(Box::new(PositionSection { positions: self, layer, pieces }))
    }
}

/// The positions that arise from the multisets of a section by adding a heap.
struct PositionSection<'a, C> {
    positions: &'a Positions<'a, C>,
    layer: u64,
    /// The positions, sorted by block and first index; empty if all blocks are in memory.
    pieces: Vec<PositionPiece<C>>,
}

/// Cache: where the positions with two given heaps among the three greatest begin.
struct PositionStarts {
    /// The two given heaps.
    heaps: Option<[Heap; 2]>,
    /// For each size of the remaining one of the three greatest heaps, the piece (or block) and an offset: add the
    /// parts of the rank of all heaps after the two greatest to get the index.
    starts: Vec<(usize, usize)>,
}

impl<C: Number> PositionSection<'_, C> {
    /// Returns the cells of a piece; with blocks in memory, of a block.
    #[inline(always)]
    fn cells(&self, piece: usize) -> &[C] {
        match self.positions.folder {
            None => self.positions.cells(self.layer, piece),
            Some(_) => &self.pieces[piece].cells,
        }
    }

    /// Fills the cache for two heaps.
    fn fill_starts(&self, [first, second]: [Heap; 2], cache: &mut PositionStarts) {
        if cache.heaps == Some([first, second]) {
            return;
        }
        let layout = self.positions.layout;
        cache.heaps = Some([first, second]);
        cache.starts.clear();
        let greatest_with = |size: Heap| {
            let mut greatest = [first, second, size];
            greatest.sort_unstable_by(|a, b| b.cmp(a));
            greatest
        };
        // If a size does not fit, greater ones do not fit either. No lookup asks for them.
        let fits = |greatest: &[Heap; TASK_HEAPS]| {
            (0..TASK_HEAPS).all(|place| greatest[place] <= layout.ranges.bound(place))
        };
        let start = |greatest: [Heap; TASK_HEAPS]| {
            let ranges = greatest.map(|heap| layout.ranges.range(heap));
            let (block, base) =
                (layout.block(ranges), layout.indexer(ranges).base(layout, greatest[0], greatest[1]));
            if self.positions.folder.is_none() {
                return (block, base);
            }
            let at = base.wrapping_add(layout.part(2, greatest[2]) as usize);
            let next = self.pieces.partition_point(|piece| (piece.block, piece.first) <= (block, at));
            let piece = next.saturating_sub(1);
            (piece, base.wrapping_sub(self.pieces.get(piece).map_or(0, |piece| piece.first)))
        };
        cache.starts.extend((0..=layout.ranges.bound(0)).map(greatest_with).take_while(fits).map(start));
    }
}

impl<C: Number> SectionView<ClassEdge> for PositionSection<'_, C> {
    fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| size_of_val(&piece.cells[..]) as u64).sum()
    }

    fn query(&self) -> Result<Box<SectionQuery<'_, ClassEdge>>, GenerateError> {
        let positions = self.positions;
        let layout = positions.layout;
        // With stand-ins, the two greatest of the other heaps are stand-ins or own heaps.
        let own = TASK_HEAPS - 1 - layout.ranges.stand_ins.min(TASK_HEAPS - 1);
        let stand_in = layout.ranges.bound(0);
        let mut cache = PositionStarts { heaps: None, starts: room(u64::from(stand_in) + 1)? };
        Ok(Box::new(move |others, sizes, edges| {
            let first = if own == 2 { others[0] } else { stand_in };
            let second = if own > 0 { others[own - 1] } else { stand_in };
            let rest = &others[own..];
            self.fill_starts([first, second], &mut cache);
            let greatest = greatest_with(&layout.all, others);
            // A further heap up to the size of the third heap comes after it. A greater one is among the three
            // greatest.
            let mut from = 0;
            if let [third, further @ ..] = rest {
                let (piece, base) = cache.starts[*third as usize];
                let cells = self.cells(piece);
                let base = base.wrapping_add(layout.part(2, *third) as usize);
                let line = HeapLine::new(&layout.rest, further);
                if sizes == FurtherSizes::Least {
                    let from = base.wrapping_add(*line.ranks_as_least().start() as usize);
                    let least = *further.last().unwrap_or(third);
                    let sizes = least.min(layout.ranges.bound(layout.ranges.heaps() - 1)) as usize + 1;
                    edges.extend(cells[from..][..sizes].iter().map(|&cell| positions.edge(cell)));
                    return;
                }
                let edge = |rank: u64| positions.edge(cells[base.wrapping_add(rank as usize)]);
                edges.extend(line.ranks_to((*third).min(greatest)).map(edge));
                from = third + 1;
            }
            let in_rest = layout.rest.rank(rest) as usize;
            edges.extend((from..greatest + 1).map(|size| {
                let (piece, base) = cache.starts[size as usize];
                let third = layout.part(2, size.min(second)) as usize;
                positions.edge(self.cells(piece)[base.wrapping_add(third).wrapping_add(in_rest)])
            }));
        }))
    }
}
