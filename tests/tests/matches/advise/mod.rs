//! Advice: won positions are won against everything that the opponent can do, whatever is typed in between.

mod every_game;
mod talk;
mod twin;
