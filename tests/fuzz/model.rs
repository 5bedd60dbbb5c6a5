//! Fuzzes models of opponents, policies and players, as the command line names them.

#![no_main]

use bouton_tests::texts::model;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| model::check(bytes));
