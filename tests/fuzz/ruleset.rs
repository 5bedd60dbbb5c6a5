//! Fuzzes ruleset files, and settings of the presets.

#![no_main]

use bouton_tests::texts::ruleset;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| ruleset::check(bytes));
