//! A game as a person at the keyboard sees it.

use bouton_tables::Game;

/// A game that a person can play.
pub trait Illustrated: Game {
    /// The position as sticks, in lines.
    fn picture(&self, position: &Self::Position) -> String;

    /// How moves and positions are written.
    fn help(&self) -> String;
}

/// The most sticks that a picture shows.
pub(super) const MOST_STICKS: u32 = 1000;

/// This many sticks, in groups of five.
pub(super) fn sticks(count: u32) -> String {
    if count > MOST_STICKS {
        return format!("{count} sticks");
    }
    (0..count).map(|n| if n > 0 && n % 5 == 0 { " |" } else { "|" }).collect()
}
