//! Checks a user's claim about a game at every position of its table.
//!
//! A claim is an expression such as `xor(heaps) == 0`. If it names only fields of positions, it must be true exactly at the lost
//! positions; if it names outcomes, depths, winning moves or Grundy values, it must be true at all positions. `docs/outputs.md`
//! describes the language and the report.

mod language;

use bouton_tables::grundy;
use bouton_tables::{
    Game, Outcome, PositionOf, Ruleset, Solved, Table, Verdict, hex, with_rules, with_table,
};
use minijinja::{Environment, Expression, Value};
use serde::Serialize;

use self::language::{
    FUNCTIONS, NameValues, environment, list_compared_with_single_value, replacement, tokens,
    uncalled_function,
};
use crate::analyze::Analyzable;
use crate::error::{Result, StudyError, check_count};
use crate::filter::{AnswerPart, Field, Fields, Filter};
use crate::game_map::Mappable;
use crate::groups::{GroupedRegion, count_selected, map_reduce};
use crate::values::{PositionValues, ValueKind};
use crate::{MAX_POSITIONS, Progress};

/// Maximum length of an expression, in characters.
pub const MAX_LENGTH: usize = 1000;

/// An expression, and the positions at which it must be true.
#[derive(Debug)]
pub struct Claim {
    text: String,
    environment: Environment<'static>,
    names: Vec<ClaimName>,
    /// The positions at which the expression must be true.
    pub about: ClaimScope,
}

/// The positions at which a claim must be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ClaimScope {
    /// Every lost position, and no other.
    Lost,
    /// Every position: the expression names outcome, depth, winning moves or Grundy value.
    All,
}

/// A name in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ClaimName {
    /// A field of the position, with its index.
    Field(usize, Field),
    Won,
    Lost,
    Depth,
    Winning,
    Grundy,
}

impl ClaimName {
    fn is_list(self) -> bool {
        matches!(self, Self::Field(_, field) if field.item.is_some())
    }
}

/// The names that stand for parts of an answer.
const ANSWER_NAMES: [(&str, ClaimName); 5] = [
    ("won", ClaimName::Won),
    ("lost", ClaimName::Lost),
    ("depth", ClaimName::Depth),
    ("winning", ClaimName::Winning),
    ("grundy", ClaimName::Grundy),
];

impl Claim {
    /// Reads an expression about the positions of a ruleset; `depths` says whether the table has depths.
    ///
    /// # Errors
    /// If the expression does not parse, or has a name without a value in this game.
    pub fn parse(ruleset: &Ruleset, depths: bool, text: &str) -> Result<Self> {
        with_rules!(ruleset, |rules| Self::of(rules, depths, text))
    }

    /// Reads an expression about the positions of a game, as [`parse`](Self::parse).
    fn of<G: Analyzable>(game: &G, depths: bool, text: &str) -> Result<Self> {
        let characters = text.chars().count();
        if characters > MAX_LENGTH {
            return Err(StudyError::Invalid(format!(
                "the expression has {characters} characters, and at most {MAX_LENGTH} are read"
            )));
        }
        let environment = environment();
        let fields = game.fields().into_iter().enumerate();
        let fields = fields.map(|(index, field)| (field.name, ClaimName::Field(index, field)));
        let known: Vec<(&str, ClaimName)> = fields.chain(ANSWER_NAMES).collect();
        let mut used: Vec<String> = {
            let expression =
                environment.compile_expression(text).map_err(|error| syntax_error(text, &error))?;
            expression.undeclared_variables(false).into_iter().collect()
        };
        let tokens = tokens(text);
        if let Some(function) = uncalled_function(&tokens) {
            return Err(StudyError::Invalid(format!(
                "the expression: {function} is a function; write its arguments in parentheses, as in max(3, 5)"
            )));
        }
        let meaning = |word: &str| known.iter().find(|(name, _)| *name == word).map(|&(_, name)| name);
        let is_list = |word: &str| meaning(word).map(ClaimName::is_list);
        if let Some((list, single)) = list_compared_with_single_value(&tokens, is_list) {
            return Err(StudyError::Invalid(format!(
                "the expression compares {list}, which is a list, with {single}; write {list}[0], sum({list}) or \
                 max({list}), or compare {list} with a list"
            )));
        }
        used.retain(|word| !FUNCTIONS.contains(&word.as_str()));
        used.sort_unstable();
        let mut names = Vec::new();
        for found in used {
            let Some(name) = meaning(&found) else {
                return Err(StudyError::Invalid(format!(
                    "the expression: found the unknown name '{found}'; the names are {}, and the functions {}",
                    known.iter().map(|&(name, _)| name).collect::<Vec<_>>().join(", "),
                    FUNCTIONS.join(", ")
                )));
            };
            match name {
                ClaimName::Depth if !depths => {
                    let no_depths = "the expression uses depths, but the table has none";
                    return Err(StudyError::Invalid(no_depths.to_owned()));
                }
                ClaimName::Grundy => grundy::check(game)?,
                _ => {}
            }
            names.push(name);
        }
        let are_fields = names.iter().all(|name| matches!(name, ClaimName::Field(..)));
        let about = if are_fields { ClaimScope::Lost } else { ClaimScope::All };
        Ok(Self { text: text.to_owned(), environment, names, about })
    }

    /// Lists which of `depth`, `winning` and `grundy` the expression names; none if it also names `won` or `lost`. Without
    /// `won` and `lost`, the user may have meant a claim about the lost positions only.
    pub fn answer_names(&self) -> Vec<&'static str> {
        if self.names.iter().any(|name| matches!(name, ClaimName::Won | ClaimName::Lost)) {
            return Vec::new();
        }
        ANSWER_NAMES.iter().filter(|(_, name)| self.names.contains(name)).map(|&(text, _)| text).collect()
    }

    /// Returns whether the expression names depths.
    pub fn names_depth(&self) -> bool {
        self.names.contains(&ClaimName::Depth)
    }

    fn expression(&self) -> Expression<'_, '_> {
        self.environment.compile_expression(&self.text).expect("`of` has compiled it before")
    }
}

/// Makes the error about an expression that does not parse.
fn syntax_error(text: &str, error: &minijinja::Error) -> StudyError {
    let why = error.detail().unwrap_or("it does not parse");
    // minijinja reports a premature end at the beginning of the incomplete part; the error belongs at the end.
    let offset = if why.contains("end of input") { None } else { error.range().map(|range| range.start) };
    let (before, rest) = offset.and_then(|offset| text.split_at_checked(offset)).unwrap_or((text, ""));
    let example = "write it as in Python, for example xor(heaps) == 0 or stones % 4 == 0 and not imposed";
    let (at, instead) = (before.chars().count() + 1, replacement(rest).unwrap_or(example));
    StudyError::Invalid(format!("the expression, at character {at}: {why}; {instead}"))
}

/// The result of a check. JSON keeps the order of the fields.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// The ruleset.
    #[serde(flatten)]
    pub ruleset: Ruleset,
    /// The digest of the table's file.
    pub digest: String,
    /// The expression.
    pub expression: String,
    /// The positions at which the expression must be true.
    pub about: ClaimScope,
    /// The numbers of positions and of exceptions.
    #[serde(flatten)]
    pub counts: ClaimCounts,
}

/// Counts over the positions that a claim was checked at. JSON keeps the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClaimCounts {
    /// Number of positions checked.
    pub positions: u64,
    /// Number of lost positions among them.
    pub lost: u64,
    /// Exceptions among the lost positions.
    pub lost_exceptions: Exceptions,
    /// Exceptions among the won positions.
    pub won_exceptions: Exceptions,
}

impl ClaimCounts {
    /// Returns whether there are no exceptions.
    pub fn holds(&self) -> bool {
        self.exceptions() == 0
    }

    /// Returns the number of exceptions.
    pub fn exceptions(&self) -> u64 {
        self.lost_exceptions.count + self.won_exceptions.count
    }

    /// Adds the counts over later positions.
    fn and_later(mut self, later: Self) -> Self {
        self.positions += later.positions;
        self.lost += later.lost;
        self.lost_exceptions.add_later(later.lost_exceptions);
        self.won_exceptions.add_later(later.won_exceptions);
        self
    }
}

/// Positions that contradict a claim. JSON keeps the order of the fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Exceptions {
    /// Number of exceptions.
    pub count: u64,
    /// The first exception in natural order.
    pub first: Option<String>,
    /// The exception with the fewest stones, then the fewest passes left; the first of several.
    pub smallest: Option<String>,
    /// Stones and passes left of the smallest exception.
    #[serde(skip)]
    smallest_level: (u64, u8),
}

impl Exceptions {
    /// Adds a later exception, given by its stones and passes left, and its notation.
    fn add(&mut self, level: (u64, u8), show: impl Fn() -> String) {
        if self.count == 0 || level < self.smallest_level {
            (self.smallest, self.smallest_level) = (Some(show()), level);
        }
        self.first.get_or_insert_with(show);
        self.count += 1;
    }

    /// Adds all exceptions among later positions.
    fn add_later(&mut self, later: Self) {
        if self.count == 0 || later.count > 0 && later.smallest_level < self.smallest_level {
            (self.smallest, self.smallest_level) = (later.smallest, later.smallest_level);
        }
        self.first = self.first.take().or(later.first);
        self.count += later.count;
    }
}

/// Number of steps of progress that [`check`] reports, one for each selected position and for each Grundy value that the claim needs.
///
/// # Errors
/// If the check would have to visit more than [`MAX_POSITIONS`].
pub fn steps(ruleset: &Ruleset, claim: &Claim, filter: &Filter) -> Result<u64> {
    let too_long = |positions: &str, most: &str| {
        format!(
            "{positions} positions would have to be checked, at most {most} are allowed; check a smaller game"
        )
    };
    let positions = check_count(count_selected(ruleset, filter, too_long)?, MAX_POSITIONS, too_long)?;
    let values = claim.names.contains(&ClaimName::Grundy);
    Ok(positions
        + if values { with_rules!(ruleset, |rules| ValueKind::Grundy.steps(rules, filter))? } else { 0 })
}

/// Checks a claim at all positions of a table that a filter selects.
///
/// # Errors
/// If the table is damaged or too large, the expression has no value at a position or is neither true nor false there, or the
/// callback stops the work.
pub fn check(table: &Table, claim: &Claim, filter: &Filter, progress: &Progress) -> Result<CheckReport> {
    let counts = with_table!(table.family(), |table| {
        let check = ClaimCheck::new(table, claim, filter, progress)?;
        let check_group = |group| check.check_group(group, progress);
        map_reduce(check.region.groups(filter), &check_group, &ClaimCounts::and_later)?
    });
    Ok(CheckReport {
        ruleset: table.header().ruleset.clone(),
        digest: hex(&table.digest()),
        expression: claim.text.clone(),
        about: claim.about,
        counts,
    })
}

/// A claim, with the table and the filter.
struct ClaimCheck<'a, S: Solved> {
    table: &'a S,
    region: <S::Game as Game>::Region,
    claim: &'a Claim,
    filter: &'a Filter,
    /// The Grundy values of positions, if the claim names them.
    grundy: Option<PositionValues<S::Game>>,
    /// The part of each answer that the claim needs.
    needed_part: AnswerPart,
}

impl<'a, S: Solved<Game: Analyzable>> ClaimCheck<'a, S> {
    fn new(table: &'a S, claim: &'a Claim, filter: &'a Filter, progress: &Progress) -> Result<Self> {
        let region = table.game().region()?;
        let grundy = match claim.names.contains(&ClaimName::Grundy) {
            true => Some(ValueKind::Grundy.values(table.game(), filter, progress)?),
            false => None,
        };
        let needed_part = if claim.names.contains(&ClaimName::Winning) {
            AnswerPart::Winning
        } else if claim.names_depth() {
            AnswerPart::Depth
        } else {
            AnswerPart::Outcome
        };
        Ok(Self { table, region, claim, filter, grundy, needed_part })
    }

    fn check_group(&self, group: u64, progress: &Progress) -> Result<ClaimCounts> {
        let expression = self.claim.expression();
        let mut counts = ClaimCounts::default();
        let mut visited = 0;
        for position in self.region.group(self.filter, group) {
            visited += 1;
            let found = self.filter.look_up(self.table, &position, self.needed_part)?;
            let Some((verdict, winning)) = found else { continue };
            let lost = verdict.outcome == Outcome::Loss;
            counts.positions += 1;
            counts.lost += u64::from(lost);
            let is_true = self.is_true(&expression, &position, verdict, winning)?;
            let as_claimed = match self.claim.about {
                ClaimScope::Lost => is_true == lost,
                ClaimScope::All => is_true,
            };
            if !as_claimed {
                let show = || self.table.game().show_position(&position);
                let of_outcome = if lost { &mut counts.lost_exceptions } else { &mut counts.won_exceptions };
                of_outcome.add(S::Game::level(&position), show);
            }
        }
        progress(visited)?;
        Ok(counts)
    }

    /// Returns the value of the expression at a position.
    fn is_true(
        &self,
        expression: &Expression<'_, '_>,
        position: &PositionOf<S>,
        verdict: Verdict,
        winning: usize,
    ) -> Result<bool> {
        let field_value = |name: ClaimName, index, field: Field| {
            let number = |number| S::Game::number(position, index, number);
            match field.numbers {
                1 if !field.words.is_empty() => Value::from(number(0) > 0),
                numbers if name.is_list() => Value::from((0..numbers).map(number).collect::<Vec<_>>()),
                _ => Value::from(number(0)),
            }
        };
        let lost = verdict.outcome == Outcome::Loss;
        let value = |name: &ClaimName| match *name {
            ClaimName::Field(index, field) => (field.name, field_value(*name, index, field)),
            ClaimName::Won => ("won", Value::from(!lost)),
            ClaimName::Lost => ("lost", Value::from(lost)),
            ClaimName::Depth => ("depth", Value::from(verdict.depth)),
            ClaimName::Winning => ("winning", Value::from(winning)),
            ClaimName::Grundy => {
                ("grundy", Value::from(self.grundy.as_ref().and_then(|values| values.of(position).0)))
            }
        };
        let values = NameValues(self.claim.names.iter().map(value).collect());
        let at = |why: String| {
            let position = self.table.game().show_position(position);
            StudyError::Invalid(format!("the expression, at {position}: {why}"))
        };
        let value =
            expression.eval(Value::from_object(values)).map_err(|error| at(evaluation_problem(&error)))?;
        bool::try_from(value.clone()).map_err(|_| {
            at(format!("it is {value}, expected true or false; write for example xor(heaps) == 0"))
        })
    }
}

/// Explains why minijinja could not evaluate an expression.
fn evaluation_problem(error: &minijinja::Error) -> String {
    use minijinja::ErrorKind::{UndefinedError, UnknownFilter, UnknownFunction, UnknownMethod, UnknownTest};
    let detail = error.detail().unwrap_or_default();
    match error.kind() {
        UndefinedError => {
            "an index is out of range; a list of n numbers has the indices [0] to [n - 1]".to_owned()
        }
        UnknownFilter | UnknownFunction | UnknownMethod | UnknownTest => {
            format!("{detail}; the functions are {}", FUNCTIONS.join(", "))
        }
        _ if detail.starts_with("unable to calculate") => {
            format!("{detail}; exclude such positions with --where, or with `and` and `or` in the expression")
        }
        _ => error.to_string(),
    }
}
