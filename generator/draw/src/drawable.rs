//! The trait of a family whose tables can be drawn.
//!
//! A picture shows a *plane*: the positions in which two numbers vary along the axes, and all others are fixed. In Expanding Nim these
//! are stones and currentmax, in heap games the sizes of two heaps.

use bouton_study::StudyError;
use bouton_study::filter::{Fields, Filter, Span};
use bouton_study::game_map::Mappable;
use bouton_study::words::InWords;

use crate::axes::PictureAxis;
use crate::error::Result;

/// A family whose tables can be drawn.
pub(crate) trait Drawable: Fields + Mappable + InWords {
    /// Whether both axes count the same quantity. Cells are then squares, and the ticks of both axes have equal distances.
    const SQUARE: bool;
    /// Label in the legend for cells without a position.
    const OUTSIDE: &'static str;

    /// Returns the plane that a filter selects, if it has positions. It is an error if the filter does not leave two numbers free.
    fn plane(&self, filter: &Filter) -> Result<Option<PlaneView<Self::Position>>>;

    /// Returns the planes that a filter selects in two games. The filter must not restrict answers.
    fn planes_of_two(a: &Self, b: &Self, filter: &str) -> Result<[Option<PlaneView<Self::Position>>; 2]> {
        Ok([a.plane(&filter_of_two(a, filter)?)?, b.plane(&filter_of_two(b, filter)?)?])
    }

    /// Returns the position with these numbers in a plane; `None` if the table does not cover it.
    fn position_at(&self, plane: &PlaneView<Self::Position>, x: u64, y: u64) -> Option<Self::Position>;

    /// Describes the numbers that all positions of a plane have in common.
    fn describe(&self, plane: &PlaneView<Self::Position>) -> String;
}

/// Parses a filter for two tables. The filter must not restrict answers, as a position has two of them.
pub(crate) fn filter_of_two<G: Drawable>(game: &G, text: &str) -> Result<Filter> {
    let filter = Filter::parse(game, true, text)?;
    if filter.restricts_answer() {
        let fields: Vec<&str> = game.fields().iter().map(|field| field.name).collect();
        let fields = fields.join(", ");
        return Err(StudyError::Invalid(format!(
            "--where: two tables have two answers, so outcome, depth and winning cannot select positions \
            here; the fields are {fields}"
        )));
    }
    Ok(filter)
}

pub(crate) struct PlaneView<P> {
    pub(crate) x: PictureAxis,
    pub(crate) y: PictureAxis,
    /// A position with the fixed numbers of the plane. The other two numbers do not matter.
    pub(crate) pattern: P,
    /// Heap games: the indices of the heaps that vary along the axes.
    pub(crate) free: [usize; 2],
}

/// Returns an axis with the numbers from 0 to `most` that lie in a span; `None` if there are none.
pub(crate) fn axis(name: impl Into<String>, most: u64, span: Span) -> Option<PictureAxis> {
    let (from, to) = (span.from, span.to.min(most));
    (from <= to).then(|| PictureAxis { name: name.into(), from, to })
}

/// Returns the only number of a span; `None` if the span has several.
pub(crate) fn only_number(span: Span) -> Option<u64> {
    (span.from == span.to).then_some(span.from)
}

/// Returns the value of a field that a plane fixes: the value that the filter gives, or `usual` if the filter does not name the field.
/// If the field has several numbers, as `resets` has two, `index` picks one of them. It is an error if the filter allows several values,
/// such as `*`.
pub(crate) fn fixed_number(filter: &Filter, field: &'static str, index: usize, usual: u64) -> Result<u64> {
    let span = filter.span(field, index);
    if !filter.names_field(field) {
        return Ok(usual);
    }
    only_number(span).ok_or_else(|| {
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
        StudyError::Invalid(format!(
            "--where: found {found} in {field}, but a plane has one value of {field}; give a single value, \
             for example {example}, or omit {field} to take its value at the start"
        ))
    })
}
