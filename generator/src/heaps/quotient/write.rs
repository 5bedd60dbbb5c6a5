//! Makes the body of a table from a quotient.

use bouton_tables::heaps::{Heap, HeapRules, Take};

use super::Quotient;
use crate::heaps::pack::{ClassEdge, LostTarget, TableParts};
use crate::memory::room;
use crate::{Census, GenerateError};

/// Makes the body of a table, without depths, from a quotient.
pub(in crate::heaps) fn make(
    rules: &HeapRules,
    quotient: &Quotient,
) -> Result<(TableParts, Census), GenerateError> {
    Ok((quotient.parts(rules)?, Census { wins: quotient.wins(rules), deepest: 0 }))
}

impl Quotient {
    /// Returns the body of the table. The classes of k heaps are the lowest numbers: those that at most k heaps have.
    pub(super) fn parts(&self, rules: &HeapRules) -> Result<TableParts, GenerateError> {
        let has_targets = *rules.take() == Take::Any;
        let edge = |class: u32| ClassEdge { class, deeper: 0 };
        let fewest = self.fewest();
        let classes_of = |heaps: usize| fewest.partition_point(|&fewest| fewest <= heaps);
        let mut parts = TableParts { stem: vec![edge(0)], ..TableParts::default() };
        let last = rules.heaps() - 1;
        for heaps in 0..rules.heaps() {
            let classes = classes_of(heaps);
            let mut steps = Vec::new();
            if heaps < last || !has_targets {
                steps = room((classes * self.width) as u64)?;
                let next = &self.next[..classes * self.width];
                match heaps < last {
                    true => steps.extend(next.iter().map(|&class| edge(class))),
                    // The class of a whole position says whether it is lost.
                    false => steps.extend(next.iter().map(|&class| edge(self.is_lost(class).into()))),
                }
            }
            parts.levels.push(steps);
        }
        if has_targets {
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
        // Heaps are written in descending order, and added from the greatest size down: for each number of heaps so
        // far, and each class, in how many ways.
        let bounds: Vec<Heap> = rules.bounds().iter().rev().copied().collect();
        let (heaps, classes) = (bounds.len(), self.classes());
        let mut ways = vec![vec![0_u128; classes]; heaps + 1];
        ways[0][0] = 1;
        for size in (0..=rules.greatest_bound()).rev() {
            // Any number of heaps of this size, one after the other.
            for before in 0..heaps {
                if bounds[before] < size {
                    break;
                }
                let (done, rest) = ways.split_at_mut(before + 1);
                for (class, &count) in (0..).zip(&done[before]) {
                    let sum = &mut rest[0][self.next(class, size) as usize];
                    *sum = sum.saturating_add(count);
                }
            }
        }
        let won = (0..).zip(&ways[heaps]).filter(|&(class, _)| !self.is_lost(class));
        let wins = won.fold(0_u128, |sum, (_, &count)| sum.saturating_add(count));
        u64::try_from(wins).unwrap_or(u64::MAX)
    }
}
