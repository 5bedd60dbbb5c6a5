//! Placing labels and positions along a line without overlaps.

/// Returns places as near as possible to the ascending `wishes`, at least 1 apart, and between `least` and `most` if they fit.
/// Wishes 0, 0 and 5 become -0.5, 0.5 and 5: places that push each other are centred on the mean of their wishes.
pub fn spread(wishes: &[f64], least: f64, most: f64) -> Vec<f64> {
    let offsets: Vec<f64> = (0..wishes.len()).map(|number| number as f64).collect();
    spread_apart(wishes, &offsets, least, most)
}

/// [`spread`] with given distances: two places are at least as far apart as their `offsets`, which ascend from 0.
///
/// With the offsets subtracted, the places only have to be non-decreasing: an isotonic regression. The classical algorithm solves it
/// in linear time (pool adjacent violators; Ayer and others, 1955): neighbouring runs in the wrong order merge, and take their mean.
pub(crate) fn spread_apart(wishes: &[f64], offsets: &[f64], least: f64, most: f64) -> Vec<f64> {
    // (sum, count) of the wishes in each run.
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
    // Not `clamp`: its panic message formats floats, which adds 9 KB to the compressed page without a server.
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
