//! The common positions and moves of two heap games.

use bouton_tables::heaps::{HeapRegion, HeapRules, MoveKind, Position};
use bouton_tables::{Region, TooManyPositions};

use super::{nonempty, total};
use crate::diff::{Comparable, Overlap, OverlapAxis};

impl Comparable for HeapRules {
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<Overlap<'a, Self>, TooManyPositions> {
        let region = HeapRegion::common(a, b)?;
        let passes = u64::from(region.passes());
        let stones = region.bounds().iter().map(|&bound| u64::from(bound)).sum();
        let mut axes = vec![
            OverlapAxis::ranges("heaps", region.bounds().len() as u64, nonempty),
            OverlapAxis::ranges("total", stones, total),
        ];
        if passes > 0 {
            axes.push(OverlapAxis::ranges("passes", passes, |position: &Position| position.passes.into()));
        }
        let which = if a.passes() + b.passes() > 0 { "any heaps, all passes left" } else { "any heaps" };
        let rules = [a, b];
        Ok(Overlap {
            rules,
            fewer_heaps: usize::from(b.heaps() < a.heaps()),
            turn_2: None,
            reachable: region.clone(),
            axes,
            pairs_of_starts: region.count() / (passes + 1),
            range_of_starts: [0, stones],
            starts_in_words: [which, "stones in all"],
            knows_distances: rules
                .iter()
                .all(|rules| matches!(rules.move_kind(), MoveKind::AnyFromOne | MoveKind::AnyFromSeveral(_))),
            compared: region,
        })
    }

    fn sides(rules: [&Self; 2], position: &Position) -> [Position; 2] {
        rules.map(|rules| Position { heaps: position.heaps.padded(rules.heaps()), ..*position })
    }

    fn show(rules: [&Self; 2], position: &Position) -> String {
        let heaps: Vec<String> = position.heaps.iter().map(ToString::to_string).collect();
        // Show the passes left if either game has passes: in such a game, notation without passes means that all are left.
        let passes = rules.iter().any(|rules| rules.passes() > 0);
        heaps.join(",") + &if passes { format!("/{}", position.passes) } else { String::new() }
    }

    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Position; 2])> {
        let layers = u64::from(overlap.compared.passes()) + 1;
        overlap.compared.walk(from * layers).step_by(layers as usize).map(|Position { heaps, passes }| {
            let start =
                |rules: &Self| Position { heaps: heaps.padded(rules.heaps()), passes: rules.passes() };
            (total(&Position { heaps, passes }), overlap.rules.map(start))
        })
    }

    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Position> {
        let heaps = overlap.compared.bounds().iter().copied().collect();
        std::iter::once(Position { heaps, passes: overlap.compared.passes() })
    }

    fn distance(rules: [&Self; 2], from: &Position, to: &Position) -> Option<u32> {
        let (before, after) = (from.heaps.descending(), to.heaps.descending());
        let passes = u32::from(from.passes.checked_sub(to.passes)?);
        if after.iter().zip(before.iter()).any(|(after, before)| after > before)
            || passes > 0 && before.iter().all(|&heap| heap == 0)
        {
            return None;
        }
        // One move can reduce a heap to any size, so only the number of heaps that must change counts.
        let heaps_per_move = rules.iter().map(|rules| rules.heaps_per_move()).min().unwrap_or(1);
        let changed = before.len() - count_common(&before, &after);
        Some(changed.div_ceil(heaps_per_move) as u32 + passes)
    }
}

/// Counts the common elements of two multisets, given in descending order.
fn count_common(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        common += usize::from(a[i] == b[j]);
        (i, j) = (i + usize::from(a[i] >= b[j]), j + usize::from(b[j] >= a[i]));
    }
    common
}
