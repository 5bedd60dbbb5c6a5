//! The maximum over a sliding window: the last w elements of a growing sequence, at constant average cost for each
//! element (van Herk, 1992; Gil and Werman, 1993).
//!
//! The sequence is cut into blocks of w. A window consists of a suffix of one block and a prefix of the next, and both
//! are combined beforehand. For example, with w = 3 the window [1, 4, 2] of 3 1 4 | 2 7 5 combines the suffix 1 4 of the
//! first block (4) and the prefix 2 of the second (2) into 4. Elements are groups of lanes side by side.

/// The maximum of no keys.
pub(crate) const NONE: i64 = i64::MIN;

/// Replaces each key of `into` by the greater one of both.
pub(crate) fn combine(into: &mut [i64], keys: &[i64]) {
    into.iter_mut().zip(keys).for_each(|(into, &key)| *into = key.max(*into));
}

/// The window over a sequence.
pub(crate) struct SlidingMaximum {
    width: usize,
    /// For each element of the last complete block, the maximum from there to the block's end.
    suffixes: Vec<i64>,
    /// The maximum of the current block so far.
    prefix: Vec<i64>,
    /// Number of elements of the current block so far.
    filled: usize,
}

impl SlidingMaximum {
    /// A window over the last `width` elements of `lanes` lanes each.
    pub(crate) fn new(width: usize, lanes: usize) -> Self {
        Self { width, suffixes: vec![NONE; width * lanes], prefix: vec![NONE; lanes], filled: 0 }
    }

    /// Combines the elements of the window into `into`.
    pub(crate) fn combine_into(&self, into: &mut [i64]) {
        if self.width > 0 {
            combine(into, &self.prefix);
            combine(into, &self.suffixes[self.filled * into.len()..]);
        }
    }

    /// Moves the window by one element: the last of `sequence`, which holds all elements so far.
    pub(crate) fn slide(&mut self, sequence: &[i64]) {
        let lanes = self.prefix.len();
        combine(&mut self.prefix, &sequence[sequence.len() - lanes..]);
        self.filled += 1;
        if self.filled >= self.width {
            let first = sequence.len() - self.suffixes.len();
            self.suffixes.copy_from_slice(&sequence[first..]);
            for i in (0..self.suffixes.len().saturating_sub(lanes)).rev() {
                self.suffixes[i] = self.suffixes[i].max(self.suffixes[i + lanes]);
            }
            self.prefix.fill(NONE);
            self.filled = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_holds_the_last_elements_and_no_others() {
        let numbers: Vec<i64> = (0..200).map(|i| i * 7919 % 251).collect();
        for (width, lanes) in [(0, 1), (1, 1), (2, 3), (7, 2), (60, 2), (300, 1)] {
            let mut window = SlidingMaximum::new(width, lanes);
            for n in 0..numbers.len() / lanes {
                let mut found = vec![0; lanes];
                window.combine_into(&mut found);
                for lane in 0..lanes {
                    let last = (n.saturating_sub(width)..n).map(|i| numbers[i * lanes + lane]).max();
                    assert_eq!(found[lane], last.unwrap_or(0), "width {width} at {n}");
                }
                window.slide(&numbers[..(n + 1) * lanes]);
            }
        }
    }
}
