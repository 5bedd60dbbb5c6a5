//! Heap games.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use bouton_tables::heaps::{HeapRules, HeapTable, Move, Position, Ranks};
use bouton_tables::{FamilyTable, Game, Region, TooManyPositions};

use super::{Playable, PositionNumbering, sticks};

impl Playable for HeapRules {
    type Table = HeapTable;
    type Numbering = HeapNumbers;

    const HAS_LINES: bool = false;

    fn of_table(table: &FamilyTable) -> Option<&HeapTable> {
        match table {
            FamilyTable::Heaps(table) => Some(table),
            _ => None,
        }
    }

    fn sorted_position(position: &Position) -> Option<Position> {
        let is_ordered = position.heaps.is_sorted_by(|a, b| a >= b);
        (!is_ordered).then(|| Position { heaps: position.heaps.descending(), ..*position })
    }

    fn unsorted_move(position: &Position, chosen: Move) -> Move {
        let mut rows: Vec<usize> = (0..position.heaps.len()).collect();
        rows.sort_by_key(|&row| Reverse(position.heaps[row]));
        let mut reordered = Move::PASS;
        chosen.takes().for_each(|(index, take)| reordered.set(rows[index], take));
        reordered
    }

    fn numbering(&self) -> Result<HeapNumbers, TooManyPositions> {
        Ok(HeapNumbers { ranks: Ranks::try_new(self.bounds())?, passes: self.passes() })
    }

    fn starts(&self, max: u64) -> Result<Vec<Position>, u64> {
        let count = Ranks::try_new(self.bounds()).map_or(u64::MAX, |ranks| ranks.count());
        if count > max {
            return Err(count);
        }
        let region = self.region().expect("a table has few enough positions");
        let full = region.walk(0).filter(|start| start.passes == self.passes());
        Ok(full.filter(|start| self.moves(start).next().is_some()).collect())
    }

    fn picture(&self, position: &Position) -> String {
        let mut lines: Vec<String> = (1..)
            .zip(position.heaps.iter())
            .map(|(row, &heap)| format!("{row:>3}: {}", sticks(heap.into())).trim_end().to_owned())
            .collect();
        if self.passes() > 0 {
            lines.push(format!("passes left: {}", position.passes));
        }
        lines.join("\n")
    }

    fn brief(&self, position: &Position, _ours: bool) -> String {
        let rows = position.heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let name = if position.heaps.len() == 1 { "row" } else { "rows" };
        let passes =
            if self.passes() > 0 { format!("; passes left: {}", position.passes) } else { String::new() };
        format!("{name} {rows}{passes}")
    }

    fn help(&self) -> String {
        let mut text = String::from("A move is ROW:TAKE: 1:2 takes 2 from row 1.");
        if self.heaps_per_move() > 1 {
            text += " 1:2+2:1 takes from two rows at once.";
        }
        text += "\nA position is the sizes of the rows, with commas between them";
        if self.passes() > 0 {
            text += ", and after a slash the passes left. `pass` passes";
        }
        text + "."
    }
}

/// The numbering by passes, then by rank.
#[derive(Debug)]
pub struct HeapNumbers {
    ranks: Ranks,
    passes: u8,
}

impl PositionNumbering<HeapRules> for HeapNumbers {
    fn count(&self) -> u64 {
        self.ranks.count().saturating_mul(u64::from(self.passes) + 1)
    }

    fn of(&self, position: &Position) -> u64 {
        let rank = self.ranks.rank(&position.heaps.descending());
        u64::from(position.passes) * self.ranks.count() + rank
    }

    fn layers(&self) -> impl Iterator<Item = Vec<Position>> {
        let mut by_stones: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for rank in 0..self.ranks.count() {
            let stones = self.ranks.unrank(rank).iter().map(|&heap| u64::from(heap)).sum();
            by_stones.entry(stones).or_default().push(rank);
        }
        // Every move takes stones or uses a pass.
        by_stones.into_values().flat_map(move |ranks| {
            (0..=self.passes).map(move |passes| {
                ranks.iter().map(|&rank| Position { heaps: self.ranks.unrank(rank), passes }).collect()
            })
        })
    }
}
