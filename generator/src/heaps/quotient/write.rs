//! The body of a table without depths, and its census, from a quotient.
//!
//! The quotient's transitions, limited to the classes that k heaps can have, are the steps of level k. Example: Nim
//! 3 x 3 has one class of no heaps, and four classes of one heap and of two; each class of two heaps has a target.

use bouton_tables::heaps::{Heap, HeapRules};

use super::definition::Quotient;
use crate::census::Census;
use crate::heaps::classes::edges::ClassEdge;
use crate::heaps::classes::pack::{LostTarget, TableParts};
use crate::making::GenerateError;
use crate::memory::room;

/// Returns the body of a table without depths, and its census.
pub(in crate::heaps) fn make(
    rules: &HeapRules,
    quotient: &Quotient,
) -> Result<(TableParts, Census), GenerateError> {
    Ok((quotient.parts(rules)?, Census { wins: quotient.wins(rules), deepest: 0 }))
}

impl Quotient {
    /// Returns the body of the table. A heap may be empty, so the classes of k heaps are those made up by k heaps or
    /// fewer: the first ones.
    pub(super) fn parts(&self, rules: &HeapRules) -> Result<TableParts, GenerateError> {
        let has_targets = rules.at_most_one_loss_per_line();
        let edge = |class: u32| ClassEdge { class, deeper: 0 };
        let fewest_heaps = self.fewest_heaps();
        let classes_of = |heaps: usize| fewest_heaps.partition_point(|&fewest| fewest <= heaps);
        let mut parts = TableParts { stem: vec![edge(0)], ..TableParts::default() };
        let last = rules.heaps() - 1;
        for heaps in 0..rules.heaps() {
            let classes = classes_of(heaps);
            let mut steps = Vec::new();
            if heaps < last || !has_targets {
                steps = room((classes * self.width) as u64)?;
                // For a whole position, `ClassEdge::class` is 1 if the position is lost, otherwise 0.
                steps.extend(self.next[..classes * self.width].iter().map(|&class| match heaps < last {
                    true => edge(class),
                    false => edge(self.is_lost(class).into()),
                }));
            }
            parts.levels.push(steps);
        }
        if has_targets {
            // Stands for no lost position.
            let none = self.greatest() + 1;
            let target = |class: u32| {
                let size = (0..none).find(|&size| self.is_lost(self.next(class, size)));
                LostTarget { size: size.unwrap_or(none), ..LostTarget::default() }
            };
            parts.targets = (0..classes_of(last) as u32).map(target).collect();
        }
        Ok(parts)
    }

    /// Returns the number of won positions, saturating.
    pub(super) fn wins(&self, rules: &HeapRules) -> u64 {
        // Add heaps in descending order of size, so that each multiset counts once. `ways[k][class]` is the number of
        // ways to choose the k greatest heaps so that they have this class.
        let bounds: Vec<Heap> = rules.bounds().iter().rev().copied().collect();
        let (heaps, classes) = (bounds.len(), self.classes());
        let mut ways = vec![vec![0_u128; classes]; heaps + 1];
        ways[0][0] = 1;
        for size in (0..=rules.greatest_bound()).rev() {
            // Any number of heaps of this size, one after the other. The heap after `before` heaps must fit there.
            for before in (0..heaps).take_while(|&before| bounds[before] >= size) {
                let (fewer, more) = ways.split_at_mut(before + 1);
                for (class, &count) in (0..).zip(&fewer[before]) {
                    let sum = &mut more[0][self.next(class, size) as usize];
                    *sum = sum.saturating_add(count);
                }
            }
        }
        let won = (0..).zip(&ways[heaps]).filter(|&(class, _)| !self.is_lost(class));
        let wins = won.fold(0_u128, |sum, (_, &count)| sum.saturating_add(count));
        u64::try_from(wins).unwrap_or(u64::MAX)
    }
}
