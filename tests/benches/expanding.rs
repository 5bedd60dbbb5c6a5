//! Speed of solving, answering and verifying Expanding Nim: `cargo bench -p bouton-tests --bench expanding`.

use std::hint::black_box;

use bouton_generator::{generate_in_memory, verify};
use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::{Ruleset, Solved, Table, rulesets};
use bouton_tests::compare::expanding;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Returns the preset `expanding` with changed settings, as a ruleset of any game and as rules of Expanding Nim.
fn ruleset(settings: &[&str]) -> (Ruleset, Expanding) {
    let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
    let ruleset = rulesets::find("expanding", &settings).expect("the settings are allowed").ruleset;
    let Ruleset::Expanding(rules) = &ruleset else { panic!("rules of Expanding Nim") };
    (ruleset.clone(), rules.clone())
}

fn solving(c: &mut Criterion) {
    let mut group = c.benchmark_group("generate");
    for (name, settings, depths) in [
        ("the preset, without depths", &[][..], false),
        ("the preset, with depths", &[], true),
        ("1,000,000 stones, without depths", &["stones=1000000"], false),
    ] {
        let (ruleset, _) = ruleset(settings);
        group.bench_function(name, |b| b.iter(|| black_box(generate_in_memory(&ruleset, depths).unwrap())));
    }
    group.finish();
}

/// Returns random positions of the whole table, always the same sequence.
fn positions(rules: &Expanding) -> Vec<Position> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |n: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state % u64::from(n)).expect("below n")
    };
    let random_position = |_| {
        let currentmax = below(rules.greatest_currentmax() + 1);
        let max_stones = rules.max_stones(currentmax).expect("it arises");
        Position {
            stones: below(max_stones as u32 + 1).into(),
            currentmax,
            turn: if below(2) == 0 { Turn::First } else { Turn::Second },
            resets: [0; 2].map(|_: u8| below(5) as u8),
            imposed: below(4) == 0,
        }
    };
    // Too many for a processor's branch predictor to learn.
    (0..1 << 16).map(random_position).collect()
}

/// The number of positions in a batch.
const BATCH: usize = 1024;

fn answering(c: &mut Criterion) {
    let mut group = c.benchmark_group("answer a random position of a mapped table, of 65,536 in turn");
    for (name, settings, depths) in [
        ("1,000 stones, without depths", &["stones=1000"], false),
        ("100,000 stones, without depths", &["stones=100000"], false),
        ("10,000,000 stones, without depths", &["stones=10000000"], false),
        ("100,000,000 stones, without depths", &["stones=100000000"], false),
        ("1,000 stones, with depths", &["stones=1000"], true),
    ] {
        let (ruleset, rules) = ruleset(settings);
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("mapped.bouton");
        std::fs::write(&file, generate_in_memory(&ruleset, depths).unwrap()).expect("it can be written");
        let table = Table::map(&file).expect("a fresh table opens");
        let table = expanding(&table);
        let positions = positions(&rules);
        let mut next = positions.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let position = next.next().expect("a cycle never ends");
                table.answer(black_box(position)).expect("the table has it")
            });
        });
        let mut batches = positions.chunks(BATCH).cycle();
        group.throughput(Throughput::Elements(BATCH as u64));
        group.bench_function(format!("{name}, {BATCH} at once"), |b| {
            b.iter(|| {
                let batch = batches.next().expect("a cycle never ends");
                let answered = table.answer_each(black_box(batch), |_, answer| {
                    black_box(answer);
                });
                answered.expect("the table has them");
            });
        });
        group.throughput(Throughput::Elements(1));
    }
    group.finish();
}

fn verifying(c: &mut Criterion) {
    let (ruleset, _) = ruleset(&[]);
    let table = Table::open(generate_in_memory(&ruleset, true).unwrap()).expect("a fresh table opens");
    let mut group = c.benchmark_group("verify the preset");
    group.sample_size(10);
    group.bench_function("with depths, all threads", |b| {
        b.iter(|| verify(&table).expect("it is right"));
    });
    group.finish();
}

criterion_group!(benches, solving, answering, verifying);
criterion_main!(benches);
