//! The order of points within each level, chosen so that few links cross.

use super::layout::{Network, SweepLimits};

/// Returns the points of each level, positions before waypoints.
fn unordered(network: &Network) -> Vec<Vec<usize>> {
    let mut levels = vec![Vec::new(); network.levels];
    network.level.iter().enumerate().for_each(|(point, &level)| levels[level].push(point));
    levels
}

/// Sweeps over all levels.
const SWEEPS: SweepLimits = SweepLimits { least: 4, most: 24, points: 100_000 };

/// Returns the points of each level, the leftmost first.
///
/// The least number of crossings is NP-hard to find, so this uses the barycentre heuristic (Sugiyama, Tagawa and Toda, 1981): it goes
/// through the levels, down and up in turn, and sorts each by the mean place of the points that a point is linked to in the level
/// before. It returns the order with the fewest crossings among those seen. A sweep takes time in proportion to the links, up to a
/// logarithm.
pub(super) fn ordered(network: &Network) -> Vec<Vec<usize>> {
    let mut linked = [vec![Vec::new(); network.level.len()], vec![Vec::new(); network.level.len()]];
    for &(upper, lower, weight) in &network.links {
        linked[0][lower].push((upper, weight));
        linked[1][upper].push((lower, weight));
    }
    let mut levels = unordered(network);
    let mut places = vec![0.0; network.level.len()];
    let stand = |points: &[usize], places: &mut [f64]| {
        let middle = (points.len() as f64 - 1.0) / 2.0;
        points.iter().enumerate().for_each(|(number, &point)| places[point] = number as f64 - middle);
    };
    levels.iter().for_each(|points| stand(points, &mut places));
    let mut best = (crossings(network, &levels), levels.clone());
    for sweep in 0..SWEEPS.of(network.level.len()) {
        let down = sweep.is_multiple_of(2);
        let linked = &linked[usize::from(!down)];
        for step in 0..levels.len() {
            let points = &mut levels[if down { step } else { network.levels - 1 - step }];
            let mean = |&point: &usize| {
                let add = |(sum, all), &(other, weight): &(usize, f64)| {
                    (sum + weight * places[other], all + weight)
                };
                let (sum, all) = linked[point].iter().fold((0.0, 0.0), add);
                if all > 0.0 { sum / all } else { places[point] }
            };
            let mut wishes: Vec<(f64, usize)> = points.iter().map(|point| (mean(point), *point)).collect();
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            *points = wishes.into_iter().map(|(_, point)| point).collect();
            stand(points, &mut places);
        }
        let found = crossings(network, &levels);
        if found < best.0 {
            best = (found, levels.clone());
        }
    }
    best.1
}

/// Counts the pairs of links that cross.
fn crossings(network: &Network, levels: &[Vec<usize>]) -> usize {
    let mut place = vec![0; network.level.len()];
    for points in levels {
        points.iter().enumerate().for_each(|(number, &point)| place[point] = number);
    }
    let mut links: Vec<(usize, usize, usize)> = network
        .links
        .iter()
        .map(|&(upper, lower, _)| (network.level[upper], place[upper], place[lower]))
        .collect();
    links.sort_unstable();
    // With links sorted by their upper end, a link crosses the earlier ones whose lower end is further right. A Fenwick tree counts
    // the earlier ones up to its own lower end (Barth, Jünger and Mutzel, 2002); the others cross.
    let of_level = links.chunk_by(|a, b| a.0 == b.0).map(|links| {
        let width = links.iter().map(|link| link.2).max().unwrap_or(0) + 1;
        let mut sums = vec![0; width + 1];
        let mut crossings = 0;
        for (before, &(_, _, end)) in links.iter().enumerate() {
            let mut upto = end + 1;
            crossings += before;
            while upto > 0 {
                crossings -= sums[upto];
                upto &= upto - 1;
            }
            let mut at = end + 1;
            while at <= width {
                sums[at] += 1;
                at += at & at.wrapping_neg();
            }
        }
        crossings
    });
    of_level.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_map::layout::tests::graph;

    fn network(levels: &[usize], moves: &[(usize, usize)]) -> Network {
        Network::of(&graph(levels, moves))
    }

    #[test]
    fn crossings_are_those_of_all_pairs() {
        let moves: Vec<(usize, usize)> = (0..5).flat_map(|from| (5..9).map(move |to| (from, to))).collect();
        let network = network(&[0, 0, 0, 0, 0, 1, 1, 1, 1], &moves);
        // Any two above and any two below make one crossing.
        assert_eq!(crossings(&network, &unordered(&network)), 10 * 6);
    }

    #[test]
    fn links_that_need_not_cross_do_not() {
        let moves = [(0, 1), (0, 2), (0, 3), (1, 6), (2, 5), (3, 4), (1, 5)];
        let network = network(&[0, 1, 1, 1, 2, 2, 2], &moves);
        assert!(crossings(&network, &unordered(&network)) > 0);
        let levels = ordered(&network);
        assert_eq!(crossings(&network, &levels), 0, "{levels:?}");
        let mut all: Vec<usize> = levels.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..network.level.len()), "each point once");
    }
}
