//! Fuzzes valid tables that harms change, and that are then sealed again: all checksums are right, except those that a
//! harm makes wrong. The bytes select the table and the harms.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (base, harms) = hostile::script(bytes);
    hostile::ask(&hostile::resealed(base, &harms));
});
