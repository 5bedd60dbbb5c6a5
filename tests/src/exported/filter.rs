//! The filters of `bouton export`, evaluated on the exported rows alone.

use std::fmt;

use super::csv::ExportedCsv;
use crate::positions::Dice;

/// A pattern for a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Any number.
    Any,
    /// This number.
    Is(u32),
    /// This number or a greater one.
    From(u32),
    /// This number or a lesser one.
    To(u32),
    /// A range, both ends included.
    Within(u32, u32),
}

impl Pattern {
    /// Returns whether a number matches.
    pub fn holds(self, number: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => number == wanted,
            Self::From(least) => number >= least,
            Self::To(most) => number <= most,
            Self::Within(least, most) => (least..=most).contains(&number),
        }
    }

    /// Returns a random pattern that matches this number.
    pub fn matching(number: u32, dice: &mut Dice) -> Self {
        let (less, more) = (number.saturating_sub(dice.up_to(3)), number + dice.up_to(3));
        match dice.up_to(4) {
            0 => Self::Any,
            1 => Self::Is(number),
            2 => Self::From(less),
            3 => Self::To(more),
            _ => Self::Within(less, more),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => write!(f, "*"),
            Self::Is(number) => write!(f, "{number}"),
            Self::From(least) => write!(f, "{least}.."),
            Self::To(most) => write!(f, "..{most}"),
            Self::Within(least, most) => write!(f, "{least}..{most}"),
        }
    }
}

/// The value that a filter requires of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequiredValue {
    /// Patterns for the field's number, or for each number of a tuple.
    Numbers(Vec<Pattern>),
    /// A word.
    Word(&'static str),
}

/// A condition, `FIELD=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The field.
    pub field: &'static str,
    /// The required value.
    pub wanted: RequiredValue,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            RequiredValue::Word(word) => write!(f, "{}={word}", self.field),
            RequiredValue::Numbers(patterns) => {
                let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
                write!(f, "{}={}", self.field, patterns.join(","))
            }
        }
    }
}

/// The fields whose values are words.
pub const WORDS: [&str; 2] = ["imposed", "outcome"];

/// Returns the fields that a filter can name for these columns.
#[must_use]
pub fn fields(csv: &ExportedCsv) -> Vec<&'static str> {
    let of_family: &[&str] = if csv.has("stones") {
        &["stones", "currentmax", "turn", "resets", "imposed"]
    } else {
        &["heaps", "nonempty", "total"]
    };
    let optional = ["passes", "depth"].into_iter().filter(|field| csv.has(field));
    of_family.iter().copied().chain(optional).chain(["outcome", "winning"]).collect()
}

/// Returns the word in a field of a row.
///
/// # Panics
/// If the field does not hold words.
#[must_use]
pub fn word(csv: &ExportedCsv, row: &[String], field: &str) -> &'static str {
    match csv.cell(row, field) {
        "0" if field == "imposed" => "-",
        "1" if field == "imposed" => "r",
        "win" if field == "outcome" => "win",
        "loss" if field == "outcome" => "loss",
        other => panic!("{field} is {other}"),
    }
}

/// Returns the numbers in a field of a row.
#[must_use]
pub fn numbers(csv: &ExportedCsv, row: &[String], field: &str) -> Vec<u32> {
    let heaps = || csv.heaps(row);
    match field {
        "heaps" => heaps(),
        "nonempty" => vec![heaps().iter().map(|&heap| u32::from(heap > 0)).sum()],
        "total" => vec![heaps().iter().sum()],
        "resets" => ["resets1", "resets2"].map(|column| csv.number(row, column)).to_vec(),
        _ => vec![csv.number(row, field)],
    }
}

/// Returns whether the numbers can be matched one to one with patterns that hold for them. Searches for a bipartite
/// matching by augmenting paths.
fn can_be_assigned(numbers: &[u32], patterns: &[Pattern]) -> bool {
    fn assign(
        number: usize,
        numbers: &[u32],
        patterns: &[Pattern],
        owners: &mut [Option<usize>],
        tried: &mut [bool],
    ) -> bool {
        (0..patterns.len()).any(|place| {
            if tried[place] || !patterns[place].holds(numbers[number]) {
                return false;
            }
            tried[place] = true;
            let free = owners[place].is_none_or(|owner| assign(owner, numbers, patterns, owners, tried));
            if free {
                owners[place] = Some(number);
            }
            free
        })
    }
    let mut owners = vec![None; patterns.len()];
    (0..numbers.len())
        .all(|number| assign(number, numbers, patterns, &mut owners, &mut vec![false; patterns.len()]))
}

impl Condition {
    /// Returns whether a row satisfies the condition.
    ///
    /// # Panics
    /// If the rows do not have the field.
    #[must_use]
    pub fn holds(&self, csv: &ExportedCsv, row: &[String]) -> bool {
        match &self.wanted {
            RequiredValue::Word(wanted) => word(csv, row, self.field) == *wanted,
            RequiredValue::Numbers(patterns) => {
                let numbers = numbers(csv, row, self.field);
                assert_eq!(numbers.len(), patterns.len(), "{self}");
                match self.field {
                    "heaps" => can_be_assigned(&numbers, patterns),
                    _ => numbers.iter().zip(patterns).all(|(&number, pattern)| pattern.holds(number)),
                }
            }
        }
    }

    /// Returns a random condition on a field, which the row satisfies.
    pub fn matching(csv: &ExportedCsv, row: &[String], field: &'static str, dice: &mut Dice) -> Self {
        let wanted = if WORDS.contains(&field) {
            RequiredValue::Word(word(csv, row, field))
        } else {
            let numbers = numbers(csv, row, field);
            RequiredValue::Numbers(
                numbers.into_iter().map(|number| Pattern::matching(number, dice)).collect(),
            )
        };
        Self { field, wanted }
    }
}

/// Formats conditions as the value of `--where`.
#[must_use]
pub fn text(conditions: &[Condition]) -> String {
    conditions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
