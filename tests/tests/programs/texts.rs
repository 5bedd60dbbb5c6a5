//! No text from outside makes a parser panic, and each accepted value, if it can be printed, parses as the same value
//! after printing. The fuzz targets in `tests/fuzz` check the same.

use bouton_tables::Ruleset;
use bouton_tests::texts::edit::Edit;
use bouton_tests::texts::{model, notation, protocol, ruleset, samples, transcript};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};

/// Checks all samples of a fuzz target, then `cases` random texts: mostly a sample with some edits, otherwise any bytes.
fn check(target: &str, cases: u32, check: fn(&[u8])) {
    let samples = samples(target);
    samples.iter().for_each(|sample| check(sample));
    let edit = (any::<u16>(), 0_u8..12, any::<u16>()).prop_map(|(at, removed, replacement)| Edit {
        at,
        removed,
        replacement,
    });
    let edited = (0..samples.len(), vec(edit, 1..6)).prop_map(|(sample, edits)| {
        let mut text = samples[sample].clone();
        edits.into_iter().for_each(|edit| edit.apply(&mut text));
        text
    });
    let texts = prop_oneof![9 => edited, 1 => vec(any::<u8>(), 0..100)];
    // Uses the same cases in every run, and writes no files.
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
fn messages_do_not_depend_on_the_pieces_they_arrive_in_and_parse_as_the_same_value_after_printing() {
    check("protocol", 20_000, protocol::check);
}

#[test]
fn printed_transcripts_parse_as_the_same_record_and_replay_to_the_same_end() {
    check("transcript", 10_000, transcript::check);
}

#[test]
fn printed_models_and_policies_parse_as_the_same_value() {
    check("model", 20_000, model::check);
}

#[test]
fn printed_positions_and_moves_parse_as_the_same_value() {
    check("notation", 20_000, notation::check);
}

#[test]
fn printed_rulesets_parse_as_the_same_ruleset() {
    check("ruleset", 5_000, ruleset::check);
}

/// Returns settings of a ruleset: bounds or stones, and some of the other keys.
fn any_settings() -> impl Strategy<Value = Vec<String>> {
    let list = |numbers: &[u32], brackets: bool| {
        let list = numbers.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        if brackets { format!("[{list}]") } else { list }
    };
    let bounds = (vec(1..=1_000_u32, 1..=16), any::<bool>())
        .prop_map(move |(bounds, brackets)| format!("bounds={}", list(&bounds, brackets)));
    let take = prop_oneof![
        Just("take=any".to_owned()),
        (1..=9_u32).prop_map(|most| format!("take={most}")),
        prop::collection::btree_set(1..=99_u32, 1..=9)
            .prop_map(move |amounts| format!("take={}", list(&Vec::from_iter(amounts), true))),
    ];
    let other = prop::sample::subsequence(
        vec!["game=heaps", "heaps-per-move=1", "equal-take=false", "passes=2", "play=misere", "play=normal"],
        0..=4,
    );
    let heaps = (bounds, prop::option::of(take), other).prop_map(|(bounds, take, other)| {
        [bounds].into_iter().chain(take).chain(other.into_iter().map(str::to_owned)).collect::<Vec<_>>()
    });
    let other = prop::sample::subsequence(
        vec!["game=expanding", "base-limit=5", "growth=2", "reset-limit=2", "resets=0,15", "play=misere"],
        0..=6,
    );
    let expanding = (1..=1_000_000_u32, other).prop_map(|(stones, other)| {
        [format!("stones={stones}")].into_iter().chain(other.into_iter().map(str::to_owned)).collect()
    });
    prop_oneof![heaps, expanding].prop_shuffle()
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(1901),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn printed_spellings_parse_as_the_same_ruleset_and_blanks_change_nothing(
        settings in any_settings(),
        blanks in vec(prop_oneof![3 => Just(""), 1 => Just(" "), 1 => Just("\t  ")], 40),
    ) {
        // Blanks before and after each separator.
        let (plain, mut blanks) = (settings.join(";"), blanks.into_iter().cycle());
        let mut typed = String::new();
        for letter in plain.chars() {
            let separates = ";=,[]".contains(letter);
            typed += if separates { blanks.next().unwrap_or_default() } else { "" };
            typed.push(letter);
            typed += if separates { blanks.next().unwrap_or_default() } else { "" };
        }
        prop_assume!(typed.len() <= 500 && settings.iter().filter(|key| key.starts_with("play=")).count() < 2);
        let ruleset = Ruleset::from_spelling(&plain).expect("allowed rules");
        let read = Ruleset::from_spelling(&typed);
        prop_assert_eq!(read.as_ref(), Ok(&ruleset), "{:?}", &typed);
        let spelling = ruleset.spelling();
        prop_assert!(!spelling.contains(char::is_whitespace), "{}", &spelling);
        let again = Ruleset::from_spelling(&spelling);
        prop_assert_eq!(again.as_ref(), Ok(&ruleset), "{}", &spelling);
        prop_assert_eq!(again.map(|ruleset| ruleset.spelling()), Ok(spelling));
    }
}
