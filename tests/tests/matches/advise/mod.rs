//! Tests of advice: won positions are won against every play of the opponent, whatever is typed in between.

mod every_game;
mod oracle;
mod talk;
