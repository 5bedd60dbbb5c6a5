//! Fuzzes positions and moves.

#![no_main]

use bouton_tests::texts::notation;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| notation::check(bytes));
