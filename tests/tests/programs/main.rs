//! The programs as their users meet them: what they print, what they refuse, what they leave behind; and that the
//! documentation tells the truth.

mod advise;
mod bouton;
mod documentation;
mod estimates;
mod heaps;
mod kill;
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
