//! Fallible allocation. Sizes depend on the ruleset, so running out of memory must be an error and never abort the
//! program.

use crate::making::GenerateError;

/// Converts a number of items to `usize`.
pub(crate) fn len(items: u64) -> Result<usize, GenerateError> {
    usize::try_from(items).map_err(|_| GenerateError::Memory)
}

/// Converts a number to `u64`, saturating.
pub(crate) fn capped(number: u128) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

/// Returns an empty vector with capacity for `items` items.
pub(crate) fn room<T>(items: u64) -> Result<Vec<T>, GenerateError> {
    let mut room = Vec::new();
    room.try_reserve_exact(len(items)?)?;
    Ok(room)
}

/// Returns `items` copies of a value.
pub(crate) fn filled<T: Clone>(items: u64, value: T) -> Result<Vec<T>, GenerateError> {
    let mut filled = room(items)?;
    filled.resize(len(items)?, value);
    Ok(filled)
}

/// Returns `items` values, each from a call of `value`.
pub(crate) fn filled_with<T>(items: u64, value: impl FnMut() -> T) -> Result<Vec<T>, GenerateError> {
    let mut filled = room(items)?;
    filled.resize_with(len(items)?, value);
    Ok(filled)
}

/// Returns the items of an iterator that knows their maximum number.
pub(crate) fn collected<T>(items: impl Iterator<Item = T>) -> Result<Vec<T>, GenerateError> {
    let most = items.size_hint().1.ok_or(GenerateError::Memory)?;
    let mut collected = room(most as u64)?;
    collected.extend(items);
    Ok(collected)
}

/// Appending to vectors without aborting when memory is short.
pub(crate) trait Grow<T> {
    /// Appends an item.
    fn grow(&mut self, item: T) -> Result<(), GenerateError>;
    /// Appends items. The iterator must not yield more items than its length.
    fn grow_by(&mut self, items: impl ExactSizeIterator<Item = T>) -> Result<(), GenerateError>;
    /// Frees the memory that is reserved for further items, if there is memory for a copy. (The standard library would
    /// abort if there is none.)
    fn shrink(&mut self);
}

impl<T> Grow<T> for Vec<T> {
    #[inline]
    fn grow(&mut self, item: T) -> Result<(), GenerateError> {
        if self.len() == self.capacity() {
            self.try_reserve(1)?;
        }
        self.push(item);
        Ok(())
    }

    fn grow_by(&mut self, items: impl ExactSizeIterator<Item = T>) -> Result<(), GenerateError> {
        self.try_reserve(items.len())?;
        self.extend(items);
        Ok(())
    }

    fn shrink(&mut self) {
        if self.capacity() > self.len()
            && let Ok(mut exact) = room(self.len() as u64)
        {
            exact.append(self);
            *self = exact;
        }
    }
}
