//! How much a table of a heap game takes.

use bouton_tables::heaps::{Heap, HeapRules, Take, multisets_within};

use super::Method;
use super::planes::{Planes, padded};
use crate::Estimate;

/// Estimates a ruleset.
#[must_use]
pub(crate) fn estimate(rules: &HeapRules, depths: bool) -> Estimate {
    let positions = rules.positions();
    let method = Method::of(rules, depths);
    let layers = u64::from(rules.passes()) + 1;
    let steps = match method {
        Method::Any => layers * Planes::blocks(rules) * (1 + u64::from(depths)),
        Method::Listed => layers * Planes::blocks(rules),
        Method::General => positions,
    };
    let file = file(rules, depths);
    let bytes = |bytes: u128| u64::try_from(bytes).unwrap_or(u64::MAX);
    // A proof holds the verdicts of two layers, and gathers those of one.
    let proving = 4 * 3 * u128::from(rules.multisets()) + file;
    Estimate {
        positions,
        steps,
        checks: positions,
        memory: bytes((16 << 20) + solving(rules, depths, method) + 16 * file),
        proof_memory: bytes((32 << 20) + proving),
        file: bytes(file),
    }
}

/// Multisets of the greatest heaps of all but so many, within their bounds.
fn without(bounds: &[Heap], least: usize) -> u128 {
    multisets_within(&bounds[least.min(bounds.len())..]).unwrap_or(u64::MAX).into()
}

/// The memory in which a listed game is solved, but for what comes of it.
pub(super) fn listed_memory(rules: &HeapRules) -> u128 {
    let bounds = padded(rules);
    let reach = rules.take().amounts(rules.greatest()).last().unwrap_or(1);
    8 * without(&bounds, 2) * (u128::from(bounds[0]) / 64 + 1) * u128::from(reach)
}

/// The memory that the solver takes, and the search for classes.
fn solving(rules: &HeapRules, depths: bool, method: Method) -> u128 {
    let layers = u128::from(rules.passes()) + 1;
    let (positions, lines) = (without(rules.bounds(), 0), without(rules.bounds(), 1));
    let bounds = padded(rules);
    // The groups of the first level, with what each thread looks at.
    let edges = |groups: u128| 8 * layers * groups + (64 << 20);
    match method {
        Method::Any => {
            let (outer, lines) = (without(&bounds, 2), without(&bounds, 1));
            let least = u128::from(bounds[0]);
            let marks = 8 * outer * (least / 64 + 1);
            let depths = if depths { 8 * layers + 8 } else { 0 };
            // All depths of the layers before and now, where a pass asks for them.
            let kept = if depths > 0 && layers > 1 { 2 * 4 * lines * (least + 1) } else { 0 };
            marks + (4 * layers + depths) * lines + kept + edges(without(rules.bounds(), 2))
        }
        Method::Listed => listed_memory(rules) + layers * positions / 8 + edges(lines),
        Method::General => {
            let targets = if *rules.take() == Take::Any { 12 * layers * lines } else { 0 };
            8 * layers * positions + targets + edges(lines)
        }
    }
}

/// The length of the file: a guess, from tables of many rulesets.
fn file(rules: &HeapRules, depths: bool) -> u128 {
    let layers = u128::from(rules.passes()) + 1;
    let width = u128::from(rules.greatest()) + 1;
    let bits = |n: u128| u128::from(u128::BITS - n.leading_zeros());
    let stones: u128 = rules.bounds().iter().map(|&bound| u128::from(bound)).sum();
    let depth = if depths { bits(stones) + 2 } else { 0 };
    // Each line, or position, on its own.
    let each = match rules.take() {
        Take::Any => layers * without(rules.bounds(), 1) * (bits(width) + depth),
        _ => layers * without(rules.bounds(), 0) * (1 + depth / 2),
    };
    // With one heap a move and no pass, about as many classes of any number of heaps as there are Grundy
    // values.
    let amounts = match rules.take() {
        Take::Any => width - 1,
        Take::UpTo(most) => u128::from(*most).min(width - 1),
        Take::Exactly(amounts) => amounts.len() as u128,
    };
    let values = amounts.next_power_of_two();
    let class = |level: usize| values.min(without(rules.bounds(), rules.heaps() - level));
    let levels: u128 = (0..rules.heaps()).map(class).sum();
    let classes = levels * width * (bits(values) + depth / 2);
    let body = match (rules.heaps_per_move(), rules.passes(), rules.take()) {
        (1, 0, _) => classes.min(each),
        // Passes disturb less where a move takes little.
        (1, _, Take::UpTo(_) | Take::Exactly(_)) => each / 4,
        _ => each,
    };
    180 + 24 * (rules.heaps() as u128 + 1) + body / 8
}

#[cfg(test)]
mod tests {
    use bouton_tables::heaps::{HeapKeys, MAX_HEAPS, MAX_SIZE};
    use bouton_tables::{Play, Ruleset};

    use super::*;
    use crate::generate_in_memory;

    #[test]
    fn the_length_of_the_file_is_estimated_within_a_factor_of_eight() {
        let listed = Take::exactly(vec![1, 3, 4]);
        for (bounds, take, heaps_per_move, passes) in [
            (&[3, 5, 7][..], Take::Any, 1, 0),
            (&[31; 5], Take::Any, 1, 0),
            (&[20; 4], Take::Any, 1, 0),
            (&[10, 20, 30, 40], Take::Any, 1, 0),
            (&[60; 3], listed.clone(), 1, 0),
            (&[30; 4], Take::UpTo(5), 1, 0),
            (&[15; 4], Take::Any, 2, 0),
            (&[31; 3], Take::Any, 1, 1),
            (&[20; 4], Take::Any, 1, 2),
            (&[20; 4], listed, 1, 2),
            (&[15; 4], Take::UpTo(3), 2, 1),
            (&[500; 2], Take::Any, 1, 0),
            (&[2000], Take::UpTo(7), 1, 0),
            (&[25; 4], Take::UpTo(3), 1, 1),
            (&[12, 20, 20, 30], Take::exactly(vec![2, 3, 7]), 1, 1),
        ] {
            for (depths, play) in [(false, Play::Normal), (true, Play::Normal), (true, Play::Misere)] {
                let rules = HeapKeys {
                    bounds: bounds.to_vec(),
                    take: take.clone(),
                    heaps_per_move,
                    passes,
                    play,
                    ..Default::default()
                }
                .rules()
                .unwrap();
                let made = generate_in_memory(&Ruleset::Heaps(rules.clone()), depths).unwrap().len() as u64;
                let guess = estimate(&rules, depths).file;
                assert!(guess < 8 * made && made < 8 * guess, "{rules:?} {depths}: {guess} for {made}");
            }
        }
    }

    #[test]
    fn the_greatest_rulesets_are_estimated_too() {
        for take in [Take::Any, Take::UpTo(MAX_SIZE), Take::exactly(vec![1, MAX_SIZE])] {
            for (heaps_per_move, passes) in [(1, 0), (1, 15)] {
                let bounds = vec![MAX_SIZE; MAX_HEAPS];
                let rules =
                    HeapKeys { bounds, take: take.clone(), heaps_per_move, passes, ..Default::default() }
                        .rules()
                        .unwrap();
                for depths in [false, true] {
                    let estimate = estimate(&rules, depths);
                    assert!(estimate.memory > 1 << 60 && estimate.proof_memory > 1 << 60, "{estimate:?}");
                }
            }
        }
    }
}
