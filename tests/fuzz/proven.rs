//! A good table with lies in it, sealed anew with right sums, put to the proof: what is proven must be right.
//! Slower than the others.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (base, harms) = hostile::script(bytes);
    hostile::prove(&hostile::resealed(base, &harms));
});
