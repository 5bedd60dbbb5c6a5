//! Filters of `bouton export`, decided from the exported rows alone.

use std::fmt;

use super::sheet::Sheet;
use crate::positions::Dice;

/// What a number is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Any number.
    Any,
    /// This one.
    Is(u32),
    /// At least so much.
    From(u32),
    /// At most so much.
    To(u32),
    /// From one to another, both included.
    Within(u32, u32),
}

impl Pattern {
    /// Whether a number satisfies it.
    pub fn holds(self, number: u32) -> bool {
        match self {
            Self::Any => true,
            Self::Is(wanted) => number == wanted,
            Self::From(least) => number >= least,
            Self::To(most) => number <= most,
            Self::Within(least, most) => (least..=most).contains(&number),
        }
    }

    /// A pattern that holds for this number.
    pub fn about(number: u32, dice: &mut Dice) -> Self {
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

/// What a field is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Its numbers: one, or those of a tuple.
    Numbers(Vec<Pattern>),
    /// This word.
    Word(&'static str),
}

/// `FIELD=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The field.
    pub field: &'static str,
    /// Its value.
    pub wanted: Wanted,
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wanted {
            Wanted::Word(word) => write!(f, "{}={word}", self.field),
            Wanted::Numbers(patterns) => {
                let patterns: Vec<String> = patterns.iter().map(ToString::to_string).collect();
                write!(f, "{}={}", self.field, patterns.join(","))
            }
        }
    }
}

/// Fields that are words, not numbers.
pub const WORDS: [&str; 2] = ["imposed", "outcome"];

/// The fields of a sheet's family that a filter can name, as far as the table has them.
#[must_use]
pub fn fields(sheet: &Sheet) -> Vec<&'static str> {
    let of_family: &[&str] = if sheet.has("stones") {
        &["stones", "currentmax", "turn", "resets", "imposed"]
    } else {
        &["heaps", "nonempty", "total"]
    };
    let of_some = ["passes", "depth"].into_iter().filter(|field| sheet.has(field));
    of_family.iter().copied().chain(of_some).chain(["outcome", "winning"]).collect()
}

/// The word of a field in a row.
///
/// # Panics
/// If the field is not one of words.
#[must_use]
pub fn word(sheet: &Sheet, row: &[String], field: &str) -> &'static str {
    match sheet.cell(row, field) {
        "0" if field == "imposed" => "-",
        "1" if field == "imposed" => "r",
        "win" if field == "outcome" => "win",
        "loss" if field == "outcome" => "loss",
        other => panic!("{field} is {other}"),
    }
}

/// The numbers of a field in a row.
#[must_use]
pub fn numbers(sheet: &Sheet, row: &[String], field: &str) -> Vec<u32> {
    let heaps = || sheet.heaps(row);
    match field {
        "heaps" => heaps(),
        "nonempty" => vec![heaps().iter().map(|&heap| u32::from(heap > 0)).sum()],
        "total" => vec![heaps().iter().sum()],
        "resets" => ["resets1", "resets2"].map(|column| sheet.number(row, column)).to_vec(),
        _ => vec![sheet.number(row, field)],
    }
}

/// Whether each number can be given a pattern of its own that holds for it: a matching, by augmenting paths.
fn assigned(numbers: &[u32], patterns: &[Pattern]) -> bool {
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
    /// Whether a row satisfies it.
    ///
    /// # Panics
    /// If the rows have no such field.
    #[must_use]
    pub fn holds(&self, sheet: &Sheet, row: &[String]) -> bool {
        match &self.wanted {
            Wanted::Word(wanted) => word(sheet, row, self.field) == *wanted,
            Wanted::Numbers(patterns) => {
                let numbers = numbers(sheet, row, self.field);
                assert_eq!(numbers.len(), patterns.len(), "{self}");
                match self.field {
                    "heaps" => assigned(&numbers, patterns),
                    _ => numbers.iter().zip(patterns).all(|(&number, pattern)| pattern.holds(number)),
                }
            }
        }
    }

    /// A condition on a field that a row satisfies.
    pub fn about(sheet: &Sheet, row: &[String], field: &'static str, dice: &mut Dice) -> Self {
        let wanted = if WORDS.contains(&field) {
            Wanted::Word(word(sheet, row, field))
        } else {
            let numbers = numbers(sheet, row, field);
            Wanted::Numbers(numbers.into_iter().map(|number| Pattern::about(number, dice)).collect())
        };
        Self { field, wanted }
    }
}

/// Conditions, as behind `--where`.
#[must_use]
pub fn text(conditions: &[Condition]) -> String {
    conditions.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
