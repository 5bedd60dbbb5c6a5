//! Studies of whole tables report their progress, and can be stopped.

use std::collections::HashSet;
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_draw::{Measure, PlaneOptions, diff as diff_map, diff_fits, heatmap, heatmap_fits};
use bouton_generator::generate_in_memory;
use bouton_study::analyze::{Scope, analyze};
use bouton_study::check::{self, Claim, check};
use bouton_study::diff::{self, DiffOptions, DifferenceKind, starts};
use bouton_study::export::{self, Format, RowLayout, write};
use bouton_study::filter::Filter;
use bouton_study::{Progress, Stopped, StudyError};
use bouton_tables::Table;
use bouton_tables::rulesets::find;

/// The result of a study: the announced number of steps, and whether it was stopped.
struct StudyRun {
    steps: u64,
    is_stopped: bool,
}

/// A study with its name. The function runs it with a progress callback.
type Study<'a> = (String, Box<dyn Fn(&Progress) -> StudyRun + 'a>);

/// Returns whether a study was stopped, from its result. Panics if it failed for another reason.
fn is_stopped<T, E: Debug>(result: Result<T, E>, is_stop: impl Fn(&E) -> bool) -> bool {
    match result {
        Ok(_) => false,
        Err(error) if is_stop(&error) => true,
        Err(error) => panic!("{error:?}"),
    }
}

/// Exports the positions that a filter selects.
fn run_export(table: &Table, layout: RowLayout, filter: &str, progress: &Progress) -> StudyRun {
    let ruleset = &table.header().ruleset;
    let filter = Filter::of(ruleset, true, filter, false).unwrap();
    let (_, steps) = export::positions_and_steps(ruleset, &filter, layout).unwrap();
    let written = write(table, &filter, layout, &mut std::io::sink(), progress);
    StudyRun { steps, is_stopped: is_stopped(written, |error| matches!(error, StudyError::Stopped(_))) }
}

/// Checks a claim about the positions that a filter selects.
fn run_check(table: &Table, claim: &str, filter: &str, progress: &Progress) -> StudyRun {
    let ruleset = &table.header().ruleset;
    let claim = Claim::parse(ruleset, true, claim).unwrap();
    let filter = Filter::of(ruleset, true, filter, false).unwrap();
    let found = check(table, &claim, &filter, progress);
    let steps = check::steps(ruleset, &claim, &filter).unwrap();
    StudyRun { steps, is_stopped: is_stopped(found, |error| matches!(error, StudyError::Stopped(_))) }
}

/// Analyzes a table.
fn run_analyze(table: &Table, progress: &Progress) -> StudyRun {
    let scope = Scope::of(&table.header().ruleset, None).unwrap();
    let found = analyze(table, &scope, progress);
    StudyRun {
        steps: scope.steps,
        is_stopped: is_stopped(found, |error| matches!(error, StudyError::Stopped(_))),
    }
}

/// Draws a heat map.
fn run_heatmap(table: &Table, measure: Measure, progress: &Progress) -> StudyRun {
    let steps = heatmap_fits(&table.header().ruleset, measure, "").unwrap();
    let scene = heatmap(table, measure, PlaneOptions { filter: "", aspect: None, progress });
    StudyRun { steps, is_stopped: is_stopped(scene, |error| matches!(error, StudyError::Stopped(_))) }
}

/// Draws the map of the differences between two tables.
fn run_diff_map(a: &Table, b: &Table, progress: &Progress) -> StudyRun {
    let steps = diff_fits(&a.header().ruleset, &b.header().ruleset, "").unwrap();
    let scene = diff_map(a, b, PlaneOptions { filter: "", aspect: None, progress });
    StudyRun { steps, is_stopped: is_stopped(scene, |error| matches!(error, StudyError::Stopped(_))) }
}

/// Returns names for two tables.
fn names() -> [String; 2] {
    ["A".to_owned(), "B".to_owned()]
}

/// Compares two tables.
fn run_diff(a: &Table, b: &Table, progress: &Progress) -> StudyRun {
    let options = DiffOptions { names: names(), limit: 10, only: DifferenceKind::Any, witness: true };
    let found = diff::diff(a, b, &options, progress);
    let steps = diff::steps(&a.header().ruleset, &b.header().ruleset).unwrap();
    StudyRun { steps, is_stopped: is_stopped(found, |error| matches!(error, StudyError::Stopped(_))) }
}

/// Returns studies of a table, and comparisons with itself and with another one.
fn studies<'a>(a: &'a Table, b: &'a Table) -> Vec<Study<'a>> {
    let mut studies: Vec<Study<'a>> = Vec::new();
    for filter in ["", "outcome=loss", "winning=1", "depth=..5 outcome=win"] {
        for (format, grundy) in [
            (Format::Csv, false),
            (Format::Npy, false),
            (Format::Npy, true),
            (Format::Jsonl, true),
            (Format::CgSuite, false),
        ] {
            let layout = RowLayout { format, grundy };
            let name = format!("{layout:?} of '{filter}'");
            studies.push((name, Box::new(move |progress| run_export(a, layout, filter, progress))));
        }
        for claim in ["lost or won", "lost == (grundy == 0)", "won == (winning > 0)", "depth >= 0"] {
            let name = format!("{claim} of '{filter}'");
            studies.push((name, Box::new(move |progress| run_check(a, claim, filter, progress))));
        }
    }
    studies.push(("analyze".to_owned(), Box::new(|progress| run_analyze(a, progress))));
    for measure in [Measure::Outcome, Measure::Depth, Measure::Winning, Measure::Grundy] {
        studies.push((format!("{measure:?}"), Box::new(move |progress| run_heatmap(a, measure, progress))));
    }
    for (name_of_other, other) in [("itself", a), ("another", b)] {
        studies.push((
            format!("diff with {name_of_other}"),
            Box::new(move |progress| run_diff(a, other, progress)),
        ));
        let in_colours = move |progress: &Progress| run_diff_map(a, other, progress);
        studies.push((format!("map of differences from {name_of_other}"), Box::new(in_colours)));
    }
    studies
}

/// Makes the table of a preset with changed settings.
fn solved(preset: &str, settings: &[&str]) -> Table {
    let settings: Vec<String> = settings.iter().map(ToString::to_string).collect();
    let ruleset = find(preset, &settings).unwrap().ruleset;
    Table::open(generate_in_memory(&ruleset, true).unwrap()).unwrap()
}

#[test]
fn studies_of_whole_tables_report_all_steps_and_can_be_stopped() {
    for (preset, settings, others) in [
        ("wythoff", &["size=130"][..], &["size=140", "take=3"][..]),
        ("nim", &["heaps=2", "size=100"], &["heaps=2", "size=90", "play=misere"]),
        ("expanding", &["stones=40"], &["stones=45", "resets=2,1"]),
    ] {
        let (a, b) = (solved(preset, settings), solved(preset, others));
        for (name, run) in studies(&a, &b) {
            let name = format!("{name}, {preset}");
            let (reported, calls) = (AtomicU64::new(0), AtomicU64::new(0));
            let finished = run(&|steps| {
                reported.fetch_add(steps, Relaxed);
                calls.fetch_add(1, Relaxed);
                Ok(())
            });
            assert_eq!((reported.into_inner(), finished.is_stopped), (finished.steps, false), "{name}");
            let total = calls.into_inner();
            // Stops at each of the first three calls, at some later ones, and at the last.
            for allowed in
                (0..total.min(3)).chain((3..total).step_by((total as usize / 3).max(1))).chain([total - 1])
            {
                let calls = AtomicU64::new(0);
                let stop = |_| if calls.fetch_add(1, Relaxed) < allowed { Ok(()) } else { Err(Stopped) };
                assert!(run(&stop).is_stopped, "{name}, after {allowed} of {total}");
                // Each thread may finish its current step, and begin one more.
                let more_calls = calls.into_inner() - allowed;
                assert!(
                    more_calls <= 2 * rayon::current_num_threads() as u64,
                    "{name}: {more_calls} after {allowed}"
                );
            }
        }
    }
}

/// Returns the rows of JSON, with Grundy values, that a filter selects.
fn rows(table: &Table, filter: &str) -> Vec<String> {
    let filter = Filter::of(&table.header().ruleset, true, filter, false).unwrap();
    let (layout, mut rows) = (RowLayout { format: Format::Jsonl, grundy: true }, Vec::new());
    write(table, &filter, layout, &mut rows, &|_| Ok(())).unwrap();
    String::from_utf8(rows).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn grundy_values_are_computed_only_up_to_the_last_selected_position() {
    for (preset, settings, filters) in [
        (
            "wythoff",
            &["size=30"][..],
            &["heaps=..7,*", "heaps=9,..9", "total=..9 outcome=loss", "heaps=99,*"][..],
        ),
        ("nim-pass", &["size=6"], &["passes=0 heaps=3,*,*", "passes=1 total=4", "heaps=0,0,0"]),
        ("sticks", &["play=normal", "take=2"], &["heaps=0..1,*,*", "total=3"]),
        (
            "expanding",
            &["stones=15"],
            &["stones=..5 turn=2", "stones=3 imposed=r", "currentmax=..2 resets=0,0"],
        ),
    ] {
        let table = solved(preset, settings);
        let all_rows: HashSet<String> = rows(&table, "").into_iter().collect();
        for filter in filters {
            let selected = rows(&table, filter);
            assert!(selected.iter().all(|row| all_rows.contains(row)), "{preset}, {filter}");
            assert_eq!(selected.is_empty(), *filter == "heaps=99,*", "{preset}, {filter}");
        }
    }
    let wythoff = solved("wythoff", &["size=130"]);
    // From 0,0 to 9,9 there are 55 positions.
    let layout = RowLayout { format: Format::Csv, grundy: true };
    assert_eq!(run_export(&wythoff, layout, "heaps=..9,..9", &|_| Ok(())).steps, 55 + 55);
    let claim = "lost == (grundy == 0)";
    assert_eq!(run_check(&wythoff, claim, "heaps=9,9", &|_| Ok(())).steps, 1 + 55);
}

#[test]
fn a_comparison_of_starts_is_stopped_too() {
    let table = solved("expanding", &["stones=60"]);
    let found = starts(&table, &table, &names(), &|_| Err(Stopped));
    assert!(matches!(found, Err(StudyError::Stopped(Stopped))));
}
