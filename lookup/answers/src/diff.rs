//! The verdicts of two tables, of different rulesets, on one position.

use bouton_lookup::{LookUpOptions, Policy};
use bouton_study::diff::same_family;
use bouton_tables::{AnswerText, Ruleset};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::about::About;
use crate::board::{Board, BoardTable};
use crate::budget::{LookUpCost, QuestionKind};
use crate::look_up::{Answer, look_up_within};
use crate::parameters::{PolicyName, flag, policy};
use crate::{Question, Refusal};

/// The question to each of two compared tables.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct CompareQuestion {
    /// The name of one table.
    #[param(example = "sticks")]
    pub a: String,
    /// The name of the other table.
    #[param(example = "sticks-normal")]
    pub b: String,
    /// The position, in the notation of either table.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// Whether to list all legal moves.
    #[serde(default, deserialize_with = "flag")]
    pub moves: bool,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub policy: Policy,
}

/// The verdicts under two rulesets.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Diff {
    /// The position as canonical text of table a or, if that table does not cover it, of table b.
    pub position: String,
    /// The verdict of table a; `null` if the table does not cover the position.
    #[schema(required)]
    pub a: Option<Side>,
    /// The verdict of table b; `null` if the table does not cover the position.
    #[schema(required)]
    pub b: Option<Side>,
    /// The keys that differ: some of outcome, depth, best, winning; or covered, if only one table covers the position.
    pub differ: Vec<&'static str>,
}

/// The answer of one table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Side {
    /// The name of the table.
    pub name: String,
    /// Digest of the table.
    pub digest: String,
    /// Answer of the table.
    #[serde(flatten)]
    pub answer: Answer,
}

/// The answer of a table, or the reason why the table does not cover the position.
pub type SideAnswer = Result<Answer, String>;

impl Question for CompareQuestion {
    type Answer = SideAnswer;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<SideAnswer, Refusal> {
        let position = match table.game().read_foreign_position(&self.position) {
            Ok(position) => position,
            Err(why) => return Ok(Err(why.to_string())),
        };
        let options = LookUpOptions { policy: self.policy, list_moves: self.moves };
        let mut budget = cost.budget(QuestionKind::Position(options));
        match look_up_within(table, &position, options, &mut budget) {
            Ok(reply) => Ok(Ok(Answer::from(&reply))),
            Err(Refusal::Position(why)) => Ok(Err(why)),
            Err(refusal) => Err(refusal),
        }
    }
}

/// Checks that tables of these names and rulesets can be compared.
///
/// # Errors
/// If they are of different families.
pub fn check_comparable(a: (&str, &Ruleset), b: (&str, &Ruleset)) -> Result<(), Refusal> {
    let names = [a.0, b.0].map(|name| format!("'{name}'"));
    same_family(names.each_ref().map(String::as_str), a.1, b.1).map_err(Refusal::Question)
}

/// Combines the answers of two tables.
///
/// # Errors
/// If neither table covers the position.
pub fn compare(a: (&About, SideAnswer), b: (&About, SideAnswer)) -> Result<Diff, Refusal> {
    let (position, differ) = match (&a.1, &b.1) {
        (Ok(of_a), Ok(of_b)) => (of_a.position.clone(), differing_keys(&of_a.known, &of_b.known)),
        (Ok(answer), Err(_)) | (Err(_), Ok(answer)) => (answer.position.clone(), vec!["covered"]),
        (Err(why), Err(_)) => return Err(Refusal::Position(format!("{}: {why}", a.0.name))),
    };
    let side = |(about, answer): (&About, SideAnswer)| {
        let answer = answer.ok()?;
        Some(Side { name: about.name.clone(), digest: about.digest.clone(), answer })
    };
    Ok(Diff { position, a: side(a), b: side(b), differ })
}

fn differing_keys(a: &AnswerText, b: &AnswerText) -> Vec<&'static str> {
    let have_depths = [a, b].map(|answer| answer.depth.is_some());
    // A table with depths and one without choose the best move by different criteria: do not compare the best moves.
    let keys = [
        ("outcome", a.outcome != b.outcome),
        ("depth", have_depths == [true, true] && a.depth != b.depth),
        ("best", have_depths[0] == have_depths[1] && a.best != b.best),
        ("winning", a.winning != b.winning),
    ];
    keys.into_iter().filter_map(|(key, differs)| differs.then_some(key)).collect()
}
