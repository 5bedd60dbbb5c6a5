//! Source of all positions for packing, from blocks in memory or in a work folder.
//!
//! Adding a heap to multisets with greatest heap g gives positions whose greatest or second heap is g. From a folder,
//! the source reads these positions for one g at a time, or for all g of a range if there is memory: then it reads
//! whole blocks.

use std::ops::Range;

use bouton_tables::heaps::{Heap, Ranks};

use super::block::{PositionBlock, name};
use super::cell::{PositionCell, PositionCode};
use super::layout::{KEYS, PositionLayout, Ranges};
use crate::heaps::line::{HeapLine, greatest_with};
use crate::heaps::multisets::{MultisetSource, SectionView, VOID};
use crate::heaps::pack::ClassEdge;
use crate::memory::Grow;
use crate::work::WorkFolder;
use crate::{GenerateError, parallel};

/// All positions of a game.
pub(super) struct Positions<'a, C> {
    pub(super) layout: &'a PositionLayout,
    pub(super) code: PositionCode<C>,
    pub(super) depths: bool,
    /// All blocks, if they are in memory.
    pub(super) blocks: &'a [Option<PositionBlock<C>>],
    /// The folder where they are, if not.
    pub(super) folder: Option<&'a WorkFolder>,
    /// Bytes that a section may take, if that is enough for one size.
    pub(super) section: u64,
}

/// Some positions of a layer that follow each other in a block.
struct PositionPiece<C> {
    block: usize,
    /// Where the first lies in the block.
    first: usize,
    cells: Vec<C>,
}

/// Part of a block that a section needs.
struct BlockPart {
    ranges: Ranges,
    positions: Range<usize>,
}

/// Visits the parts of blocks that a section needs, which has some sizes of one range.
fn each_part(
    layout: &PositionLayout,
    sizes: Range<Heap>,
    mut visit: impl FnMut(BlockPart) -> Result<(), GenerateError>,
) -> Result<(), GenerateError> {
    let range = layout.range(sizes.start);
    for second in 0..=range {
        for third in 0..=second {
            let ranges = [range, second, third];
            if layout.exists(ranges) {
                let first = layout.sizes(0, range).start;
                let frame = layout.frame(ranges)?;
                let at = |size: Heap| frame.before[(size - first) as usize] as usize;
                visit(BlockPart { ranges, positions: at(sizes.start)..at(sizes.end) })?;
            }
        }
    }
    let seconds = layout.sizes(1, range);
    let seconds = sizes.start.max(seconds.start)..sizes.end.min(seconds.end);
    if seconds.is_empty() {
        return Ok(());
    }
    for first in range..layout.ranges {
        for third in 0..=range {
            let ranges = [first, range, third];
            if !layout.exists(ranges) {
                continue;
            }
            let frame = layout.frame(ranges)?;
            if first > range && seconds == layout.sizes(1, range) {
                visit(BlockPart { ranges, positions: 0..frame.positions as usize })?;
                continue;
            }
            for greatest in layout.sizes(0, first).filter(|&size| size >= sizes.end) {
                let at = |size: Heap| frame.begin(layout, greatest, size);
                visit(BlockPart { ranges, positions: at(seconds.start)..at(seconds.end) })?;
            }
        }
    }
    Ok(())
}

fn bytes<C: PositionCell>(layout: &PositionLayout, sizes: Range<Heap>) -> Result<u64, GenerateError> {
    let mut bytes: u64 = 0;
    each_part(layout, sizes, |part| {
        bytes = bytes.saturating_add((part.positions.len() as u64).saturating_mul(C::BYTES as u64));
        Ok(())
    })?;
    Ok(bytes)
}

/// Returns the bytes of the largest section with a single size.
pub(super) fn greatest_section<C: PositionCell>(layout: &PositionLayout) -> Result<u64, GenerateError> {
    // One heap, or two, are packed from memory.
    if layout.stand_ins > 0 {
        return Ok(layout.memory_bytes::<C>());
    }
    let mut most = 0;
    for range in 0..layout.ranges {
        // Within a range, the first or the last size has the largest section.
        let sizes = layout.sizes(0, range);
        for size in sizes.clone().take(1).chain(sizes.last()) {
            most = bytes::<C>(layout, size..size + 1)?.max(most);
        }
    }
    Ok(most)
}

impl<C: PositionCell> Positions<'_, C> {
    #[inline(always)]
    fn edge(&self, cell: C) -> ClassEdge {
        match self.code.read(cell) {
            (_, false) => ClassEdge { class: 0, deeper: VOID },
            (solved, true) if self.depths => ClassEdge { class: 1 + solved.stones, deeper: solved.depth },
            _ => ClassEdge { class: 1, deeper: 0 },
        }
    }

    /// Visits some positions of a layer of a block.
    fn each_of(
        &self,
        layer: u64,
        block: usize,
        positions: Range<u64>,
        visit: &mut impl FnMut(ClassEdge),
    ) -> Result<(), GenerateError> {
        match self.folder {
            None => {
                let cells = &self.cells(layer, block)[positions.start as usize..positions.end as usize];
                cells.iter().for_each(|&cell| visit(self.edge(cell)));
                Ok(())
            }
            Some(folder) => {
                let shape = self.layout.shape(block);
                let name = name(self.layout, block);
                shape.each(folder, &name, layer, positions, |cell| visit(self.edge(cell)))
            }
        }
    }

    /// The cells of a layer of a block in memory.
    #[inline(always)]
    fn cells(&self, layer: u64, block: usize) -> &[C] {
        self.blocks[block].as_ref().map_or(&[], |block| block.layer(layer))
    }
}

impl<C: PositionCell> MultisetSource<ClassEdge> for Positions<'_, C> {
    type View<'a>
        = PositionSection<'a, C>
    where
        Self: 'a;

    fn ranks(&self) -> &Ranks {
        &self.layout.all
    }

    fn each(
        &self,
        layer: u64,
        ranks: Range<u64>,
        visit: &mut impl FnMut(ClassEdge),
    ) -> Result<(), GenerateError> {
        let layout = self.layout;
        let mut rank = ranks.start;
        while rank < ranks.end {
            let own = layout.all.unrank(rank);
            let stand_ins = std::iter::repeat_n(layout.bound(0), layout.stand_ins);
            let mut heaps = stand_ins.chain(own.iter().copied());
            let [first, second, third] = std::array::from_fn(|_| heaps.next().unwrap_or(0));
            let before = layout.part(0, first) + layout.part(1, second);
            let ranges = [first, second, third].map(|heap| layout.range(heap));
            let thirds = layout.sizes(2, ranges[2]);
            let end = ranks.end.min(before + layout.part(2, thirds.end.min(second + 1)));
            let base = layout.base(ranges, first, second);
            let at = base.wrapping_add((rank - before) as usize) as u64;
            self.each_of(layer, layout.block(ranges), at..at + (end - rank), visit)?;
            rank = end;
        }
        Ok(())
    }

    fn parts(&self) -> usize {
        self.layout.blocks()
    }

    fn part(&self, layer: u64, block: usize, visit: &mut impl FnMut(ClassEdge)) -> Result<(), GenerateError> {
        match self.layout.shape(block).items {
            0 => Ok(()),
            positions => self.each_of(layer, block, 0..positions, visit),
        }
    }

    fn sections(&self, below: &Ranks) -> Result<Vec<Range<u64>>, GenerateError> {
        let mut sections = Vec::new();
        if self.folder.is_none() || self.layout.stand_ins > 0 {
            sections.grow(0..below.count())?;
            return Ok(sections);
        }
        for range in 0..=self.layout.range(below.bound(0)) {
            let sizes = self.layout.sizes(0, range);
            let step = if bytes::<C>(self.layout, sizes.clone())? <= self.section { sizes.len() } else { 1 };
            for size in sizes.clone().step_by(step) {
                let end = (size + step as Heap).min(below.bound(0) + 1);
                sections.grow(below.part(0, size)..below.part(0, end))?;
            }
        }
        Ok(sections)
    }

    fn view(&self, layer: u64, section: &Range<u64>) -> Result<PositionSection<'_, C>, GenerateError> {
        let mut pieces = Vec::new();
        if let Some(folder) = self.folder {
            let layout = self.layout;
            let below = Ranks::try_new(&layout.own_bounds()[1..])?;
            let mut parts = Vec::new();
            if layout.stand_ins > 0 {
                for block in 0..layout.blocks() {
                    let positions = 0..layout.shape(block).items as usize;
                    parts.grow(BlockPart { ranges: layout.ranges_of(block), positions })?;
                }
            } else {
                let sizes = below.unrank(section.start)[0]..below.unrank(section.end - 1)[0] + 1;
                each_part(layout, sizes, |part| parts.grow(part))?;
            }
            parts.retain(|part| !part.positions.is_empty());
            pieces.try_reserve_exact(parts.len())?;
            pieces.extend(parallel::map(parts.len(), |at| {
                let BlockPart { ranges, positions } = &parts[at];
                let block = layout.block(*ranges);
                let of_block = positions.start as u64..positions.end as u64;
                let cells = layout.shape(block).read(folder, &name(layout, block), layer, of_block)?;
                Ok(PositionPiece { block, first: positions.start, cells })
            })?);
            pieces.sort_unstable_by_key(|piece| (piece.block, piece.first));
        }
        Ok(PositionSection { positions: self, layer, pieces })
    }
}

/// The positions after adding a heap to the multisets of a section.
pub(super) struct PositionSection<'a, C> {
    positions: &'a Positions<'a, C>,
    layer: u64,
    /// By block, and where the first lies in it; none if all blocks are in memory.
    pieces: Vec<PositionPiece<C>>,
}

/// Cache of the first places of positions with two given heaps among the three greatest.
#[derive(Default)]
pub(super) struct PieceStarts {
    of: Option<[Heap; 2]>,
    /// By the size of the third heap (or of a heap greater than both): the piece, and the offset to add to the parts of
    /// the rank of all heaps after the two greatest.
    at: Vec<(usize, usize)>,
}

impl<C: PositionCell> PositionSection<'_, C> {
    /// The cells of a piece, or of a block.
    #[inline(always)]
    fn cells(&self, piece: usize) -> &[C] {
        match self.positions.folder {
            None => self.positions.cells(self.layer, piece),
            Some(_) => &self.pieces[piece].cells,
        }
    }

    /// Finds where the positions begin that have these two heaps and another one among the three greatest.
    fn begin(&self, [first, second]: [Heap; 2], scratch: &mut PieceStarts) {
        let layout = self.positions.layout;
        scratch.of = Some([first, second]);
        scratch.at.clear();
        let keys_of = |size: Heap| {
            let mut keys = [first, second, size];
            keys.sort_unstable_by(|a, b| b.cmp(a));
            keys
        };
        // Greater sizes do not fit either, and no lookup asks for them.
        let fits = |keys: &[Heap; KEYS]| (0..KEYS).all(|place| keys[place] <= layout.bound(place));
        let of_size = |keys: [Heap; KEYS]| {
            let ranges = keys.map(|heap| layout.range(heap));
            let (block, base) = (layout.block(ranges), layout.base(ranges, keys[0], keys[1]));
            if self.positions.folder.is_none() {
                return (block, base);
            }
            let at = base.wrapping_add(layout.part(2, keys[2]) as usize);
            let piece = self.pieces.partition_point(|piece| (piece.block, piece.first) <= (block, at));
            let piece = piece.saturating_sub(1);
            (piece, base.wrapping_sub(self.pieces.get(piece).map_or(0, |piece| piece.first)))
        };
        scratch.at.extend((0..=layout.bound(0)).map(keys_of).take_while(fits).map(of_size));
    }
}

impl<C: PositionCell> SectionView<ClassEdge> for PositionSection<'_, C> {
    type Scratch = PieceStarts;

    fn bytes(&self) -> u64 {
        self.pieces.iter().map(|piece| size_of_val(&piece.cells[..]) as u64).sum()
    }

    #[inline]
    fn with_each_size(&self, others: &[Heap], scratch: &mut PieceStarts, visit: &mut impl FnMut(ClassEdge)) {
        let Positions { layout, .. } = *self.positions;
        let most = greatest_with(&layout.all, others);
        let own = KEYS - 1 - layout.stand_ins.min(KEYS - 1);
        let stand_in = layout.bound(0);
        let first = if own == 2 { others[0] } else { stand_in };
        let second = if own > 0 { others[own - 1] } else { stand_in };
        let behind = &others[own..];
        if scratch.of != Some([first, second]) {
            self.begin([first, second], scratch);
        }
        let mut from = 0;
        if let [third, further @ ..] = behind {
            let (piece, base) = scratch.at[*third as usize];
            let cells = self.cells(piece);
            let base = base.wrapping_add(layout.part(2, *third) as usize);
            let line = HeapLine::new(&layout.rest, further);
            let edge = |rank: u64| self.positions.edge(cells[base.wrapping_add(rank as usize)]);
            line.ranks_to((*third).min(most)).for_each(|rank| visit(edge(rank)));
            from = third + 1;
        }
        let of_rest = layout.rest.rank(behind) as usize;
        for size in from..=most {
            let (piece, base) = scratch.at[size as usize];
            let third = size.min(second);
            let at = base.wrapping_add(layout.part(2, third) as usize).wrapping_add(of_rest);
            visit(self.positions.edge(self.cells(piece)[at]));
        }
    }

    #[inline]
    fn with_least_sizes(
        &self,
        others: &[Heap],
        scratch: &mut PieceStarts,
        visit: &mut impl FnMut(ClassEdge),
    ) {
        let Positions { layout, .. } = *self.positions;
        let [first, second, third, further @ ..] = others else {
            // The third heap is the least one.
            let sizes = others.last().map_or(usize::MAX, |&least| least as usize + 1);
            let mut visited = 0;
            return self.with_each_size(others, scratch, &mut |found| {
                if visited < sizes {
                    visit(found);
                }
                visited += 1;
            });
        };
        if scratch.of != Some([*first, *second]) {
            self.begin([*first, *second], scratch);
        }
        let (piece, base) = scratch.at[*third as usize];
        let base = base.wrapping_add(layout.part(2, *third) as usize);
        let ranks = HeapLine::new(&layout.rest, further).ranks_as_least();
        let least = further.last().unwrap_or(third);
        let from = base.wrapping_add(*ranks.start() as usize);
        let sizes = (*least).min(layout.bound(layout.heaps() - 1)) as usize + 1;
        self.cells(piece)[from..][..sizes].iter().for_each(|&cell| visit(self.positions.edge(cell)));
    }
}
