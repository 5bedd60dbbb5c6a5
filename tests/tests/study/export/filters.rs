//! A filter selects exactly the rows of the full export that satisfy it. The oracle evaluates the conditions on the
//! rows of the full export.

use std::collections::BTreeSet;
use std::path::Path;

use bouton_tables::{Ruleset, Table};
use bouton_tests::exported::cases::{CASES, Case};
use bouton_tests::exported::csv::ExportedCsv;
use bouton_tests::exported::filter::{Condition, Pattern, RequiredValue, WORDS, fields, numbers, text};
use bouton_tests::positions::Dice;
use bouton_tests::programs::bouton;
use tempfile::TempDir;

use super::{export, folder};

/// A table with its full export.
struct FullExport {
    /// The folder of the table `t.bouton`.
    here: TempDir,
    /// The full export as CSV.
    csv: ExportedCsv,
    /// The full export as JSON lines.
    lines: Vec<String>,
    /// The columns whose cells are the same in all starts, with these cells: resets or passes, for example.
    fixed_at_starts: Vec<(&'static str, String)>,
}

impl FullExport {
    /// Makes a table, and exports it in both formats.
    fn of(case: Case, depths: bool) -> Self {
        let here = folder();
        case.make(here.path(), "t.bouton", depths);
        let [csv, jsonl] =
            ["csv", "jsonl"].map(|format| export(here.path(), &["t.bouton", "--format", format]));
        let table = Table::map(&here.path().join("t.bouton")).expect("it opens");
        let fixed_at_starts = match &table.header().ruleset {
            Ruleset::Expanding(rules) => {
                let [first, second] = rules.resets().map(|resets| resets.to_string());
                let fixed = [("currentmax", "0"), ("turn", "1"), ("imposed", "0")];
                let fixed = fixed.map(|(column, cell)| (column, cell.to_owned()));
                fixed.into_iter().chain([("resets1", first), ("resets2", second)]).collect()
            }
            Ruleset::Heaps(rules) if rules.passes() == 0 => Vec::new(),
            Ruleset::Heaps(rules) => vec![("passes", rules.passes().to_string())],
        };
        let lines = jsonl.lines().map(str::to_owned).collect();
        Self { here, csv: ExportedCsv::read(&csv), lines, fixed_at_starts }
    }

    /// Returns a sample of tables of both game families, with and without depths.
    fn all() -> Vec<Self> {
        let chosen = [
            (0, true),
            (3, false),
            (9, true),
            (12, true),
            (17, false),
            (18, true),
            (20, true),
            (22, false),
            (25, true),
        ];
        chosen.iter().map(|&(case, depths)| Self::of(CASES[case], depths)).collect()
    }

    /// Returns the folder of the table.
    fn path(&self) -> &Path {
        self.here.path()
    }

    /// Returns whether a row is a start.
    fn is_a_start(&self, row: &[String]) -> bool {
        let stones = !self.csv.has("stones") || self.csv.number(row, "stones") > 0;
        stones && self.fixed_at_starts.iter().all(|(column, cell)| self.csv.cell(row, column) == cell)
    }

    /// Compares the program's selection with the rows that satisfy the filter. Returns the number of selected rows.
    fn check(&self, conditions: &[Condition], outcome: Option<&str>, starts: bool) -> usize {
        let filter = text(conditions);
        let mut args = vec!["t.bouton"];
        if !conditions.is_empty() {
            args.extend(["--where", &filter]);
        }
        args.extend(outcome.iter().flat_map(|&outcome| ["--outcome", outcome]));
        args.extend(starts.then_some("--starts"));
        let wanted = |row: &[String]| {
            conditions.iter().all(|condition| condition.holds(&self.csv, row))
                && outcome.is_none_or(|outcome| self.csv.cell(row, "outcome") == outcome)
                && (!starts || self.is_a_start(row))
        };
        let lines = self.lines.iter().zip(&self.csv.rows).filter(|(_, row)| wanted(row));
        let jsonl: String = lines.map(|(line, _)| format!("{line}\n")).collect();
        for (format, expected) in [("csv", &self.csv.select(wanted)), ("jsonl", &jsonl)] {
            let args = [&["export"], &args[..], &["--format", format]].concat();
            let ran = bouton(self.path(), &args);
            assert_eq!(ran.status, Some(0), "{args:?}: {}", ran.stderr);
            assert!(
                ran.stdout == *expected,
                "{args:?} selects\n{}\nand not\n{expected}",
                ran.stdout.lines().take(5).collect::<Vec<_>>().join("\n")
            );
            // The program reports an empty selection, and nothing otherwise.
            assert_eq!(ran.stderr.is_empty(), !jsonl.is_empty(), "{args:?}: {}", ran.stderr);
        }
        jsonl.lines().count()
    }
}

/// Returns conditions on one field, in every form of value.
fn conditions_of_every_form(csv: &ExportedCsv, field: &'static str) -> Vec<Condition> {
    let with = |wanted| Condition { field, wanted };
    match field {
        "imposed" => return ["-", "r"].map(|word| with(RequiredValue::Word(word))).to_vec(),
        "outcome" => return ["win", "loss"].map(|word| with(RequiredValue::Word(word))).to_vec(),
        _ => {}
    }
    let values: Vec<Vec<u32>> = csv.rows.iter().map(|row| numbers(csv, row, field)).collect();
    let arity = values[0].len();
    let mut all = Vec::new();
    for place in 0..arity {
        let max = values.iter().map(|numbers| numbers[place]).max().expect("rows");
        let (low, middle) = (max / 3, max / 2 + 1);
        for pattern in [
            Pattern::Any,
            Pattern::Is(0),
            Pattern::Is(low),
            Pattern::Is(max),
            Pattern::Is(max + 1),
            Pattern::From(0),
            Pattern::From(middle),
            Pattern::From(max),
            Pattern::From(max + 1),
            Pattern::To(0),
            Pattern::To(low),
            Pattern::To(max + 7),
            Pattern::Within(low, middle),
            Pattern::Within(low, low),
            Pattern::Within(max, u32::MAX),
        ] {
            // A filter that selects neither player is refused.
            if field == "turn" && !(pattern.holds(1) || pattern.holds(2)) {
                continue;
            }
            let mut patterns = vec![Pattern::Any; arity];
            patterns[place] = pattern;
            all.push(with(RequiredValue::Numbers(patterns)));
        }
    }
    all
}

#[test]
fn each_field_selects_by_numbers_ranges_tuples_and_words() {
    for full in FullExport::all() {
        for field in fields(&full.csv) {
            let all = conditions_of_every_form(&full.csv, field);
            // For a field of sixteen heaps a sample of the forms is enough.
            let step = all.len().div_ceil(40);
            let selected = all
                .iter()
                .step_by(step)
                .map(|condition| full.check(std::slice::from_ref(condition), None, false));
            assert!(selected.max() > Some(0), "{field} selects something");
        }
    }
}

#[test]
fn outcome_and_starts_select_separately_and_together() {
    for full in FullExport::all() {
        let all = full.csv.rows.len();
        let [won, lost] = ["win", "loss"].map(|outcome| full.check(&[], Some(outcome), false));
        assert_eq!((won + lost, full.check(&[], None, false)), (all, all));
        let starts = full.check(&[], None, true);
        let of_outcome = ["win", "loss"].map(|outcome| full.check(&[], Some(outcome), true));
        assert!(starts > 0 && of_outcome.iter().sum::<usize>() == starts);
    }
}

#[test]
fn several_conditions_select_the_rows_that_satisfy_all() {
    let mut dice = Dice::new(20);
    for full in FullExport::all() {
        let (csv, mut selected) = (&full.csv, 0);
        for _ in 0..60 {
            let mut unused = fields(csv);
            let row = &csv.rows[dice.up_to(csv.rows.len() as u32 - 1) as usize];
            let mut conditions = Vec::new();
            for _ in 0..=dice.up_to(3) {
                let field = unused.swap_remove(dice.up_to(unused.len() as u32 - 1) as usize);
                conditions.push(Condition::matching(csv, row, field, &mut dice));
            }
            let outcome = [None, None, Some("win"), Some("loss")][dice.up_to(3) as usize];
            selected += usize::from(full.check(&conditions, outcome, dice.up_to(3) == 0) > 0);
        }
        assert!(selected > 10, "they select something: {selected}");
    }
}

#[test]
fn conditions_on_all_fields_select_a_single_row() {
    let mut dice = Dice::new(21);
    for full in FullExport::all() {
        let csv = &full.csv;
        for _ in 0..5 {
            let row = &csv.rows[dice.up_to(csv.rows.len() as u32 - 1) as usize];
            let exactly = |field| {
                if WORDS.contains(&field) {
                    return Condition::matching(csv, row, field, &mut Dice::new(1));
                }
                let numbers = numbers(csv, row, field);
                Condition {
                    field,
                    wanted: RequiredValue::Numbers(numbers.into_iter().map(Pattern::Is).collect()),
                }
            };
            let conditions: Vec<Condition> = fields(csv).into_iter().map(exactly).collect();
            assert_eq!(full.check(&conditions, None, false), 1, "{}", text(&conditions));
        }
    }
}

#[test]
fn the_filters_in_the_documentation_select_what_it_says() {
    let here = folder();
    let rows = |args: &[&str]| {
        let args = [args, &["--format", "csv"]].concat();
        export(here.path(), &args).lines().skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    // One heap of 5 stones, one of 0 to 3, and another one of any size.
    let of_heaps = rows(&["sticks", "--where", "heaps=0..3,5,*"]);
    let heaps = |row: &String| row.split(',').take(3).map(|cell| cell.parse().unwrap()).collect::<Vec<u32>>();
    let wanted = (0..=3).flat_map(|first| (0..=7).map(move |third| [first, 5, third])).map(|mut heaps| {
        heaps.sort_unstable();
        heaps
    });
    // Restricted to the bounds 3, 5 and 7.
    let wanted = wanted.filter(|heaps| heaps[0] <= 3 && heaps[1] <= 5);
    let wanted: BTreeSet<Vec<u32>> = wanted.map(|heaps| heaps.to_vec()).collect();
    assert_eq!(of_heaps.iter().map(heaps).collect::<BTreeSet<_>>(), wanted);
    assert_eq!(of_heaps.len(), wanted.len());
    for order in ["heaps=5,*,0..3", "heaps=*,0..3,5", "heaps=5,0..3,*"] {
        assert_eq!(rows(&["sticks", "--where", order]), of_heaps, "{order}");
    }
    let of_stones = rows(&["expanding", "--set", "stones=210", "--where", "stones=1..200", "--starts"]);
    assert_eq!(of_stones.len(), 200);
}
