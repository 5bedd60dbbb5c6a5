//! Classes for heaps that are added in descending order only (FORMAT.md, section 5.3).
//!
//! Here a multiset is only ever asked for a further heap up to its least heap. Its key, the list of classes after
//! adding a heap of size 0, 1, 2, ..., up to the least heap, is a *row*. A row that is a prefix of another one can
//! share its class, as the remaining sizes are never asked for: [A, B] and [A, B, C] share a class, [A, B, C] and [A,
//! B, D] do not. So there are far fewer classes than for heaps in any order.

use std::collections::BTreeMap;
use std::io;

use bouton_tables::heaps::Ranks;
use hashbrown::HashTable;

use super::edges::{EdgeList, from_wide, wide};
use super::multisets::VOID;
use super::pack::ClassEdge;
use super::refine::ClassDictionary;
use crate::control::check;
use crate::memory::{Grow, copied, filled, room};
use crate::work::words::{WordReader, WordWriter};
use crate::{Control, GenerateError};

/// Relative depth of a row's first step to a lost position. Other steps of the row may have less, and differences are
/// smaller than this.
const FIRST: u32 = 1 << 30;

/// Overhead of an allocation, in bytes.
const ALLOCATION: usize = 16;

/// Rows, none of which is a prefix of another.
#[derive(Default)]
pub(super) struct OrderedClasses {
    rows: Vec<Vec<u64>>,
    /// Capacity of all rows, in words.
    words: usize,
    /// The row of multisets that only lead to won positions: it is empty, and all its steps lead to the same class.
    void: Option<VoidClass>,
    /// All prefixes of rows, each once, with the row that contains it.
    prefixes: HashTable<Prefix>,
}

#[derive(Clone, Copy)]
struct VoidClass {
    row: u32,
    /// The class to which its steps lead.
    after: u32,
}

/// The first steps of a row.
struct Prefix {
    hash: u64,
    row: u32,
    len: u32,
}

/// The hashes of all prefixes of a row, from one step on.
fn prefix_hashes(row: &[u64]) -> impl Iterator<Item = u64> {
    row.iter().scan(0, |hash: &mut u64, &word| {
        // An odd factor loses nothing; its effect is in the upper bits, which are turned to where they matter next.
        *hash = (*hash ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        Some(*hash)
    })
}

impl OrderedClasses {
    /// Returns the row with a given prefix.
    fn with_prefix(&self, steps: &[u64], hash: u64) -> Option<u32> {
        let is_it = |known: &Prefix| {
            let row = &self.rows[known.row as usize];
            known.hash == hash && known.len as usize == steps.len() && row[..steps.len()] == *steps
        };
        self.prefixes.find(hash, is_it).map(|known| known.row)
    }

    /// Adds a row that is not yet a prefix of another: extends the row that is its prefix, or adds a new row.
    fn add(&mut self, row: &[u64]) -> Result<u32, GenerateError> {
        let mut all = room(row.len() as u64)?;
        all.extend(prefix_hashes(row).zip(1..));
        let known = |&(hash, len): &(u64, usize)| self.with_prefix(&row[..len], hash);
        // Each prefix of a prefix is one too, so binary search works.
        let longest = all.partition_point(|prefix| known(prefix).is_some());
        // If this row continues differently, no row ends here.
        let ended = longest.checked_sub(1).and_then(|last| known(&all[last]));
        let ended = ended.filter(|&ended| self.rows[ended as usize].len() == longest);
        let number = match ended {
            Some(number) => number,
            None => u32::try_from(self.rows.len()).map_err(|_| GenerateError::Memory)?,
        };
        if ended.is_none() {
            self.rows.grow(Vec::new())?;
        }
        let own = &mut self.rows[number as usize];
        let room_before = own.capacity();
        own.grow_by(row[own.len()..].iter().copied())?;
        self.words += own.capacity() - room_before;
        self.prefixes.try_reserve(row.len(), |known| known.hash).map_err(|_| GenerateError::Memory)?;
        for (hash, len) in all.into_iter().skip(longest) {
            let prefix = Prefix { hash, row: number, len: len as u32 };
            self.prefixes.insert_unique(hash, prefix, |known| known.hash);
        }
        Ok(number)
    }

    /// Adds a row from a checkpoint, in the original order, so that each prefix belongs to the same row as before.
    fn restore(&mut self, row: Vec<u64>) -> Result<(), GenerateError> {
        let number = u32::try_from(self.rows.len()).map_err(|_| GenerateError::Memory)?;
        let mut all = room(row.len() as u64)?;
        all.extend(prefix_hashes(&row).zip(1..));
        self.prefixes.try_reserve(row.len(), |known| known.hash).map_err(|_| GenerateError::Memory)?;
        self.words += row.capacity();
        self.rows.grow(row)?;
        for (hash, len) in all {
            if self.with_prefix(&self.rows[number as usize][..len], hash).is_none() {
                let prefix = Prefix { hash, row: number, len: len as u32 };
                self.prefixes.insert_unique(hash, prefix, |known| known.hash);
            }
        }
        Ok(())
    }

    /// Gives edges with too little depth for the lift of their row a row of their own: the same steps, as far as they
    /// ask for them. Sizes go up to `most`.
    fn ground(
        &mut self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        most: u32,
        control: &dyn Control,
    ) -> Result<Vec<u32>, GenerateError> {
        let mut lifts = room(self.rows.len() as u64)?;
        lifts.extend(self.rows.iter().map(|row| lift(row)));
        let len =
            |at: u64| ranks.unrank(at % ranks.count()).last().map_or(most, |&least| least.min(most)) + 1;
        // Each time, what asks for most of a new row is as deep as that needs, since no step of its own leads below 0:
        // this ends.
        loop {
            check(control)?;
            let too_low = |edge: ClassEdge| edge.deeper != VOID && edge.deeper < lifts[edge.class as usize];
            let mut longest = BTreeMap::new();
            for (at, edge) in (0..).zip(edges.iter()).filter(|(_, edge)| too_low(*edge)) {
                let longest = longest.entry(edge.class).or_insert(0);
                *longest = len(at).max(*longest);
            }
            if longest.is_empty() {
                return Ok(lifts);
            }
            let mut own = BTreeMap::new();
            for (row, len) in longest {
                own.insert(row, self.rows.len() as u32);
                self.rows.grow(copied(&self.rows[row as usize][..len as usize])?)?;
            }
            edges.change(
                |edge| if too_low(edge) { ClassEdge { class: own[&edge.class], ..edge } } else { edge },
            )?;
            for row in &self.rows[lifts.len()..] {
                lifts.grow(lift(row))?;
            }
        }
    }
}

/// Returns by how much the least depth in a row is below that of its first step to a lost position.
fn lift(row: &[u64]) -> u32 {
    let depths = row.iter().map(|&word| from_wide(word).deeper);
    FIRST - depths.filter(|&deeper| deeper != VOID).min().unwrap_or(FIRST)
}

impl ClassDictionary for OrderedClasses {
    const DESCENDING: bool = true;

    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError> {
        let Some(first) = steps.iter().map(|step| step.deeper).find(|&deeper| deeper != VOID) else {
            // No other key is a single step to a class that only leads to won positions.
            key.grow(wide(steps[0]))?;
            return Ok(VOID);
        };
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { VOID } else { step.deeper + FIRST - first };
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
        let known = prefix_hashes(row).last().and_then(|hash| self.with_prefix(row, hash));
        known.map_or_else(|| self.add(row), Ok)
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn bytes(&self) -> usize {
        8 * self.words
            // While it grows, the one before is there too.
            + self.prefixes.allocation_size() / 2 * 3
            + (size_of::<Vec<u64>>() + ALLOCATION) * self.rows.len()
    }

    fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        let void = self.void.map_or([0, 0], |void| [void.row, void.after].map(|class| u64::from(class) + 1));
        output.words(&void)?;
        output.word(self.rows.len() as u64)?;
        self.rows.iter().try_for_each(|row| {
            output.word(row.len() as u64)?;
            output.words(row)
        })
    }

    fn load(input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut all = Self::default();
        let void = [input.word()?, input.word()?];
        for _ in 0..input.word()? {
            let len = input.word()?;
            all.restore(input.words(len)?)?;
        }
        if let [Some(row), Some(after)] = void.map(|class| class.checked_sub(1)) {
            let number = |class: u64| u32::try_from(class).map_err(|_| input.damaged());
            all.void = Some(VoidClass { row: number(row)?, after: number(after)? });
        }
        Ok(all)
    }

    fn steps(
        mut self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        width: usize,
        control: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError> {
        // Steps from the void row, and steps that no lookup uses, may lead anywhere: choose a class that others use, so
        // that segments differ less.
        let others =
            || self.rows.iter().flatten().map(|&word| from_wide(word)).find(|step| step.deeper == VOID);
        let after = self.void.map(|void| void.after).or_else(|| others().map(|step| step.class));
        let none = ClassEdge { class: after.unwrap_or(0), deeper: 0 };
        let lifts = self.ground(edges, ranks, width as u32 - 1, control)?;
        edges.change(|edge| match edge.deeper {
            VOID => edge,
            deeper => ClassEdge { deeper: deeper - lifts[edge.class as usize], ..edge },
        })?;
        let mut steps = filled(self.rows.len() as u64 * width as u64, none)?;
        for ((row, lift), steps) in self.rows.iter().zip(lifts).zip(steps.chunks_exact_mut(width)) {
            for (step, known) in steps.iter_mut().zip(row.iter().map(|&word| from_wide(word))) {
                let deeper = if known.deeper == VOID { 0 } else { known.deeper + lift - FIRST };
                *step = ClassEdge { deeper, ..known };
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
    use super::super::plain::{self, census, edge_of};
    use super::*;
    use crate::verify;

    /// A step that leads to a lost position.
    fn lost(class: u32, deeper: u32) -> ClassEdge {
        ClassEdge { class, deeper }
    }

    const WON: ClassEdge = ClassEdge { class: 0, deeper: VOID };

    /// Converts steps into classes and back. The steps are given by the size of a single heap within `bound`; each size
    /// has one step more. Also returns the number of classes.
    fn through_classes(rows: &[Vec<ClassEdge>], bound: Heap) -> (Vec<Vec<ClassEdge>>, usize) {
        let ranks = Ranks::try_new(&[bound]).unwrap();
        assert_eq!(ranks.count(), rows.len() as u64);
        let (mut found, mut key) = (OrderedClasses::default(), Vec::new());
        let mut edges = EdgeList::room(ranks.count()).unwrap();
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
    fn steps_lead_where_they_led_and_rows_that_begin_alike_are_of_one_class() {
        let long = [WON, lost(3, 7), lost(1, 9), WON, lost(3, 8), lost(2, 30)];
        let deeper = |by: u32, len: usize| {
            long[..len]
                .iter()
                .map(move |step| if *step == WON { WON } else { lost(step.class, step.deeper + by) })
        };
        // Each is deeper than the one before; that from which nothing lost follows is of a class of its own.
        let rows: Vec<Vec<ClassEdge>> = (1..=6).map(|len| deeper(len as u32, len).collect()).collect();
        assert_eq!(through_classes(&rows, 5), (rows.clone(), 2));
        // One that goes on otherwise, and one that begins as both do.
        let mut others = rows.clone();
        others[4][4] = WON;
        others[3] = rows[3]
            .iter()
            .map(|step| if *step == WON { WON } else { lost(step.class, step.deeper + 90) })
            .collect();
        assert_eq!(through_classes(&others, 5), (others.clone(), 3));
    }

    #[test]
    fn a_row_that_is_less_deep_later_on_is_not_that_of_positions_that_are_not_deep_enough() {
        // The second row begins as the third does, which goes down by more than the second is deep.
        let rows = vec![
            vec![lost(1, 0)],
            vec![lost(1, 2), lost(2, 4)],
            vec![lost(1, 9), lost(2, 11), lost(1, 1)],
            vec![lost(1, 20), lost(2, 22), lost(1, 12), lost(1, 0)],
        ];
        assert_eq!(through_classes(&rows, 3), (rows.clone(), 3));
    }

    #[test]
    fn all_groups_of_one_class_need_one_row() {
        let rows: Vec<Vec<ClassEdge>> = (1..=9).map(|len| vec![lost(4, 0); len]).collect();
        assert_eq!(through_classes(&rows, 8), (rows.clone(), 1));
        let won: Vec<Vec<ClassEdge>> = (1..=9).map(|len| vec![WON; len]).collect();
        assert_eq!(through_classes(&won, 8), (won.clone(), 1));
    }
    /// Tables of these games, though others are shorter for most of them, are right by the plain rules.
    #[test]
    fn tables_with_heaps_in_descending_order_are_right_for_games_of_all_kinds() {
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
                    heaps_per_move,
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
                let mut census = census(&rules, &ranks, &layers);
                census.deepest = if depths { census.deepest } else { 0 };
                let file = in_memory(|sink| parts.write(&rules, &rules, depths, census, sink)).unwrap();
                let proved = verify(&Table::open(file).unwrap(), &|_| {});
                assert!(proved.is_ok(), "{rules:?}, depths {depths}: {proved:?}");
            }
        }
        assert!(descending > 100, "{descending}");
    }
}
