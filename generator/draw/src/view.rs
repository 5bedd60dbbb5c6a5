//! Which plane of a game's positions is seen: two of their numbers run along the axes, the others stay.

use bouton_study::select::{Filter, Span};

use super::axes::Axis;
use super::error::DrawError;

/// A plane.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// The one number of a field: the one given, or the usual one if it is left open.
pub(crate) fn one(filter: &Filter, field: &'static str, place: usize, usual: u64) -> Result<u64, DrawError> {
    match filter.span(field, place) {
        Span::ANY => Ok(usual),
        span => single(span).ok_or_else(|| {
            DrawError::Plane(format!(
                "--where: a plane has one value of {field}; write it as a single number, for example {}",
                if field == "resets" { "resets=1,1".to_owned() } else { format!("{field}={usual}") }
            ))
        }),
    }
}

/// Two planes, each as long as the longer one.
pub(crate) fn united<P>([mut a, mut b]: [View<P>; 2]) -> [View<P>; 2] {
    for (a, b) in [(&mut a.x, &mut b.x), (&mut a.y, &mut b.y)] {
        let (from, to) = (a.from.min(b.from), a.to.max(b.to));
        (a.from, a.to, b.from, b.to) = (from, to, from, to);
    }
    [a, b]
}
