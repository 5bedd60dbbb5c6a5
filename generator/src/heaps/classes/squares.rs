//! Finds the classes of lines, given the lost positions as bits, for heaps of less than 64 stones: 64 lines of 64
//! positions at once.
//!
//! Fix all heaps except two. The outcomes for the sizes of these two are a square of bits, and each row of the square is
//! a line. The square is symmetric, as the two heaps can be exchanged, and the solver stores only one half. Transposing
//! the half and combining both gives the whole square, with a word for each line. Lines with equal words are in one
//! class. Example, Nim with two heaps of at most 3: the square has ones on the diagonal, so the words are 0001, 0010,
//! 0100 and 1000: four classes.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, Ranks};

use super::edges::{ClassEdge, EdgeList, VOID};
use super::multisets::{ClassLevel, Multisets, batches};
use super::numbering::Numbering;
use super::refine::add_chunks;
use crate::control::{Control, Phase, check_cancelled};
use crate::heaps::kernel::subtraction_outcomes::LostBits;
use crate::heaps::line::HeapLine;
use crate::making::GenerateError;
use crate::memory::room;
use crate::parallel;

/// Squares in a chunk of a thread.
const CHUNK: u64 = 4096;

/// Returns the level below all positions: the classes of lines.
pub(crate) fn merge_squares(
    rules: &HeapRules,
    all: &Ranks,
    layers: &[LostBits],
    control: &dyn Control,
) -> Result<ClassLevel, GenerateError> {
    let (ranks, outer) = (Ranks::try_new(&rules.bounds()[1..])?, Ranks::try_new(&rules.bounds()[2..])?);
    let least = rules.bounds()[0];
    let append_lines = |layer: &LostBits, heaps: &[Heap], lines: &mut Vec<u64>| {
        let last = heaps.last().copied().unwrap_or(Heap::MAX);
        // Row `size` has the positions with a heap of this size and a least heap: the lower half of the square. Their
        // bits are adjacent, as the least heap comes last in a rank.
        let with_empty: Heaps = heaps.iter().copied().chain([0]).collect();
        let mut square = [0; 64];
        for ((size, rank), row) in (0..).zip(HeapLine::new(all, &with_empty).ranks()).zip(&mut square) {
            *row = layer.word(rank) & u64::MAX >> (63 - last.min(size).min(least));
        }
        let halves = square;
        transpose(&mut square);
        let sizes = last.min(ranks.bound(heaps.len())) as usize + 1;
        lines.extend(square.iter().zip(halves).map(|(upper, lower)| upper | lower).take(sizes));
    };
    let multisets = Multisets::new(rules, &outer);
    control.begin(Phase::Packing, multisets.count());
    let classes_of_chunk = |number| {
        let (layer, chunk) = multisets.chunk(number, CHUNK);
        let mut lines = room(64 * (chunk.end - chunk.start))?;
        let mut heaps = outer.unrank(chunk.start);
        control.advance(chunk.end - chunk.start);
        for _ in chunk {
            append_lines(&layers[layer as usize], &heaps, &mut lines);
            outer.advance(&mut heaps);
        }
        let mut recent = [(0, u32::MAX); 256];
        let mut found = Numbering::default();
        let mut edges = room(lines.len() as u64)?;
        for line in lines {
            let recent = &mut recent[(line.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
            if *recent != (line, recent.1) || recent.1 == u32::MAX {
                *recent = (line, found.number(&[line])?);
            }
            edges.push(ClassEdge { class: recent.1, deeper: if line == 0 { VOID } else { 0 } });
        }
        Ok((found, edges))
    };
    let mut all = Numbering::default();
    let mut edges = EdgeList::with_capacity(Multisets::new(rules, &ranks).count())?;
    for batch in batches(multisets.chunks(CHUNK)) {
        check_cancelled(control)?;
        let chunks = parallel::map(batch.len(), |number| classes_of_chunk(batch.start + number))?;
        add_chunks(&mut all, &mut edges, usize::MAX, chunks)?;
    }
    let step = |line: u64, size: u32| ClassEdge { class: (line >> size & 1) as u32, deeper: 0 };
    let mut steps = room(all.len() as u64 * (u64::from(rules.greatest_bound()) + 1))?;
    for line in all.keys() {
        steps.extend((0..=rules.greatest_bound()).map(|size| step(line[0], size)));
    }
    Ok(ClassLevel { ranks, edges, steps })
}

/// Exchanges rows and columns of a square of bits (Warren, Hacker's Delight, section 7-3).
fn transpose(square: &mut [u64; 64]) {
    let mut width = 32;
    let mut mask = u64::MAX >> 32;
    while width > 0 {
        for block in (0..64).step_by(2 * width) {
            for row in block..block + width {
                let swap = (square[row] >> width ^ square[row + width]) & mask;
                square[row] ^= swap << width;
                square[row + width] ^= swap;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let mut square = [0; 64];
        let bit = |row: usize, column: usize| (row * 37 + column * 11 + row * column) % 7 < 3;
        for (row, bits) in square.iter_mut().enumerate() {
            *bits = (0..64).map(|column| u64::from(bit(row, column)) << column).sum();
        }
        transpose(&mut square);
        for (row, bits) in square.iter().enumerate() {
            assert!((0..64).all(|column| (bits >> column & 1 == 1) == bit(column, row)), "row {row}");
        }
    }
}
