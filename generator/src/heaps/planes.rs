//! The order in which the fast solvers go through positions, and where in it lines lie.
//!
//! Heaps are written in descending order. The two least make a *plane*, the others, which stay as they are in
//! it, its *outer* heaps. In a *row* of the plane the last heap but one is fixed, and only the least heap
//! differs: positions of a row, and the lines that lead through them along an outer heap, lie side by side.

use bouton_tables::heaps::{Heap, HeapRules, Heaps, MAX_HEAPS, Ranks};

use crate::control::{Patience, check};
use crate::memory::len;
use crate::{Control, GenerateError, parallel};

/// All planes of a game. A game of one or two heaps has heaps that are always empty besides, so that there
/// is an outer heap.
pub(super) struct Planes {
    /// Ranks of the outer heaps. Those of all heaps but an outer one and the least are as many, within the
    /// same bounds.
    pub(super) outer: Ranks,
    /// Ranks of all heaps but one.
    pub(super) lines: Ranks,
    /// Ranks of all heaps; the padding changes nothing in them.
    pub(super) all: Ranks,
    /// Bound of the last heap but one.
    second_least: Heap,
    /// Bound of the least heap.
    pub(super) least: Heap,
}

/// A plane, and where its lines lie.
pub(super) struct Plane<'a> {
    /// The outer heaps.
    pub(super) heaps: &'a [Heap],
    /// The last row.
    pub(super) last_row: Heap,
    /// The rank of the outer heaps among [`Planes::outer`].
    pub(super) own: usize,
    /// The rank of the outer heaps, and a row, is `own_lines + row` among [`Planes::lines`]: the line of the
    /// least heap in this row, and that of the last heap but one where the least one has this size.
    pub(super) own_lines: usize,
    /// For each outer heap what the others add to a rank among [`Planes::outer`]. The size of the row comes
    /// to it.
    pub(super) outer_at: [usize; MAX_HEAPS],
    /// For each outer heap what the others add to a rank among [`Planes::lines`]. What the row adds, and the
    /// size of the least heap, come to it.
    pub(super) lines_at: [usize; MAX_HEAPS],
}

/// The bounds of a game with its padding, ascending.
pub(super) fn padded(rules: &HeapRules) -> Vec<Heap> {
    let padding = 3_usize.saturating_sub(rules.heaps());
    std::iter::repeat_n(0, padding).chain(rules.bounds().iter().copied()).collect()
}

impl Planes {
    pub(super) fn new(rules: &HeapRules) -> Result<Self, GenerateError> {
        let bounds = padded(rules);
        let (outer, lines) = (Ranks::try_new(&bounds[2..])?, Ranks::try_new(&bounds[1..])?);
        let all = Ranks::try_new(&bounds)?;
        // Wherever a line's rank is used as an index, it fits one.
        len(lines.count())?;
        Ok(Self { outer, lines, all, second_least: bounds[1], least: bounds[0] })
    }

    /// What a row adds to the rank of a line along an outer heap.
    pub(super) fn row_part(&self, row: Heap) -> usize {
        self.lines.part(self.outer.heaps() - 1, row) as usize
    }

    /// Number of blocks, in which progress is counted.
    pub(super) fn blocks(rules: &HeapRules) -> u64 {
        match rules.bounds() {
            [.., second, first] if rules.heaps() > 3 => {
                let (first, second) = (u64::from(*first), u64::from(*second));
                (second + 1) * (first - second) + (second + 1) * (second + 2) / 2
            }
            bounds => u64::from(bounds[bounds.len() - 1]) + 1,
        }
    }

    /// Solves all planes, so that those to which moves lead come first. `solve` solves a plane, and what it
    /// gives is put together by `and`; it may use its scratch from one plane to the next. Planes may be
    /// solved at the same time only if no move leads from one to another, and if no line leads through both.
    pub(super) fn solve<T: Default + Send, S: Default>(
        &self,
        control: &dyn Control,
        and: impl Fn(T, T) -> T + Sync + Send,
        solve: impl Fn(&Plane, &mut S, &mut Patience) -> Result<T, GenerateError> + Sync,
    ) -> Result<T, GenerateError> {
        let block = |first: Heap, second: Option<Heap>| {
            let mut done = T::default();
            let mut scratch = S::default();
            let mut patience = Patience::new(control);
            let mut heaps: Heaps = [first].into_iter().chain(second).collect();
            loop {
                if heaps.len() < self.outer.heaps() {
                    heaps.push(0);
                    continue;
                }
                done = and(done, solve(&self.plane(&heaps), &mut scratch, &mut patience)?);
                // On to the next heaps that begin in the same way.
                let fixed = 1 + usize::from(second.is_some());
                let grows = |place: &usize| heaps[*place] < heaps[*place - 1].min(self.outer.bound(*place));
                let Some(place) = (fixed..heaps.len()).rev().find(grows) else { break };
                heaps[place] += 1;
                (place + 1..heaps.len()).for_each(|_| {
                    heaps.pop();
                });
            }
            control.advance(1);
            Ok::<_, GenerateError>(done)
        };
        let first = self.outer.bound(0);
        if self.outer.heaps() == 1 {
            return (0..=first).try_fold(T::default(), |done, heap| Ok(and(done, block(heap, None)?)));
        }
        // Blocks with the same sum of the two greatest heaps: no move leads from one to another. Nor do they
        // share a line: the greatest of the heaps beside a line through a block is one of its own two, and
        // two blocks of one sum have no heap in common.
        let second = self.outer.bound(1);
        let of_sum = |done, sum| {
            let (least, most) = (u32::saturating_sub(sum, first), (sum / 2).min(second));
            check(control)?;
            // The longest blocks first.
            let block = |piece| block(sum - (most - piece as Heap), Some(most - piece as Heap));
            Ok(and(done, parallel::reduce((most + 1 - least) as usize, block, |a, b| Ok(and(a, b)))?))
        };
        (0..=first + second).try_fold(T::default(), of_sum)
    }

    fn plane<'a>(&self, heaps: &'a Heaps) -> Plane<'a> {
        let mut outer_at = [0; MAX_HEAPS];
        let mut lines_at = [0; MAX_HEAPS];
        for (left_out, (outer, lines)) in outer_at.iter_mut().zip(&mut lines_at).enumerate().take(heaps.len())
        {
            let others = heaps[..left_out].iter().chain(&heaps[left_out + 1..]);
            for (place, &other) in others.enumerate() {
                *outer += self.outer.part(place, other) as usize;
                *lines += self.lines.part(place, other) as usize;
            }
        }
        Plane {
            heaps,
            last_row: heaps[heaps.len() - 1].min(self.second_least),
            own: self.outer.rank(heaps) as usize,
            own_lines: self.lines.rank(heaps) as usize,
            outer_at,
            lines_at,
        }
    }
}

/// A position in a plane.
pub(super) struct Place<'a> {
    pub(super) plane: &'a Plane<'a>,
    pub(super) row: Heap,
    /// That of the row ([`Planes::row_part`]).
    pub(super) row_part: usize,
    pub(super) least: Heap,
}

impl Place<'_> {
    /// The line of the least heap.
    pub(super) fn line_of_least(&self) -> usize {
        self.plane.own_lines + self.row as usize
    }

    pub(super) fn is_empty(&self) -> bool {
        self.plane.own == 0 && self.row == 0
    }

    /// The line of each heap, with the size of that heap.
    #[inline(always)]
    pub(super) fn lines(&self, mut line: impl FnMut(usize, Heap)) {
        let at = self.row_part + self.least as usize;
        for (&others, &heap) in self.plane.lines_at.iter().zip(self.plane.heaps) {
            line(others + at, heap);
        }
        line(self.plane.own_lines + self.least as usize, self.row);
        line(self.line_of_least(), self.least);
    }
}
