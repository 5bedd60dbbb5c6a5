//! Fuzzes tables of arbitrary bytes.

#![no_main]

use bouton_tests::hostile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    hostile::ask(file);
});
