//! Tests of `bouton-match advise`: from a won position, the advised moves win against any opponent; and the program
//! answers each command of a person as it should.

mod every_game;
mod oracle;
mod talk;
