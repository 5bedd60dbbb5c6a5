//! Sums over the last positions of a line.

use super::super::stored::Stored;

/// Sums of several values over a window, which moves along a line.
///
/// What leaves the window is not subtracted: that would leave rounding errors, which may be greater than the smallest
/// chances. Instead, the line is cut into blocks as long as the window, so that each window is the end of one block and the
/// beginning of the next (van Herk 1992; Gil and Werman 1993).
#[derive(Debug)]
pub(super) struct SlidingSum {
    /// The number of positions in the window.
    reach: u32,
    /// The number of values.
    each: usize,
    /// The position that comes into the window next.
    next: u32,
    /// Its place in its block.
    place: usize,
    /// The sums over its block so far.
    begun: Vec<f64>,
    /// By places in a block: where the block has been, its values; further on, the sums over the block before from there to
    /// its end. Empty until the first use.
    rest: Vec<f64>,
}

impl SlidingSum {
    /// A window of `reach` positions, each of which has `each` values.
    pub(super) fn new(reach: u32, each: usize) -> Self {
        Self { reach, each, next: 0, place: 0, begun: vec![0.0; each], rest: Vec::new() }
    }

    /// Moves the window forward, so that it ends before a position, and adds the sums to `sums`. `values` gives the values of
    /// a position; `None` stands for zeros.
    pub(super) fn add_up_to<'a, T: Stored + 'a>(
        &mut self,
        end: u32,
        values: impl Fn(u32) -> Option<&'a [T]>,
        sums: &mut [f64],
    ) {
        if self.reach == 0 {
            return;
        }
        if self.rest.is_empty() || end - self.next > self.reach {
            self.next = end.saturating_sub(self.reach);
            self.place = 0;
            self.begun.fill(0.0);
            self.rest.clear();
            self.rest.resize(self.reach as usize * self.each, 0.0);
        }
        while self.next < end {
            self.push(values(self.next));
            self.next += 1;
        }
        let rest = &self.rest[self.place * self.each..];
        for ((sum, begun), rest) in sums.iter_mut().zip(&self.begun).zip(rest) {
            *sum += begun + rest;
        }
    }

    fn push<T: Stored>(&mut self, values: Option<&[T]>) {
        let place = &mut self.rest[self.place * self.each..][..self.each];
        match values {
            None => place.fill(0.0),
            Some(values) => {
                for ((place, begun), value) in place.iter_mut().zip(&mut self.begun).zip(values) {
                    *place = value.chance();
                    *begun += *place;
                }
            }
        }
        self.place += 1;
        if self.place == self.reach as usize {
            for at in (self.each..self.rest.len()).rev() {
                self.rest[at - self.each] += self.rest[at];
            }
            self.begun.fill(0.0);
            self.place = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_window_wherever_it_moves() {
        // Powers of two, so that the sums are exact.
        let values: Vec<[f64; 2]> = (0..60).map(|n| [f64::from(1 << (n % 20)), f64::from(n)]).collect();
        let of = |stones: u32| (stones % 5 != 2).then(|| &values[stones as usize][..]);
        for reach in [0, 1, 2, 3, 7, 16, 59, 70] {
            for ends in [vec![1, 2, 3, 4, 5], (0..60).collect(), vec![9, 10, 30, 31, 33, 59], vec![58]] {
                let mut window = SlidingSum::new(reach, 2);
                for end in ends {
                    let mut sums = [1000.0, 0.5];
                    window.add_up_to(end, of, &mut sums);
                    let mut expected = [1000.0, 0.5];
                    for values in (end.saturating_sub(reach)..end).filter_map(of) {
                        expected[0] += values[0];
                        expected[1] += values[1];
                    }
                    assert_eq!(sums, expected, "{reach} before {end}");
                }
            }
        }
    }

    #[test]
    fn what_has_left_the_window_leaves_nothing_behind() {
        let values = [[0.3], [0.7], [1e-30], [1e-30]];
        let mut window = SlidingSum::new(2, 1);
        let mut sums = [0.0; 4];
        for end in 1..=4 {
            let sum = &mut sums[end - 1..end];
            window.add_up_to(end as u32, |stones| Some(&values[stones as usize][..]), sum);
        }
        assert_eq!(sums[3], 2e-30);
    }
}
