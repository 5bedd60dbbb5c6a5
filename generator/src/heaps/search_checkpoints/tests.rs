//! Packing that is broken off at any moment goes on, and makes the same table.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bouton_tables::Ruleset;
use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapKeys, Take};

use crate::{
    Control, GenerateError, GenerateOptions, Phase, Resources, WorkError, generate_in_memory, generate_with,
    least_memory, read_work_progress,
};

const DEPTHS: GenerateOptions = GenerateOptions { depths: true };

fn game(bounds: &[Heap], take: Take, passes: u32) -> Ruleset {
    HeapKeys { bounds: bounds.to_vec(), take, passes, ..Default::default() }.rules().unwrap().into()
}

fn list() -> Take {
    Take::exactly(vec![1, 2, 5, 12])
}

/// Counts polls during packing; then cancels, or copies the folder as a killed run would leave it.
#[derive(Default)]
struct Watch {
    is_packing: AtomicBool,
    asked: AtomicU64,
    breaks_off: Option<u64>,
    /// Number of the poll, the folder to copy, and the destination.
    kills: Option<(u64, PathBuf, PathBuf)>,
}

impl Control for Watch {
    fn begin(&self, phase: Phase, _: u64) {
        self.is_packing.fetch_or(phase == Phase::Packing, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        if !self.is_packing.load(Relaxed) {
            return false;
        }
        let asked = self.asked.fetch_add(1, Relaxed);
        if let Some((_, from, to)) = self.kills.as_ref().filter(|(most, ..)| asked == *most) {
            copy(from, to);
        }
        self.breaks_off.is_some_and(|most| asked >= most)
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
    let resources =
        Resources { memory, folder: Some(folder), pause: Some(Duration::ZERO), communicator: None };
    in_memory(|sink| generate_with(ruleset, DEPTHS, &resources, sink, control).map(drop))
}

/// Asserts that packing resumes after repeated cancellations, and after being killed at several moments, with little
/// memory and with enough.
fn goes_on(ruleset: &Ruleset) {
    let expected = generate_in_memory(ruleset, true).unwrap();
    for memory in [least_memory(ruleset, DEPTHS).unwrap().memory, u64::MAX] {
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("t.work");
        let (mut runs, mut left) = (0, 2);
        let last = loop {
            let watch = Watch { breaks_off: Some(left), ..Watch::default() };
            match make(ruleset, memory, &folder, &watch) {
                Ok(made) => {
                    assert!(made == expected, "{ruleset:?}, {memory} bytes, {runs} runs");
                    break watch.asked.into_inner();
                }
                Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
            }
            let progress = read_work_progress(&folder).unwrap().unwrap();
            assert!(progress.share() == 1.0 && progress.is_packing());
            assert!(progress.check(&folder).is_empty());
            // Some stages are not saved before their end.
            left += 1 + left / 2;
            runs += 1;
        };
        for (number, moment) in [0, 3, last / 2, last].into_iter().enumerate() {
            let [folder, left] = ["run", "left"].map(|name| here.path().join(format!("{name}-{number}")));
            let whole = Watch { kills: Some((moment, folder.clone(), left.clone())), ..Watch::default() };
            assert!(make(ruleset, memory, &folder, &whole).unwrap() == expected);
            assert!(left.exists() && whole.asked.into_inner() > last, "{ruleset:?}: {last}");
            assert!(
                make(ruleset, memory, &left, &()).unwrap() == expected,
                "{ruleset:?}, {memory}, {moment}"
            );
        }
        assert!(runs > 2, "{ruleset:?}: {runs} runs");
    }
}

#[test]
fn packing_of_any_number_goes_on() {
    goes_on(&game(&[12; 5], Take::Any, 0));
}

#[test]
fn packing_of_any_number_with_passes_goes_on() {
    goes_on(&game(&[1, 3, 8, 17], Take::Any, 2));
}

#[test]
fn packing_of_lists_goes_on() {
    goes_on(&game(&[2, 20, 30], list(), 0));
}

#[test]
fn packing_of_lists_with_passes_goes_on() {
    goes_on(&game(&[9; 4], list(), 1));
}

#[test]
fn damaged_and_exchanged_files_of_packing_are_refused_by_name() {
    let ruleset = game(&[12; 5], Take::Any, 0);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let control = Watch { breaks_off: Some(3), ..Watch::default() };
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
