//! Tables made by several processes (MPI ranks; here threads) have the same bytes as those made by one.

use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use bouton_generator::{
    GenerateError, GenerateOptions, Resources, WorkError, discard_work, estimate_cluster, generate_in_memory,
    generate_with, memory_with_folder, work_as_rank,
};
use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, rulesets};
use bouton_tests::communicator::run_on_ranks;

use crate::work_folder::{
    CancelSecondStep, DEPTHS, TestControl, games, large_from_the_beginning, least, nim, resources,
};

const OUTCOMES: GenerateOptions = GenerateOptions { depths: false };

/// Returns games for every kernel that shares its work among processes.
fn shared_games() -> Vec<(Ruleset, GenerateOptions)> {
    let games = games().into_iter().map(|ruleset| (ruleset, DEPTHS));
    let others = [
        // Certain amounts from one heap.
        (&["heaps=4", "size=20", "take=[1,3,4]"][..], DEPTHS),
        (&["bounds=[5,30,40]", "take=5", "passes=1", "play=misere"], DEPTHS),
        (&["bounds=[1,2,3,4,8,9]", "take=2"], DEPTHS),
        (&["bounds=[40,60]", "take=[2,5]", "passes=2"], DEPTHS),
        (&["bounds=[200]", "take=[1,12]"], DEPTHS),
        // Any number from several heaps.
        (&["heaps=3", "size=20", "heaps-per-move=2"], DEPTHS),
        (&["bounds=[3,9,15,20]", "heaps-per-move=3", "play=misere"], DEPTHS),
        (&["bounds=[10,20,30]", "heaps-per-move=2", "equal-take=true", "passes=1"], DEPTHS),
        // Certain amounts from several heaps.
        (&["bounds=[9,20,30]", "take=4", "heaps-per-move=2"], DEPTHS),
        (&["heaps=4", "size=9", "take=[1,3]", "heaps-per-move=2", "equal-take=true"], DEPTHS),
        // Without depths.
        (&["heaps=4", "size=20"], OUTCOMES),
        (&["bounds=[7,30,40]", "passes=1", "play=misere"], OUTCOMES),
        (&["heaps=4", "size=15", "take=[1,3,4]"], OUTCOMES),
        (&["heaps=3", "size=20", "heaps-per-move=2"], OUTCOMES),
    ];
    games.chain(others.map(|(settings, options)| (nim(settings), options))).collect()
}

/// Makes a table with `count` processes, and checks that all succeed or fail alike. Returns the result and the control
/// of the first one. `cancel_after`: the rank of the process to cancel, and the number of its calls of `is_cancelled`
/// before that.
fn make(
    ruleset: &Ruleset,
    options: GenerateOptions,
    count: usize,
    resources: &Resources,
    cancel_after: Option<[u64; 2]>,
) -> (Result<Vec<u8>, GenerateError>, TestControl) {
    let made = run_on_ranks(count, |communicator| {
        let resources = Resources { communicator: Some(communicator), ..*resources };
        let rank = bouton_generator::Communicator::rank(communicator) as u64;
        let cancel_after =
            cancel_after.filter(|&[process, _]| process == rank).map(|[_, checks]| checks.into());
        let watch = TestControl { cancel_after, ..TestControl::default() };
        let made = if rank == 0 {
            in_memory(|sink| generate_with(ruleset, options, &resources, sink, &watch).map(drop)).map(Some)
        } else {
            work_as_rank(ruleset, options, &resources, &watch).map(|()| None)
        };
        (made, watch)
    });
    let mut made = made.into_iter();
    let (first, watch) = made.next().expect("there is at least one");
    for (other, _) in made {
        match (&first, other) {
            (Ok(_), Ok(None)) => {}
            (Err(first), Err(other)) => assert_eq!(first.to_string(), other.to_string()),
            // The first process may be cancelled later, while it writes the table alone.
            (Err(GenerateError::Cancelled), Ok(None)) => {}
            (first, other) => panic!("{first:?} and {other:?}"),
        }
    }
    (first.map(|made| made.expect("the first process makes the table")), watch)
}

/// Returns resources without a limit of memory, with a folder for the work.
fn in_folder(folder: &Path) -> Resources<'_> {
    resources(u64::MAX / 2, folder)
}

#[test]
fn tables_have_the_same_bytes_with_any_number_of_processes() {
    for (ruleset, options) in shared_games() {
        let expected = generate_in_memory(&ruleset, options.depths).unwrap();
        for count in [1, 2, 3, 4, 7, 17] {
            let (made, watch) = make(&ruleset, options, count, &Resources::default(), None);
            assert!(made.unwrap() == expected, "{ruleset:?} by {count}");
            let messages = watch.messages.into_inner();
            let Ruleset::Heaps(rules) = &ruleset else { unreachable!("all are games of heaps") };
            // In a game of one heap the tasks form a chain: all stay with one process, which may send no message.
            assert!(rules.heaps() == 1 || (messages > 0) == (count > 1), "{ruleset:?}: {messages} messages");
            let needs = estimate_cluster(&ruleset, options, count).unwrap();
            assert_eq!((needs.messages, needs.bytes), (messages, watch.bytes.into_inner()), "{ruleset:?}");
            assert!(
                needs.efficiency > 0.0 && needs.efficiency <= 1.0 && (count > 1 || needs.efficiency == 1.0),
                "{needs:?}"
            );
        }
    }
}

#[test]
fn blocks_too_large_for_one_process_are_packed_from_the_work_folder() {
    let large = [&["heaps=5", "size=31", "take=[1,3,4]"][..], &["heaps=4", "size=40", "heaps-per-move=2"]];
    let large = large.map(|settings| (nim(settings), DEPTHS));
    for (ruleset, options) in games().into_iter().map(|ruleset| (ruleset, DEPTHS)).chain(large) {
        let expected = generate_in_memory(&ruleset, true).unwrap();
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("t.work");
        let can_use_folder = memory_with_folder(&ruleset, options, u64::MAX).is_some();
        let mut packed_from_the_folder = 0;
        // Raise the memory, from the least with which a single process can solve the game, until it is enough for each
        // of the four and, if the game can use the folder, packing has read it.
        let mut memory = least(&ruleset);
        loop {
            let resources = Resources {
                checkpoint_interval: Some(Duration::from_secs(3600)),
                ..resources(memory, &folder)
            };
            let (made, watch) = make(&ruleset, options, 4, &resources, None);
            discard_work(&folder).unwrap();
            match made {
                Ok(made) => {
                    assert!(made == expected, "{ruleset:?} in {memory} bytes");
                    packed_from_the_folder += u32::from(watch.read.into_inner() > 0);
                    if packed_from_the_folder > 0 || !can_use_folder {
                        break;
                    }
                }
                Err(GenerateError::Memory) => {}
                Err(error) => panic!("{error}"),
            }
            memory += memory / 32;
        }
    }
}

#[test]
fn interrupted_work_resumes_with_any_number_of_processes() {
    // The last number: each run is cancelled this many checks for cancellation later than the previous one.
    let games = [
        (&["heaps=5", "size=11"][..], DEPTHS, 7),
        (&["heaps=4", "size=9", "passes=2", "play=misere"], DEPTHS, 7),
        (&["bounds=[2,5,9,14]"], DEPTHS, 7),
        (&["bounds=[7,9,12]", "passes=1"], DEPTHS, 7),
        (&["heaps=5", "size=11"], OUTCOMES, 7),
        (&["heaps=4", "size=15", "take=[1,3,4]"], DEPTHS, 7),
        (&["heaps=4", "size=15", "take=3"], OUTCOMES, 7),
        (&["heaps=3", "size=20", "heaps-per-move=2", "passes=1"], DEPTHS, 2),
        (&["bounds=[9,20,30]", "take=4", "heaps-per-move=2"], DEPTHS, 2),
    ];
    for (settings, options, step) in games {
        let ruleset = nim(settings);
        let expected = generate_in_memory(&ruleset, options.depths).unwrap();
        let here = tempfile::tempdir().unwrap();
        let folder = here.path().join("t.work");
        let (mut runs, mut resumed) = (0, 0);
        let made = loop {
            // The cancelled process varies.
            let count = [3, 1, 4, 2, 17][runs as usize % 5];
            let cancel_after = Some([runs % count as u64, 3 + step * runs]);
            let (made, watch) = match count {
                // A single process without communication.
                1 => {
                    let watch = TestControl {
                        cancel_after: Some((3 + step * runs).into()),
                        ..TestControl::default()
                    };
                    let resources = in_folder(&folder);
                    (
                        in_memory(|sink| {
                            generate_with(&ruleset, options, &resources, sink, &watch).map(drop)
                        }),
                        watch,
                    )
                }
                _ => make(&ruleset, options, count, &in_folder(&folder), cancel_after),
            };
            resumed += u32::from(watch.resumed.load(Relaxed));
            match made {
                Ok(made) => break made,
                Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
            }
            runs += 1;
        };
        assert!(made == expected, "{ruleset:?}, {runs} runs");
        assert!(runs > 3 && resumed > 1, "{runs} runs, of which {resumed} resumed");
    }
}

#[test]
fn the_first_checkpoint_of_several_processes_is_made_on_time() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path().join("t.work");
    let ruleset = large_from_the_beginning();
    let found = run_on_ranks(3, |communicator| {
        let early = CancelSecondStep::new(&folder);
        let resources = Resources { communicator: Some(communicator), ..in_folder(&folder) };
        let made = match bouton_generator::Communicator::rank(communicator) {
            0 => in_memory(|sink| generate_with(&ruleset, DEPTHS, &resources, sink, &early).map(drop))
                .map(drop),
            _ => work_as_rank(&ruleset, DEPTHS, &resources, &early),
        };
        assert!(matches!(made, Err(GenerateError::Cancelled)), "{made:?}");
        early.has_checkpoint.into_inner()
    });
    assert!(found[0]);
}

#[test]
fn a_work_folder_that_another_process_does_not_see_is_refused() {
    let ruleset = nim(&["heaps=4", "size=9"]);
    let here = tempfile::tempdir().unwrap();
    let folder_of = |rank: usize| here.path().join(format!("{rank}.work"));
    let made = std::panic::catch_unwind(|| {
        run_on_ranks(1, |communicator| {
            let folder = folder_of(0);
            let resources = Resources { communicator: Some(communicator), ..in_folder(&folder) };
            in_memory(|sink| generate_with(&ruleset, DEPTHS, &resources, sink, &()).map(drop))
        })
    });
    assert!(made.unwrap()[0].is_ok());
    let elsewhere = folder_of(1);
    fs::create_dir(&elsewhere).unwrap();
    let first = folder_of(0);
    let errors = run_on_ranks(2, |communicator| {
        use bouton_generator::Communicator;
        if communicator.rank() == 0 {
            // Act as the first process does: send its memory, then the mark in its folder, which the run above left
            // there.
            let mark = std::fs::read(first.join("lock")).unwrap_or_else(|_| b"another mark".to_vec());
            communicator.gather(&u64::MAX.to_le_bytes());
            communicator.gather(&mark);
            return None;
        }
        let resources = Resources { communicator: Some(communicator), ..in_folder(&elsewhere) };
        work_as_rank(&ruleset, DEPTHS, &resources, &()).err()
    });
    assert!(
        matches!(&errors[1], Some(GenerateError::Work(WorkError::Unseen(path))) if *path == elsewhere),
        "{errors:?}"
    );
}

#[test]
fn games_that_cannot_be_distributed_are_solved_by_the_first_process() {
    let others = [
        ("nim", &["heaps=2", "size=9"][..], OUTCOMES),
        // One process solves this game, by its quotient.
        ("nim", &["heaps=9", "size=40"], OUTCOMES),
        ("expanding", &["stones=60"], DEPTHS),
    ];
    for (preset, settings, options) in others {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let ruleset = rulesets::find(preset, &settings).unwrap().ruleset;
        assert_eq!(estimate_cluster(&ruleset, options, 3), None);
        let (made, _) = make(&ruleset, options, 3, &Resources::default(), None);
        assert!(made.unwrap() == generate_in_memory(&ruleset, options.depths).unwrap(), "{preset}");
    }
}
