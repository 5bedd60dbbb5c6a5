//! Lines of transcripts, which are replayed.

#![no_main]

use bouton_tests::texts::transcript;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| transcript::check(bytes));
