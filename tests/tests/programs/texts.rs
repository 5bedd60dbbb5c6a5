//! No text from outside makes a reader panic, and whatever is accepted reads back as it is written. The fuzz targets in
//! `tests/fuzz` check the same.

use bouton_tests::texts::edit::Edit;
use bouton_tests::texts::{model, notation, protocol, ruleset, samples, transcript};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// Checks the samples of a target, then each with some edits, and any bytes.
fn check(target: &str, cases: u32, check: fn(&[u8])) {
    let samples = samples(target);
    samples.iter().for_each(|sample| check(sample));
    let edit =
        (any::<u16>(), 0_u8..12, any::<u16>()).prop_map(|(at, removed, put)| Edit { at, removed, put });
    let edited = (0..samples.len(), vec(edit, 1..6)).prop_map(|(sample, edits)| {
        let mut text = samples[sample].clone();
        edits.into_iter().for_each(|edit| edit.apply(&mut text));
        text
    });
    let texts = prop_oneof![9 => edited, 1 => vec(any::<u8>(), 0..100)];
    // The same cases each time, and no files left behind.
    let rng_seed = RngSeed::Fixed(1901);
    let config = ProptestConfig { cases, rng_seed, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(&texts, |text| {
            check(&text);
            Ok(())
        })
        .unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn messages_of_servers_and_clients_read_back_however_they_are_cut() {
    check("protocol", 20_000, protocol::check);
}

#[test]
fn transcripts_read_back_and_replay_to_the_same_end() {
    check("transcript", 10_000, transcript::check);
}

#[test]
fn models_and_policies_read_back_as_they_print() {
    check("model", 20_000, model::check);
}

#[test]
fn positions_and_moves_read_back_as_they_are_shown() {
    check("notation", 20_000, notation::check);
}

#[test]
fn ruleset_files_and_settings_read_back_as_they_are_written() {
    check("ruleset", 5_000, ruleset::check);
}
