//! Fuzzes valid tables that are damaged and sealed again with correct checksums. The bytes select the table and the
//! damage.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let (base, harms) = hostile::script(bytes);
    hostile::ask(&hostile::resealed(base, &harms));
});
