//! Interrupted packing resumes and makes the same table, whenever it was interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bouton_tables::Ruleset;
use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapKeys, Take};

use crate::control::{Control, Phase};
use crate::estimate::memory_with_folder;
use crate::generate::{generate_in_memory, generate_with};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::work::{WorkError, read_work_progress};

const DEPTHS: GenerateOptions = GenerateOptions { depths: true };

fn game(bounds: &[Heap], take: Take, passes: u32) -> Ruleset {
    HeapKeys { bounds: bounds.to_vec(), take, passes, ..Default::default() }.rules().unwrap().into()
}

fn list_of_amounts() -> Take {
    Take::exactly(vec![1, 2, 5, 12])
}

/// Counts polls during packing. At a given poll, cancels, or copies the folder as a killed run would leave it.
#[derive(Default)]
struct Watch {
    is_packing: AtomicBool,
    polls: AtomicU64,
    /// Number of the first poll that cancels.
    cancel_at: Option<u64>,
    /// Number of the poll, the folder to copy, and the destination.
    copy_at: Option<(u64, PathBuf, PathBuf)>,
}

impl Control for Watch {
    fn begin(&self, phase: Phase, _: u64) {
        self.is_packing.fetch_or(phase == Phase::Packing, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        if !self.is_packing.load(Relaxed) {
            return false;
        }
        let poll = self.polls.fetch_add(1, Relaxed);
        if let Some((_, from, to)) = self.copy_at.as_ref().filter(|(at, ..)| poll == *at) {
            copy(from, to);
        }
        self.cancel_at.is_some_and(|at| poll >= at)
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in fs::read_dir(from).into_iter().flatten().flatten() {
        fs::copy(file.path(), to.join(file.file_name())).unwrap();
    }
}

fn make(
    ruleset: &Ruleset,
    memory: u64,
    folder: &Path,
    control: &dyn Control,
) -> Result<Vec<u8>, GenerateError> {
    let resources = Resources {
        memory,
        folder: Some(folder),
        checkpoint_interval: Some(Duration::ZERO),
        communicator: None,
    };
    in_memory(|sink| generate_with(ruleset, DEPTHS, &resources, sink, control).map(drop))
}

/// Asserts that packing makes the same table after repeated cancellations, and after being killed at several moments,
/// with little memory and with enough.
fn check_resuming(ruleset: &Ruleset) {
    let expected = generate_in_memory(ruleset, true).unwrap();
    for memory in [memory_with_folder(ruleset, DEPTHS, u64::MAX).unwrap().memory, u64::MAX] {
        let temporary = tempfile::tempdir().unwrap();
        let folder = temporary.path().join("t.work");
        let (mut runs, mut polls) = (0, 2);
        let last_poll = loop {
            let watch = Watch { cancel_at: Some(polls), ..Watch::default() };
            match make(ruleset, memory, &folder, &watch) {
                Ok(made) => {
                    assert!(made == expected, "{ruleset:?}, {memory} bytes, {runs} runs");
                    break watch.polls.into_inner();
                }
                Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
            }
            let progress = read_work_progress(&folder).unwrap().unwrap();
            assert!(progress.share() == 1.0 && progress.is_packing());
            assert!(progress.check(&folder).is_empty());
            // More polls each time, as some stages are saved only at their end.
            polls += 1 + polls / 2;
            runs += 1;
        };
        for (number, poll) in [0, 3, last_poll / 2, last_poll].into_iter().enumerate() {
            let [folder, killed] =
                ["run", "killed"].map(|name| temporary.path().join(format!("{name}-{number}")));
            let watch = Watch { copy_at: Some((poll, folder.clone(), killed.clone())), ..Watch::default() };
            assert!(make(ruleset, memory, &folder, &watch).unwrap() == expected);
            assert!(killed.exists() && watch.polls.into_inner() > last_poll, "{ruleset:?}: {last_poll}");
            assert!(
                make(ruleset, memory, &killed, &()).unwrap() == expected,
                "{ruleset:?}, {memory}, {poll}"
            );
        }
        assert!(runs > 2, "{ruleset:?}: {runs} runs");
    }
}

#[test]
fn interrupted_packing_of_nim_resumes() {
    check_resuming(&game(&[12; 5], Take::Any, 0));
}

#[test]
fn interrupted_packing_of_nim_with_passes_resumes() {
    check_resuming(&game(&[1, 3, 8, 17], Take::Any, 2));
}

#[test]
fn interrupted_packing_of_a_subtraction_game_resumes() {
    check_resuming(&game(&[2, 20, 30], list_of_amounts(), 0));
}

#[test]
fn interrupted_packing_of_a_subtraction_game_with_passes_resumes() {
    check_resuming(&game(&[9; 4], list_of_amounts(), 1));
}

#[test]
fn a_damaged_exchanged_or_missing_file_of_packing_is_refused_by_name() {
    let ruleset = game(&[12; 5], Take::Any, 0);
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path().join("t.work");
    let control = Watch { cancel_at: Some(3), ..Watch::default() };
    make(&ruleset, u64::MAX, &folder, &control).unwrap_err();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder).unwrap().flatten().map(|file| file.path()).collect();
    files.retain(|path| path.file_name().unwrap().to_str().unwrap().starts_with("packing-"));
    assert!(files.len() > 1);
    for (path, other) in files.iter().zip(files.iter().skip(1)) {
        let whole = fs::read(path).unwrap();
        let mut damaged = whole.clone();
        damaged[whole.len() / 2] ^= 1;
        for content in [&damaged, &fs::read(other).unwrap()] {
            fs::write(path, content).unwrap();
            let error = make(&ruleset, u64::MAX, &folder, &()).unwrap_err();
            assert!(
                matches!(&error, GenerateError::Work(WorkError::Damaged(named)) if named == path),
                "{error}"
            );
        }
        fs::remove_file(path).unwrap();
        let error = make(&ruleset, u64::MAX, &folder, &()).unwrap_err();
        assert!(matches!(&error, GenerateError::Work(WorkError::Missing(named)) if named == path), "{error}");
        fs::write(path, whole).unwrap();
    }
    assert!(make(&ruleset, u64::MAX, &folder, &()).is_ok());
}
