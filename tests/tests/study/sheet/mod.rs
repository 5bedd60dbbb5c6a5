//! `bouton sheet` prints a page or two from which a game can be won by hand. The tests read the numbers back from the
//! drawing, and compare them with the rules.

mod expanding;
mod heaps;
mod looks;
mod program;
mod read;
mod resets;
