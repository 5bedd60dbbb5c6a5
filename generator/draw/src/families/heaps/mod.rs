//! Planes of heap games: the sizes of two heaps.

use bouton_study::select::{Filter, Span};
use bouton_study::words::{count, grouped};
use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Heaps, Position};

use crate::drawn::{Drawable, PlaneView, axis, filter_of_two, one, single};
use crate::error::DrawError;

/// Returns the greatest size that fits into all of `places` at once, which is the least of their bounds.
fn greatest(rules: &HeapRules, pattern: &Heaps, places: &[usize]) -> Option<Heap> {
    let fits = |&size: &Heap| {
        let mut heaps = *pattern;
        places.iter().for_each(|&place| heaps[place] = size);
        rules.fits(&heaps)
    };
    rules.bounds().iter().copied().rev().find(fits)
}

impl Drawable for HeapRules {
    const SQUARE: bool = true;
    const OUTSIDE: &'static str = "not in the table";

    fn view(&self, filter: &Filter) -> Result<Option<PlaneView<Position>>, DrawError> {
        let passes = one(filter, "passes", 0, self.passes().into())?;
        let spans: Vec<Span> = (0..self.heaps()).map(|place| filter.span("heaps", place)).collect();
        let free: Vec<usize> = (0..spans.len()).filter(|&place| single(spans[place]).is_none()).collect();
        let &[first, second] = &free[..] else {
            return Err(DrawError::Invalid(how_to_leave_two_free(self.heaps(), free.len())));
        };
        let fixed = spans.iter().map(|&span| single(span).map_or(Some(0), |size| Heap::try_from(size).ok()));
        let (Some(pattern), Ok(passes)) = (fixed.collect::<Option<Heaps>>(), u8::try_from(passes)) else {
            return Ok(None);
        };
        let Some(one) = greatest(self, &pattern, &[first]) else { return Ok(None) };
        // The order of heaps does not matter: above the size that both heaps can have, one axis shows all positions.
        let both = greatest(self, &pattern, &[first, second]).unwrap_or(one);
        // Name a heap by its size, as players do not see the order in the table.
        let name = |of: &str, most: Heap| format!("{of} heap, of up to {}: stones", grouped(most.into()));
        let other = if spans[second] == Span::ANY { both } else { one };
        let x = axis(name("one", one), one, spans[first]);
        let y = axis(name("another", other), other, spans[second]);
        let (Some(x), Some(y)) = (x, y) else { return Ok(None) };
        let pattern = Position { heaps: pattern, passes };
        Ok(Some(PlaneView { x, y, pattern, free: [first, second] }))
    }

    fn views_of_two(a: &Self, b: &Self, text: &str) -> Result<[Option<PlaneView<Position>>; 2], DrawError> {
        // A heap that one of the games lacks counts as empty.
        let fewer = if b.heaps() < a.heaps() { b } else { a };
        let filter = filter_of_two(fewer, text)?;
        let view = |rules: &Self| {
            let mut bounds = rules.bounds().to_vec();
            bounds.drain(..rules.heaps() - fewer.heaps());
            // Without the heaps that the other game lacks, the plane is the same.
            let smaller =
                HeapKeys { bounds, heaps_per_move: 1, equal_take: false, ..rules.keys().clone() }.rules();
            smaller.map_err(|error| DrawError::Invalid(error.to_string()))?.view(&filter)
        };
        Ok([view(a)?, view(b)?])
    }

    fn at(&self, view: &PlaneView<Position>, x: u32, y: u32) -> Option<Position> {
        let mut position = view.pattern;
        position.heaps[view.free[0]] = x;
        position.heaps[view.free[1]] = y;
        // In a plane of a game with fewer heaps, the missing ones are empty.
        while position.heaps.len() < self.heaps() {
            position.heaps.push(0);
        }
        self.check(&position).is_ok().then_some(position)
    }

    fn words(&self, view: &PlaneView<Position>) -> String {
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
        "a plane has two free heaps, found {free}; give single numbers for the others, for example --where 'heaps={}'",
        example.join(",")
    )
}
