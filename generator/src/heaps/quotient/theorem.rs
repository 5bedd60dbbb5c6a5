//! The quotient by theory: heaps with the same Grundy value are interchangeable.

use bouton_tables::Play;
use bouton_tables::heaps::HeapRules;
use bouton_tables::heaps::theory::grundy_values;

use super::{MAX_HEAP, Quotient, is_provable};

/// The quotient of a game without passes, in which a move takes from one heap. `None` if it has too many classes.
///
/// In normal play the class is the nim-sum of the Grundy values (Sprague, 1935; Grundy, 1939). In misère play it is
/// that too as soon as there is a heap of value 2 or more; before, only the number of heaps of value 1 matters: games
/// that allow the same amounts whatever the heap are tame (Conway, On Numbers and Games, 1976, chapter 12), as Ferguson
/// has proved (On sums of graph games with last player losing, 1974).
pub(super) fn quotient(rules: &HeapRules) -> Option<Quotient> {
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
