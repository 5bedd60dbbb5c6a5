//! Compares two tables of a family position by position, to show the effect of a change of the rules.
//!
//! `overlap` has the positions and moves that two rulesets share, `scan` visits these positions in parallel, `tally` counts
//! differences, and `witness` finds a shortest line of play to a changed outcome. `docs/outputs.md` defines each number.

mod overlap;
mod scan;
mod tally;
mod witness;

use std::collections::BTreeMap;

use bouton_tables::{
    AnswerText, KeyValue, Region, Ruleset, RulesetKeys, Solved, Table, hex, with_rules, with_table,
};
use serde::Serialize;
use serde::ser::SerializeMap;

pub use self::overlap::Bin;
pub(crate) use self::overlap::{Comparable, Overlap, OverlapAxis};
use self::scan::{ScanResult, TablePair};
pub use self::tally::{Changes, DifferenceKind, Starts};
pub use self::witness::{Witness, WitnessSearch};
use crate::error::{Result, StudyError, check_count};
use crate::{MAX_POSITIONS, Progress};

/// Checks that two rulesets belong to one family. The error message calls the rulesets by `names`.
///
/// # Errors
/// If the families differ.
pub fn same_family(names: [&str; 2], a: &Ruleset, b: &Ruleset) -> Result<(), String> {
    let ([name_a, name_b], [a, b]) = (names, [a.family(), b.family()]);
    if a == b {
        return Ok(());
    }
    Err(format!("{name_a} is of game \"{a}\" and {name_b} of game \"{b}\"; compare two tables of one family"))
}

/// One of two compared tables.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Subject {
    /// The name that the user gave.
    pub name: String,
    /// The keys of the ruleset.
    pub rules: RulesetKeys,
    /// Whether the table has depths.
    pub depths: bool,
    /// Number of positions.
    pub positions: u64,
    /// The digest of the file.
    pub digest: String,
}

/// A value for each table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Both<T> {
    /// The value for the first table.
    pub a: T,
    /// The value for the second table.
    pub b: T,
}

/// The two compared tables. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiffHeading {
    /// The family.
    pub game: &'static str,
    /// The two tables.
    #[serde(flatten)]
    pub subjects: Both<Subject>,
    /// The keys that differ.
    pub rules: BTreeMap<&'static str, Both<KeyValue>>,
}

impl DiffHeading {
    fn of([name_a, name_b]: &[String; 2], a: &Table, b: &Table) -> Self {
        let subjects = Both { a: subject(name_a, a), b: subject(name_b, b) };
        let pairs = subjects.a.rules.iter().zip(subjects.b.rules.iter());
        let pairs = pairs.filter(|((_, a), (_, b))| a != b);
        let rules = pairs.map(|((key, a), (_, b))| (key, Both { a: a.clone(), b: b.clone() })).collect();
        Self { game: a.header().ruleset.family(), subjects, rules }
    }
}

/// The differences in the positions of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct BinChanges {
    /// The bin.
    #[serde(flatten)]
    pub bin: Bin,
    /// The differences.
    #[serde(flatten)]
    pub changes: Changes,
}

/// A position with different answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The position.
    pub position: String,
    /// The two answers.
    #[serde(flatten)]
    pub answers: Both<AnswerText>,
}

/// The comparison of two tables. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// The tables and their rules.
    #[serde(flatten)]
    pub heading: DiffHeading,
    /// The differences in all compared positions.
    #[serde(flatten)]
    pub changes: Changes,
    /// Number of positions that only the first table has.
    pub only_a: u64,
    /// Number of positions that only the second table has.
    pub only_b: u64,
    /// Expanding Nim: number of positions with player 2 to move whose answers differ; all other counts are of positions with player 1 to
    /// move. `None` if the former mirror the latter, because both players have equally many common resets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn_2: Option<u64>,
    /// The differences by axis, such as the number of stones.
    #[serde(serialize_with = "axes_as_map")]
    pub by: Vec<(&'static str, Vec<BinChanges>)>,
    /// The comparison of the starts.
    pub starts: Starts,
    /// The first different positions in natural order.
    pub first: Vec<Difference>,
    /// A shortest line of play to a position whose outcome differs.
    #[serde(flatten, serialize_with = "witness_fields")]
    pub witness: WitnessSearch,
}

fn axes_as_map<S: serde::Serializer>(
    by: &[(&'static str, Vec<BinChanges>)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(by.iter().map(|(axis, bins)| (axis, bins)))
}

fn witness_fields<S: serde::Serializer>(search: &WitnessSearch, serializer: S) -> Result<S::Ok, S::Error> {
    let (witness, outcome) = match search {
        WitnessSearch::Needless => (None, "needless"),
        WitnessSearch::Found(witness) => (Some(&**witness), "found"),
        WitnessSearch::Unreachable => (None, "unreachable"),
        WitnessSearch::GivenUp(_) => (None, "given up"),
    };
    let mut map = serializer.serialize_map(Some(2))?;
    map.serialize_entry("witness", &witness)?;
    map.serialize_entry("witness_search", outcome)?;
    map.end()
}

impl Diff {
    /// Returns whether no position differs, and neither table has a position that the other lacks.
    pub fn is_same(&self) -> bool {
        self.changes.different == 0 && self.only_a == 0 && self.only_b == 0 && self.turn_2.unwrap_or(0) == 0
    }
}

/// Options of a comparison.
#[derive(Clone, Debug)]
pub struct DiffOptions {
    /// The names of the two tables.
    pub names: [String; 2],
    /// Maximum number of different positions to list.
    pub limit: usize,
    /// The part in which listed positions must differ.
    pub only: DifferenceKind,
    /// Whether to search for a witness, which can take longer than the rest.
    pub witness: bool,
}

/// Checks that two tables can be compared in the part `only`. Each is given by its ruleset and whether it has depths.
///
/// # Errors
/// If the tables are of two families, or do not both have this part.
pub fn comparable(a: (&Ruleset, bool), b: (&Ruleset, bool), only: DifferenceKind) -> Result<()> {
    let ((rules_a, depths_a), (rules_b, depths_b)) = (a, b);
    same_family(["A", "B"], rules_a, rules_b).map_err(StudyError::Invalid)?;
    let what = match only {
        DifferenceKind::Depth if !(depths_a && depths_b) => "depths",
        DifferenceKind::Best if depths_a != depths_b => "best moves",
        _ => return Ok(()),
    };
    let holds = match (depths_a, depths_b) {
        (true, _) => "B has no depths",
        (_, true) => "A has no depths",
        _ => "neither table has depths",
    };
    Err(StudyError::Invalid(format!(
        "{what} are not compared, since {holds}; list something else, or compare tables that both have \
         depths (made without --no-depth)"
    )))
}

/// Number of steps of progress that [`diff`] reports: one for each compared position. 0 for rulesets of two families.
///
/// # Errors
/// If there are too many common positions.
pub fn steps(a: &Ruleset, b: &Ruleset) -> Result<u64> {
    with_rules!(a, b, |a, b| compared_positions(&Comparable::overlap(a, b)?), else Ok(0))
}

/// Returns the number of compared positions, after a check that they are not too many.
fn compared_positions<G: Comparable>(overlap: &Overlap<G>) -> Result<u64> {
    check_count(overlap.compared.count(), MAX_POSITIONS, |common, most| {
        format!(
            "A and B have {common} positions in common, and at most {most} are compared one by one; compare only their starts \
             (--starts), or smaller games (--set-a and --set-b)"
        )
    })
}

/// Number of steps of progress that [`starts`] reports: one for each pair of starts. 0 for rulesets of two families.
///
/// # Errors
/// If there are too many common positions.
pub fn steps_of_starts(a: &Ruleset, b: &Ruleset) -> Result<u64> {
    Ok(with_rules!(a, b, |a, b| Comparable::overlap(a, b)?.pairs_of_starts, else 0))
}

/// Compares two tables.
///
/// # Errors
/// If the tables are not [`comparable`] or have more than [`MAX_POSITIONS`] positions in common, one of them is damaged, or the
/// callback stops the work.
pub fn diff(a: &Table, b: &Table, options: &DiffOptions, progress: &Progress) -> Result<Diff> {
    let [header_a, header_b] = [a.header(), b.header()];
    comparable(
        (&header_a.ruleset, header_a.has_depths),
        (&header_b.ruleset, header_b.has_depths),
        options.only,
    )?;
    let heading = DiffHeading::of(&options.names, a, b);
    with_table!(
        a.family(),
        b.family(),
        |a, b| compare(a, b, heading, options, progress),
        else unreachable!("the families are equal")
    )
}

/// The comparison of the starts of two tables. JSON keeps the order of the fields, which are those of [`Diff`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StartsDiff {
    /// The tables and their rules.
    #[serde(flatten)]
    pub heading: DiffHeading,
    /// The comparison of the starts.
    pub starts: Starts,
}

/// Compares the starts of two tables of one family.
///
/// # Errors
/// If the families differ, one of the tables is damaged, or the callback stops the work.
pub fn starts(a: &Table, b: &Table, names: &[String; 2], progress: &Progress) -> Result<StartsDiff> {
    same_family(["A", "B"], &a.header().ruleset, &b.header().ruleset).map_err(StudyError::Invalid)?;
    let heading = DiffHeading::of(names, a, b);
    with_table!(
        a.family(),
        b.family(),
        |a, b| {
            let overlap = Comparable::overlap(a.game(), b.game())?;
            let starts = TablePair { overlap, a, b, progress }.starts(progress)?;
            Ok(StartsDiff { heading, starts })
        },
        else unreachable!("the families are equal")
    )
}

fn subject(name: &str, table: &Table) -> Subject {
    let header = table.header();
    Subject {
        name: name.to_owned(),
        rules: header.ruleset.keys(),
        depths: header.has_depths,
        // The number in the header may be wrong: only `verify` checks it.
        positions: header.ruleset.positions(),
        digest: hex(&table.digest()),
    }
}

fn compare<G: Comparable, S: Solved<Game = G>>(
    a: &S,
    b: &S,
    heading: DiffHeading,
    options: &DiffOptions,
    progress: &Progress,
) -> Result<Diff> {
    let pair = TablePair { overlap: G::overlap(a.game(), b.game())?, a, b, progress };
    compared_positions(&pair.overlap)?;
    let overlap = &pair.overlap;
    let ScanResult { changes, by_axis, listed, nearest } =
        pair.scan(&overlap.compared, options.limit, options.only, progress)?;
    // The rest of the work reports no steps: it calls the callback only to let it stop the work.
    let uncounted: &Progress = &|_| progress(0);
    let starts = pair.starts(uncounted)?;
    let scan_turn_2 = |region| pair.scan(region, 0, DifferenceKind::Any, uncounted);
    let turn_2 = overlap.turn_2.as_ref().map(scan_turn_2).transpose()?.map(|found| found.changes);
    let outcomes = changes.outcomes() + turn_2.map_or(0, |changes| changes.outcomes());
    let witness =
        if outcomes == 0 || !options.witness { WitnessSearch::Needless } else { pair.witness(nearest)? };
    let by = overlap.axes.iter().zip(&by_axis).map(|(OverlapAxis { name, bins, .. }, by_bin)| {
        let occurring = bins.iter().zip(by_bin).filter(|(_, changes)| changes.compared > 0);
        (*name, occurring.map(|(&bin, &changes)| BinChanges { bin, changes }).collect())
    });
    let difference = |&index: &u64| {
        let position = overlap.position(index);
        let [a, b] = pair.answers(&position)?;
        let answers = Both { a: AnswerText::from(&a), b: AnswerText::from(&b) };
        Ok(Difference { position: G::show(overlap.rules, &position), answers })
    };
    Ok(Diff {
        changes,
        only_a: count_not_common(heading.subjects.a.positions, changes.compared),
        only_b: count_not_common(heading.subjects.b.positions, changes.compared),
        turn_2: turn_2.map(|changes| changes.different),
        by: by.collect(),
        starts,
        first: listed.iter().map(difference).collect::<Result<_>>()?,
        witness,
        heading,
    })
}

/// Returns the number of positions that the other table does not have; `u64::MAX` if the number of all positions does not fit.
fn count_not_common(positions: u64, common: u64) -> u64 {
    if positions == u64::MAX { positions } else { positions - common }
}
