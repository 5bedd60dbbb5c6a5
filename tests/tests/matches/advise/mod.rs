//! Tests of `bouton-match advise`: the advised moves win won positions whatever the opponent plays, and the dialogue with
//! a person is right.

mod every_game;
mod oracle;
mod talk;
