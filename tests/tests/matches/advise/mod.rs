//! Tests of `bouton-match advise`: won positions are won against every play of the opponent, and its dialogue with a
//! person.

mod every_game;
mod oracle;
mod talk;
