//! Fields of positions and answers, and spans of their numbers.

/// A field of a position or of its answer, which a filter can restrict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name in filters.
    pub name: &'static str,
    /// Count of numbers in a value: 1, 2 for the resets of both players, or one for each heap.
    pub numbers: usize,
    /// Name of a single number if the value is a list, even of one number: `heap` for the field `heaps`.
    pub item: Option<&'static str>,
    /// Words for the values 0, 1 and so on; empty if values are written as numbers.
    pub words: &'static [&'static str],
    /// Possible numbers in this family of games.
    pub range: Span,
    /// Bytes of each number in exports: 8, 4 or 1; 0 if exports omit the field, because it follows from others.
    pub(crate) bytes: usize,
}

impl Field {
    pub(crate) const fn number(name: &'static str) -> Self {
        Self { name, numbers: 1, item: None, words: &[], range: Span::ANY, bytes: 4 }
    }

    pub(crate) const fn list(name: &'static str, item: &'static str, numbers: usize) -> Self {
        Self { numbers, item: Some(item), ..Self::number(name) }
    }

    pub(crate) const fn ranged(name: &'static str, from: u64, to: u64) -> Self {
        Self { range: Span { from, to }, ..Self::number(name) }
    }

    pub(crate) const fn word(name: &'static str, words: &'static [&'static str]) -> Self {
        Self { words, ..Self::number(name) }
    }

    pub(crate) const fn of_bytes(self, bytes: usize) -> Self {
        Self { bytes, ..self }
    }

    /// Returns the names of the field's columns, one for each number: `heap1`, `heap2`; none if exports omit the field.
    pub fn columns(self) -> impl Iterator<Item = String> {
        let name = move |number| self.item.map_or(self.name.to_owned(), |item| format!("{item}{number}"));
        (1..=self.numbers).filter(move |_| self.bytes > 0).map(name)
    }
}

/// A range of numbers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Least number.
    pub from: u64,
    /// Greatest number.
    pub to: u64,
}

impl Span {
    /// All numbers.
    pub const ANY: Self = Self { from: 0, to: u64::MAX };

    /// One number.
    pub fn only(number: u64) -> Self {
        Self { from: number, to: number }
    }

    /// Returns whether the range contains a number.
    pub fn has(self, number: u64) -> bool {
        (self.from..=self.to).contains(&number)
    }

    /// Intersects two ranges.
    pub(super) fn and(self, other: Self) -> Self {
        Self { from: self.from.max(other.from), to: self.to.min(other.to) }
    }

    /// Returns the numbers of the range that are at most `most`.
    pub(crate) fn up_to(self, most: u64) -> impl Iterator<Item = u64> + Clone {
        self.from..=self.to.min(most)
    }
}
