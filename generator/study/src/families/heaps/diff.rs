//! The common positions and moves of two heap games.

use bouton_tables::heaps::{HeapRegion, HeapRules, Heaps, Position, Take};
use bouton_tables::{Region, TooManyPositions};

use super::{nonempty, total};
use crate::diff::{Comparable, Overlap, OverlapAxis};

/// Appends empty heaps up to the number of heaps in a ruleset.
fn padded(mut heaps: Heaps, rules: &HeapRules) -> Heaps {
    while heaps.len() < rules.heaps() {
        heaps.push(0);
    }
    heaps
}

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
            // The game with fewer heaps: each of its moves names heaps that the other game has too.
            leader: usize::from(b.heaps() < a.heaps()),
            further: None,
            reachable: None,
            axes,
            pairs_of_starts: region.count() / (passes + 1),
            same_starts: a.passes() == b.passes(),
            range_of_starts: [0, stones],
            starts_in_words: [which, "stones in all"],
            knows_distances: rules.iter().all(|rules| *rules.take() == Take::Any && !rules.equal_take()),
            compared: region,
        })
    }

    fn sides(rules: [&Self; 2], position: &Position) -> [Position; 2] {
        rules.map(|rules| Position { heaps: padded(position.heaps, rules), ..*position })
    }

    fn show(rules: [&Self; 2], position: &Position) -> String {
        let heaps: Vec<String> = position.heaps.iter().map(ToString::to_string).collect();
        // Show passes if either game has any: a position without them would mean that all are left.
        let passes = rules.iter().any(|rules| rules.passes() > 0);
        heaps.join(",") + &if passes { format!("/{}", position.passes) } else { String::new() }
    }

    fn stones_of_start(overlap: &Overlap<Self>, position: &Position) -> Option<u64> {
        (position.passes == overlap.compared.passes()).then(|| total(position))
    }

    fn walk_starts(overlap: &Overlap<Self>, from: u64) -> impl Iterator<Item = (u64, [Position; 2])> {
        let layers = u64::from(overlap.compared.passes()) + 1;
        overlap.compared.walk(from * layers).step_by(layers as usize).map(|Position { heaps, passes }| {
            let start = |rules: &Self| Position { heaps: padded(heaps, rules), passes: rules.passes() };
            (total(&Position { heaps, passes }), overlap.rules.map(start))
        })
    }

    fn openings(overlap: &Overlap<Self>) -> impl Iterator<Item = Position> {
        let heaps = overlap.compared.bounds().iter().copied().collect();
        std::iter::once(Position { heaps, passes: overlap.compared.passes() })
    }

    fn distance(rules: [&Self; 2], from: &Position, to: &Position) -> Option<u32> {
        let (ours, theirs) = (from.heaps.descending(), to.heaps.descending());
        let passes = u32::from(from.passes.checked_sub(to.passes)?);
        // One move can reduce a heap to any size, so only the number of heaps that must change counts.
        if theirs.iter().zip(ours.iter()).any(|(to, from)| to > from)
            || passes > 0 && ours.iter().all(|&heap| heap == 0)
        {
            return None;
        }
        let at_once = rules.iter().map(|rules| rules.heaps_per_move()).min().unwrap_or(1);
        let changed = ours.len() - shared(&ours, &theirs);
        Some(changed.div_ceil(at_once) as u32 + passes)
    }
}

/// Counts the common elements of two multisets, given in descending order.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += usize::from(a[i] == b[j]);
        (i, j) = (i + usize::from(a[i] >= b[j]), j + usize::from(b[j] >= a[i]));
    }
    shared
}
