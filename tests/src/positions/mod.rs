//! The positions that a table covers, and some that it does not cover, for tests that serve both families.

pub mod expanding;
pub mod heaps;

use std::fmt::Debug;

use bouton_tables::{Answer, Game, MoveSet, Ruleset, Solved, Table};

/// A table's answer about a position of the game `G`.
pub type AnswerOf<G> = Answer<<G as Game>::Move, <G as GameUnderTest>::WinningMoves>;

/// The rules of a game of either family, so that one test can serve both.
pub trait GameUnderTest: Game<Position: Send + Sync, Move: Send + Sync> + Send + Sync {
    /// A set of winning moves.
    type WinningMoves: MoveSet<Self::Move> + PartialEq + Debug + Send + Sync;

    /// Returns the ruleset.
    fn ruleset(&self) -> Ruleset;

    /// Returns the family table of a table of this family.
    ///
    /// # Panics
    /// If the table belongs to another family.
    fn table_of(table: &Table) -> &impl Solved<Game = Self, WinningMoves = Self::WinningMoves>;

    /// Returns every position of a table of these rules.
    fn every(&self) -> impl Iterator<Item = Self::Position>;

    /// Returns a random position of a table of these rules, often near an edge.
    fn random_position(&self, dice: &mut Dice) -> Self::Position;

    /// Returns positions that no table of these rules covers.
    fn outside(&self) -> Vec<Self::Position>;

    /// Returns an upper bound of the moves examined to answer about a position.
    fn effort(&self, position: &Self::Position) -> u64;
}

/// A reproducible pseudorandom generator (xorshift64*).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Returns a generator with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a number from 0 to `most`.
    pub fn up_to(&mut self, most: u32) -> u32 {
        ((u128::from(self.bits()) * (u128::from(most) + 1)) >> 64) as u32
    }

    /// Returns a number from 0 to `most`, often near either end.
    fn near_an_edge(&mut self, most: u32) -> u32 {
        match self.up_to(7) {
            0 => most,
            1 => self.up_to(most.min(3)),
            2 => most - self.up_to(most.min(3)),
            3 => self.up_to(most.min(70)),
            _ => self.up_to(most),
        }
    }
}
