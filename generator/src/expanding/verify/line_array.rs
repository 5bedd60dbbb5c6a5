//! A value for each place of each line.

use crate::making::GenerateError;
use crate::memory::{collected, filled};
use crate::parallel;

/// A value for each place of each line, one line after the other. All lines are equally long.
#[derive(Debug)]
pub(super) struct LineArray<T> {
    /// Number of places of a line.
    length: usize,
    pub(super) values: Vec<T>,
}

impl<T: Copy + Send> LineArray<T> {
    /// Returns `lines` lines of `length` places, all with the same value.
    pub(super) fn filled(length: usize, lines: usize, value: T) -> Result<Self, GenerateError> {
        Ok(Self { length, values: filled(length as u64 * lines as u64, value)? })
    }

    /// Returns the array of the parts that `part` takes from the values.
    pub(super) fn map<P>(&self, part: impl Fn(&T) -> P) -> Result<LineArray<P>, GenerateError> {
        Ok(LineArray { length: self.length, values: collected(self.values.iter().map(part))? })
    }

    pub(super) fn line(&self, number: usize) -> &[T] {
        &self.values[number * self.length..][..self.length]
    }

    /// Calls `each` with the number and the values of every line, in parallel.
    pub(super) fn each_line<E: Send>(
        &mut self,
        each: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync + Send,
    ) -> Result<(), E> {
        parallel::chunks(&mut self.values, self.length, each)
    }
}
