//! A good table with lies in it, sealed anew with right sums: the bytes say which table, and which lies.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (base, harms) = hostile::script(bytes);
    hostile::ask(&hostile::resealed(base, &harms));
});
