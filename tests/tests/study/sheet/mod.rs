//! `bouton sheet`: what stands on paper is read back, and says exactly what the rules say.

mod expanding;
mod heaps;
mod looks;
mod program;
mod read;
mod resets;
