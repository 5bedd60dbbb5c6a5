//! Questions to whole tables tell how far they are, and can be stopped.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_draw::{DrawError, Measure, PlaneOptions, diff as diff_map, diff_fits, heatmap, heatmap_fits};
use bouton_generator::generate_in_memory;
use bouton_study::analyze::{AnalyzeError, Scope, analyze};
use bouton_study::check::{CheckError, Claim, check, steps};
use bouton_study::diff::{self, DiffError, Kind, Options, starts};
use bouton_study::export::{ExportError, Format, Layout, grundy_steps, positions, write};
use bouton_study::select::Filter;
use bouton_study::{Progress, Stopped};
use bouton_tables::Table;
use bouton_tables::grundy::GrundyError;
use bouton_tables::rulesets::find;

/// What became of a question: how many steps it said it would take, and whether it was stopped.
struct Asked {
    steps: u64,
    stopped: bool,
}

/// Turns the error of a question into whether it was stopped.
fn stopped<T, E: std::fmt::Debug>(result: Result<T, E>, is_stop: impl Fn(&E) -> bool) -> bool {
    match result {
        Ok(_) => false,
        Err(error) if is_stop(&error) => true,
        Err(error) => panic!("{error:?}"),
    }
}

fn export(table: &Table, layout: Layout, filter: &str, progress: &Progress) -> Asked {
    let ruleset = &table.header().ruleset;
    let filter = Filter::of(ruleset, true, filter, false).unwrap();
    let has_grundy = layout.grundy || layout.format.is_of_grundy_values();
    let grundy = if has_grundy { grundy_steps(ruleset).unwrap() } else { 0 };
    let steps = layout.format.rounds() * positions(ruleset, &filter).unwrap() + grundy;
    let written = write(table, &filter, layout, &mut std::io::sink(), progress);
    let is_stop = |error: &ExportError| {
        matches!(error, ExportError::Stopped(_) | ExportError::Grundy(GrundyError::Cancelled))
    };
    Asked { steps, stopped: stopped(written, is_stop) }
}

fn checked(table: &Table, claim: &str, progress: &Progress) -> Asked {
    let ruleset = &table.header().ruleset;
    let claim = Claim::parse(ruleset, true, claim).unwrap();
    let filter = Filter::of(ruleset, true, "", false).unwrap();
    let found = check(table, &claim, &filter, progress);
    let is_stop = |error: &CheckError| {
        matches!(error, CheckError::Stopped(_) | CheckError::Grundy(GrundyError::Cancelled))
    };
    Asked { steps: steps(ruleset, &claim, &filter).unwrap(), stopped: stopped(found, is_stop) }
}

fn drawn(table: &Table, measure: Measure, filter: &str, progress: &Progress) -> Asked {
    let steps = heatmap_fits(&table.header().ruleset, measure, filter).unwrap();
    let scene = heatmap(table, measure, PlaneOptions { filter, aspect: None, progress });
    Asked { steps, stopped: stopped(scene, |error| matches!(error, DrawError::Stopped(_))) }
}

/// A question to a table, asked with a progress that it tells of.
type Question<'a> = Box<dyn Fn(&Progress) -> Asked + 'a>;

/// Every question, of a game in which positions have Grundy values that are computed one by one.
fn questions(table: &Table) -> Vec<(&'static str, Question<'_>)> {
    let ruleset = &table.header().ruleset;
    let mut all: Vec<(&str, Question<'_>)> = Vec::new();
    for (name, format, grundy) in [
        ("csv", Format::Csv, false),
        ("npy", Format::Npy, false),
        ("npy with Grundy values", Format::Npy, true),
        ("cgsuite", Format::CgSuite, false),
    ] {
        all.push((name, Box::new(move |progress| export(table, Layout { format, grundy }, "", progress))));
    }
    all.push(("check", Box::new(|progress| checked(table, "lost or won", progress))));
    all.push((
        "check of Grundy values",
        Box::new(|progress| checked(table, "lost == (grundy == 0)", progress)),
    ));
    all.push(("check of moves", Box::new(|progress| checked(table, "won == (winning > 0)", progress))));
    all.push((
        "analyze",
        Box::new(|progress| {
            let scope = Scope::of(ruleset, None).unwrap();
            let found = analyze(table, &scope, progress);
            Asked {
                steps: scope.steps,
                stopped: stopped(found, |error| matches!(error, AnalyzeError::Stopped(_))),
            }
        }),
    ));
    for measure in [Measure::Outcome, Measure::Depth, Measure::Winning, Measure::Grundy] {
        all.push(("heat map", Box::new(move |progress| drawn(table, measure, "", progress))));
    }
    all.push((
        "map of differences",
        Box::new(|progress| {
            let scene = diff_map(table, table, PlaneOptions { filter: "", aspect: None, progress });
            let stopped = stopped(scene, |error| matches!(error, DrawError::Stopped(_)));
            Asked { steps: diff_fits(ruleset, ruleset, "").unwrap(), stopped }
        }),
    ));
    let names = || ["A".to_owned(), "B".to_owned()];
    let is_stop = |error: &DiffError| matches!(error, DiffError::Stopped(_));
    all.push((
        "diff",
        Box::new(move |progress| {
            let options = Options { names: names(), limit: 10, only: Kind::Any, witness: true };
            let found = diff::diff(table, table, &options, progress);
            Asked { steps: diff::steps(ruleset, ruleset).unwrap(), stopped: stopped(found, is_stop) }
        }),
    ));
    all
}

#[test]
fn questions_to_whole_tables_tell_all_their_steps_and_end_when_they_are_stopped() {
    for (preset, settings) in [("wythoff", "size=130"), ("expanding", "stones=60")] {
        let ruleset = find(preset, &[settings.to_owned()]).unwrap().ruleset;
        let table = Table::open(generate_in_memory(&ruleset, true).unwrap()).unwrap();
        for (name, ask) in questions(&table) {
            let name = format!("{name}, {preset}");
            let (told, calls) = (AtomicU64::new(0), AtomicU64::new(0));
            let asked = ask(&|steps| {
                told.fetch_add(steps, Relaxed);
                calls.fetch_add(1, Relaxed);
                Ok(())
            });
            assert_eq!((told.into_inner(), asked.stopped), (asked.steps, false), "{name}");
            for after in 0..calls.into_inner().min(20) {
                let calls = AtomicU64::new(0);
                let stop = |_| if calls.fetch_add(1, Relaxed) < after { Ok(()) } else { Err(Stopped) };
                assert!(ask(&stop).stopped, "{name}, after {after}");
            }
        }
    }
}

#[test]
fn a_comparison_of_starts_is_stopped_too() {
    let ruleset = find("expanding", &["stones=60".to_owned()]).unwrap().ruleset;
    let table = Table::open(generate_in_memory(&ruleset, false).unwrap()).unwrap();
    let found = starts(&table, &table, &["A".to_owned(), "B".to_owned()], &|_| Err(Stopped));
    assert!(matches!(found, Err(DiffError::Stopped(Stopped))));
}
