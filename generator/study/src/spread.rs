//! Coordinates of labels and positions along a line, chosen so that they do not overlap.

/// Returns one coordinate for each wish, in the order of the wishes: at least 1 apart, between `least` and `most` if there is room, and
/// with the least sum of squared distances from the wishes.
///
/// The wishes 0, 0 and 5 become -0.5, 0.5 and 5: crowded coordinates are centred on the mean of their wishes.
pub fn spread(wishes: &[f64], least: f64, most: f64) -> Vec<f64> {
    let offsets: Vec<f64> = (0..wishes.len()).map(|number| number as f64).collect();
    spread_apart(wishes, &offsets, least, most)
}

/// [`spread`] with other distances: two coordinates differ at least by the difference of their `offsets`, which ascend from 0.
///
/// With the offsets subtracted, the coordinates only have to be non-decreasing: an isotonic regression. Pooling adjacent violators
/// solves it in linear time (Ayer and others, 1955): neighbouring runs in the wrong order merge, and take the mean of their wishes.
pub(crate) fn spread_apart(wishes: &[f64], offsets: &[f64], least: f64, most: f64) -> Vec<f64> {
    // Sum and number of the wishes in each run.
    let mut runs: Vec<(f64, usize)> = Vec::new();
    for (wish, offset) in wishes.iter().zip(offsets) {
        runs.push((wish - offset, 1));
        while let [.., (sum, count), (last_sum, last_count)] = runs[..]
            && sum / count as f64 > last_sum / last_count as f64
        {
            runs.truncate(runs.len() - 2);
            runs.push((sum + last_sum, count + last_count));
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
    fn coordinates_keep_their_order_distance_and_bounds() {
        assert_eq!(spread(&[0.0, 0.0, 5.0], -10.0, 10.0), [-0.5, 0.5, 5.0]);
        assert_eq!(spread(&[3.0, -3.0], -1.0, 1.0), [-0.5, 0.5]);
        assert_eq!(spread(&[9.0, 9.0, 9.0], -1.0, 1.0), [-1.0, 0.0, 1.0]);
        assert_eq!(spread(&[0.3], 0.0, 0.0), [0.0]);
        assert_eq!(spread(&[], 0.0, 0.0), Vec::<f64>::new());
        assert_eq!(spread_apart(&[0.0, 0.0], &[0.0, 3.0], -10.0, 10.0), [-1.5, 1.5]);
    }
}
