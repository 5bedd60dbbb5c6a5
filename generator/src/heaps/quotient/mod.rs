//! The quotient of a game: finitely many classes such that any heaps can be replaced by others of their class.
//!
//! If a move takes from one heap, a finite commutative monoid often suffices to decide all positions: each size of a
//! heap is an element, heaps together are the product of their elements, and certain elements are lost. In normal play
//! the elements are the Grundy values with the nim-sum (Sprague, 1935; Grundy, 1939); in misère play they are the
//! misère quotient (Plambeck, 2005; Plambeck and Siegel, 2008). Example: normal Nim with heaps up to 3 has the four
//! classes 0 to 3, and 1 + 2 = 3.
//!
//! `theorem` proposes a quotient. Nothing relies on the theorem: `proof` proves the quotient for any number of heaps
//! from the plain rules (docs/proof-by-classes.md). `write` makes tables from a quotient, and `check` proves tables by
//! it.

mod check;
mod class_set;
mod elements;
mod proof;
mod theorem;
mod write;

use std::time::Duration;

use bouton_tables::heaps::{Heap, HeapRules, multisets_within};
use rustc_hash::FxHashMap;
use thiserror::Error;

pub(crate) use check::{check_applicable, verify};
pub use elements::{Elements, quotient_elements};
pub(super) use write::make;

use crate::{Control, GenerateError, Phase};

/// A quotient. Class 0 is the class of no heaps. Classes are numbered by the fewest heaps that make them up, so the
/// classes of at most k heaps have the lowest numbers.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    /// One above the greatest size of a heap.
    width: usize,
    /// For each class and each size of a further heap, the class of all these heaps.
    next: Vec<u32>,
    /// For each class, whether its positions are lost.
    lost: Vec<bool>,
}

impl Quotient {
    /// Numbers the classes in the order of a breadth-first search from the class of no heaps, which is 0.
    fn numbered(width: usize, next: impl Fn(u32, usize) -> u32, is_lost: impl Fn(u32) -> bool) -> Self {
        let mut numbers = FxHashMap::from_iter([(0, 0_u32)]);
        let mut order = vec![0];
        let mut quotient = Self { width, next: Vec::new(), lost: Vec::new() };
        while let Some(&class) = order.get(quotient.lost.len()) {
            quotient.lost.push(is_lost(class));
            quotient.next.extend((0..width).map(|size| {
                let after = next(class, size);
                *numbers.entry(after).or_insert_with(|| {
                    order.push(after);
                    order.len() as u32 - 1
                })
            }));
        }
        quotient
    }

    /// Returns the greatest size of a heap.
    fn greatest(&self) -> Heap {
        self.width as Heap - 1
    }

    fn classes(&self) -> usize {
        self.lost.len()
    }

    /// Returns the class after adding a heap.
    #[inline]
    fn next(&self, class: u32, size: Heap) -> u32 {
        self.next[class as usize * self.width + size as usize]
    }

    fn is_lost(&self, class: u32) -> bool {
        self.lost[class as usize]
    }

    /// Returns for each class a class with a lower number, and a heap that leads from there to it. For class 0 the
    /// entry is (0, 0) and has no meaning. Returns `None` if some class cannot be reached by adding a heap to a class
    /// with a lower number.
    fn parents(&self) -> Option<Vec<(u32, Heap)>> {
        let mut parents = vec![None; self.classes()];
        for (at, &class) in self.next.iter().enumerate() {
            parents[class as usize].get_or_insert(((at / self.width) as u32, (at % self.width) as Heap));
        }
        parents[0] = Some((0, 0));
        let parents = parents.into_iter().collect::<Option<Vec<_>>>()?;
        (1..).zip(&parents[1..]).all(|(class, &(parent, _))| parent < class).then_some(parents)
    }

    /// Returns for each class the fewest heaps that make it up.
    fn fewest_heaps(&self) -> Vec<usize> {
        let mut fewest = vec![0; self.classes()];
        let parents = self.parents().expect("the quotient is proved");
        for (class, (parent, _)) in parents.into_iter().enumerate().skip(1) {
            fewest[class] = fewest[parent as usize] + 1;
        }
        fewest
    }
}

/// The reason why there is no quotient of a game, why it is not listed, or why it does not prove a table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoQuotient {
    /// The proof does not apply to such games, or such tables.
    #[error("the proof by classes is for {0}")]
    Rules(&'static str),
    /// The heaps are too great, or the proof would need too many classes. With any number of stones a move there are
    /// about as many classes as stones; with a short list of amounts there are fewer.
    #[error(
        "the game is too large to be proved in some seconds: its heaps have up to {0} stones, so it may have \
        as many classes, or its list of amounts is long"
    )]
    TooLarge(Heap),
    /// The table has too many classes to follow them all, or bounds that differ too much.
    #[error(
        "the table has too many classes, or bounds that differ too much, to follow its classes in some seconds"
    )]
    TableTooLarge,
    /// The quotient is too large to be listed.
    #[error("the quotient has {0} elements, and at most {1} are listed; choose smaller heaps")]
    TooManyElements(usize, usize),
    /// The proof has a gap.
    #[error("the proof by classes has a gap: {0}")]
    Gap(String),
}

/// Maximum size of a heap for which the theorem is evaluated.
const MAX_HEAP: Heap = 1 << 17;

/// Finds the quotient of a game, and proves it, as a phase of some work.
///
/// # Errors
/// The outer error if there is not enough memory, or `control` cancels; the inner one says why there is no quotient.
pub(super) fn find(
    rules: &HeapRules,
    phase: Phase,
    control: &dyn Control,
) -> Result<Result<Quotient, NoQuotient>, GenerateError> {
    match from_theorem(rules) {
        Ok(quotient) => {
            Ok(proof::prove(&quotient, rules, phase, control)?.map(|()| quotient).map_err(NoQuotient::Gap))
        }
        Err(none) => Ok(Err(none)),
    }
}

/// Returns an error if the proof does not apply to such games.
fn check_rules(rules: &HeapRules) -> Result<(), NoQuotient> {
    if rules.heaps_per_move() > 1 {
        return Err(NoQuotient::Rules("games in which a move takes from one heap"));
    }
    if rules.passes() > 0 {
        return Err(NoQuotient::Rules("games without passes"));
    }
    Ok(())
}

/// Returns the quotient that the theorem gives.
fn from_theorem(rules: &HeapRules) -> Result<Quotient, NoQuotient> {
    check_rules(rules)?;
    theorem::propose(rules).ok_or(NoQuotient::TooLarge(rules.greatest_bound()))
}

/// Estimates a table made from a quotient: maximum bytes of memory, bytes of the file, and time of the proof. `None` if
/// the game has no quotient.
pub(super) fn estimate(rules: &HeapRules) -> Option<(u128, u64, Duration)> {
    /// Approximate time of the proof for each pair of classes and each size of a heap.
    const NANOSECONDS_PER_PRODUCT: u64 = 8;
    let quotient = from_theorem(rules).ok()?;
    let (classes, steps) = (quotient.classes() as u64, quotient.next.len() as u64);
    // Each level has at most the steps of all classes.
    let records = steps * rules.heaps() as u64;
    let bits = u64::from(u64::BITS - classes.leading_zeros());
    // The proof has a few bytes for each step; and for each pair of classes their product, and some bits in sets of
    // classes. Then each level has all steps, and packing them needs a copy.
    let memory = 16 * steps + 8 * classes * classes + (8 + 4) * records;
    Some((
        memory.into(),
        512 + records * bits / 8,
        Duration::from_nanos(NANOSECONDS_PER_PRODUCT * classes * steps),
    ))
}

/// Reports whether a quotient is small enough for a proof in some seconds.
fn is_provable(classes: usize, sizes: usize) -> bool {
    const STEPS: u64 = 1 << 23;
    const WORK: u64 = 1 << 32;
    let steps = classes as u64 * sizes as u64;
    steps <= STEPS && steps * classes as u64 <= WORK
}

/// Games with fewer positions are solved by enumeration in less than a second.
const MIN_POSITIONS: u64 = 1 << 28;

/// Reports whether enumeration would take long, so that a table without depths is better made from a quotient.
pub(super) fn is_worthwhile(rules: &HeapRules) -> bool {
    multisets_within(rules.bounds()).is_none_or(|positions| positions >= MIN_POSITIONS)
}

#[cfg(test)]
mod tests;
