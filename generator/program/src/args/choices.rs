//! The words that options choose from.

use bouton_draw::{Measure, Paper};
use bouton_study::diff::DifferenceKind;
use bouton_study::export::{Format, Sequence};
use bouton_tables::Outcome;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Words, each with its value and a description.
type Choices<T> = [(&'static str, T, &'static str)];

/// Returns a parser for one of these words.
pub(super) fn one_of<T: Copy + Send + Sync>(
    choices: &'static Choices<T>,
) -> impl TypedValueParser<Value = T> {
    let words = choices.iter().map(|(word, _, meaning)| PossibleValue::new(word).help(meaning));
    PossibleValuesParser::new(words).map(|chosen| {
        let choice = choices.iter().find(|(word, ..)| *word == chosen);
        choice.expect("the parser takes no other word").1
    })
}

/// The differences that a position is listed for.
pub(super) const DIFFERENCES: &Choices<DifferenceKind> = &[
    ("any", DifferenceKind::Any, "Anything"),
    ("outcome", DifferenceKind::Outcome, "The outcome"),
    ("depth", DifferenceKind::Depth, "The depth"),
    ("winning", DifferenceKind::Winning, "The set of winning moves"),
    ("best", DifferenceKind::Best, "The best move"),
];

/// The rows of an export.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rows {
    /// Positions.
    Positions(Format),
    /// The terms of a sequence.
    Terms(Sequence),
}

pub(super) const FORMATS: &Choices<Rows> = &[
    ("csv", Rows::Positions(Format::Csv), "Comma-separated values"),
    ("jsonl", Rows::Positions(Format::Jsonl), "Lines of JSON, as `bouton-lookup --json` prints them"),
    ("npy", Rows::Positions(Format::Npy), "A structured array for NumPy"),
    (
        "cgsuite",
        Rows::Positions(Format::CgSuite),
        "A map of CGSuite from positions to their Grundy values (normal play)",
    ),
    ("bfile", Rows::Terms(Sequence::Losing), "A sequence in the format of the OEIS: n and a(n)"),
];

pub(super) const OUTCOMES: &Choices<Outcome> =
    &[("win", Outcome::Win, "Won for the player to move"), ("loss", Outcome::Loss, "Lost")];

pub(super) const SEQUENCES: &Choices<Sequence> = &[
    ("losing", Sequence::Losing, "The losing numbers of stones (the default)"),
    ("grundy", Sequence::Grundy, "The Grundy values of heaps of 0, 1, 2 and so on stones"),
    ("lower", Sequence::Lower, "The lesser heap of each lost pair, in games of two heaps"),
    ("upper", Sequence::Upper, "The greater heap of each lost pair"),
    ("counts", Sequence::Counts, "How many positions of n stones are lost"),
    (
        "positions",
        Sequence::Positions,
        "How many positions of n stones there are: counts divided by it is the density",
    ),
];

pub(super) const MEASURES: &Choices<Measure> = &[
    ("outcome", Measure::Outcome, "Won or lost for the player to move"),
    ("depth", Measure::Depth, "Plies to the end"),
    ("winning", Measure::Winning, "Number of winning moves"),
    ("grundy", Measure::Grundy, "Grundy value (normal play only)"),
];

pub(super) const PAPERS: &Choices<Paper> =
    &[("a4", Paper::A4, "210 by 297 millimetres"), ("letter", Paper::Letter, "8.5 by 11 inches")];
