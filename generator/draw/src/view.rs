//! Which plane of a game's positions is seen: two of their numbers run along the axes, the others stay.

use bouton_tables::expanding::{self, Expanding, Turn};
use bouton_tables::heaps::{self, Heap, HeapRules, Heaps};

use super::axes::Axis;
use super::error::DrawError;
use bouton_study::select::{Fields, Filter, Span};
use bouton_study::words::count;

/// A plane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct View<P> {
    pub(super) x: Axis,
    pub(super) y: Axis,
    /// A position of the plane; the two numbers that run are of no account.
    pub(super) pattern: P,
    /// Which of its heaps run.
    pub(super) free: [usize; 2],
}

/// A game of which planes can be drawn.
pub(super) trait Planar: Fields {
    /// Whether both axes count the same, so that they are drawn alike.
    const SQUARE: bool;
    /// What is said of places without a position.
    const OUTSIDE: &'static str;

    /// The plane that a filter selects; `None` if it has no place.
    fn view(&self, filter: &Filter) -> Result<Option<View<Self::Position>>, DrawError>;

    /// The position at a place; `None` if the table has none there.
    fn at(&self, view: &View<Self::Position>, x: u32, y: u32) -> Option<Self::Position>;

    /// What the plane's positions have in common, in words.
    fn words(&self, view: &View<Self::Position>) -> String;
}

/// The numbers from 0 to `most` that a filter allows.
fn axis(name: impl Into<String>, most: u32, span: Span) -> Option<Axis> {
    let (from, to) = (span.from, span.to.min(most.into()));
    (from <= to).then(|| Axis { name: name.into(), from: from as u32, to: to as u32 })
}

/// The number that lies in a span, if there is no other.
fn single(span: Span) -> Option<u64> {
    (span.from == span.to).then_some(span.from)
}

/// The one number of a field: the one given, or the usual one if it is left open.
fn one(filter: &Filter, field: &'static str, place: usize, usual: u64) -> Result<u64, DrawError> {
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

impl Planar for Expanding {
    const SQUARE: bool = false;
    const OUTSIDE: &'static str = "cannot arise";

    fn view(&self, filter: &Filter) -> Result<Option<View<Self::Position>>, DrawError> {
        let turn = one(filter, "turn", 0, 1)?;
        let mut resets = self.resets();
        for (player, left) in resets.iter_mut().enumerate() {
            // Numbers that no position has are cut to some that none has either.
            *left = one(filter, "resets", player, (*left).into())?.min(u8::MAX.into()) as u8;
        }
        let imposed = one(filter, "imposed", 0, 0)? == 1;
        let x = axis("stones left", self.stones(), filter.span("stones", 0));
        let greatest = self.greatest_currentmax();
        let y = axis("currentmax: most taken at once", greatest, filter.span("currentmax", 0));
        let (Some(x), Some(y), 1..=2) = (x, y, turn) else { return Ok(None) };
        let turn = if turn == 1 { Turn::First } else { Turn::Second };
        let pattern = expanding::Position { stones: 0, currentmax: 0, turn, resets, imposed };
        Ok(Some(View { x, y, pattern, free: [0; 2] }))
    }

    fn at(&self, view: &View<Self::Position>, x: u32, y: u32) -> Option<Self::Position> {
        let position = expanding::Position { stones: x, currentmax: y, ..view.pattern.clone() };
        self.check(&position).is_ok().then_some(position)
    }

    fn words(&self, view: &View<Self::Position>) -> String {
        let expanding::Position { turn, resets: [first, second], imposed, .. } = view.pattern;
        let imposed = if imposed { "a reset imposed" } else { "nothing imposed" };
        format!("resets {first},{second}, player {} to move, {imposed}", turn.number())
    }
}

/// The greatest size for which heaps with it in some places fit.
fn greatest(rules: &HeapRules, pattern: &Heaps, places: &[usize]) -> Option<Heap> {
    let fits = |size: Heap| {
        let mut heaps = *pattern;
        places.iter().for_each(|&place| heaps[place] = size);
        rules.fits(&heaps)
    };
    if !fits(0) {
        return None;
    }
    let (mut low, mut high) = (0, rules.greatest() + 1);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

impl Planar for HeapRules {
    const SQUARE: bool = true;
    const OUTSIDE: &'static str = "not in the table";

    fn view(&self, filter: &Filter) -> Result<Option<View<Self::Position>>, DrawError> {
        let passes = one(filter, "passes", 0, self.passes().into())?;
        let spans: Vec<Span> = (0..self.heaps()).map(|place| filter.span("heaps", place)).collect();
        let free: Vec<usize> = (0..spans.len()).filter(|&place| single(spans[place]).is_none()).collect();
        let &[first, second] = &free[..] else {
            return Err(DrawError::Plane(how_to_leave_two_free(self.heaps(), free.len())));
        };
        let fixed = spans.iter().map(|&span| single(span).map_or(Some(0), |size| Heap::try_from(size).ok()));
        let (Some(pattern), Ok(passes)) = (fixed.collect::<Option<Heaps>>(), u8::try_from(passes)) else {
            return Ok(None);
        };
        let Some(one) = greatest(self, &pattern, &[first]) else { return Ok(None) };
        // Heaps in another order are the same: above the size that both can have, one axis tells all.
        let both = greatest(self, &pattern, &[first, second]).unwrap_or(one);
        let name = |place: usize| format!("heap {}: stones", place + 1);
        let most = |place: usize| if spans[place] == Span::ANY { both } else { one };
        let x = axis(name(first), one, spans[first]);
        let y = axis(name(second), most(second), spans[second]);
        let (Some(x), Some(y)) = (x, y) else { return Ok(None) };
        let pattern = heaps::Position { heaps: pattern, passes };
        Ok(Some(View { x, y, pattern, free: [first, second] }))
    }

    fn at(&self, view: &View<Self::Position>, x: u32, y: u32) -> Option<Self::Position> {
        let mut position = view.pattern;
        position.heaps[view.free[0]] = x;
        position.heaps[view.free[1]] = y;
        // A plane of a game with fewer heaps: those that it does not have are empty.
        while position.heaps.len() < self.heaps() {
            position.heaps.push(0);
        }
        self.check(&position).is_ok().then_some(position)
    }

    fn words(&self, view: &View<Self::Position>) -> String {
        let fixed = (0..view.pattern.heaps.len()).filter(|place| !view.free.contains(place));
        let fixed: Vec<String> = fixed.map(|place| view.pattern.heaps[place].to_string()).collect();
        let mut words = match fixed.len() {
            0 => "two heaps".to_owned(),
            1 => format!("two heaps beside one of {}", fixed[0]),
            _ => format!("two heaps beside {}", fixed.join(", ")),
        };
        if self.passes() > 0 {
            words += &format!(", {} left", count(view.pattern.passes.into(), "pass", "passes"));
        }
        words
    }
}

fn how_to_leave_two_free(heaps: usize, free: usize) -> String {
    if heaps < 2 {
        return "a game of one heap has no plane; `bouton draw game-map` draws a small one".to_owned();
    }
    let mut example = vec!["1"; heaps];
    example[heaps - 2..].fill("*");
    format!(
        "a plane has two free heaps, and here are {free}; give single numbers for the others, for example --where 'heaps={}'",
        example.join(",")
    )
}
