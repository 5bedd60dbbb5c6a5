//! The expected output of `bouton export`, listed and parsed again according to docs/outputs.md alone.

pub mod cases;
pub mod csv;
pub mod filter;

use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::heaps::{self, HeapRules};

use crate::positions::GameUnderTest;

/// A family of games as `export` lists its positions.
pub trait ExportedGame: GameUnderTest {
    /// Returns the columns that identify a position.
    fn columns(&self) -> Vec<String>;

    /// Returns the position with these numbers in the columns.
    ///
    /// # Panics
    /// If the numbers do not fit the columns.
    fn position(&self, cells: &[u32]) -> Self::Position;

    /// Returns the numbers that the natural order compares, the most significant first. They identify the position.
    fn rank(&self, position: &Self::Position) -> Vec<u32>;
}

/// Returns every position in natural order.
pub fn natural_order<G: ExportedGame>(game: &G) -> Vec<G::Position> {
    let mut all: Vec<G::Position> = game.every().collect();
    all.sort_by_key(|position| game.rank(position));
    all
}

/// Returns a number as a byte.
fn small(number: u32) -> u8 {
    u8::try_from(number).expect("a number of one byte")
}

impl ExportedGame for Expanding {
    fn columns(&self) -> Vec<String> {
        ["stones", "currentmax", "turn", "resets1", "resets2", "imposed"].map(str::to_owned).to_vec()
    }

    fn position(&self, cells: &[u32]) -> Position {
        let &[stones, currentmax, turn, first, second, imposed] = cells else { panic!("{cells:?}") };
        assert!((1..=2).contains(&turn) && imposed <= 1, "{cells:?}");
        let turn = if turn == 1 { Turn::First } else { Turn::Second };
        let resets = [small(first), small(second)];
        Position { stones: stones.into(), currentmax, turn, resets, imposed: imposed == 1 }
    }

    fn rank(&self, position: &Position) -> Vec<u32> {
        let Position { stones, currentmax, turn, resets: [first, second], imposed } = *position;
        let stones = u32::try_from(stones).expect("the exported games are small");
        vec![stones, currentmax, turn.number().into(), first.into(), second.into(), imposed.into()]
    }
}

impl ExportedGame for HeapRules {
    fn columns(&self) -> Vec<String> {
        let heaps = (1..=self.heaps()).map(|n| format!("heap{n}"));
        heaps.chain((self.passes() > 0).then(|| "passes".to_owned())).collect()
    }

    fn position(&self, cells: &[u32]) -> heaps::Position {
        let (heaps, passes) = cells.split_at(self.heaps());
        assert!(heaps.is_sorted(), "{cells:?}");
        let passes = passes.first().map_or(0, |&passes| small(passes));
        heaps::Position { heaps: heaps.iter().copied().collect(), passes }
    }

    fn rank(&self, position: &heaps::Position) -> Vec<u32> {
        let mut rank = position.heaps.to_vec();
        rank.sort_by(|a, b| b.cmp(a));
        rank.push(position.passes.into());
        rank
    }
}
