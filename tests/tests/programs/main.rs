//! Tests of the programs as users run them: their output, their refusals and the files they leave; and that the
//! documentation is true.

mod advise;
mod bouton;
mod documentation;
mod estimates;
mod heaps;
mod kill;
mod layers;
mod lookup;
mod matches;
mod printable;
mod printable_live;
mod release;
mod shell;
mod streams;
mod terminal;
mod texts;
mod tournaments;
mod typed;
mod verify;
