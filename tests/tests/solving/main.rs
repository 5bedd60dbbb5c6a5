//! Tests that tables are right: checked against rules worked by hand, naive oracles, theorems, published results and
//! the proof.

mod batches;
mod determinism;
mod expanding_oracle;
mod expanding_rules;
mod heaps_oracle;
mod heaps_theory;
mod several_processes;
mod two_families;
mod verify_blocks;
mod verify_heaps;
mod work_folder;
mod work_positions;
