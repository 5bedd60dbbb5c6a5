//! Filters, which select positions by their fields and answers: `stones=1..200 turn=1 outcome=loss`.

mod field;
mod parse;

use bouton_tables::grundy::GrundyGame;
use bouton_tables::{AnswerOf, AskError, MoveSet, Outcome, PositionOf, Ruleset, Solved, Verdict, with_rules};

pub use self::field::{Field, Span};
pub use self::parse::FilterError;
use self::parse::parse;

/// A family whose positions can be selected by fields.
pub trait Fields: GrundyGame {
    /// Lists the fields of a position.
    fn fields(&self) -> Vec<Field>;

    /// Returns a number of a position: number `index` of the value of `field`, which is an index into [`fields`](Self::fields).
    fn number(position: &Self::Position, field: usize, index: usize) -> u64;

    /// Returns whether each number of a field lies in its span. An unrestricted field has an empty list of spans.
    fn lies_in(position: &Self::Position, field: usize, spans: &[Span]) -> bool {
        spans.iter().enumerate().all(|(index, span)| span.has(Self::number(position, field, index)))
    }

    /// Returns the conditions that make a position a start: names of fields, and the spans in which their numbers must lie.
    fn start_fields(&self) -> Vec<(&'static str, Vec<Span>)>;
}

/// The fields of an answer.
const ANSWER_FIELDS: [Field; 3] =
    [Field::word("outcome", &["loss", "win"]), Field::number("depth"), Field::number("winning")];

/// Part of a position's answer; `None` if a filter does not select the answer.
type Selected<T> = Result<Option<T>, AskError>;

/// A part of an answer. A lookup of a later part includes the earlier ones, and takes longer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AnswerPart {
    /// The outcome.
    Outcome,
    /// The depth.
    Depth,
    /// The winning moves.
    Winning,
}

/// A condition that selects positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Name and allowed spans of each field of the position; no spans if the filter does not name the field.
    position: Vec<(&'static str, Vec<Span>)>,
    /// The allowed span of each of [`ANSWER_FIELDS`].
    answer: [Option<Span>; 3],
}

impl Filter {
    /// Reads a filter: `FIELD=VALUE FIELD=VALUE ...`.
    ///
    /// # Errors
    /// If the text does not parse, or restricts the depth although `depths` says that the table has none.
    pub fn parse<G: Fields>(game: &G, depths: bool, text: &str) -> Result<Self, FilterError> {
        let mut fields = game.fields();
        let position = fields.iter().map(|field| (field.name, Vec::new())).collect();
        let mut filter = Self { position, answer: [None; 3] };
        fields.extend(ANSWER_FIELDS.iter().filter(|field| depths || field.name != "depth"));
        for (field, spans) in parse(&fields, text)? {
            match ANSWER_FIELDS.iter().position(|known| known.name == fields[field].name) {
                None => filter.position[field].1 = spans,
                Some(index) => filter.answer[index] = spans.first().copied(),
            }
        }
        Ok(filter)
    }

    /// Reads a filter for a table with or without depths. If `starts`, it selects only positions from which a game can start.
    ///
    /// # Errors
    /// The errors of [`parse`](Self::parse).
    pub fn of(ruleset: &Ruleset, depths: bool, text: &str, starts: bool) -> Result<Self, FilterError> {
        with_rules!(ruleset, |rules| {
            let filter = Self::parse(rules, depths, text)?;
            Ok(if starts { filter.only_starts(rules) } else { filter })
        })
    }

    /// Restricts the filter to starts.
    pub(crate) fn only_starts<G: Fields>(mut self, game: &G) -> Self {
        for (name, spans) in game.start_fields() {
            let mut fields = self.position.iter_mut();
            let (_, allowed) = fields.find(|(known, _)| *known == name).expect("a field of the family");
            allowed.resize(spans.len(), Span::ANY);
            allowed.iter_mut().zip(spans).for_each(|(allowed, span)| *allowed = allowed.and(span));
        }
        self
    }

    /// Restricts the filter to an outcome.
    pub fn only_outcome(mut self, outcome: Outcome) -> Self {
        let only = Span::only(outcome as u64);
        self.answer[0] = Some(self.answer[0].map_or(only, |span| span.and(only)));
        self
    }

    /// Returns the allowed span of number `index` of a field of the position.
    pub fn span(&self, field: &str, index: usize) -> Span {
        let (_, spans) =
            self.position.iter().find(|(name, _)| *name == field).expect("a field of the family");
        spans.get(index).copied().unwrap_or(Span::ANY)
    }

    /// Returns whether the filter names a field of the position, even if it allows every value (`*`).
    pub fn names_field(&self, field: &str) -> bool {
        self.position.iter().any(|(name, spans)| *name == field && !spans.is_empty())
    }

    /// Returns whether the filter restricts any field of the position.
    pub fn restricts_position(&self) -> bool {
        self.position.iter().any(|(_, spans)| spans.iter().any(|&span| span != Span::ANY))
    }

    /// Returns whether the filter restricts any field of the answer.
    pub fn restricts_answer(&self) -> bool {
        self.answer.iter().any(Option::is_some)
    }

    /// Returns whether the filter selects lost positions only.
    pub fn selects_only_lost(&self) -> bool {
        self.has_outcome(Outcome::Loss) && !self.has_outcome(Outcome::Win)
    }

    /// Returns whether the filter restricts the depth.
    pub fn restricts_depth(&self) -> bool {
        self.answer[1].is_some()
    }

    /// Returns whether the filter selects a position by its own fields, whatever its answer.
    pub fn selects_position<G: Fields>(&self, position: &G::Position) -> bool {
        self.position.iter().enumerate().all(|(field, (_, spans))| G::lies_in(position, field, spans))
    }

    /// Looks up a position in a table: the verdict and the number of winning moves, if the filter selects this answer. The depth is `None`
    /// and the number 0 unless `needed` or the filter requires them.
    ///
    /// # Errors
    /// The errors of [`Solved::answer`].
    pub fn look_up<S: Solved>(
        &self,
        table: &S,
        position: &PositionOf<S>,
        needed: AnswerPart,
    ) -> Selected<(Verdict, usize)> {
        let in_filter = match self.answer {
            [_, _, Some(_)] => AnswerPart::Winning,
            [_, Some(_), None] => AnswerPart::Depth,
            [_, None, None] => AnswerPart::Outcome,
        };
        let found = match needed.max(in_filter) {
            AnswerPart::Winning => {
                let answer = self.answer_of(table, position)?;
                return Ok(answer.map(|answer| (answer.verdict, answer.winning.len())));
            }
            AnswerPart::Depth if !self.outcome_fits(table, position)? => return Ok(None),
            AnswerPart::Depth => table.verdict(position)?,
            AnswerPart::Outcome => Verdict { outcome: table.outcome(position)?, depth: None },
        };
        Ok((self.has_outcome(found.outcome) && self.has_depth(found.depth)).then_some((found, 0)))
    }

    /// Returns a table's answer for a position, if the filter selects this answer.
    ///
    /// # Errors
    /// The errors of [`Solved::answer`].
    pub fn answer_of<S: Solved>(&self, table: &S, position: &PositionOf<S>) -> Selected<AnswerOf<S>> {
        if !self.outcome_fits(table, position)? {
            return Ok(None);
        }
        let answer = table.answer(position)?;
        let [.., winning] = self.answer;
        let has_winning = winning.is_none_or(|span| span.has(answer.winning.len() as u64));
        Ok((self.has_depth(answer.verdict.depth) && has_winning).then_some(answer))
    }

    /// Returns whether the outcome fits: a cheap test before the lookup of a depth or of winning moves.
    fn outcome_fits<S: Solved>(&self, table: &S, position: &PositionOf<S>) -> Result<bool, AskError> {
        Ok(self.answer[0].is_none() || self.has_outcome(table.outcome(position)?))
    }

    fn has_outcome(&self, outcome: Outcome) -> bool {
        self.answer[0].is_none_or(|span| span.has(outcome as u64))
    }

    fn has_depth(&self, depth: Option<u32>) -> bool {
        self.answer[1].is_none_or(|span| depth.is_some_and(|depth| span.has(depth.into())))
    }
}
