//! Periods of sequences.

use std::collections::TryReserveError;

use serde::Serialize;

/// A repetition of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Period {
    /// Number of terms before the first period.
    pub preperiod: u64,
    /// Number of terms of a period.
    pub period: u64,
}

/// Returns the least period with which a sequence repeats to its end, with the least preperiod: 7 0 1 0 1 0 has preperiod 1 and period
/// 2. The repetition must cover at least half of the sequence and two whole periods. Takes linear time.
///
/// # Errors
/// If an allocation of four bytes for each term fails.
pub fn period<T: PartialEq>(terms: &[T]) -> Result<Option<Period>, TryReserveError> {
    let length = terms.len();
    let matches = matches_from_the_end(terms)?;
    Ok((1..=length / 2).find_map(|period| {
        // The terms repeat from index `preperiod`.
        let preperiod = length - period - matches[period] as usize;
        (preperiod + 2 * period <= length && preperiod <= length / 2)
            .then_some(Period { preperiod: preperiod as u64, period: period as u64 })
    }))
}

/// Returns, for each distance d, how many terms at the end equal the terms d earlier, without an exception between them. In
/// 0 1 0 1 0 1, for d = 2, these are the last 4 terms. This is the Z-function of the reversed sequence (Gusfield, 1997).
fn matches_from_the_end<T: PartialEq>(terms: &[T]) -> Result<Vec<u32>, TryReserveError> {
    let length = terms.len();
    let from_end = |index: usize| &terms[length - 1 - index];
    let mut matches = Vec::new();
    matches.try_reserve_exact(length)?;
    matches.resize(length, 0_u32);
    // The range that ends last among all ranges found so far that repeat the beginning of the reversed sequence.
    let (mut start, mut end) = (0, 0);
    for index in 1..length {
        let mut equal = if index < end { (matches[index - start] as usize).min(end - index) } else { 0 };
        while index + equal < length && from_end(equal) == from_end(index + equal) {
            equal += 1;
        }
        matches[index] = u32::try_from(equal).expect("no sequence has more terms than a heap has sizes");
        if index + equal > end {
            (start, end) = (index, index + equal);
        }
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tries every period and preperiod.
    fn naive(terms: &[u8]) -> Option<Period> {
        let length = terms.len();
        for period in 1..=length {
            for preperiod in 0..=length / 2 {
                let repeats =
                    (preperiod..length).all(|n| n + period >= length || terms[n] == terms[n + period]);
                if repeats && preperiod + 2 * period <= length {
                    return Some(Period { preperiod: preperiod as u64, period: period as u64 });
                }
            }
        }
        None
    }

    #[test]
    fn the_period_agrees_with_that_of_a_naive_search() {
        for length in 0..=14 {
            for bits in 0..1_u32 << length {
                let terms: Vec<u8> = (0..length).map(|n| (bits >> n & 1) as u8).collect();
                assert_eq!(period(&terms).unwrap(), naive(&terms), "{terms:?}");
            }
        }
        let terms: Vec<u8> = (0..200).map(|n| if n < 30 { 7 } else { n % 11 % 4 }).collect();
        assert_eq!(period(&terms).unwrap(), naive(&terms));
        assert_eq!(period(&terms).unwrap(), Some(Period { preperiod: 30, period: 11 }));
    }
}
