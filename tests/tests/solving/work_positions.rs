//! Games with a limit or a list of amounts are solved in blocks of positions if memory is short. The table has the same
//! bytes, also after interrupted and resumed runs.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bouton_generator::{
    Control, GenerateError, GenerateOptions, Resources, discard_work, estimate, generate_in_memory,
    generate_with, memory_with_folder, read_work_progress,
};
use bouton_tables::Ruleset;
use bouton_tables::format::in_memory;

use crate::work_folder::{CancelSecondStep, TestControl, nim, resources};

const DEPTHS: GenerateOptions = GenerateOptions { depths: true };
const NO_DEPTHS: GenerateOptions = GenerateOptions { depths: false };

/// Returns games with a limit or a list of amounts, in normal and misère play, with passes and without, of one to six
/// heaps, with equal bounds and others.
fn games() -> Vec<(Ruleset, GenerateOptions)> {
    let with_depths: [&[&str]; 20] = [
        &["bounds=[200]", "take=5"],
        &["bounds=[300]", "take=[1,2,5,12]", "passes=1"],
        &["bounds=[40,60]", "take=3", "play=misere"],
        &["bounds=[50,50]", "take=[2,4,7]", "passes=2"],
        &["bounds=[20,20,20]", "take=5"],
        &["bounds=[5,30,40]", "take=[1,2,5,12]"],
        &["bounds=[7,20,30]", "take=2", "passes=1", "play=misere"],
        &["bounds=[2,9,40]", "take=11"],
        &["heaps=4", "size=15", "take=5"],
        &["heaps=4", "size=17", "take=[1,2,5,12]", "play=misere"],
        &["heaps=4", "size=11", "take=4", "passes=2"],
        &["bounds=[2,9,20,33]", "take=[3]"],
        &["bounds=[3,3,12,12]", "take=[2,4,7]", "passes=1"],
        &["heaps=5", "size=11", "take=5"],
        &["heaps=5", "size=9", "take=[1,2,5]", "passes=1"],
        &["bounds=[1,3,3,8,17]", "take=4", "play=misere"],
        &["bounds=[4,4,9,9,16]", "take=[2,5]"],
        &["heaps=6", "size=7", "take=3"],
        &["heaps=6", "size=7", "take=[1,4]", "play=misere"],
        &["bounds=[1,2,3,4,8,9]", "take=2", "passes=1"],
    ];
    let without: [&[&str]; 5] = [
        &["bounds=[40,60]", "take=3", "passes=1"],
        &["bounds=[7,20,30]", "take=[2,4,7]", "passes=2"],
        &["heaps=4", "size=15", "take=5", "passes=1"],
        &["heaps=5", "size=9", "take=[1,2,5]", "passes=2", "play=misere"],
        &["heaps=6", "size=7", "take=3", "passes=1"],
    ];
    let with_depths = with_depths.into_iter().map(|settings| (nim(settings), DEPTHS));
    with_depths.chain(without.into_iter().map(|settings| (nim(settings), NO_DEPTHS))).collect()
}

/// Makes a table with these resources, and returns its bytes.
fn make(
    (ruleset, options): &(Ruleset, GenerateOptions),
    resources: &Resources,
    control: &dyn Control,
) -> Result<Vec<u8>, GenerateError> {
    in_memory(|sink| generate_with(ruleset, *options, resources, sink, control).map(drop))
}

/// Returns resources of a run that uses the folder only if memory is short.
fn resources_without_timed_checkpoints(memory: u64, folder: &Path) -> Resources<'_> {
    Resources { checkpoint_interval: Some(Duration::from_secs(3600)), ..resources(memory, folder) }
}

/// Returns the least memory that suffices to solve a game.
fn least(game: &(Ruleset, GenerateOptions)) -> u64 {
    memory_with_folder(&game.0, game.1, u64::MAX).expect("it can be solved in blocks").memory
}

#[test]
fn tables_solved_in_blocks_of_positions_have_the_same_bytes_with_any_memory() {
    for game in games() {
        let expected = generate_in_memory(&game.0, game.1.depths).unwrap();
        let (least, whole) = (least(&game), estimate(&game.0, game.1).memory);
        for step in 0..=1 {
            let here = tempfile::tempdir().unwrap();
            let folder = here.path().join("t.work");
            let memory = least + step * whole.saturating_sub(least);
            let watch = TestControl::default();
            let made = make(&game, &resources_without_timed_checkpoints(memory, &folder), &watch).unwrap();
            assert!(made == expected, "{game:?} in {memory} bytes");
            if folder.exists() {
                assert!(watch.written.into_inner() > 0);
                discard_work(&folder).unwrap();
            }
        }
    }
}

#[test]
fn interrupted_runs_with_blocks_of_positions_resume() {
    let games = games();
    for game in [4, 6, 9, 14].map(|number: usize| &games[number]) {
        let expected = generate_in_memory(&game.0, game.1.depths).unwrap();
        for memory in [least(game), u64::MAX / 2] {
            let here = tempfile::tempdir().unwrap();
            let folder = here.path().join("t.work");
            let resources = resources(memory, &folder);
            let (mut runs, mut resumed) = (0, 0);
            let made = loop {
                // Each run gets a little further than the previous one.
                let watch =
                    TestControl { cancel_after: Some((3 + 40 * runs).into()), ..TestControl::default() };
                let made = make(game, &resources, &watch);
                resumed += u32::from(watch.resumed.load(Relaxed));
                match made {
                    Ok(made) => break made,
                    Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
                }
                runs += 1;
            };
            assert!(made == expected, "{game:?} in {memory} bytes, {runs} runs");
            assert!(runs > 5 && resumed + 3 > runs as u32, "{game:?}: {resumed} of {runs} runs resumed");
        }
    }
}

#[test]
fn the_error_about_a_damaged_block_of_positions_names_the_file() {
    let game = (nim(&["heaps=4", "size=15", "take=5"]), DEPTHS);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let memory = least(&game);
    let watch = TestControl { cancel_after: Some(300.into()), ..TestControl::default() };
    assert!(matches!(make(&game, &resources(memory, &folder), &watch), Err(GenerateError::Cancelled)));
    let share = read_work_progress(&folder).unwrap().expect("a checkpoint").share();
    assert!(0.0 < share && share < 1.0);
    let mut blocks: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    blocks.retain(|name| name.to_str().unwrap().starts_with("positions-"));
    blocks.sort();
    for name in blocks.iter().take(3).chain(blocks.iter().rev().take(3)) {
        let path = folder.join(name);
        let whole = fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 4;
        for damaged in [&changed[..], &whole[..whole.len() / 2]] {
            fs::write(&path, damaged).unwrap();
            for memory in [memory, u64::MAX / 2] {
                let early = CancelSecondStep::new(&folder);
                let error = make(&game, &resources(memory, &folder), &early).unwrap_err().to_string();
                let expected = format!("{} is damaged; --restart", name.to_str().unwrap());
                assert!(error.contains(&expected), "{error}");
                // The damage is found before anything is solved; the work of the interrupted run counts as one step.
                assert!(early.solved.into_inner() <= 1, "{error}");
            }
            fs::write(&path, &whole).unwrap();
        }
    }
    let made = make(&game, &resources(memory, &folder), &TestControl::default()).unwrap();
    assert!(made == generate_in_memory(&game.0, true).unwrap());
}

#[test]
fn a_work_folder_of_another_take_is_refused() {
    let game = |settings: &[&str]| (nim(settings), DEPTHS);
    let own_game = game(&["heaps=4", "size=15", "take=5"]);
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let watch = TestControl { cancel_after: Some(300.into()), ..TestControl::default() };
    let memory = least(&own_game);
    assert!(matches!(make(&own_game, &resources(memory, &folder), &watch), Err(GenerateError::Cancelled)));
    for (other, what) in [
        (game(&["heaps=4", "size=15", "take=4"]), "take is 5 there, and 4 here"),
        (game(&["heaps=4", "size=15", "take=5", "passes=1"]), "passes is 0 there, and 1 here"),
        (game(&["heaps=4", "size=15"]), "take is 5 there, and \"any\" here"),
    ] {
        let refused =
            make(&other, &resources(u64::MAX, &folder), &TestControl::default()).unwrap_err().to_string();
        assert!(refused.contains("belongs to another table") && refused.contains(what), "{refused}");
    }
}
