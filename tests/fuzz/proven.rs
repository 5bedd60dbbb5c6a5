//! Fuzzes the proof on valid tables that harms change, and that are then sealed again: if the proof succeeds, the table
//! must be right. Slower than the other targets.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (base, harms) = hostile::script(bytes);
    hostile::prove(&hostile::resealed(base, &harms));
});
