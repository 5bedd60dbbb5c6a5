//! Solving heap games.

mod estimate;
mod general;
mod line;
mod reduce;
mod verify;

use bouton_tables::heaps::{Census, Edge, HeapRules, Ranks, Take, Target};

pub(crate) use estimate::estimate;
pub use verify::verify;

use self::general::Layer;
use self::line::without;
use self::reduce::{Level, VOID, from_rank, reduce_lines, reduce_positions};
use crate::Progress;

/// Solves a ruleset, and gives the bytes of its table's file. Progress is counted in positions.
#[must_use]
pub fn generate(rules: &HeapRules, depths: bool, progress: &Progress) -> Vec<u8> {
    let ranks = Ranks::new(rules.bounds());
    let layers = general::solve(rules, &ranks, progress);
    let census = census(rules, &ranks, &layers, depths);
    let parts = match rules.take() {
        Take::Any => {
            let (ranks, lines) = targets(rules, &ranks, &layers, depths);
            reduce_lines(rules, ranks, &lines)
        }
        Take::UpTo(_) | Take::Exactly(_) => {
            let groups = layers.iter().flat_map(|layer| {
                (0..ranks.count()).map(|rank| {
                    let solved = layer.at(rank);
                    match solved.is_lost(rules.play()) {
                        false => Edge { class: 0, deeper: VOID },
                        true if depths => Edge { class: 1 + solved.stones, deeper: solved.depth },
                        true => Edge { class: 1, deeper: 0 },
                    }
                })
            });
            let groups = groups.collect();
            reduce_positions(rules, Level { ranks, groups })
        }
    };
    parts.into_file(rules, depths, census)
}

fn census(rules: &HeapRules, ranks: &Ranks, layers: &[Layer], depths: bool) -> Census {
    let mut census = Census::default();
    for solved in layers.iter().flat_map(|layer| (0..ranks.count()).map(|rank| layer.at(rank))) {
        census.wins += u64::from(!solved.is_lost(rules.play()));
        census.deepest = census.deepest.max(if depths { solved.depth } else { 0 });
    }
    census
}

/// The one lost position of each line, if there is one: for each number of passes left, by the rank of the
/// other heaps.
fn targets(rules: &HeapRules, ranks: &Ranks, layers: &[Layer], depths: bool) -> (Ranks, Vec<Target>) {
    let others = Ranks::new(&rules.bounds()[1..]);
    let none = Target { size: rules.greatest() + 1, deeper: 0, tries: 0 };
    let mut lines = vec![none; layers.len() * others.count() as usize];
    for (layer, lines) in layers.iter().zip(lines.chunks_exact_mut(others.count() as usize)) {
        for (rank, heaps) in (0..).zip(from_rank(ranks, 0)) {
            let solved = layer.at(rank);
            if solved.is_lost(rules.play()) {
                for place in 0..heaps.len() {
                    let line = others.rank(&without(&heaps, place));
                    let (deeper, tries) = if depths { (solved.depth, solved.stones) } else { (0, 0) };
                    lines[line as usize] = Target { size: heaps[place], deeper, tries };
                }
            }
        }
    }
    (others, lines)
}
