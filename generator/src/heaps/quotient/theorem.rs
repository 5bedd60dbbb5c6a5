//! The quotient by theory: heaps with the same Grundy value are interchangeable.
//!
//! Example: with amounts 1 and 2, the Grundy values of heaps 0, 1, 2, 3, 4 are 0, 1, 2, 0, 1. In normal play there are
//! four classes, the nim-sums 0 to 3. In misère play there are six: no heap of value 2 with an even or odd number of
//! heaps of value 1, and the four nim-sums if there is a heap of value 2.

use bouton_tables::Play;
use bouton_tables::heaps::theory::grundy_values;
use bouton_tables::heaps::{Heap, HeapRules};

use super::definition::{Quotient, is_provable};

/// Maximum size of a heap for which the theorem is evaluated.
const MAX_HEAP: Heap = 1 << 17;

/// Proposes the quotient of a game without passes, in which a move takes from one heap. `None` if it has too many
/// classes.
///
/// In normal play the class is the nim-sum of the Grundy values (Sprague, 1935; Grundy, 1939). In misère play too, if
/// there is a heap of value 2 or more; otherwise the class is the parity of the number of heaps of value 1. The rule
/// for misère play holds for tame games (Conway, On Numbers and Games, 1976, chapter 12), and Ferguson has proved that
/// games which allow the same amounts from every heap are tame (On sums of graph games with last player losing, 1974).
pub(super) fn propose(rules: &HeapRules) -> Option<Quotient> {
    if rules.greatest_bound() > MAX_HEAP {
        return None;
    }
    let values = grundy_values(rules.take(), rules.greatest_bound());
    let sums = values.iter().max()?.checked_add(1)?.checked_next_power_of_two()?;
    if !is_provable(sums as usize + 2, values.len()) {
        return None;
    }
    let normal = |class: u32, size: usize| class ^ values[size];
    // The first two classes are those without a heap of value 2 or more.
    let tame = |class: u32, size: usize| {
        let value = values[size];
        let sum = value ^ if class < 2 { class } else { class - 2 };
        if class < 2 && value < 2 { sum } else { sum + 2 }
    };
    Some(match rules.play() {
        Play::Normal => Quotient::numbered(values.len(), normal, |class| class == 0),
        Play::Misere => Quotient::numbered(values.len(), tame, |class| class == 1 || class == 2),
    })
}
