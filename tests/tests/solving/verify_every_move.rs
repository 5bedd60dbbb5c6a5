//! `verify` proves heap tables by lines or by every move. The result is the same both ways, with little memory and much,
//! and with any number of threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_generator::{
    Control, Counts, Event, VerifyError, VerifyOptions, generate_in_memory, verify, verify_with,
};
use bouton_tables::{Ruleset, Table, rulesets};
use bouton_tests::harm::every_wrong_field;
use bouton_tests::hostile::{self, HEAPS};
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Makes the table of a preset with changed settings.
fn table(preset: &str, settings: &[&str], depths: bool) -> Table {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let ruleset = rulesets::find(preset, &settings).expect("an allowed ruleset").ruleset;
    Table::open(generate_in_memory(&ruleset, depths).unwrap()).unwrap()
}

/// Games of all kinds: one heap and many, equal and unequal bounds, moves from several heaps, passes, misère.
const GAMES: [(&str, &[&str]); 14] = [
    ("nim", &["heaps=5", "size=7"]),
    ("nim", &["bounds=[2,9,20]", "play=misere"]),
    ("nim", &["bounds=[700]"]),
    ("nim", &["bounds=[14,20]", "passes=2"]),
    ("nim", &["bounds=[1,3,3,8]", "passes=3", "play=misere"]),
    ("nim", &["heaps=16", "size=1"]),
    ("subtraction", &["bounds=[9,12,15]", "passes=1"]),
    ("nim", &["bounds=[7,9,20]", "take=[1,3,4]"]),
    ("nim", &["bounds=[600]", "take=5"]),
    ("wythoff", &["size=20"]),
    ("moore", &["heaps=4", "size=5"]),
    ("moore", &["bounds=[2,5,9]", "passes=1"]),
    ("nim", &["heaps=3", "size=6", "heaps-per-move=3", "equal-take=true", "play=misere"]),
    ("nim", &["bounds=[3,5,7]", "heaps-per-move=2", "take=2", "passes=1"]),
];

/// Makes the tables of all tested games, each with and without depths.
fn all_tables() -> impl Iterator<Item = Table> {
    GAMES.iter().flat_map(|&(preset, settings)| [true, false].map(|depths| table(preset, settings, depths)))
}

/// Returns the least memory that suffices to prove a table.
fn least(table: &Table, every_position: bool) -> u64 {
    match verify_with(table, &VerifyOptions { memory: 0, every_position }, &()) {
        Err(VerifyError::TooLittle { least, limit: 0 }) => least,
        other => panic!("a limit of 0 bytes was not refused: {other:?}"),
    }
}

#[test]
fn right_tables_are_proven_by_both_proofs_within_the_least_memory() {
    for table in all_tables() {
        let ruleset = &table.header().ruleset;
        let expected = verify(&table).unwrap();
        for every_position in [false, true] {
            let with = |memory| verify_with(&table, &VerifyOptions { memory, every_position }, &());
            let least = least(&table, every_position);
            // No verdict is stored, some, and all.
            for memory in [least, least + 1000, u64::MAX] {
                assert_eq!(with(memory).unwrap(), expected, "{ruleset:?}, {memory} bytes");
            }
            let refused = with(least - 1);
            assert!(matches!(refused, Err(VerifyError::TooLittle { .. })), "{refused:?}");
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(&format!("at least {least} bytes of memory")), "{refused}");
        }
    }
}

/// Returns the error of a proof that refuses a table.
fn error(found: Result<Counts, VerifyError>) -> Option<VerifyError> {
    match found {
        Ok(_) => None,
        Err(
            error @ (VerifyError::Wrong(_) | VerifyError::Contradictory(_) | VerifyError::Miscounted { .. }),
        ) => Some(error),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn both_proofs_refuse_the_same_tables_and_the_error_does_not_depend_on_memory_or_threads() {
    check_wrong_tables(19, 80);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test solving -- --ignored wrong_tables"]
fn both_proofs_refuse_the_same_of_many_more_wrong_tables() {
    check_wrong_tables(1, 1500);
}

/// Tries every n-th wrong field. Checks that both proofs refuse the same tables, and more than `more_than` of them. The
/// proof by every move names the first wrong position by rank, as one thread finds it, with any memory and threads.
fn check_wrong_tables(every_nth: usize, more_than: usize) {
    let [one_thread, threads] =
        [1, 7].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut wrong = 0;
    // The last two tables are copies of two others, with zeros after the arrays.
    for base in HEAPS.start..HEAPS.end - 2 {
        let harms = every_wrong_field(hostile::base(base));
        let tried: Vec<_> = harms.into_iter().step_by(every_nth).collect();
        wrong += tried
            .par_iter()
            .filter(|harm| {
                let file = hostile::resealed(base, &[**harm]);
                let Ok(table) = Table::open(&file[..]) else { return false };
                if table.header().positions > 10_000 {
                    return false;
                }
                let by_moves =
                    |memory| error(verify_with(&table, &VerifyOptions { memory, every_position: true }, &()));
                let expected = one_thread.install(|| by_moves(u64::MAX));
                let least = least(&table, true);
                for found in [by_moves(least + 200), threads.install(|| by_moves(u64::MAX))] {
                    assert_eq!(format!("{found:?}"), format!("{expected:?}"), "base {base}: {harm:?}");
                }
                // The proofs may read some records in different orders, and so name different positions.
                let by_lines = error(verify(&table));
                assert_eq!(by_lines.is_some(), expected.is_some(), "base {base}: {harm:?}, {by_lines:?}");
                expected.is_some()
            })
            .count();
    }
    assert!(wrong > more_than, "{wrong} tables are refused");
}

/// Counts the steps, and cancels after `cancel_after` calls of `is_cancelled`.
#[derive(Default)]
struct TestControl {
    /// The number of calls of `is_cancelled` before the one that cancels; `None` if none does.
    cancel_after: Option<AtomicU64>,
    /// The number of steps reported as done.
    done: AtomicU64,
}

impl TestControl {
    fn cancelling_after(calls: u64) -> Self {
        Self { cancel_after: Some(calls.into()), ..Self::default() }
    }
}

impl Control for TestControl {
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn report_event(&self, event: Event) {
        panic!("a proof does not report {event:?}");
    }

    fn is_cancelled(&self) -> bool {
        let Some(cancel_after) = &self.cancel_after else { return false };
        cancel_after.fetch_update(Relaxed, Relaxed, |cancel_after| cancel_after.checked_sub(1)).is_err()
    }
}

#[test]
fn both_proofs_count_each_position_as_a_step_and_end_when_cancelled() {
    for (preset, settings) in [GAMES[0], GAMES[4], GAMES[9]] {
        let table = table(preset, settings, true);
        for every_position in [false, true] {
            for memory in [least(&table, every_position), u64::MAX] {
                let options = VerifyOptions { memory, every_position };
                let control = TestControl::default();
                let counts = verify_with(&table, &options, &control).unwrap();
                assert_eq!(control.done.into_inner(), counts.positions);
            }
        }
        let by_moves = VerifyOptions { every_position: true, ..Default::default() };
        for calls in [0, 1, 5, 50, 200] {
            let control = TestControl::cancelling_after(calls);
            assert!(matches!(verify_with(&table, &by_moves, &control), Err(VerifyError::Cancelled)));
            assert!(control.done.into_inner() <= calls);
        }
    }
    let large = table("moore", &["heaps=4", "size=20"], true);
    let cancelled = verify_with(&large, &VerifyOptions::default(), &TestControl::cancelling_after(0));
    assert!(matches!(cancelled, Err(VerifyError::Cancelled)), "{cancelled:?}");
}

#[test]
fn a_table_of_expanding_nim_is_verified_as_a_whole() {
    let table = table("expanding", &["stones=40"], true);
    let Ruleset::Expanding(_) = &table.header().ruleset else { panic!("it is another game") };
    let right = verify(&table).unwrap();
    for every_position in [false, true] {
        let with = |memory| verify_with(&table, &VerifyOptions { memory, every_position }, &());
        let least = least(&table, every_position);
        assert_eq!(with(least).unwrap(), right);
        assert!(matches!(with(least - 1), Err(VerifyError::TooLittle { .. })));
    }
    let cancelled = TestControl::cancelling_after(5);
    assert!(matches!(
        verify_with(&table, &VerifyOptions::default(), &cancelled),
        Err(VerifyError::Cancelled)
    ));
}
