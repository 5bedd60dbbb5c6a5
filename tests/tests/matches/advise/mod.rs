//! Tests of `bouton-match advise`: its moves win won positions against every play of the opponent; its dialogue with a
//! person.

mod every_game;
mod oracle;
mod talk;
