//! The classes of all heaps but one, from the lost positions as bits: 64 lines of 64 positions at once.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, Ranks};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::line::Line;
use super::listed::LostBits;
use super::pack::Edge;
use super::reduce::{Level, VOID, WAITING, in_chunks};

/// Groups of all heaps but two that one thread looks at in one go.
const CHUNK: u64 = 4096;

/// The level below all positions, where a line has one word. All lines are made at once that share all heaps
/// but two: as a square of bits, which is the same when rows and columns are exchanged.
pub(super) fn reduce_squares(rules: &HeapRules, all: &Ranks, layers: &[LostBits]) -> Level {
    let (ranks, outer) = (Ranks::new(&rules.bounds()[1..]), Ranks::new(&rules.bounds()[2..]));
    let least = rules.bounds()[0];
    let of_outer = |layer: &LostBits, heaps: &[Heap], lines: &mut Vec<u64>| {
        let last = heaps.last().copied().unwrap_or(Heap::MAX);
        // For each size of a further heap, with an empty one behind it: its bits are in the lower half of the
        // square, as the least heap is written last.
        let empty: Heaps = heaps.iter().copied().chain([0]).collect();
        let mut square = [0; 64];
        for ((size, rank), row) in (0..).zip(Line::new(all, &empty).ranks()).zip(&mut square) {
            *row = layer.word(rank) & u64::MAX >> (63 - last.min(size).min(least));
        }
        let halves = square;
        transpose(&mut square);
        let sizes = last.min(ranks.bound(heaps.len())) as usize + 1;
        lines.extend(square.iter().zip(halves).map(|(upper, lower)| upper | lower).take(sizes));
    };
    let chunks = in_chunks(layers.len() as u64, &outer, CHUNK);
    let of_chunk = |&(layer, first): &(u64, u64)| {
        let mut lines = Vec::new();
        let mut heaps = outer.unrank(first);
        for _ in first..(first + CHUNK).min(outer.count()) {
            of_outer(&layers[layer as usize], &heaps, &mut lines);
            outer.advance(&mut heaps);
        }
        let mut classes: Vec<u64> = Vec::new();
        let mut recent = [(0, u32::MAX); 256];
        let mut numbers: FxHashMap<u64, u32> = FxHashMap::default();
        let edges = lines.iter().map(|&line| {
            let recent = &mut recent[(line.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 56) as usize];
            if *recent != (line, recent.1) || recent.1 == u32::MAX {
                let number = *numbers.entry(line).or_insert_with(|| {
                    classes.push(line);
                    classes.len() as u32 - 1
                });
                *recent = (line, number);
            }
            Edge { class: recent.1, deeper: if line == 0 { VOID } else { 0 } }
        });
        let edges: Vec<Edge> = edges.collect();
        (classes, edges)
    };
    let mut all_numbers: FxHashMap<u64, u32> = FxHashMap::default();
    let mut all_classes = Vec::new();
    let mut edges = Vec::with_capacity(layers.len() * ranks.count() as usize);
    for some in chunks.chunks(WAITING * rayon::current_num_threads()) {
        let found: Vec<(Vec<u64>, Vec<Edge>)> = some.par_iter().map(of_chunk).collect();
        for (classes, of_chunk) in found {
            let number = |&line: &u64| {
                *all_numbers.entry(line).or_insert_with(|| {
                    all_classes.push(line);
                    all_classes.len() as u32 - 1
                })
            };
            let numbers: Vec<u32> = classes.iter().map(number).collect();
            edges.extend(of_chunk.iter().map(|edge| Edge { class: numbers[edge.class as usize], ..*edge }));
        }
    }
    let step = |line: u64, size: u32| Edge { class: (line >> size & 1) as u32, deeper: 0 };
    let steps = all_classes.iter().flat_map(|&line| (0..=rules.greatest()).map(move |size| step(line, size)));
    Level { ranks, edges, steps: steps.collect() }
}

/// Exchanges rows and columns of a square of bits (Warren, Hacker's Delight, 7-3).
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
    fn rows_and_columns_are_exchanged() {
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
