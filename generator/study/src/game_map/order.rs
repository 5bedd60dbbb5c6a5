//! The order of points within each level, chosen so that few links cross. `layout` explains points, waypoints and links.

use super::network::{Network, mean_place, sweeps};

/// Returns the points of each level, positions before waypoints.
fn unordered(network: &Network) -> Vec<Vec<usize>> {
    let mut levels = vec![Vec::new(); network.level_count];
    network.level_of.iter().enumerate().for_each(|(point, &level)| levels[level].push(point));
    levels
}

/// Returns the points of each level, the leftmost first.
///
/// The least number of crossings is NP-hard to find, so this uses the barycentre heuristic (Sugiyama, Tagawa and Toda, 1981). It visits
/// the levels, down and up in turn, and sorts the points of each level by the weighted mean places of their linked points in the level
/// visited before. The best of all orders wins, the first one included.
pub(super) fn order_points(network: &Network) -> Vec<Vec<usize>> {
    // For each point, its links to the level above, and to the level below.
    let mut links = [vec![Vec::new(); network.level_of.len()], vec![Vec::new(); network.level_of.len()]];
    for &(upper, lower, weight) in &network.links {
        links[0][lower].push((upper, weight));
        links[1][upper].push((lower, weight));
    }
    let mut levels = unordered(network);
    let mut places = vec![0.0; network.level_of.len()];
    let set_places = |points: &[usize], places: &mut [f64]| {
        let middle = (points.len() as f64 - 1.0) / 2.0;
        points.iter().enumerate().for_each(|(index, &point)| places[point] = index as f64 - middle);
    };
    levels.iter().for_each(|points| set_places(points, &mut places));
    let mut best = (crossings(network, &levels), levels.clone());
    for sweep in 0..sweeps(network.level_of.len(), 24, 100_000) {
        let is_down = sweep.is_multiple_of(2);
        let links = &links[usize::from(!is_down)];
        for step in 0..levels.len() {
            let points = &mut levels[if is_down { step } else { network.level_count - 1 - step }];
            let wish = |&point: &usize| (mean_place(&links[point], &places).unwrap_or(places[point]), point);
            let mut wishes: Vec<(f64, usize)> = points.iter().map(wish).collect();
            wishes.sort_by(|a, b| a.0.total_cmp(&b.0));
            *points = wishes.into_iter().map(|(_, point)| point).collect();
            set_places(points, &mut places);
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
    let mut index = vec![0; network.level_of.len()];
    for points in levels {
        points.iter().enumerate().for_each(|(number, &point)| index[point] = number);
    }
    let ends = |&(upper, lower, _): &_| (network.level_of[upper], index[upper], index[lower]);
    let mut links: Vec<(usize, usize, usize)> = network.links.iter().map(ends).collect();
    links.sort_unstable();
    // With links sorted by their upper end, a link crosses the earlier ones whose lower end is further right.
    let in_levels = links.chunk_by(|a, b| a.0 == b.0).map(|links| {
        let mut earlier_ends = Vec::with_capacity(links.len());
        let mut crossings = 0;
        for &(_, _, end) in links {
            let index = earlier_ends.partition_point(|&earlier| earlier <= end);
            crossings += earlier_ends.len() - index;
            earlier_ends.insert(index, end);
        }
        crossings
    });
    in_levels.sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_map::network::tests::graph;

    fn network(levels: &[usize], moves: &[(usize, usize)]) -> Network {
        Network::of(&graph(levels, moves))
    }

    #[test]
    fn every_pair_of_crossing_links_is_counted() {
        let moves: Vec<(usize, usize)> = (0..5).flat_map(|from| (5..9).map(move |to| (from, to))).collect();
        let network = network(&[0, 0, 0, 0, 0, 1, 1, 1, 1], &moves);
        // Any two above and any two below make one crossing.
        assert_eq!(crossings(&network, &unordered(&network)), 10 * 6);
    }

    #[test]
    fn links_that_can_avoid_each_other_do_not_cross() {
        let moves = [(0, 1), (0, 2), (0, 3), (1, 6), (2, 5), (3, 4), (1, 5)];
        let network = network(&[0, 1, 1, 1, 2, 2, 2], &moves);
        assert!(crossings(&network, &unordered(&network)) > 0);
        let levels = order_points(&network);
        assert_eq!(crossings(&network, &levels), 0, "{levels:?}");
        let mut all: Vec<usize> = levels.concat();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..network.level_of.len()), "each point once");
    }
}
