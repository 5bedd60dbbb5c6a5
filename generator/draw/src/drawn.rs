//! The trait of a family that can be drawn: planes of positions, in which two numbers of the position vary along the
//! axes and the others are fixed.

use bouton_study::game_map::Mappable;
use bouton_study::select::{Fields, Filter, Span};
use bouton_study::words::InWords;
use bouton_tables::grundy::Valued;

use crate::axes::PlaneAxis;
use crate::error::DrawError;

/// A family whose tables can be drawn.
pub(crate) trait Drawable: Fields + Mappable + InWords + Valued {
    /// Whether both axes count the same quantity: cells are then squares, and ticks are equal.
    const SQUARE: bool;
    /// Why a place of a plane has no position.
    const OUTSIDE: &'static str;

    /// Returns the plane that a filter selects, or `None` for an empty one.
    ///
    /// # Errors
    /// If the filter leaves more or fewer than two numbers free.
    fn view(&self, filter: &Filter) -> Result<Option<PlaneView<Self::Position>>, DrawError>;

    /// Returns the planes that a filter selects of two rulesets, or `None` for an empty one.
    ///
    /// # Errors
    /// If the filter does not parse, asks for answers, or leaves more or fewer than two numbers free.
    fn views_of_two(
        a: &Self,
        b: &Self,
        filter: &str,
    ) -> Result<[Option<PlaneView<Self::Position>>; 2], DrawError> {
        Ok([a.view(&filter_of_two(a, filter)?)?, b.view(&filter_of_two(b, filter)?)?])
    }

    /// Returns the position at a place of a plane, or `None` if the table has none there.
    fn at(&self, view: &PlaneView<Self::Position>, x: u32, y: u32) -> Option<Self::Position>;

    /// Describes in words what the plane's positions have in common.
    fn words(&self, view: &PlaneView<Self::Position>) -> String;
}

/// Parses a filter for two tables. It must not ask for answers, as there would be two.
pub(crate) fn filter_of_two<G: Drawable>(game: &G, text: &str) -> Result<Filter, DrawError> {
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

pub(crate) struct PlaneView<P> {
    pub(crate) x: PlaneAxis,
    pub(crate) y: PlaneAxis,
    /// A position of the plane. Its two varying numbers do not matter.
    pub(crate) pattern: P,
    /// The heaps that vary along the axes.
    pub(crate) free: [usize; 2],
}

/// Returns an axis with the numbers from 0 to `most` that a filter allows.
pub(crate) fn axis(name: impl Into<String>, most: u32, span: Span) -> Option<PlaneAxis> {
    let (from, to) = (span.from, span.to.min(most.into()));
    (from <= to).then(|| PlaneAxis { name: name.into(), from: from as u32, to: to as u32 })
}

/// Returns the only number of a span, if it has just one.
pub(crate) fn single(span: Span) -> Option<u64> {
    (span.from == span.to).then_some(span.from)
}

/// Returns the number that a filter gives for a field, or the default if the filter omits the field.
///
/// # Errors
/// If the filter allows several numbers, such as `*`.
pub(crate) fn one(filter: &Filter, field: &'static str, place: usize, usual: u64) -> Result<u64, DrawError> {
    let span = filter.span(field, place);
    if !filter.names_field(field) {
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
