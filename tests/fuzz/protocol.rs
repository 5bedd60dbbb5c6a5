//! Fuzzes messages of the match servers and their clients.

#![no_main]

use bouton_tests::texts::protocol;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| protocol::check(bytes));
