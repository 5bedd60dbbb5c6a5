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
mod definition;
mod elements;
mod proof;
mod theorem;
mod write;

use std::time::Duration;

use bouton_tables::heaps::{HeapRules, multisets_within};

pub use check::{ByClasses, ByClassesError};
pub(crate) use check::{check_applicable, verify};
pub use definition::NoQuotient;
pub use elements::{Elements, quotient_elements};
pub(super) use write::make;

pub(super) use self::definition::Quotient;
use self::definition::check_rules;
use crate::control::{Control, Phase};
use crate::making::GenerateError;

/// Finds the quotient of a game, and proves it. Reports the progress of the proof as `phase`.
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
    // The proof has a few bytes for each step, and for each pair of classes the product and some bits in sets of
    // classes. Then each level has all steps, and packing needs a copy of them.
    let memory = 16 * steps + 8 * classes * classes + (8 + 4) * records;
    Some((
        memory.into(),
        512 + records * bits / 8,
        Duration::from_nanos(NANOSECONDS_PER_PRODUCT * classes * steps),
    ))
}

/// Games with fewer positions are solved by enumeration in less than a second.
const MIN_POSITIONS: u64 = 1 << 28;

/// Reports whether enumeration would take long, so that a table without depths is better made from a quotient.
pub(super) fn is_worthwhile(rules: &HeapRules) -> bool {
    multisets_within(rules.bounds()).is_none_or(|positions| positions >= MIN_POSITIONS)
}

#[cfg(test)]
mod tests;
