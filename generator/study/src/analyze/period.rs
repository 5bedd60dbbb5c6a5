//! Periods of sequences.

use std::collections::TryReserveError;

use serde::Serialize;

/// How a sequence repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Period {
    /// How many terms come before the first period.
    pub preperiod: u64,
    /// After how many terms it repeats.
    pub period: u64,
}

/// The least period with which a sequence repeats itself to its end, for at least half of its length and two
/// whole periods; with the least preperiod.
///
/// # Errors
/// If there is no memory for it: four bytes for each term.
pub fn period<T: PartialEq>(terms: &[T]) -> Result<Option<Period>, TryReserveError> {
    let length = terms.len();
    let matches = matches_from_the_end(terms)?;
    Ok((1..=length / 2).find_map(|period| {
        // From here on the terms repeat.
        let preperiod = length - period - matches[period] as usize;
        (preperiod + 2 * period <= length && preperiod <= length / 2)
            .then_some(Period { preperiod: preperiod as u64, period: period as u64 })
    }))
}

/// For each distance, how many terms, counted from the end, are the same as those at that distance before
/// them, without a break: the Z-function of the sequence read backwards (Gusfield, 1997), which takes time in
/// proportion to the length.
fn matches_from_the_end<T: PartialEq>(terms: &[T]) -> Result<Vec<u32>, TryReserveError> {
    let length = terms.len();
    let at = |place: usize| &terms[length - 1 - place];
    let mut matches = Vec::new();
    matches.try_reserve_exact(length)?;
    matches.resize(length, 0_u32);
    // The stretch that is known to repeat the beginning and reaches furthest.
    let (mut start, mut end) = (0, 0);
    for place in 1..length {
        let mut known = if place < end { (matches[place - start] as usize).min(end - place) } else { 0 };
        while place + known < length && at(known) == at(place + known) {
            known += 1;
        }
        matches[place] = u32::try_from(known).expect("no heap is so great");
        if place + known > end {
            (start, end) = (place, place + known);
        }
    }
    Ok(matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By trying every period and preperiod.
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
    fn the_period_is_the_one_found_by_trying_all() {
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
