//! Classes for heaps that are added in descending order only (FORMAT.md, section 5.3).
//!
//! Here a heap is added to a multiset only if it is no greater than the multiset's least heap. The *row* of a multiset
//! is the list of classes after adding a heap of size 0, 1, 2, ..., up to the least heap. A multiset whose row is a
//! prefix of another row can have the same class, as the remaining sizes are never looked up: [A, B] and [A, B, C]
//! share a class, [A, B, C] and [A, B, D] do not. So there are far fewer classes than for heaps in any order.
//!
//! The depths of a row are relative to its first step to a lost position, as a prefix may lack the least depth. If the
//! least depth is `lift` below that of the first step, a table stores all depths of the row raised by `lift`, and the
//! multiset's own depth lowered by `lift`. A multiset whose own depth is less than `lift` gets a class of its own
//! (`split_too_low`).

use std::collections::BTreeMap;
use std::io;

use bouton_tables::heaps::Ranks;
use hashbrown::HashTable;

use super::dictionary::{ClassDictionary, load_keys, save_keys};
use super::edges::{ClassEdge, EdgeList, VOID, from_wide, wide};
use crate::control::{Control, check_cancelled};
use crate::making::GenerateError;
use crate::memory::{Grow, collected, filled};
use crate::work::words::{WordReader, WordWriter};

/// Depth that a row gives its first step to a lost position: so great that no other step gets a negative depth.
const FIRST_DEPTH: u32 = 1 << 30;

/// Overhead of an allocation, in bytes.
const ALLOCATION: usize = 16;

/// A class for each row that is not a prefix of another.
#[derive(Default)]
pub(crate) struct OrderedClasses {
    /// The row of each class.
    rows: Vec<Vec<u64>>,
    /// Capacity of all rows, in words.
    words: usize,
    /// The class of multisets that lead only to won positions.
    void: Option<VoidClass>,
    /// All prefixes of rows, each once, with a row that begins with it.
    prefixes: HashTable<Prefix>,
}

#[derive(Clone, Copy)]
struct VoidClass {
    /// The number of its row, which is empty.
    row: u32,
    /// The class to which all its steps lead.
    after: u32,
}

/// The first steps of a row.
struct Prefix {
    hash: u64,
    row: u32,
    len: u32,
}

/// Returns the hashes of all prefixes of a row, from length 1 on.
fn prefix_hashes(row: &[u64]) -> impl Iterator<Item = u64> {
    row.iter().scan(0, |hash: &mut u64, &word| {
        // Multiplication by an odd number is invertible. It changes the upper bits most; rotate them down.
        *hash = (*hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        Some(*hash)
    })
}

impl OrderedClasses {
    /// Returns a row that begins with a prefix.
    fn row_with_prefix(&self, prefix: &[u64], hash: u64) -> Option<u32> {
        let is_equal = |other: &Prefix| {
            let row = &self.rows[other.row as usize];
            other.hash == hash && other.len as usize == prefix.len() && row[..prefix.len()] == *prefix
        };
        self.prefixes.find(hash, is_equal).map(|found| found.row)
    }

    /// Adds a row that is not a prefix of another, and returns its number. If an earlier row is a prefix of the new
    /// one, extends the earlier row.
    fn add(&mut self, row: &[u64]) -> Result<u32, GenerateError> {
        let prefixes = collected(prefix_hashes(row).zip(1..))?;
        let row_with = |&(hash, len): &(u64, usize)| self.row_with_prefix(&row[..len], hash);
        // Each prefix of a prefix is one too, so binary search works.
        let longest = prefixes.partition_point(|prefix| row_with(prefix).is_some());
        let extended = longest.checked_sub(1).and_then(|last| row_with(&prefixes[last]));
        let extended = extended.filter(|&extended| self.rows[extended as usize].len() == longest);
        let number = match extended {
            Some(number) => number,
            None => u32::try_from(self.rows.len()).map_err(|_| GenerateError::Memory)?,
        };
        if extended.is_none() {
            self.rows.grow(Vec::new())?;
        }
        let own = &mut self.rows[number as usize];
        let capacity_before = own.capacity();
        own.grow_by(row[own.len()..].iter().copied())?;
        self.words += own.capacity() - capacity_before;
        let new = prefixes.len() - longest;
        self.prefixes.try_reserve(new, |prefix| prefix.hash).map_err(|_| GenerateError::Memory)?;
        for (hash, len) in prefixes.into_iter().skip(longest) {
            let prefix = Prefix { hash, row: number, len: len as u32 };
            self.prefixes.insert_unique(hash, prefix, |prefix| prefix.hash);
        }
        Ok(number)
    }

    /// Gives multisets that are not as deep as the lift of their class a class of their own. Its row is the part of the
    /// old row that they look up, so its lift is smaller. Returns the lift of each class. Sizes go up to `greatest`.
    fn split_too_low(
        &mut self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        greatest: u32,
        control: &dyn Control,
    ) -> Result<Vec<u32>, GenerateError> {
        let mut lifts = collected(self.rows.iter().map(|row| lift(row)))?;
        let len = |multiset: u64| {
            ranks.unrank(multiset % ranks.count()).last().map_or(greatest, |&least| least.min(greatest)) + 1
        };
        // The multiset that looks up a whole new row is deep enough, as none of its own steps leads below depth 0. So
        // each round leaves fewer multisets, and the loop ends.
        loop {
            check_cancelled(control)?;
            let too_low = |edge: ClassEdge| edge.deeper != VOID && edge.deeper < lifts[edge.class as usize];
            let mut longest = BTreeMap::new();
            for (multiset, edge) in (0..).zip(edges.iter()).filter(|(_, edge)| too_low(*edge)) {
                let longest = longest.entry(edge.class).or_insert(0);
                *longest = len(multiset).max(*longest);
            }
            if longest.is_empty() {
                return Ok(lifts);
            }
            let mut own = BTreeMap::new();
            for (row, len) in longest {
                own.insert(row, self.rows.len() as u32);
                self.rows.grow(collected(self.rows[row as usize][..len as usize].iter().copied())?)?;
            }
            edges.map(
                |edge| if too_low(edge) { ClassEdge { class: own[&edge.class], ..edge } } else { edge },
            )?;
            for row in &self.rows[lifts.len()..] {
                lifts.grow(lift(row))?;
            }
        }
    }
}

/// Returns by how much the least depth of a row is below that of its first step to a lost position.
fn lift(row: &[u64]) -> u32 {
    let depths = row.iter().map(|&word| from_wide(word).deeper);
    FIRST_DEPTH - depths.filter(|&deeper| deeper != VOID).min().unwrap_or(FIRST_DEPTH)
}

impl ClassDictionary for OrderedClasses {
    const DESCENDING: bool = true;

    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError> {
        let Some(first) = steps.iter().map(|step| step.deeper).find(|&deeper| deeper != VOID) else {
            // The key of the void class: no other row is a single step to a void class.
            key.grow(wide(steps[0]))?;
            return Ok(VOID);
        };
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { VOID } else { step.deeper + FIRST_DEPTH - first };
            wide(ClassEdge { deeper, ..*step })
        }))?;
        Ok(first)
    }

    fn number(&mut self, row: &[u64]) -> Result<u32, GenerateError> {
        if let [only] = row
            && let ClassEdge { class: after, deeper: VOID } = from_wide(*only)
        {
            if let Some(void) = self.void {
                return Ok(void.row);
            }
            let row = self.add(&[])?;
            self.void = Some(VoidClass { row, after });
            return Ok(row);
        }
        let found = prefix_hashes(row).last().and_then(|hash| self.row_with_prefix(row, hash));
        found.map_or_else(|| self.add(row), Ok)
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        8 * self.words
            // While the hash table grows, the old one, half as large, exists too.
            + self.prefixes.allocation_size() / 2 * 3
            + (size_of::<Vec<u64>>() + ALLOCATION) * self.rows.len()
    }

    fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        let void = self.void.map_or([0, 0], |void| [void.row, void.after].map(|class| u64::from(class) + 1));
        output.words(&void)?;
        save_keys(self.rows.iter().map(Vec::as_slice), output)
    }

    fn load(input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut classes = Self::default();
        let void = [input.word()?, input.word()?];
        // No row is a prefix of another, so in the original order each prefix gets the same row as before.
        load_keys(input, |row| classes.add(row))?;
        if let [Some(row), Some(after)] = void.map(|class| class.checked_sub(1)) {
            let number = |class: u64| u32::try_from(class).map_err(|_| input.damaged());
            classes.void = Some(VoidClass { row: number(row)?, after: number(after)? });
        }
        Ok(classes)
    }

    fn steps(
        mut self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        width: usize,
        control: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError> {
        // Steps of the void class, and steps that no lookup uses, may lead anywhere. Choose a class to which other void
        // steps lead, so that segments differ less.
        let void_step =
            || self.rows.iter().flatten().map(|&word| from_wide(word)).find(|step| step.deeper == VOID);
        let after = self.void.map(|void| void.after).or_else(|| void_step().map(|step| step.class));
        let unused = ClassEdge { class: after.unwrap_or(0), deeper: 0 };
        let lifts = self.split_too_low(edges, ranks, width as u32 - 1, control)?;
        edges.map(|edge| match edge.deeper {
            VOID => edge,
            deeper => ClassEdge { deeper: deeper - lifts[edge.class as usize], ..edge },
        })?;
        let mut steps = filled(self.rows.len() as u64 * width as u64, unused)?;
        for ((row, lift), steps) in self.rows.iter().zip(lifts).zip(steps.chunks_exact_mut(width)) {
            for (step, in_row) in steps.iter_mut().zip(row.iter().map(|&word| from_wide(word))) {
                let deeper = if in_row.deeper == VOID { 0 } else { in_row.deeper + lift - FIRST_DEPTH };
                *step = ClassEdge { deeper, ..in_row };
            }
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::format::in_memory;
    use bouton_tables::heaps::{Heap, HeapKeys, Take};
    use bouton_tables::{Play, Table};

    use super::super::merge_classes::merge_ordered;
    use super::*;
    use crate::census::Census;
    use crate::heaps::kernel::plain::{self, edge_of};
    use crate::verify::verify;

    /// Returns a step that leads to a lost position.
    fn lost(class: u32, deeper: u32) -> ClassEdge {
        ClassEdge { class, deeper }
    }

    const WON: ClassEdge = ClassEdge { class: 0, deeper: VOID };

    /// Finds the classes of multisets of one heap within `bound`, one for each of `rows`. Returns the rows as the
    /// classes' steps give them, and the number of classes.
    fn through_classes(rows: &[Vec<ClassEdge>], bound: Heap) -> (Vec<Vec<ClassEdge>>, usize) {
        let ranks = Ranks::try_new(&[bound]).unwrap();
        assert_eq!(ranks.count(), rows.len() as u64);
        let (mut found, mut key) = (OrderedClasses::default(), Vec::new());
        let mut edges = EdgeList::with_capacity(ranks.count()).unwrap();
        for row in rows {
            key.clear();
            let deeper = OrderedClasses::key(row, &mut key).unwrap();
            let class = found.number(&key).unwrap();
            edges.extend(std::iter::once(ClassEdge { class, deeper })).unwrap();
        }
        let width = bound as usize + 1;
        let steps = found.steps(&mut edges, &ranks, width, &()).unwrap();
        let classes = steps.len() / width;
        let of = |(edge, row): (ClassEdge, &Vec<ClassEdge>)| {
            let steps = &steps[edge.class as usize * width..][..row.len()];
            let through_classes = |step: &ClassEdge| match (edge.deeper, step.class) {
                (VOID, _) | (_, 0) => {
                    assert_eq!(*step, ClassEdge { class: 0, deeper: 0 });
                    WON
                }
                (deeper, _) => ClassEdge { deeper: deeper + step.deeper, ..*step },
            };
            steps.iter().map(through_classes).collect()
        };
        (edges.iter().zip(rows).map(of).collect(), classes)
    }

    #[test]
    fn a_row_and_its_prefixes_share_a_class_and_keep_their_steps() {
        let long = [WON, lost(3, 7), lost(1, 9), WON, lost(3, 8), lost(2, 30)];
        let deeper = |by: u32, len: usize| {
            long[..len]
                .iter()
                .map(move |step| if *step == WON { WON } else { lost(step.class, step.deeper + by) })
        };
        // Each row is deeper than the one before. The first has no step to a lost position: its class is void.
        let rows: Vec<Vec<ClassEdge>> = (1..=6).map(|len| deeper(len as u32, len).collect()).collect();
        assert_eq!(through_classes(&rows, 5), (rows.clone(), 2));
        // A row that continues differently, and a prefix of both.
        let mut others = rows.clone();
        others[4][4] = WON;
        others[3] = rows[3]
            .iter()
            .map(|step| if *step == WON { WON } else { lost(step.class, step.deeper + 90) })
            .collect();
        assert_eq!(through_classes(&others, 5), (others.clone(), 3));
    }

    #[test]
    fn a_multiset_less_deep_than_the_lift_of_a_row_gets_a_class_of_its_own() {
        // The second row is a prefix of the third, but its depth 2 is less than the lift of the third, 8.
        let rows = vec![
            vec![lost(1, 0)],
            vec![lost(1, 2), lost(2, 4)],
            vec![lost(1, 9), lost(2, 11), lost(1, 1)],
            vec![lost(1, 20), lost(2, 22), lost(1, 12), lost(1, 0)],
        ];
        assert_eq!(through_classes(&rows, 3), (rows.clone(), 3));
    }

    #[test]
    fn multisets_with_the_same_steps_share_one_class() {
        let rows: Vec<Vec<ClassEdge>> = (1..=9).map(|len| vec![lost(4, 0); len]).collect();
        assert_eq!(through_classes(&rows, 8), (rows.clone(), 1));
        let won: Vec<Vec<ClassEdge>> = (1..=9).map(|len| vec![WON; len]).collect();
        assert_eq!(through_classes(&won, 8), (won.clone(), 1));
    }

    /// For most of these games another table would be smaller.
    #[test]
    fn tables_with_heaps_in_descending_order_are_proved_for_all_kinds_of_moves() {
        let lists: [&[Heap]; 9] =
            [&[1], &[4], &[2, 3], &[2, 5], &[1, 2, 5], &[2, 4, 7], &[1, 4, 6], &[4, 5, 9], &[3, 4, 5, 6]];
        let takes: Vec<Take> =
            lists.map(|list| Take::exactly(list.to_vec())).into_iter().chain([3].map(Take::UpTo)).collect();
        let bounds: [&[Heap]; 9] = [
            &[9; 2],
            &[3, 30],
            &[5; 4],
            &[1, 1, 9, 9],
            &[3, 3, 20],
            &[1, 4, 6, 7],
            &[2; 5],
            &[1, 8, 8],
            &[6; 3],
        ];
        let moves = [(1, false), (2, true), (2, false), (3, false)];
        let mut descending = 0;
        for (number, (bounds, take)) in
            bounds.iter().flat_map(|b| takes.iter().map(move |t| (b, t))).enumerate()
        {
            for depths in [false, true] {
                let play = if number % 3 == 0 { Play::Misere } else { Play::Normal };
                let (per_move, equal_take) = moves[(number / 2) % moves.len()];
                let heaps_per_move = per_move.min(bounds.len() as u32);
                let passes = (number % 4).saturating_sub(1) as u32;
                let keys = HeapKeys {
                    bounds: bounds.to_vec(),
                    take: take.clone(),
                    heaps_per_move: heaps_per_move.into(),
                    equal_take,
                    passes,
                    play,
                };
                let rules = keys.rules().unwrap();
                let ranks = Ranks::try_new(rules.bounds()).unwrap();
                let layers = plain::solve(&rules, &ranks, &()).unwrap();
                let at = |layer: u64, rank: u64| edge_of(&rules, depths, layers[layer as usize].at(rank));
                let parts = merge_ordered(&rules, &ranks, &at);
                descending += usize::from(parts.descending);
                let mut census = layers.iter().fold(Census::default(), |all, layer| all.and(layer.census));
                census.deepest = if depths { census.deepest } else { 0 };
                let file = in_memory(|sink| parts.write(&rules, &rules, depths, census, sink)).unwrap();
                let proved = verify(&Table::open(file).unwrap());
                assert!(proved.is_ok(), "{rules:?}, depths {depths}: {proved:?}");
            }
        }
        assert!(descending > 100, "{descending}");
    }
}
