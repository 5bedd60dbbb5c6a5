//! `verify` proves heap tables line by line or block by block. The result is the same both ways, with little memory and
//! much, with any block size, on several processes, and after an interruption, which leaves a *record* of the checked
//! blocks.

use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bouton_generator::{
    Communicator, Control, Counts, Event, RecordError, VerifyError, VerifyOptions, discard_record,
    estimate_proof, generate_in_memory, read_proof_record, verify, verify_with,
};
use bouton_tables::{Ruleset, Table, rulesets};
use bouton_tests::communicator::run_on_ranks;
use bouton_tests::harm::every_wrong_field;
use bouton_tests::hostile::{self, HEAPS};
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
fn least(table: &Table, block: Option<u64>) -> u64 {
    match verify_with(table, &VerifyOptions { memory: 0, block, ..Default::default() }, &()) {
        Err(VerifyError::TooLittle { least, .. }) => least,
        other => panic!("a limit of 0 bytes was not refused: {other:?}"),
    }
}

#[test]
fn right_tables_are_proven_in_any_blocks_and_within_the_least_memory() {
    for table in all_tables() {
        let ruleset = &table.header().ruleset;
        let expected = verify(&table).unwrap();
        let by_position = VerifyOptions { every_position: true, ..Default::default() };
        assert_eq!(verify_with(&table, &by_position, &()).unwrap(), expected, "{ruleset:?}");
        for block in [None, Some(1), Some(7), Some(64), Some(1 << 40)] {
            let with =
                |memory| verify_with(&table, &VerifyOptions { memory, block, ..Default::default() }, &());
            let least = least(&table, block);
            for more in [0, 1000] {
                assert_eq!(with(least + more).unwrap(), expected, "{ruleset:?} {block:?}");
            }
            let refused = with(least - 1);
            assert!(matches!(refused, Err(VerifyError::TooLittle { .. })), "{refused:?}");
            let refused = refused.unwrap_err().to_string();
            assert!(refused.contains(&format!("at least {least} bytes of memory")), "{refused}");
        }
        let estimate = estimate_proof(ruleset, table.file_len() as u64);
        assert_eq!(estimate.least, least(&table, None));
        assert!(estimate.least <= estimate.memory);
    }
}

/// Returns the kind of error that was found.
fn kind(found: &Result<Counts, VerifyError>) -> Option<&'static str> {
    match found {
        Ok(_) => None,
        Err(VerifyError::Wrong(_)) => Some("wrong"),
        Err(VerifyError::Contradictory(_)) => Some("contradictory"),
        Err(VerifyError::Miscounted { .. }) => Some("miscounted"),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn wrong_tables_are_refused_in_blocks_and_within_the_least_memory() {
    check_wrong_tables(19, 80);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test solving -- --ignored wrong_tables"]
fn many_more_wrong_tables_are_refused_in_blocks_and_within_the_least_memory() {
    check_wrong_tables(1, 1500);
}

/// Tries every n-th wrong field. Checks that the proof by lines, and the one in blocks of 4 positions, within the least
/// memory, refuse the same tables as the proof in blocks with all memory, and more than `more_than` of them.
fn check_wrong_tables(every_nth: usize, more_than: usize) {
    let (mut wrong, mut other_errors) = (0, 0);
    // The last two tables are copies of two others, with zeros after the arrays.
    for base in HEAPS.start..HEAPS.end - 2 {
        let harms = every_wrong_field(hostile::base(base));
        let tried: Vec<_> = harms.into_iter().step_by(every_nth).collect();
        let found: Vec<[usize; 2]> = tried
            .par_iter()
            .filter_map(|harm| {
                let file = hostile::resealed(base, &[*harm]);
                let table = Table::open(&file[..]).ok()?;
                if table.header().positions > 10_000 {
                    return None;
                }
                let by_position = VerifyOptions { every_position: true, ..Default::default() };
                let expected = kind(&verify_with(&table, &by_position, &()));
                let by_lines = kind(&verify(&table));
                let block = Some(4);
                let options = VerifyOptions { memory: least(&table, block), block, ..Default::default() };
                let found = kind(&verify_with(&table, &options, &()));
                // If several things are wrong, the proofs may find different ones first.
                for found in [found, by_lines] {
                    assert_eq!(found.is_some(), expected.is_some(), "base {base}: {found:?}, {expected:?}");
                }
                Some([usize::from(found.is_some()), usize::from(found != expected)])
            })
            .collect();
        wrong += found.iter().map(|[wrong, _]| wrong).sum::<usize>();
        other_errors += found.iter().map(|[_, is_other]| is_other).sum::<usize>();
    }
    assert!(
        wrong > more_than && other_errors * 2 < wrong,
        "{wrong} tables are refused, {other_errors} of them with another error than with all memory"
    );
}

/// Verifies a table on several ranks (threads), which must agree. With `cancel_after`, the last one cancels after this
/// many checks for cancellation. Returns the result, and how many positions rank 0 took from the record.
fn verify_on_ranks(
    table: &Table,
    count: usize,
    options: &VerifyOptions,
    cancel_after: Option<u64>,
) -> (Result<Counts, VerifyError>, u64) {
    let mut found = run_on_ranks(count, |communicator| {
        let options = VerifyOptions { communicator: Some(communicator), ..*options };
        let cancel_after = cancel_after.filter(|_| communicator.rank() == count - 1).map(AtomicU64::new);
        let watch = TestControl { cancel_after, ..TestControl::default() };
        (verify_with(table, &options, &watch), watch.resumed.into_inner())
    });
    let first = found.remove(0);
    for (other, _) in found {
        match (&first.0, other) {
            (Ok(first), Ok(other)) => assert_eq!(*first, other),
            (Err(first), Err(other)) => assert_eq!(first.to_string(), other.to_string()),
            (first, other) => panic!("{first:?} and {other:?}"),
        }
    }
    first
}

#[test]
fn several_processes_verify_a_table_as_one_does() {
    for table in all_tables() {
        let expected = verify(&table).unwrap();
        for count in [1, 2, 5] {
            let options = VerifyOptions { block: Some(8), ..Default::default() };
            assert_eq!(verify_on_ranks(&table, count, &options, None).0.unwrap(), expected);
        }
    }
    check_wrong_tables_on_ranks(97, 10);
}

#[test]
#[ignore = "takes minutes: cargo test --release --test solving -- --ignored wrong_tables"]
fn more_wrong_tables_are_found_by_several_processes() {
    check_wrong_tables_on_ranks(11, 110);
}

/// Tries every n-th wrong field. Checks that the proof on 3 ranks, in blocks of 4 positions, refuses the same tables as
/// the proof with default options, and more than `more_than` of them.
fn check_wrong_tables_on_ranks(every_nth: usize, more_than: u32) {
    let mut wrong = 0;
    for base in HEAPS.start..HEAPS.end - 2 {
        for harm in every_wrong_field(hostile::base(base)).into_iter().step_by(every_nth) {
            let Ok(table) = Table::open(hostile::resealed(base, &[harm])) else { continue };
            if table.header().positions > 10_000 {
                continue;
            }
            let options = VerifyOptions { block: Some(4), ..Default::default() };
            let found = verify_on_ranks(&table, 3, &options, None).0;
            let is_wrong = match found {
                Ok(_) => false,
                Err(VerifyError::Peer { wrong, .. }) => wrong,
                // An error found before the work is shared: each process finds it by itself.
                Err(error) => kind(&Err(error)).is_some(),
            };
            assert_eq!(is_wrong, verify(&table).is_err(), "base {base}");
            wrong += u32::from(is_wrong);
        }
    }
    assert!(wrong > more_than, "{wrong} are wrong");
}

#[test]
fn several_processes_resume_an_interrupted_verification() {
    let table = table("nim", &["heaps=5", "size=7"], true);
    let expected = verify(&table).unwrap();
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let (mut runs, mut resumed) = (0, 0);
    let counts = loop {
        let count = [3, 1, 2][runs as usize % 3];
        let (found, resumed_positions) =
            verify_on_ranks(&table, count, &recording_options(&record), Some(2 + 5 * runs));
        resumed += u32::from(resumed_positions > 0);
        match found {
            Ok(counts) => break counts,
            Err(error) => assert!(matches!(error, VerifyError::Cancelled), "{error}"),
        }
        runs += 1;
    };
    assert!(counts == expected && runs > 2 && resumed > 1, "{runs} runs, of which {resumed} resumed");
    assert!(!record.exists());
}

/// Records the events, and cancels after `cancel_after` calls of `is_cancelled`.
#[derive(Default)]
struct TestControl {
    /// The number of calls of `is_cancelled` before the one that cancels; `None` if none does.
    cancel_after: Option<AtomicU64>,
    /// The number of positions already done when the verification was resumed.
    resumed: AtomicU64,
    /// The number of positions reported as done, including those of the record.
    done: AtomicU64,
    /// The errors of writing the record.
    not_recorded: Mutex<Vec<std::io::ErrorKind>>,
}

impl Control for TestControl {
    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn report_event(&self, event: Event) {
        match event {
            Event::Resumed { done, all } => {
                assert!(0 < done && done <= all);
                self.resumed.store(done, Relaxed);
            }
            Event::NotRecorded(why) => self.not_recorded.lock().unwrap().push(why),
            other => panic!("a proof does not report {other:?}"),
        }
    }

    fn is_cancelled(&self) -> bool {
        let Some(cancel_after) = &self.cancel_after else { return false };
        cancel_after.fetch_update(Relaxed, Relaxed, |cancel_after| cancel_after.checked_sub(1)).is_err()
    }
}

/// Returns options with small blocks and no minimum time between records.
fn recording_options(record: &Path) -> VerifyOptions<'_> {
    VerifyOptions {
        record: Some(record),
        record_interval: Duration::ZERO,
        block: Some(16),
        ..Default::default()
    }
}

#[test]
fn a_verification_interrupted_at_many_moments_resumes() {
    for (preset, settings) in [GAMES[0], GAMES[4], GAMES[7], GAMES[11]] {
        let table = table(preset, settings, true);
        let expected = verify(&table).unwrap();
        for memory in [u64::MAX, least(&table, Some(16))] {
            let here = tempfile::tempdir().unwrap();
            let record = here.path().join("t.verify");
            let options = VerifyOptions { memory, ..recording_options(&record) };
            let (mut runs, mut before) = (0, 0);
            let counts = loop {
                let watch =
                    TestControl { cancel_after: Some((2 + 5 * runs).into()), ..TestControl::default() };
                let found = verify_with(&table, &options, &watch);
                // No recorded work is lost.
                let resumed = watch.resumed.into_inner();
                assert_eq!(resumed, before, "{settings:?} in {memory} bytes, run {runs}");
                match found {
                    Ok(counts) => {
                        assert_eq!(watch.done.into_inner(), counts.positions);
                        break counts;
                    }
                    Err(error) => assert!(matches!(error, VerifyError::Cancelled), "{error}"),
                }
                let written = read_proof_record(&record).unwrap().expect("it was recorded");
                before = written.counts().positions;
                assert_eq!(written.positions(), expected.positions);
                runs += 1;
            };
            assert!(
                counts == expected && runs > 3,
                "{settings:?} in {memory} bytes, {runs} runs: {counts:?}"
            );
            assert!(!record.exists());
        }
    }
}

/// Interrupts a verification, and returns the record that it leaves.
fn interrupt_verification(table: &Table, record: &Path) -> Vec<u8> {
    let watch = TestControl { cancel_after: Some(40.into()), ..TestControl::default() };
    assert!(matches!(verify_with(table, &recording_options(record), &watch), Err(VerifyError::Cancelled)));
    let bytes = fs::read(record).unwrap();
    assert!(read_proof_record(record).unwrap().is_some_and(|written| written.counts().positions > 0));
    bytes
}

#[test]
fn the_error_about_a_damaged_record_names_the_file() {
    let table = table("nim", &["heaps=4", "size=7"], true);
    let expected = verify(&table).unwrap();
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let whole = interrupt_verification(&table, &record);
    for at in 0..whole.len() {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        for damaged in [&changed[..], &whole[..at]] {
            fs::write(&record, damaged).unwrap();
            let refused = verify_with(&table, &recording_options(&record), &()).unwrap_err();
            assert!(matches!(refused, VerifyError::Record(RecordError::Damaged(_))), "{refused}");
            let refused = refused.to_string();
            assert!(refused.contains("t.verify is damaged") && refused.contains("--restart"), "{refused}");
            assert_eq!(fs::read(&record).unwrap(), damaged);
            discard_record(&record).unwrap();
            assert!(!record.exists());
        }
    }
    assert_eq!(verify_with(&table, &recording_options(&record), &()).unwrap(), expected);
}

#[test]
fn the_record_of_another_verification_is_not_changed() {
    let ours = table("nim", &["heaps=4", "size=7"], true);
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let whole = interrupt_verification(&ours, &record);
    let refused = |table: &Table, options: &VerifyOptions| {
        let refused = verify_with(table, options, &()).unwrap_err();
        assert!(matches!(refused, VerifyError::Record(RecordError::Other { .. })), "{refused}");
        refused.to_string()
    };
    for other in [table("nim", &["heaps=4", "size=7"], false), table("nim", &["heaps=4", "size=8"], true)] {
        let refused = refused(&other, &recording_options(&record));
        assert!(refused.contains("t.verify belongs to another verification: the table is "), "{refused}");
    }
    let other = VerifyOptions { block: Some(32), ..recording_options(&record) };
    assert!(
        refused(&ours, &other).contains("the number of blocks is 21 of 16 positions there, and 11 of 32")
    );
    assert_eq!(fs::read(&record).unwrap(), whole);
    // Another version, with a correct checksum.
    let body = String::from_utf8(whole).unwrap().replacen("verification 1", "verification 2", 1);
    let (body, _) = body.rsplit_once("crc32 ").unwrap();
    fs::write(&record, format!("{body}crc32 {:08x}\n", crc32fast::hash(body.as_bytes()))).unwrap();
    assert!(
        refused(&ours, &recording_options(&record))
            .contains("the version of the record is 2 there, and 1 here")
    );

    // A user's own file is not deleted.
    fs::write(&record, "dear reader").unwrap();
    let kept = discard_record(&record).unwrap_err().to_string();
    assert!(kept.contains("t.verify is not the record of a verification; remove"), "{kept}");
    assert!(record.exists());
}

#[test]
fn a_record_that_cannot_be_written_is_reported_once_and_the_verification_continues() {
    let table = table("nim", &["heaps=4", "size=7"], true);
    let here = tempfile::tempdir().unwrap();
    let watch = TestControl::default();
    let counts = verify_with(&table, &recording_options(&here.path().join("none/t.verify")), &watch).unwrap();
    assert_eq!(counts, verify(&table).unwrap());
    assert_eq!(*watch.not_recorded.lock().unwrap(), [std::io::ErrorKind::NotFound]);
}

#[test]
fn a_verification_by_lines_records_nothing_and_resumes_from_a_record_of_blocks() {
    let table = table("moore", &["heaps=4", "size=20"], true);
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let by_lines = VerifyOptions { block: None, ..recording_options(&record) };
    let watch = TestControl { cancel_after: Some(0.into()), ..TestControl::default() };
    assert!(matches!(verify_with(&table, &by_lines, &watch), Err(VerifyError::Cancelled)));
    assert!(!record.exists());
    let watch = TestControl::default();
    let counts = verify_with(&table, &by_lines, &watch).unwrap();
    assert_eq!((watch.done.into_inner(), watch.resumed.into_inner()), (counts.positions, 0));
    // The record has other blocks than those that the game gets without `block`.
    interrupt_verification(&table, &record);
    let refused = verify_with(&table, &by_lines, &()).unwrap_err();
    assert!(matches!(refused, VerifyError::Record(RecordError::Other { .. })), "{refused}");
    let watch = TestControl::default();
    assert_eq!(verify_with(&table, &recording_options(&record), &watch).unwrap(), counts);
    assert!(watch.resumed.into_inner() > 0 && !record.exists());
}

#[test]
fn a_short_verification_records_nothing() {
    let table = table("nim", &["heaps=4", "size=7"], true);
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let options = VerifyOptions { record_interval: Duration::from_secs(3600), ..recording_options(&record) };
    for cancel_after in [1, 10, 40] {
        let watch = TestControl { cancel_after: Some(cancel_after.into()), ..TestControl::default() };
        assert!(matches!(verify_with(&table, &options, &watch), Err(VerifyError::Cancelled)));
        assert!(!record.exists());
    }
    verify_with(&table, &options, &()).unwrap();
    assert_eq!(fs::read_dir(here.path()).unwrap().count(), 0);
}

#[test]
fn a_table_found_wrong_leaves_no_record() {
    // Take the first wrong field that the proof notices. With blocks of one position, records are written often.
    let base = HEAPS.start;
    let harm = every_wrong_field(hostile::base(base)).into_iter().find(|harm| {
        let file = hostile::resealed(base, &[*harm]);
        Table::open(&file[..]).is_ok_and(|table| verify(&table).is_err())
    });
    let file = hostile::resealed(base, &[harm.expect("one of them is wrong")]);
    let table = Table::open(file).unwrap();
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let options = VerifyOptions { block: Some(1), ..recording_options(&record) };
    assert!(kind(&verify_with(&table, &options, &())).is_some());
    assert!(!record.exists());
}

/// Verifies the same table again during the first verification.
struct SecondVerification<'a> {
    table: &'a Table,
    /// The file of the record.
    record: &'a Path,
    /// True once the second verification was tried.
    tried: AtomicBool,
}

impl Control for SecondVerification<'_> {
    fn advance(&self, _: u64) {
        if self.record.exists() && !self.tried.swap(true, Relaxed) {
            let watch = TestControl::default();
            let found = verify_with(self.table, &recording_options(self.record), &watch);
            assert_eq!(found.unwrap(), verify(self.table).unwrap());
            // The second one resumes from the record of the first.
            assert!(watch.resumed.into_inner() > 0);
            // A third verification is interrupted and leaves a record while the first continues.
            interrupt_verification(self.table, self.record);
        }
    }
}

#[test]
fn verifications_of_one_table_may_run_at_the_same_time() {
    let table = table("nim", &["heaps=5", "size=7"], true);
    let here = tempfile::tempdir().unwrap();
    let record = here.path().join("t.verify");
    let second = SecondVerification { table: &table, record: &record, tried: AtomicBool::new(false) };
    let counts = verify_with(&table, &recording_options(&record), &second).unwrap();
    assert!(second.tried.into_inner());
    assert_eq!(counts, verify(&table).unwrap());
    assert!(!record.exists());
}

#[test]
fn a_table_of_expanding_nim_is_verified_as_a_whole() {
    let table = table("expanding", &["stones=40"], true);
    let Ruleset::Expanding(_) = &table.header().ruleset else { panic!("it is another game") };
    let estimated = estimate_proof(&table.header().ruleset, table.file_len() as u64).least;
    let right = verify(&table).unwrap();
    for every_position in [false, true] {
        let with = |memory| {
            verify_with(&table, &VerifyOptions { memory, every_position, ..Default::default() }, &())
        };
        let Err(VerifyError::TooLittle { least, limit: 0 }) = with(0) else {
            panic!("a limit of 0 bytes was not refused")
        };
        // The estimate counts every line, though a table stores equal ones once. It also adds what the proof in
        // `windows` stores for each place; a proof with `every_position` stores none of that.
        assert!(least < estimated, "{least}, {estimated}");
        assert_eq!(with(least).unwrap(), right);
        assert!(matches!(with(least - 1), Err(VerifyError::TooLittle { .. })));
    }
    let cancelled = TestControl { cancel_after: Some(5.into()), ..TestControl::default() };
    assert!(matches!(
        verify_with(&table, &VerifyOptions::default(), &cancelled),
        Err(VerifyError::Cancelled)
    ));
}
