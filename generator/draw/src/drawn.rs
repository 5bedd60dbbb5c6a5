//! What drawing needs of a family: which plane of a game's positions is seen. Two of their numbers run along the axes, the
//! others stay.

use bouton_study::game_map::Mapped;
use bouton_study::select::{Fields, Filter, Span};
use bouton_study::words::InWords;
use bouton_tables::grundy::Valued;

use crate::axes::Axis;
use crate::error::DrawError;

/// A family whose tables can be drawn.
pub(crate) trait Drawn: Fields + Mapped + InWords + Valued {
    /// Whether both axes of a plane count the same, so that they are drawn alike: cells are squares, and ticks are equal.
    const SQUARE: bool;
    /// Why a place of a plane has no position.
    const OUTSIDE: &'static str;

    /// The plane that a filter selects; `None` if it has no place.
    ///
    /// # Errors
    /// If the filter leaves more or fewer than two numbers free.
    fn view(&self, filter: &Filter) -> Result<Option<View<Self::Position>>, DrawError>;

    /// The planes that a filter selects of two rulesets; `None` for one that has no place.
    ///
    /// # Errors
    /// If the filter does not parse, asks for answers, or leaves more or fewer than two numbers free.
    fn views_of_two(
        a: &Self,
        b: &Self,
        filter: &str,
    ) -> Result<[Option<View<Self::Position>>; 2], DrawError> {
        Ok([a.view(&filter_of_two(a, filter)?)?, b.view(&filter_of_two(b, filter)?)?])
    }

    /// The position at a place of a plane; `None` if the table has none there.
    fn at(&self, view: &View<Self::Position>, x: u32, y: u32) -> Option<Self::Position>;

    /// What the plane's positions have in common, in words.
    fn words(&self, view: &View<Self::Position>) -> String;
}

/// A filter that selects positions of two tables, and so must not ask for answers: there would be two.
pub(crate) fn filter_of_two<G: Drawn>(game: &G, text: &str) -> Result<Filter, DrawError> {
    let filter = Filter::parse(game, true, text)?;
    if filter.asks_for_answer() {
        let fields: Vec<&str> = game.fields().iter().map(|field| field.name).collect();
        let fields = fields.join(", ");
        return Err(DrawError::Invalid(format!(
            "--where: two tables have two answers, so that outcome, depth and winning select nothing here; the fields are {fields}"
        )));
    }
    Ok(filter)
}

pub(crate) struct View<P> {
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    /// A position of the plane; the two numbers that run do not matter.
    pub(crate) pattern: P,
    /// Which of its heaps run.
    pub(crate) free: [usize; 2],
}

/// The numbers from 0 to `most` that a filter allows.
pub(crate) fn axis(name: impl Into<String>, most: u32, span: Span) -> Option<Axis> {
    let (from, to) = (span.from, span.to.min(most.into()));
    (from <= to).then(|| Axis { name: name.into(), from: from as u32, to: to as u32 })
}

/// The number that lies in a span, if there is no other.
pub(crate) fn single(span: Span) -> Option<u64> {
    (span.from == span.to).then_some(span.from)
}

/// The one number of a field: the one given, or the usual one if the field is left out.
///
/// # Errors
/// If the filter allows several. A `*` would be replaced by the usual number, which is not what it says.
pub(crate) fn one(filter: &Filter, field: &'static str, place: usize, usual: u64) -> Result<u64, DrawError> {
    let span = filter.span(field, place);
    if !filter.names(field) {
        return Ok(usual);
    }
    single(span).ok_or_else(|| {
        let found = match span {
            Span::ANY => "*".to_owned(),
            Span { from, to: u64::MAX } => format!("{from}.."),
            Span { from, to } => format!("{from}..{to}"),
        };
        let example = match field {
            "resets" => "resets=1,1".to_owned(),
            "imposed" => "imposed=-".to_owned(),
            _ => format!("{field}={usual}"),
        };
        DrawError::Invalid(format!(
            "--where: found {found} in {field}, but a plane has one value of {field}; give a single number, for example {example}, or \
             leave {field} out for that of the start"
        ))
    })
}
