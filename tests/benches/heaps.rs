//! Speed of solving, answering and verifying heap games: `cargo bench -p bouton-tests --bench heaps`.

use std::hint::black_box;

use bouton_generator::{generate_in_memory, verify};
use bouton_tables::heaps::{HeapRules, Position};
use bouton_tables::{Ruleset, Solved, Table, rulesets};
use bouton_tests::compare::heaps;
use bouton_tests::positions::Dice;
use criterion::{Criterion, criterion_group, criterion_main};

/// Returns a preset with changed settings.
fn ruleset(preset: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
    rulesets::find(preset, &settings).expect("the settings are allowed").ruleset
}

/// Settings of Nim with six heaps of up to 63 stones, which has 119,877,472 positions.
const SIX_HEAPS: [&str; 2] = ["heaps=6", "size=63"];

fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("six heaps of up to 63, to a finished file, all threads");
    group.sample_size(10);
    for (name, settings, depths) in [
        ("normal play, without depths", &SIX_HEAPS[..], false),
        ("misère play, without depths", &[SIX_HEAPS[0], SIX_HEAPS[1], "play=misere"], false),
        ("take 1 to 5, without depths", &[SIX_HEAPS[0], SIX_HEAPS[1], "take=5"], false),
        ("normal play, with depths", &SIX_HEAPS, true),
    ] {
        let ruleset = ruleset("nim", settings);
        group.bench_function(name, |b| b.iter(|| generate_in_memory(&ruleset, depths).unwrap()));
    }
    group.finish();
    let mut group = c.benchmark_group("presets with depths, to a finished file, all threads");
    for name in ["sticks", "nim", "subtraction", "moore", "wythoff", "nim-pass"] {
        let ruleset = ruleset(name, &[]);
        group.bench_function(name, |b| b.iter(|| generate_in_memory(&ruleset, true).unwrap()));
    }
    group.finish();
}

/// Returns random positions, always the same sequence.
fn positions(rules: &HeapRules) -> Vec<Position> {
    let mut dice = Dice::new(1901);
    let random_position = |_| Position {
        heaps: rules.bounds().iter().map(|&bound| dice.up_to(bound)).collect(),
        passes: dice.up_to(rules.passes().into()) as u8,
    };
    (0..4096).map(random_position).collect()
}

fn answering(c: &mut Criterion) {
    let mut group = c.benchmark_group("answer a random position, of 4096 in turn");
    for (name, preset, settings, depths) in [
        ("nim, six heaps of up to 63, without depths", "nim", &SIX_HEAPS[..], false),
        ("nim, six heaps of up to 63, with depths", "nim", &SIX_HEAPS, true),
        ("nim, with depths", "nim", &[], true),
        ("subtraction, with depths", "subtraction", &[], true),
        ("nim-pass, with depths", "nim-pass", &[], true),
        ("moore, with depths", "moore", &[], true),
        ("wythoff, with depths", "wythoff", &[], true),
    ] {
        let ruleset = ruleset(preset, settings);
        let Ruleset::Heaps(rules) = &ruleset else { panic!("a heap game") };
        let table = Table::open(generate_in_memory(&ruleset, depths).unwrap()).expect("a fresh table opens");
        let positions = positions(rules);
        let mut next = positions.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let position = next.next().expect("a cycle never ends");
                heaps(&table).answer(black_box(position)).expect("the table has it")
            });
        });
    }
    group.finish();
}

fn verifying(c: &mut Criterion) {
    let table =
        Table::open(generate_in_memory(&ruleset("nim", &[]), true).unwrap()).expect("a fresh table opens");
    let mut group = c.benchmark_group("verify nim");
    group.sample_size(10);
    group.bench_function("with depths, all threads", |b| {
        b.iter(|| verify(&table).expect("it is right"));
    });
    group.finish();
}

criterion_group!(benches, answering, solving, verifying);
criterion_main!(benches);
