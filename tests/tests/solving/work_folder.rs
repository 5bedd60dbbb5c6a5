//! The *work folder* keeps blocks on disk while a table is made. Tables made with little memory, and by interrupted and
//! resumed runs, have the same bytes as those made at once in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use bouton_generator::{
    Control, Event, GenerateError, GenerateOptions, Phase, Resources, WorkError, discard_work, estimate,
    generate_in_memory, generate_with, memory_with_folder, read_work_progress, remove_finished_work,
};
use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, rulesets};

pub(crate) const DEPTHS: GenerateOptions = GenerateOptions { depths: true };

/// Returns Nim with changed settings.
pub(crate) fn nim(settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find("nim", &settings).expect("an allowed ruleset").ruleset
}

/// Returns games that can be solved in blocks: many heaps and few, equal bounds and others, passes, misère.
pub(crate) fn games() -> Vec<Ruleset> {
    [
        &["heaps=5", "size=15"][..],
        &["heaps=4", "size=31", "play=misere"],
        &["heaps=4", "size=15", "passes=2"],
        &["bounds=[9,60,90,120]"],
        &["bounds=[2,9,30,40,60]", "passes=1", "play=misere"],
        // Sizes that share a range.
        &["bounds=[14,15,120,180]"],
        &["bounds=[20,20,100,100]", "passes=1"],
        &["bounds=[7,100,130]"],
        &["bounds=[60,300]"],
        &["bounds=[500]", "passes=1"],
    ]
    .map(nim)
    .to_vec()
}

/// Returns the least memory that suffices to solve a game.
pub(crate) fn least(ruleset: &Ruleset) -> u64 {
    memory_with_folder(ruleset, DEPTHS, u64::MAX)
        .map_or_else(|| estimate(ruleset, DEPTHS).memory, |least| least.memory)
}

/// Returns the resources of a run with this memory and work folder.
pub(crate) fn resources(memory: u64, folder: &Path) -> Resources<'_> {
    Resources { memory, folder: Some(folder), checkpoint_interval: Some(Duration::ZERO), communicator: None }
}

/// Makes a table with these resources, and returns its bytes.
fn make(ruleset: &Ruleset, resources: &Resources, control: &dyn Control) -> Result<Vec<u8>, GenerateError> {
    in_memory(|sink| generate_with(ruleset, DEPTHS, resources, sink, control).map(drop))
}

/// Records the events, and cancels after `cancel_after` calls of `is_cancelled`.
#[derive(Default)]
pub(crate) struct TestControl {
    /// The number of calls of `is_cancelled` until it cancels; `None` if it never does.
    pub(crate) cancel_after: Option<AtomicU64>,
    /// True if the run was resumed.
    pub(crate) resumed: AtomicBool,
    /// The number of bytes read from the work folder.
    pub(crate) read: AtomicU64,
    /// The number of bytes written to the work folder.
    pub(crate) written: AtomicU64,
    /// The number of messages between processes.
    pub(crate) messages: AtomicU64,
    /// The number of bytes of these messages.
    pub(crate) bytes: AtomicU64,
}

impl Control for TestControl {
    fn report_event(&self, event: Event) {
        match event {
            Event::Resumed { done, all } => {
                assert!(0 < done && done <= all);
                self.resumed.store(true, Relaxed);
            }
            Event::Stopping => {}
            Event::NotSaved(error) => panic!("{error}"),
            Event::Exchanged { messages, bytes } => {
                self.messages.store(messages, Relaxed);
                self.bytes.store(bytes, Relaxed);
            }
            Event::FolderUsed { read, written } => {
                self.read.store(read, Relaxed);
                self.written.store(written, Relaxed);
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        let Some(cancel_after) = &self.cancel_after else { return false };
        cancel_after.fetch_update(Relaxed, Relaxed, |cancel_after| cancel_after.checked_sub(1)).is_err()
    }
}

#[test]
fn tables_have_the_same_bytes_with_any_memory() {
    for ruleset in games() {
        let expected = generate_in_memory(&ruleset, true).unwrap();
        let least = least(&ruleset);
        let whole = estimate(&ruleset, DEPTHS).memory;
        let mut folders = 0;
        for step in 0..=4 {
            let here = tempfile::tempdir().unwrap();
            let folder = here.path().join("t.work");
            let memory = least + step * whole.saturating_sub(least) / 4;
            let watch = TestControl::default();
            // The only checkpoints are those forced by little memory.
            let resources = Resources {
                checkpoint_interval: Some(Duration::from_secs(3600)),
                ..resources(memory, &folder)
            };
            let made = make(&ruleset, &resources, &watch);
            assert!(
                made.as_ref().is_ok_and(|made| *made == expected),
                "{ruleset:?} in {memory} bytes: {:?}",
                made.err()
            );
            if folder.exists() {
                folders += 1;
                assert!(watch.read.into_inner() > 0 && watch.written.into_inner() > 0);
                discard_work(&folder).unwrap();
                assert!(!folder.exists());
            }
        }
        // Games with fewer than four heaps are always solved in memory.
        let Ruleset::Heaps(rules) = &ruleset else { unreachable!("all are games of heaps") };
        assert_eq!(folders > 0, rules.heaps() > 3, "{ruleset:?}");
    }
}

#[test]
fn a_run_interrupted_at_many_moments_resumes() {
    let games = [
        &["heaps=5", "size=11"][..],
        &["heaps=4", "size=9", "passes=2", "play=misere"],
        &["bounds=[2,5,9,14]"],
        &["bounds=[7,9,12]", "passes=1"],
        &["bounds=[170,200]"],
    ];
    for ruleset in games.map(nim) {
        let expected = generate_in_memory(&ruleset, true).unwrap();
        for memory in [least(&ruleset), u64::MAX / 2] {
            let here = tempfile::tempdir().unwrap();
            let folder = here.path().join("t.work");
            let resources = resources(memory, &folder);
            let (mut runs, mut resumed) = (0, 0);
            let made = loop {
                // Each run gets a little further than the previous one.
                let watch =
                    TestControl { cancel_after: Some((3 + 3 * runs).into()), ..TestControl::default() };
                let made = make(&ruleset, &resources, &watch);
                resumed += u32::from(watch.resumed.into_inner());
                match made {
                    Ok(made) => break made,
                    Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
                }
                runs += 1;
            };
            assert!(made == expected, "{ruleset:?} in {memory} bytes, {runs} runs");
            assert!(runs > 5 && resumed + 3 > runs as u32, "{ruleset:?}: {resumed} of {runs} runs resumed");
        }
    }
}

/// At the second solving step, records whether a checkpoint exists, and cancels.
pub(crate) struct CancelSecondStep<'a> {
    pub(crate) folder: &'a Path,
    /// The number of solving steps so far.
    pub(crate) solved: AtomicU64,
    pub(crate) has_checkpoint: AtomicBool,
}

impl<'a> CancelSecondStep<'a> {
    /// Returns a control that has seen no step.
    pub(crate) fn new(folder: &'a Path) -> Self {
        Self { folder, solved: 0.into(), has_checkpoint: false.into() }
    }
}

impl Control for CancelSecondStep<'_> {
    fn advance(&self, _: u64) {
        if self.solved.fetch_add(1, Relaxed) == 1 {
            self.has_checkpoint.store(read_work_progress(self.folder).unwrap().is_some(), Relaxed);
        }
    }

    fn is_cancelled(&self) -> bool {
        self.solved.load(Relaxed) > 1
    }
}

/// Returns a game whose first steps are small, but which takes much memory from the beginning.
pub(crate) fn large_from_the_beginning() -> Ruleset {
    nim(&["heaps=8", "size=20"])
}

#[test]
fn the_first_checkpoint_is_made_on_time_even_if_memory_suffices() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let early = CancelSecondStep::new(&folder);
    let made = make(&large_from_the_beginning(), &resources(u64::MAX / 2, &folder), &early);
    assert!(matches!(made, Err(GenerateError::Cancelled)), "{made:?}");
    assert!(early.has_checkpoint.into_inner());
}

/// Makes the work folder of an interrupted run.
fn interrupt_run(ruleset: &Ruleset, folder: &Path) {
    let watch = TestControl { cancel_after: Some(60.into()), ..TestControl::default() };
    let memory = least(ruleset);
    assert!(matches!(make(ruleset, &resources(memory, folder), &watch), Err(GenerateError::Cancelled)));
}

/// Returns the files of a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn the_error_about_a_damaged_file_names_it() {
    let ruleset = nim(&["heaps=4", "size=15"]);
    let expected = generate_in_memory(&ruleset, true).unwrap();
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    interrupt_run(&ruleset, &folder);
    let whole = files(&folder);
    assert!(whole.len() > 20 && whole.contains_key("progress"));
    let memory = least(&ruleset);
    for (name, bytes) in &whole {
        let half = bytes.len() / 2;
        let mut changed = bytes.clone();
        if let Some(byte) = changed.get_mut(half) {
            *byte ^= 4;
        }
        for damaged in [Some(&changed[..]), Some(&bytes[..half]), None] {
            fs::remove_dir_all(&folder).unwrap();
            fs::create_dir(&folder).unwrap();
            for (name, bytes) in &whole {
                fs::write(folder.join(name), bytes).unwrap();
            }
            match damaged {
                Some(damaged) => fs::write(folder.join(name), damaged).unwrap(),
                None => fs::remove_file(folder.join(name)).unwrap(),
            }
            match make(&ruleset, &resources(memory, &folder), &()) {
                // Without the file `progress`, which lists the files that belong together, the run starts anew; the
                // lock is created again.
                Ok(made) => {
                    assert!(made == expected);
                    assert!(name == "lock" || name == "progress" && damaged.is_none(), "{name}");
                }
                Err(error) => {
                    let text = error.to_string();
                    let what = if damaged.is_some() { "is damaged" } else { "is missing, though" };
                    assert!(text.contains(&format!("{name} {what}")), "{name}: {text}");
                    assert!(text.contains("--restart"), "{name}: {text}");
                }
            }
        }
    }
}

#[test]
fn damaged_and_missing_files_are_found_before_anything_is_solved() {
    let ruleset = nim(&["heaps=5", "size=15"]);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let watch = TestControl { cancel_after: Some(400.into()), ..TestControl::default() };
    let memory = least(&ruleset);
    assert!(matches!(make(&ruleset, &resources(memory, &folder), &watch), Err(GenerateError::Cancelled)));
    let blocks = files(&folder).into_iter().filter(|(name, _)| name.starts_with("lines-"));
    let blocks: Vec<_> = blocks.filter(|(_, bytes)| !bytes.is_empty()).collect();
    assert!(blocks.len() > 20);
    let check = || read_work_progress(&folder).unwrap().expect("there is a checkpoint").check(&folder);
    assert!(check().is_empty());
    let refused = |memory: u64| {
        let early = CancelSecondStep::new(&folder);
        let refused = make(&ruleset, &resources(memory, &folder), &early).unwrap_err();
        // The work of the interrupted run counts as one step.
        assert!(early.solved.into_inner() <= 1, "{refused}");
        refused.to_string()
    };
    for (name, bytes) in &blocks {
        let path = folder.join(name);
        for damage in [Some(&bytes[1..]), None] {
            match damage {
                Some(rest) => fs::write(&path, rest).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let faults = check();
            assert_eq!(faults.len(), 1, "{name}: {faults:?}");
            match (&faults[0], damage) {
                (WorkError::Damaged(found), Some(_)) | (WorkError::Missing(found), None) => {
                    assert_eq!(*found, path);
                }
                (fault, _) => panic!("{name}: {fault}"),
            }
            // With little memory, and with much.
            for memory in [memory, u64::MAX / 2] {
                assert_eq!(refused(memory), faults[0].to_string());
            }
        }
        fs::write(&path, bytes).unwrap();
    }
    for (name, _) in &blocks {
        fs::remove_file(folder.join(name)).unwrap();
    }
    assert_eq!(check().len(), blocks.len());
}

#[test]
fn a_folder_of_another_table_or_of_the_user_is_not_changed() {
    let own_game = nim(&["heaps=4", "size=15"]);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    interrupt_run(&own_game, &folder);
    let before = files(&folder);
    for (other, what) in [
        (nim(&["heaps=4", "size=15", "passes=1"]), "passes is 0 there, and 1 here"),
        (nim(&["heaps=4", "size=15", "play=misere"]), "play is \"normal\" there, and \"misere\" here"),
        (nim(&["heaps=4", "size=14"]), "bounds is [15, 15, 15, 15] there, and [14, 14, 14, 14] here"),
    ] {
        let refused = make(&other, &resources(u64::MAX, &folder), &()).unwrap_err().to_string();
        assert!(refused.contains("belongs to another table"), "{refused}");
        assert!(refused.contains(what), "{refused}");
        assert_eq!(files(&folder), before);
    }
    // Contradictory contents, with a correct checksum.
    let progress = String::from_utf8(before["progress"].clone()).unwrap();
    let (body, _) = progress.rsplit_once("crc32 ").unwrap();
    let refused_with = |body: &str| {
        let sum = crc32fast::hash(body.as_bytes());
        fs::write(folder.join("progress"), format!("{body}crc32 {sum:08x}\n")).unwrap();
        make(&own_game, &resources(u64::MAX, &folder), &()).unwrap_err().to_string()
    };
    let epoch = body.lines().find(|line| line.starts_with("epoch ")).unwrap();
    let first = body.lines().find(|line| line.starts_with("block lines-00-00 ")).unwrap();
    for forged in [
        body.replacen(epoch, "epoch 4294967295", 1),
        body.replacen(first, "block lines-00-00 0 1 1", 1),
        body.replacen(&format!("{first}\n"), "block lines-00-00 1000000 1\n", 1),
    ] {
        let refused = refused_with(&forged);
        assert!(refused.contains("is damaged; --restart"), "{refused}");
    }
    // Another version.
    let refused = refused_with(&body.replacen("folder 4", "folder 5", 1));
    assert!(refused.contains("the version of work folders is 5 there, and 4 here"), "{refused}");

    // The files of a run that was killed while it wrote its first checkpoint.
    let half_written = here.path().join("begun.work");
    fs::create_dir(&half_written).unwrap();
    for name in ["lock", "lines-00-00.1", ".progress.a1b2c3.part"] {
        fs::write(half_written.join(name), "half").unwrap();
    }
    assert!(make(&own_game, &resources(least(&own_game), &half_written), &()).is_ok());
    fs::write(half_written.join(".progress.a1b2c3.part"), "half").unwrap();
    discard_work(&half_written).unwrap();
    assert!(!half_written.exists());

    // A user's own folder.
    let own = here.path().join("own");
    fs::create_dir(&own).unwrap();
    fs::write(own.join("letter.txt"), "dear").unwrap();
    let refused = make(&own_game, &resources(u64::MAX, &own), &());
    assert!(matches!(refused, Err(GenerateError::Work(WorkError::Foreign(_)))), "{refused:?}");
    assert!(matches!(discard_work(&own), Err(WorkError::Foreign(_))));
    assert_eq!(files(&own).len(), 1);
}

/// Tries to use a folder that is in use.
struct SecondRun<'a> {
    ruleset: &'a Ruleset,
    folder: &'a Path,
    /// True once the second run was tried.
    tried: AtomicBool,
}

impl Control for SecondRun<'_> {
    fn advance(&self, _: u64) {
        if read_work_progress(self.folder).unwrap().is_some() && !self.tried.swap(true, Relaxed) {
            let second = make(self.ruleset, &resources(u64::MAX, self.folder), &());
            assert!(matches!(second, Err(GenerateError::Work(WorkError::Busy(_)))), "{second:?}");
            assert!(matches!(discard_work(self.folder), Err(WorkError::Busy(_))));
        }
    }
}

#[test]
fn a_run_interrupted_after_solving_resumes() {
    for settings in [&["heaps=5", "size=11"][..], &["bounds=[7,9,12]"], &["bounds=[10,20]"]] {
        let ruleset = nim(settings);
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("t.work");
        let packing = CancelAfterSolving { cancelled: AtomicBool::new(false), work: folder.clone() };
        let broken = make(&ruleset, &resources(u64::MAX, &folder), &packing);
        assert!(matches!(broken, Err(GenerateError::Cancelled)), "{broken:?}");
        assert!(folder.exists(), "{settings:?}");
        let made = make(&ruleset, &resources(u64::MAX, &folder), &());
        assert!(made.unwrap() == generate_in_memory(&ruleset, true).unwrap(), "{settings:?}");
    }
}

/// Cancels when everything is solved. Until then it slows the work, so that checkpoints are due.
struct CancelAfterSolving {
    cancelled: AtomicBool,
    /// The work folder.
    work: PathBuf,
}

impl Control for CancelAfterSolving {
    fn begin(&self, phase: Phase, _: u64) {
        if phase == Phase::Packing {
            self.cancelled.store(true, Relaxed);
        }
    }

    fn advance(&self, _: u64) {
        std::thread::sleep(Duration::from_millis(if self.work.exists() { 1 } else { 30 }));
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed)
    }
}

#[test]
fn a_second_run_on_a_folder_is_refused() {
    let ruleset = nim(&["heaps=4", "size=15"]);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let second = SecondRun { ruleset: &ruleset, folder: &folder, tried: AtomicBool::new(false) };
    let memory = least(&ruleset);
    let made = make(&ruleset, &resources(memory, &folder), &second).unwrap();
    assert!(second.tried.into_inner());
    assert!(made == generate_in_memory(&ruleset, true).unwrap());
}

/// Slows the work until the failure of a checkpoint is reported, so that one is certainly due.
#[derive(Default)]
struct SlowControl {
    /// The number of failed checkpoints.
    not_saved: AtomicU64,
}

impl Control for SlowControl {
    fn advance(&self, _: u64) {
        if self.not_saved.load(Relaxed) == 0 {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn report_event(&self, event: Event) {
        if let Event::NotSaved(error) = event {
            assert!(matches!(error, WorkError::Io { .. }), "{error}");
            self.not_saved.fetch_add(1, Relaxed);
        }
    }
}

#[test]
fn if_no_checkpoint_can_be_written_work_continues_in_memory_or_fails_if_memory_is_short() {
    let ruleset = nim(&["heaps=5", "size=15"]);
    let here = tempfile::tempdir().unwrap();
    let file = here.path().join("a file");
    fs::write(&file, "").unwrap();
    let folder = file.join("t.work");
    let slow = SlowControl::default();
    let made = make(&ruleset, &resources(u64::MAX / 2, &folder), &slow).unwrap();
    assert!(made == generate_in_memory(&ruleset, true).unwrap());
    assert_eq!(slow.not_saved.into_inner(), 1);
    let ended = make(&ruleset, &resources(least(&ruleset), &folder), &());
    assert!(matches!(ended, Err(GenerateError::Work(WorkError::Io { .. }))), "{ended:?}");
}

#[test]
fn only_the_finished_work_of_the_same_table_is_removed() {
    let (ruleset, other) = (nim(&["heaps=5", "size=15"]), nim(&["heaps=5", "size=16"]));
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    make(&ruleset, &resources(least(&ruleset), &folder), &()).unwrap();
    assert!(folder.exists());
    remove_finished_work(&folder, &other, true).unwrap();
    remove_finished_work(&folder, &ruleset, false).unwrap();
    assert!(folder.exists());
    remove_finished_work(&folder, &ruleset, true).unwrap();
    assert!(!folder.exists());
    remove_finished_work(&folder, &ruleset, true).unwrap();
    // A folder whose removal was interrupted.
    make(&ruleset, &resources(least(&ruleset), &folder), &()).unwrap();
    fs::remove_file(folder.join("progress")).unwrap();
    remove_finished_work(&folder, &other, true).unwrap();
    assert!(!folder.exists());
    // The folder of a game that is solved as another game with a smaller bound.
    let cut_short = nim(&["bounds=[2,9,20,400]"]);
    make(&cut_short, &resources(least(&cut_short), &folder), &()).unwrap();
    assert!(folder.exists());
    remove_finished_work(&folder, &cut_short, true).unwrap();
    assert!(!folder.exists());
}

#[test]
#[cfg(unix)]
fn the_work_folder_may_be_a_link() {
    let ruleset = nim(&["heaps=5", "size=15"]);
    let here = tempfile::tempdir().unwrap();
    let (folder, linked) = (here.path().join("t.work"), here.path().join("another disk"));
    fs::create_dir(&linked).unwrap();
    std::os::unix::fs::symlink(&linked, &folder).unwrap();
    let made = make(&ruleset, &resources(least(&ruleset), &folder), &()).unwrap();
    assert!(made == generate_in_memory(&ruleset, true).unwrap());
    assert!(fs::read_dir(&linked).unwrap().count() > 2);
    discard_work(&folder).unwrap();
    assert!(folder.exists() && fs::read_dir(&linked).unwrap().count() == 0);
}
