//! Fuzzes lines of transcripts, and replays them.

#![no_main]

use bouton_tests::texts::transcript;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| transcript::check(bytes));
