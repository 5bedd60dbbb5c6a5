//! Heap games.

use bouton_study::select::{Filter, Span};
use bouton_study::words::{count, grouped};
use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Heaps, Position};

use crate::drawn::{Drawn, View, axis, filter_of_two, one, single};
use crate::error::DrawError;

/// The greatest size for which heaps with it in some places fit. It is one of the bounds: the least of those that these
/// heaps lie within.
fn greatest(rules: &HeapRules, pattern: &Heaps, places: &[usize]) -> Option<Heap> {
    let fits = |&size: &Heap| {
        let mut heaps = *pattern;
        places.iter().for_each(|&place| heaps[place] = size);
        rules.fits(&heaps)
    };
    rules.bounds().iter().copied().rev().find(fits)
}

impl Drawn for HeapRules {
    const SQUARE: bool = true;
    const OUTSIDE: &'static str = "not in the table";

    fn view(&self, filter: &Filter) -> Result<Option<View<Position>>, DrawError> {
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
        // Heaps in another order are the same: above the size that both can have, one axis tells all.
        let both = greatest(self, &pattern, &[first, second]).unwrap_or(one);
        // Heaps are told apart by their sizes: the order in which a table has them is nothing that players see.
        let name = |of: &str, most: Heap| format!("{of} heap, of up to {}: stones", grouped(most.into()));
        let other = if spans[second] == Span::ANY { both } else { one };
        let x = axis(name("one", one), one, spans[first]);
        let y = axis(name("another", other), other, spans[second]);
        let (Some(x), Some(y)) = (x, y) else { return Ok(None) };
        let pattern = Position { heaps: pattern, passes };
        Ok(Some(View { x, y, pattern, free: [first, second] }))
    }

    fn views_of_two(a: &Self, b: &Self, text: &str) -> Result<[Option<View<Position>>; 2], DrawError> {
        // A heap that one of the games does not have is an empty one.
        let fewer = if b.heaps() < a.heaps() { b } else { a };
        let filter = filter_of_two(fewer, text)?;
        let view = |rules: &Self| {
            let mut bounds = rules.bounds().to_vec();
            bounds.drain(..rules.heaps() - fewer.heaps());
            // The game without the heaps that the other does not have: its plane is the same.
            let smaller =
                HeapKeys { bounds, heaps_per_move: 1, equal_take: false, ..rules.keys().clone() }.rules();
            smaller.map_err(|error| DrawError::Invalid(error.to_string()))?.view(&filter)
        };
        Ok([view(a)?, view(b)?])
    }

    fn at(&self, view: &View<Position>, x: u32, y: u32) -> Option<Position> {
        let mut position = view.pattern;
        position.heaps[view.free[0]] = x;
        position.heaps[view.free[1]] = y;
        // A plane of a game with fewer heaps: those that it does not have are empty.
        while position.heaps.len() < self.heaps() {
            position.heaps.push(0);
        }
        self.check(&position).is_ok().then_some(position)
    }

    fn words(&self, view: &View<Position>) -> String {
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
