//! Tests that tables are right (by examples worked by hand, naive oracles, theorems, published results and the proof),
//! and that the work folder, several processes and interruptions change no byte of a table.

mod batches;
mod determinism;
mod expanding_long;
mod expanding_oracle;
mod expanding_rules;
mod heaps_oracle;
mod heaps_theory;
mod one_wrong_field;
mod several_processes;
mod two_families;
mod verify_every_move;
mod verify_heaps;
mod work_folder;
mod work_positions;
