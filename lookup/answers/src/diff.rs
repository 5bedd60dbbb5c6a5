//! The verdict under two rulesets, side by side.

use bouton_lookup::Options;
use bouton_study::diff::same_family;
use bouton_tables::{AnswerText, Ruleset};
use serde::Serialize;

use crate::about::About;
use crate::board::{Board, Effort, Shown};
use crate::budget::Asking;
use crate::look_up::{Answer, look_up_within};
use crate::{Question, Refusal};

/// The question to each of two tables that are compared: a position as either of them writes it.
#[derive(Clone, Debug)]
pub struct ToCompare {
    /// The position, in notation.
    pub position: String,
    /// How to choose in a lost position, and whether to list all legal moves.
    pub options: Options,
}

/// The verdicts under two rulesets.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Diff {
    /// The position as canonical text of table a.
    pub position: String,
    /// The verdict of table a.
    pub a: Side,
    /// The verdict of table b.
    pub b: Side,
    /// What differs: some of outcome, depth, best, winning.
    pub differ: Vec<&'static str>,
}

/// The answer of one table.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Side {
    /// The name of the table.
    pub name: String,
    /// Its digest.
    pub digest: String,
    /// Its answer.
    #[serde(flatten)]
    pub answer: Answer,
}

impl Question for ToCompare {
    type Answer = Answer;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Answer, Refusal> {
        let position = table.game().parse_of_other(&self.position)?;
        let mut budget = effort.budget(Asking::Position(self.options));
        let reply = look_up_within(table, effort, &position, self.options, &mut budget)?;
        Ok(Answer::from(&reply))
    }
}

/// Checks that tables of these names and rulesets can be compared.
///
/// # Errors
/// If they are of different families.
pub fn may_compare(a: (&str, &Ruleset), b: (&str, &Ruleset)) -> Result<(), Refusal> {
    let names = [a.0, b.0].map(|name| format!("'{name}'"));
    same_family(names.each_ref().map(String::as_str), a.1, b.1).map_err(Refusal::Question)
}

/// Puts the answers of two tables side by side.
pub fn compare(a: (&About, Answer), b: (&About, Answer)) -> Diff {
    let (position, differ) = (a.1.position.clone(), differ(&a.1.known, &b.1.known));
    let side = |(about, answer): (&About, Answer)| Side {
        name: about.name.clone(),
        digest: about.digest.clone(),
        answer,
    };
    Diff { position, a: side(a), b: side(b), differ }
}

fn differ(a: &AnswerText, b: &AnswerText) -> Vec<&'static str> {
    let both_hold = a.depth.is_some() && b.depth.is_some();
    // With depths, the best move is chosen differently than without.
    let same_measure = a.depth.is_some() == b.depth.is_some();
    let found = [
        ("outcome", a.outcome != b.outcome),
        ("depth", both_hold && a.depth != b.depth),
        ("best", same_measure && a.best != b.best),
        ("winning", a.winning != b.winning),
    ];
    found.into_iter().filter_map(|(what, differs)| differs.then_some(what)).collect()
}
