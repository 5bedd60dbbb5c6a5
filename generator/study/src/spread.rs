//! Spreading things along a line.

/// Places as near as possible to `wishes`, which ascend, so that each is at least 1 above the one before, and all are
/// within `least` and `most` if they fit. Places that push each other stand around the mean of their wishes.
pub fn spread(wishes: &[f64], least: f64, most: f64) -> Vec<f64> {
    let offsets: Vec<f64> = (0..wishes.len()).map(|number| number as f64).collect();
    spread_apart(wishes, &offsets, least, most)
}

/// The same with distances of their own: two places are at least as far apart as their `offsets`, which ascend from 0.
pub(crate) fn spread_apart(wishes: &[f64], offsets: &[f64], least: f64, most: f64) -> Vec<f64> {
    // Without the distances: what has to grow becomes what must not fall. Runs are (sum, count).
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(offsets) {
        runs.push((wish - offset, 1));
        while let [.., (sum, count), (last, more)] = runs[..]
            && sum / count as f64 > last / more as f64
        {
            runs.truncate(runs.len() - 2);
            runs.push((sum + last, count + more));
        }
    }
    let means = runs.iter().flat_map(|&(sum, count)| std::iter::repeat_n(sum / count as f64, count));
    let last = (most - offsets.last().copied().unwrap_or(0.0)).max(least);
    // Not `clamp`: its message would bring the code that writes fractions into the page without a server, 9 KB compressed.
    means.zip(offsets).map(|(mean, offset)| mean.max(least).min(last) + offset).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_order_and_distance() {
        assert_eq!(spread(&[0.0, 0.0, 5.0], -10.0, 10.0), [-0.5, 0.5, 5.0]);
        assert_eq!(spread(&[3.0, -3.0], -1.0, 1.0), [-0.5, 0.5]);
        assert_eq!(spread(&[9.0, 9.0, 9.0], -1.0, 1.0), [-1.0, 0.0, 1.0]);
        assert_eq!(spread(&[0.3], 0.0, 0.0), [0.0]);
        assert_eq!(spread(&[], 0.0, 0.0), Vec::<f64>::new());
        assert_eq!(spread_apart(&[0.0, 0.0], &[0.0, 3.0], -10.0, 10.0), [-1.5, 1.5]);
    }
}
