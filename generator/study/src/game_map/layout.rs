//! The layout of a map: the places of positions along their levels, and of moves where they pass other levels. A place is a horizontal
//! coordinate; 0 is the middle of a level, and 1 the least distance of two positions.
//!
//! The layout follows Sugiyama's scheme. A move from level 0 to level 3 passes the levels 1 and 2, and gets a waypoint in each. Then
//! `order` sorts the points of each level, that is, positions and waypoints, so that few moves cross. Last, `place_points` shifts the
//! points of each level towards the points that they are linked to in other levels.

use super::network::{Network, mean_place, sweeps};
use super::order::order_points;
use super::{Graph, GraphEdge};
use crate::spread::spread_apart;

/// Width that a drawn position may have. Moves pass outside.
pub const POSITION_WIDTH: f64 = 0.8;
/// Least distance between the centre of a position and a waypoint.
const BESIDE_POSITION: f64 = POSITION_WIDTH / 2.0 + 0.1;
/// Least distance between two waypoints.
const BESIDE_WAYPOINT: f64 = 0.06;

/// Places of positions and of moves.
///
/// All moves to one position share its waypoints: they merge on the way and never split again, so that a map has few lines.
#[derive(Debug)]
pub struct MapLayout {
    /// The place of each position along its level.
    pub places: Vec<f64>,
    /// For each position, the places where moves to it pass the levels above, the nearest level first. The longest move passes all
    /// of these places, a shorter one only the first few.
    pub waypoints: Vec<Vec<f64>>,
}

impl MapLayout {
    /// Lays a map out so that few moves cross.
    pub fn of(graph: &Graph) -> Self {
        let network = Network::of(graph);
        let places = place_points(&network, &order_points(&network));
        // Four digits suffice, and keep answers to browsers short.
        let round = |&point: &usize| (places[point] * 1e4).round() / 1e4;
        let places = (0..graph.nodes.len()).map(|node| round(&node)).collect();
        let waypoints = network.waypoints.iter().map(|points| points.iter().map(round).collect()).collect();
        Self { places, waypoints }
    }

    /// Returns the levels that a move passes, from top to bottom, and its place in each.
    pub fn passed_levels(&self, graph: &Graph, edge: GraphEdge) -> impl Iterator<Item = (usize, f64)> {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node].level);
        let waypoints = &self.waypoints[edge.to];
        (from + 1..to).map(move |level| (level, waypoints[to - 1 - level]))
    }
}

impl Network {
    /// Returns the least distance of two neighbouring points of a level.
    fn least_distance(&self, one: usize, other: usize) -> f64 {
        match [one, other].map(|point| point < self.positions) {
            [true, true] => 1.0,
            [false, false] => BESIDE_WAYPOINT,
            _ => BESIDE_POSITION,
        }
    }
}

/// Returns the place of each point, given the points of each level in order.
///
/// At first, the points of each level are as near to each other as possible. Then sweeps, down and up the levels in turn, shift each
/// point towards its linked points. No level becomes wider than the widest one was at first.
fn place_points(network: &Network, levels: &[Vec<usize>]) -> Vec<f64> {
    // For each point, the points that it is linked to, and the weights.
    let mut links = vec![Vec::new(); network.level_of.len()];
    for &(upper, lower, weight) in &network.links {
        links[upper].push((lower, weight));
        links[lower].push((upper, weight));
    }
    // For each level, the least distance of each of its points from its first point.
    let offsets = levels.iter().map(|points| {
        let mut offsets = vec![0.0];
        for pair in points.windows(2) {
            offsets.push(offsets[offsets.len() - 1] + network.least_distance(pair[0], pair[1]));
        }
        offsets
    });
    let offsets: Vec<Vec<f64>> = offsets.collect();
    let mut places = vec![0.0; network.level_of.len()];
    let mut greatest_half = 0.0_f64;
    for (points, offsets) in levels.iter().zip(&offsets) {
        let half = offsets[offsets.len() - 1] / 2.0;
        points.iter().zip(offsets).for_each(|(&point, offset)| places[point] = offset - half);
        greatest_half = greatest_half.max(half);
    }
    for sweep in 0..sweeps(places.len(), 40, 200_000) {
        for step in 0..levels.len() {
            let level = if sweep.is_multiple_of(2) { step } else { levels.len() - 1 - step };
            let wish = |&point: &usize| mean_place(&links[point], &places).unwrap_or(places[point]);
            let wishes: Vec<f64> = levels[level].iter().map(wish).collect();
            let shifted = spread_apart(&wishes, &offsets[level], -greatest_half, greatest_half);
            levels[level].iter().zip(shifted).for_each(|(&point, place)| places[point] = place);
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_map::network::tests::graph;

    #[test]
    fn moves_pass_beside_the_positions_of_each_level_between() {
        // One position in each level, with moves to all positions below.
        let moves: Vec<(usize, usize)> =
            (0..9).flat_map(|from| (from + 1..9).map(move |to| (from, to))).collect();
        let graph = graph(&(0..9).collect::<Vec<_>>(), &moves);
        let layout = MapLayout::of(&graph);
        for &edge in &graph.edges {
            let passed: Vec<(usize, f64)> = layout.passed_levels(&graph, edge).collect();
            assert!(passed.iter().map(|&(level, _)| level).eq(edge.from + 1..edge.to), "{edge:?}");
            for (level, place) in passed {
                assert!(
                    (place - layout.places[level]).abs() > POSITION_WIDTH / 2.0 + 0.05,
                    "{edge:?} at {level}"
                );
            }
        }
    }

    #[test]
    fn a_map_of_one_position_is_laid_out() {
        let layout = MapLayout::of(&graph(&[0], &[]));
        assert_eq!(layout.places, [0.0]);
        assert_eq!(layout.waypoints, [[0.0; 0]]);
    }
}
