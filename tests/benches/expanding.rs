//! Speed of solving, answering and verifying Expanding Nim: `cargo bench -p bouton-tests`.

use std::hint::black_box;

use bouton_generator::{generate_in_memory, verify};
use bouton_tables::expanding::{Expanding, Position, Turn};
use bouton_tables::{Ruleset, Solved, Table, rulesets};
use bouton_tests::compare::expanding;
use criterion::{Criterion, criterion_group, criterion_main};

fn ruleset(settings: &[&str]) -> (Ruleset, Expanding) {
    let settings: Vec<String> = settings.iter().map(|&s| s.to_owned()).collect();
    let ruleset = rulesets::find("expanding", &settings).expect("the settings are allowed").ruleset;
    let Ruleset::Expanding(rules) = &ruleset else { panic!("rules of Expanding Nim") };
    (ruleset.clone(), rules.clone())
}

fn solving(c: &mut Criterion) {
    let (ruleset, _) = ruleset(&[]);
    let mut group = c.benchmark_group("solve the preset to a finished file, all threads");
    for (name, depths) in [("without depths", false), ("with depths", true)] {
        group.bench_function(name, |b| {
            b.iter(|| generate_in_memory(black_box(&ruleset), depths).unwrap());
        });
    }
    group.finish();
}

/// Positions as they come in no particular order, from all that the table covers; a fixed sequence.
fn positions(rules: &Expanding) -> Vec<Position> {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut below = |n: u32| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        u32::try_from(state % u64::from(n)).expect("below n")
    };
    let one = |_| {
        let currentmax = below(rules.greatest_currentmax() + 1);
        let most = rules.most_stones(currentmax).expect("it arises");
        Position {
            stones: below(most + 1),
            currentmax,
            turn: if below(2) == 0 { Turn::First } else { Turn::Second },
            resets: [0; 2].map(|_: u8| below(5) as u8),
            imposed: below(4) == 0,
        }
    };
    (0..4096).map(one).collect()
}

fn answering(c: &mut Criterion) {
    let mut group = c.benchmark_group("answer a random position, of 4096 in turn");
    for (name, settings, depths) in [
        ("1,000 stones, without depths", &["stones=1000"], false),
        ("100,000 stones, without depths", &["stones=100000"], false),
        ("1,000 stones, with depths", &["stones=1000"], true),
    ] {
        let (ruleset, rules) = ruleset(settings);
        let table = Table::open(generate_in_memory(&ruleset, depths).unwrap()).expect("a fresh table opens");
        let table = expanding(&table);
        let positions = positions(&rules);
        let mut next = positions.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| {
                let position = next.next().expect("they never end");
                table.answer(black_box(position)).expect("the table has it")
            });
        });
    }
    group.finish();
}

fn verifying(c: &mut Criterion) {
    let (ruleset, _) = ruleset(&[]);
    let table = Table::open(generate_in_memory(&ruleset, true).unwrap()).expect("a fresh table opens");
    let mut group = c.benchmark_group("verify the preset");
    group.sample_size(10);
    group.bench_function("with depths, all threads", |b| {
        b.iter(|| verify(&table, &|_| {}).expect("it is right"));
    });
    group.finish();
}

criterion_group!(benches, solving, answering, verifying);
criterion_main!(benches);
