//! Planes of heap games: the sizes of two heaps.

use bouton_study::StudyError;
use bouton_study::filter::{Filter, Span};
use bouton_study::words::{count, grouped};
use bouton_tables::Game;
use bouton_tables::heaps::{Heap, HeapKeys, HeapRules, Heaps, Position};

use crate::drawable::{Drawable, PlaneView, axis, filter_of_two, fixed_number, only_number};
use crate::error::Result;

/// Returns the greatest size that all heaps with the indices `free` can have at once, together with the other heaps of `pattern`.
fn greatest(rules: &HeapRules, pattern: &Heaps, free: &[usize]) -> Option<Heap> {
    let fits = |&size: &Heap| {
        let mut heaps = *pattern;
        free.iter().for_each(|&index| heaps[index] = size);
        rules.fits(&heaps)
    };
    rules.bounds().iter().copied().rev().find(fits)
}

impl Drawable for HeapRules {
    const SQUARE: bool = true;
    const OUTSIDE: &'static str = "not in the table";

    fn plane(&self, filter: &Filter) -> Result<Option<PlaneView<Position>>> {
        let passes = fixed_number(filter, "passes", 0, self.passes().into())?;
        let spans: Vec<Span> = (0..self.heaps()).map(|index| filter.span("heaps", index)).collect();
        let free: Vec<usize> =
            (0..spans.len()).filter(|&index| only_number(spans[index]).is_none()).collect();
        let &[first, second] = &free[..] else {
            return Err(StudyError::Invalid(how_to_leave_two_free(self.heaps(), free.len())));
        };
        let fixed = |&span: &Span| only_number(span).map_or(Some(0), |size| Heap::try_from(size).ok());
        let pattern: Option<Heaps> = spans.iter().map(fixed).collect();
        let (Some(pattern), Ok(passes)) = (pattern, u8::try_from(passes)) else { return Ok(None) };
        let Some(greatest_x) = greatest(self, &pattern, &[first]) else { return Ok(None) };
        // Name a heap by the greatest size on its axis, as players do not see the order of the bounds.
        let name = |heap: &str, most: Heap| format!("{heap} heap, of up to {}: stones", grouped(most.into()));
        let Some(x) = axis(name("one", greatest_x), greatest_x.into(), spans[first]) else { return Ok(None) };
        // Heaps have no order. So if the x axis reaches the greatest size, x can be the greater heap of each position, and y the lesser
        // one: the y axis can end at the greatest size that both heaps can have at once.
        let greatest_lesser = greatest(self, &pattern, &[first, second]).unwrap_or(greatest_x);
        let is_lesser_enough = x.to == u64::from(greatest_x) && spans[second] == Span::ANY;
        let greatest_y = if is_lesser_enough { greatest_lesser } else { greatest_x };
        let Some(y) = axis(name("another", greatest_y), greatest_y.into(), spans[second]) else {
            return Ok(None);
        };
        let pattern = Position { heaps: pattern, passes };
        Ok(Some(PlaneView { x, y, pattern, free: [first, second] }))
    }

    fn planes_of_two(a: &Self, b: &Self, text: &str) -> Result<[Option<PlaneView<Position>>; 2]> {
        // The filter is for the game with fewer heaps. In the other game, further heaps are empty.
        let fewer = if b.heaps() < a.heaps() { b } else { a };
        let filter = filter_of_two(fewer, text)?;
        let plane = |rules: &Self| {
            let mut bounds = rules.bounds().to_vec();
            bounds.drain(..rules.heaps() - fewer.heaps());
            // A plane depends on bounds and passes only. Omit the moves: they might not be allowed with fewer heaps.
            let smaller = HeapKeys { bounds, passes: rules.keys().passes, ..HeapKeys::default() }.rules();
            smaller.map_err(|error| StudyError::Invalid(error.to_string()))?.plane(&filter)
        };
        Ok([plane(a)?, plane(b)?])
    }

    fn position_at(&self, plane: &PlaneView<Position>, x: u64, y: u64) -> Option<Position> {
        let mut position = plane.pattern;
        position.heaps[plane.free[0]] = x as Heap;
        position.heaps[plane.free[1]] = y as Heap;
        // A plane of two games has the heaps of the smaller one: in the other game, further heaps are empty.
        position.heaps = position.heaps.padded(self.heaps());
        self.check(&position).is_ok().then_some(position)
    }

    fn describe(&self, plane: &PlaneView<Position>) -> String {
        let heaps = plane.pattern.heaps.iter().enumerate();
        let fixed = heaps.filter(|(index, _)| !plane.free.contains(index));
        let fixed: Vec<String> = fixed.map(|(_, heap)| heap.to_string()).collect();
        let mut words = match fixed.len() {
            0 => "two heaps".to_owned(),
            1 => format!("two heaps next to one of {}", fixed[0]),
            _ => format!("two heaps next to {}", fixed.join(", ")),
        };
        if self.passes() > 0 {
            words += &format!(", {} left", count(plane.pattern.passes.into(), "pass", "passes"));
        }
        words
    }
}

fn how_to_leave_two_free(heaps: usize, free: usize) -> String {
    if heaps < 2 {
        return "a game of one heap has no plane; if the game is small, `bouton draw game-map` draws it"
            .to_owned();
    }
    let mut example = vec!["1"; heaps];
    example[heaps - 2..].fill("*");
    format!(
        "a plane has two free heaps, found {free}; give single numbers for the others, for example --where 'heaps={}'",
        example.join(",")
    )
}
