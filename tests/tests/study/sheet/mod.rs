//! `bouton sheet`: its contents, read back from the paper, agree exactly with the rules.

mod expanding;
mod heaps;
mod looks;
mod program;
mod read;
mod resets;
