//! Writes a large table, to measure programs with it: two-heap Nim in which every heap has its own class and every
//! position its own record, though most are equal. Solving a game with a table of this size would take a machine with
//! more memory. All answers are right: only equal heaps are lost, and the game from heaps of a and b stones takes 2
//! min(a, b) plies, and one more if they differ.
//!
//! ```text
//! cargo run --release -p bouton-tests --example large_table -- 21800 large.bouton
//! ```

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::fs::File;

use bouton_generator::Census;
use bouton_generator::heaps::{ClassEdge, TableParts};
use bouton_tables::heaps::{HeapKeys, Take};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [size, path] = &args[..] else { return Err("give the size of the heaps and a file".into()) };
    let size: u32 = size.parse()?;
    let rules = HeapKeys { bounds: vec![size; 2], take: Take::UpTo(size), ..Default::default() }.rules()?;
    let stem = vec![ClassEdge::default()];
    let first = (0..=size).map(|class| ClassEdge { class, deeper: 0 }).collect();
    let second = |a: u32| {
        (0..=size).map(move |b| ClassEdge {
            // The record of a lost position has the number of stones that the best move takes: one, if there is any.
            class: if a == b { 1 + u32::from(a > 0) } else { 0 },
            deeper: 2 * a.min(b) + u32::from(a != b),
        })
    };
    let parts = TableParts {
        stem,
        levels: vec![first, (0..=size).flat_map(second).collect()],
        ..TableParts::default()
    };
    let lost = u64::from(size) + 1;
    let census = Census { wins: rules.positions() - lost, deepest: 2 * size };
    let mut file = File::options().read(true).write(true).create(true).truncate(true).open(path)?;
    let written = parts.write(&rules, &rules, true, census, &mut file)?;
    println!("{path}: {} positions, {} bytes", rules.positions(), written.bytes);
    Ok(())
}
