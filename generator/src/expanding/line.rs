//! Lines: which places along them are lost, however many there are.
//!
//! From some place on, a line is constant, or it is so but for marks. Before that it is a few changes.

use std::sync::Arc;

use super::marks::{Marks, MarksFrom, NEVER};
use crate::GenerateError;
use crate::memory::Grow;

/// Which places are lost (or covered, or whatever else is said of places), for all that follow the first.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Where it changes before `from`, ascending: what is before the first change is not lost.
    pub(super) head: Vec<u32>,
    /// From here on the tail tells.
    pub(super) from: u32,
    pub(super) tail: Tail,
}

/// What a line is from some place on.
#[derive(Clone, Debug)]
pub(super) enum Tail {
    /// All are lost, or none.
    All(bool),
    /// Those that marks cover are lost and the others not, or the other way round.
    Marked(Marked),
}

/// Marks that are shifted and widened: a mark y covers the places from y + shift to y + shift + run - 1. No two cover the same
/// place.
#[derive(Clone, Debug)]
pub(super) struct Marked {
    pub(super) list: Arc<Marks>,
    pub(super) shift: u32,
    pub(super) run: u32,
    /// Whether the places that they cover are the lost ones.
    pub(super) lost: bool,
}

impl Line {
    /// A line of which no place is lost, or all are.
    pub(super) fn all(lost: bool) -> Self {
        Self { head: Vec::new(), from: 0, tail: Tail::All(lost) }
    }

    /// Whether no place is lost.
    pub(super) fn is_empty(&self) -> bool {
        self.head.is_empty() && matches!(self.tail, Tail::All(false))
    }

    /// The runs of lost places, ascending: each begins at, or after, the end of the one before.
    pub(super) fn runs(&self) -> Runs<'_> {
        let mut rest = match &self.tail {
            Tail::All(false) => Rest::Over,
            Tail::All(true) => Rest::All,
            Tail::Marked(Marked { list, lost: true, .. }) => Rest::Marks(list.iter()),
            Tail::Marked(Marked { list, .. }) => Rest::Between(list.iter(), self.from.into()),
        };
        if let (Rest::Marks(marks) | Rest::Between(marks, _), Tail::Marked(marked)) = (&mut rest, &self.tail)
        {
            // Those that end before the tail are none of its.
            while marks.next != NEVER
                && marks.next + u64::from(marked.shift + marked.run) <= u64::from(self.from)
            {
                marks.go_on();
            }
        }
        Runs { line: self, head: 0, rest }
    }

    /// Bytes that it takes, about, without its list.
    pub(super) fn bytes(&self) -> usize {
        size_of::<Self>() + 4 * self.head.capacity()
    }
}

/// What is left of a line's tail.
enum Rest {
    Over,
    All,
    /// Marks are lost.
    Marks(MarksFrom),
    /// What is between marks is lost, from this place on.
    Between(MarksFrom, u64),
}

/// The runs of a line that are left.
pub(super) struct Runs<'a> {
    line: &'a Line,
    head: usize,
    rest: Rest,
}

impl Runs<'_> {
    /// The next run: where it begins, and ends. Both are [`NEVER`] if there is none.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn next_run(&mut self) -> [u64; 2] {
        let from = u64::from(self.line.from);
        if let Some(&start) = self.line.head.get(self.head) {
            let end = self.line.head.get(self.head + 1).map_or(from, |&end| end.into());
            self.head += 2;
            return [start.into(), end];
        }
        let Tail::Marked(Marked { shift, run, .. }) = self.line.tail else {
            return match std::mem::replace(&mut self.rest, Rest::Over) {
                Rest::All => [from, NEVER],
                _ => [NEVER; 2],
            };
        };
        let (shift, run) = (u64::from(shift), u64::from(run));
        match &mut self.rest {
            Rest::Marks(marks) => {
                if marks.next == NEVER {
                    return [NEVER; 2];
                }
                let start = marks.next + shift;
                marks.go_on();
                [start.max(from), start + run]
            }
            Rest::Between(marks, begins) => loop {
                let start = *begins;
                if marks.next == NEVER {
                    *begins = NEVER;
                    return [start, NEVER];
                }
                let end = marks.next + shift;
                *begins = start.max(end + run);
                marks.go_on();
                if start < end {
                    return [start, end];
                }
            },
            Rest::Over | Rest::All => [NEVER; 2],
        }
    }
}

/// A line in the making: runs of lost places, ascending.
pub(super) struct Builder {
    head: Vec<u32>,
    /// The last run; others may follow at its end.
    last: [u64; 2],
}

impl Builder {
    /// A line of which only the first place may be lost so far.
    pub(super) fn new(first_is_lost: bool) -> Self {
        Self { head: Vec::new(), last: [0, first_is_lost.into()] }
    }

    /// Adds a run of lost places. It begins no earlier than any before.
    #[inline]
    pub(super) fn push(&mut self, start: u64, end: u64) -> Result<(), GenerateError> {
        if start > self.last[1] {
            self.put_last()?;
            self.last = [start, end];
        } else {
            self.last[1] = self.last[1].max(end);
        }
        Ok(())
    }

    fn put_last(&mut self) -> Result<(), GenerateError> {
        let [start, end] = self.last;
        if start < end {
            self.head.grow(start as u32)?;
            self.head.grow(end as u32)?;
        }
        Ok(())
    }

    /// The line that goes on with a tail from a place on, before which all runs begin.
    pub(super) fn finish(mut self, from: u64, tail: Tail) -> Result<Line, GenerateError> {
        // A run that goes on beyond the place ends there: the tail says how.
        self.last = self.last.map(|place| place.min(from));
        self.put_last()?;
        if self.head.last() == Some(&(from as u32)) {
            self.head.pop();
        }
        Ok(Line { head: self.head, from: from as u32, tail })
    }

    /// The line on which no more places are lost.
    pub(super) fn finish_won(self) -> Result<Line, GenerateError> {
        let end = self.last[1];
        self.finish(end, Tail::All(false))
    }

    /// The line of so many places that has these runs and no others: with marks of one length, if there are several.
    pub(super) fn finish_all(mut self, length: u64) -> Result<Line, GenerateError> {
        self.last[1] = self.last[1].min(length);
        self.put_last()?;
        let mut line = Line { head: self.head, from: length as u32, tail: Tail::All(false) };
        line.find_marks()?;
        Ok(line)
    }
}

/// So many runs are worth a list of marks.
const SEVERAL: usize = 8;

impl Line {
    /// Makes marks of the last runs before `from`, where all is told by changes, as far as these are of one length.
    fn find_marks(&mut self) -> Result<(), GenerateError> {
        let length = self.from;
        let ends_lost = self.head.last() == Some(&length);
        if ends_lost {
            self.head.pop();
        }
        if self.head.len() < 2 * SEVERAL {
            self.shorten(ends_lost);
            return Ok(());
        }
        // The last stretch may be cut off by the line's end; of the two before it, the shorter are the marks.
        let n = self.head.len();
        let [a, b, c] = [n - 3, n - 2, n - 1].map(|at| self.head[at]);
        let lost_before_last = !ends_lost;
        let (run, lost, mut at) =
            if c - b <= b - a { (c - b, lost_before_last, n - 2) } else { (b - a, !lost_before_last, n - 3) };
        // Marks begin at every second change from the last one back.
        let mut marks = Vec::new();
        if lost != lost_before_last && length - c <= run {
            marks.grow(c)?;
        } else if lost != lost_before_last {
            // The last stretch is longer than a mark.
            self.shorten(ends_lost);
            return Ok(());
        }
        loop {
            if self.head[at + 1] - self.head[at] != run {
                break;
            }
            marks.grow(self.head[at])?;
            match at.checked_sub(2) {
                Some(before) => at = before,
                None => break,
            }
        }
        if marks.len() < SEVERAL {
            self.shorten(ends_lost);
            return Ok(());
        }
        marks.reverse();
        let least = marks.windows(2).map(|pair| pair[1] - pair[0]).min().unwrap_or(1);
        let mut list = Marks::new(least);
        marks.iter().try_for_each(|&mark| list.push(mark))?;
        self.from = marks[0];
        self.head.retain(|&change| change < marks[0]);
        self.tail = Tail::Marked(Marked { list: Arc::new(list), shift: 0, run, lost });
        Ok(())
    }

    /// Makes the last stretch the tail.
    fn shorten(&mut self, ends_lost: bool) {
        self.from = self.head.pop().unwrap_or(0);
        self.tail = Tail::All(ends_lost);
    }

    /// Says whether the first place is lost.
    pub(super) fn set_first(&mut self, lost: bool) {
        if self.from == 0 {
            // The tail begins behind it.
            let is_lost = self.runs().next_run()[0] == 0;
            self.from = 1;
            if is_lost {
                self.head.insert(0, 0);
            }
        }
        if (self.head.first() == Some(&0)) != lost {
            if self.head.first() == Some(&0) {
                self.head.remove(0);
            } else {
                self.head.insert(0, 0);
            }
            // What follows stays as it was.
            match self.head.iter().position(|&change| change == 1) {
                Some(at) => {
                    self.head.remove(at);
                }
                None if self.from > 1 => self.head.insert(usize::from(lost), 1),
                None => {}
            }
        }
    }

    /// Lets the tail begin as early as it holds.
    pub(super) fn trim(&mut self) {
        // Where the tail's runs before `from` begin and end.
        let mut changes = Vec::new();
        let mut lost = match &self.tail {
            Tail::All(lost) => *lost,
            Tail::Marked(Marked { list, shift, run, lost }) => {
                let before = |mark: &u32| u64::from(*mark) + u64::from(*shift) < u64::from(self.from);
                for mark in list.iter().take_while(before) {
                    changes.extend([mark + shift, mark + shift + run]);
                }
                while changes.last().is_some_and(|&change| change >= self.from) {
                    changes.pop();
                }
                // Whether the last place before `from` is covered.
                (changes.len() % 2 == 1) == *lost
            }
        };
        while self.from > 0 && (self.head.len() % 2 == 1) == lost {
            let of_tail = changes.last().copied().unwrap_or(0);
            let of_head = self.head.last().copied().unwrap_or(0);
            self.from = of_tail.max(of_head);
            if of_head == self.from && self.head.pop().is_none() {
                return;
            }
            if of_tail == self.from {
                changes.pop();
                lost = !lost;
            }
        }
    }
}
