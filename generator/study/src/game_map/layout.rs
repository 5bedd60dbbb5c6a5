//! The layout of a map: places of positions along their levels, and of moves where they pass other levels.
//!
//! This follows Sugiyama's scheme: a move that passes levels gets a waypoint in each; `order` sorts the points of each level, and
//! `PlacedLevels` moves them towards their neighbours in other levels.

use super::order::ordered;
use super::{Graph, GraphEdge};
use crate::spread::spread_apart;

/// Width that a drawn position may have; moves stay outside. The unit is the distance between neighbouring positions.
pub const BOX: f64 = 0.8;
/// Distance between the centre of a position and a move beside it.
const CLEAR: f64 = BOX / 2.0 + 0.1;
/// Distance between two moves beside each other.
const LANE: f64 = 0.06;

/// Sweeps that move all points towards their neighbours; fewer for large maps, to bound the time.
const SWEEPS: SweepLimits = SweepLimits { least: 4, most: 40, points: 200_000 };
/// Weight of a winning move, compared to 1 for others: readers follow winning moves, so these should be short.
const WEIGHT: f64 = 3.0;

/// Places of positions and waypoints of moves.
///
/// All moves to one position share its waypoints: they merge on the way and never split again, which makes few lines. Places are in
/// units of the distance between neighbouring positions; 0 is the middle of a level.
#[derive(Debug)]
pub struct MapLayout {
    /// The place of each position along its level. Two positions of a level are at least 1 apart.
    pub places: Vec<f64>,
    /// For each position, the places where moves to it pass the levels above, the nearest level first. Each is outside the boxes of
    /// positions. The longest move passes all of these places, a shorter one only the first few.
    pub waypoints: Vec<Vec<f64>>,
}

impl MapLayout {
    /// Lays a map out so that few moves cross.
    pub fn of(graph: &Graph) -> Self {
        let network = Network::of(graph);
        let mut levels = PlacedLevels::new(&network, ordered(&network));
        levels.settle();
        // Four digits suffice, and keep answers to browsers short.
        let round = |&point: &usize| (levels.places[point] * 1e4).round() / 1e4;
        let places = (0..graph.nodes.len()).map(|node| round(&node)).collect();
        let waypoints = network.waypoints.iter().map(|points| points.iter().map(round).collect()).collect();
        Self { places, waypoints }
    }

    /// Returns the levels that a move passes, from top to bottom, and its place in each.
    pub fn passed(&self, graph: &Graph, edge: GraphEdge) -> impl Iterator<Item = (usize, f64)> {
        let [from, to] = [edge.from, edge.to].map(|node| graph.nodes[node].level);
        let waypoints = &self.waypoints[edge.to];
        (from + 1..to).map(move |level| (level, waypoints[to - 1 - level]))
    }
}

/// Limits on the number of sweeps over all points.
pub(super) struct SweepLimits {
    pub(super) least: usize,
    pub(super) most: usize,
    /// The most points in all sweeps together; `least` takes precedence.
    pub(super) points: usize,
}

impl SweepLimits {
    pub(super) fn of(&self, points: usize) -> usize {
        (self.points / points.max(1)).clamp(self.least, self.most)
    }
}

/// The points of a map, positions before waypoints, and links from each level to the next.
pub(super) struct Network {
    /// Number of points that are positions.
    pub(super) positions: usize,
    /// The level of each point.
    pub(super) level: Vec<usize>,
    /// Upper and lower point, and the weight of their distance.
    pub(super) links: Vec<(usize, usize, f64)>,
    /// The number of levels.
    pub(super) levels: usize,
    /// The waypoints of moves to each position, the lowest first.
    waypoints: Vec<Vec<usize>>,
}

impl Network {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut level: Vec<usize> = graph.nodes.iter().map(|node| node.level).collect();
        let mut to: Vec<Vec<GraphEdge>> = vec![Vec::new(); level.len()];
        graph.edges.iter().for_each(|edge| to[edge.to].push(*edge));
        let (mut links, mut waypoints) = (Vec::new(), Vec::new());
        for (node, moves) in to.iter().enumerate() {
            let bottom = level[node];
            let top = moves.iter().map(|edge| level[edge.from]).min().unwrap_or(bottom);
            let first = level.len();
            level.extend((top + 1..bottom).rev());
            // The point of the shared line in a level: a waypoint, or at the bottom the position.
            let point = |at: usize| if at == bottom { node } else { first + (bottom - 1 - at) };
            let mut joined = vec![0.0; bottom - top];
            for edge in moves {
                let weight = if edge.winning { WEIGHT } else { 1.0 };
                let joins = level[edge.from] + 1;
                links.push((edge.from, point(joins), weight));
                joined[joins - top - 1] += weight;
            }
            let mut weight = 0.0;
            for at in top + 1..bottom {
                weight += joined[at - top - 1];
                links.push((point(at), point(at + 1), weight));
            }
            waypoints.push((first..level.len()).collect());
        }
        Self { positions: graph.nodes.len(), level, links, levels: graph.levels.len(), waypoints }
    }

    /// Returns the least distance of two neighbours in a level.
    fn apart(&self, one: usize, other: usize) -> f64 {
        match [one, other].map(|point| point < self.positions) {
            [true, true] => 1.0,
            [false, false] => LANE,
            _ => CLEAR,
        }
    }
}

/// The points of each level in order, and their places.
struct PlacedLevels {
    order: Vec<Vec<usize>>,
    /// For each level, the least distance of each point from the first one.
    offsets: Vec<Vec<f64>>,
    places: Vec<f64>,
    /// For each point, the points that it is linked to, and the weights.
    linked: Vec<Vec<(usize, f64)>>,
}

impl PlacedLevels {
    fn new(network: &Network, order: Vec<Vec<usize>>) -> Self {
        let mut linked = vec![Vec::new(); network.level.len()];
        for &(upper, lower, weight) in &network.links {
            linked[upper].push((lower, weight));
            linked[lower].push((upper, weight));
        }
        let offsets_of = |points: &Vec<usize>| {
            let mut offsets = vec![0.0];
            for pair in points.windows(2) {
                offsets.push(offsets[offsets.len() - 1] + network.apart(pair[0], pair[1]));
            }
            offsets
        };
        let offsets: Vec<Vec<f64>> = order.iter().map(offsets_of).collect();
        let mut places = vec![0.0; network.level.len()];
        for (points, offsets) in order.iter().zip(&offsets) {
            let half = offsets[offsets.len() - 1] / 2.0;
            points.iter().zip(offsets).for_each(|(&point, offset)| places[point] = offset - half);
        }
        Self { order, offsets, places, linked }
    }

    /// Moves each point towards its linked points. Least distances hold, and no level becomes wider than the widest one must be.
    fn settle(&mut self) {
        let widths = self.offsets.iter().filter_map(|offsets| offsets.last().copied());
        let half = widths.fold(0.0, f64::max) / 2.0;
        for sweep in 0..SWEEPS.of(self.places.len()) {
            for step in 0..self.order.len() {
                let level = if sweep.is_multiple_of(2) { step } else { self.order.len() - 1 - step };
                let wishes: Vec<f64> =
                    self.order[level].iter().map(|&point| self.linked_mean(point)).collect();
                let placed = spread_apart(&wishes, &self.offsets[level], -half, half);
                for (&point, place) in self.order[level].iter().zip(placed) {
                    self.places[point] = place;
                }
            }
        }
    }

    /// Returns the weighted mean place of the points that a point is linked to.
    fn linked_mean(&self, point: usize) -> f64 {
        let add = |(sum, weights), &(other, weight)| (sum + weight * self.places[other], weights + weight);
        let (sum, weights) = self.linked[point].iter().fold((0.0, 0.0), add);
        if weights > 0.0 { sum / weights } else { self.places[point] }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use bouton_tables::{Outcome, Verdict};

    use crate::game_map::GraphNode;

    /// A map of positions at these levels, and moves.
    pub(in super::super) fn graph(levels: &[usize], moves: &[(usize, usize)]) -> Graph {
        let verdict = Verdict { outcome: Outcome::Win, depth: None };
        let node = |&level| GraphNode { key: String::new(), label: Vec::new(), verdict, level };
        let edge = |&(from, to)| GraphEdge { from, to, winning: false };
        Graph {
            nodes: levels.iter().map(node).collect(),
            edges: moves.iter().map(edge).collect(),
            levels: vec![String::new(); levels.iter().max().unwrap() + 1],
            measure: "",
        }
    }

    #[test]
    fn moves_pass_beside_the_positions_of_each_level_between() {
        // A column of positions, each with moves to all below.
        let moves: Vec<(usize, usize)> =
            (0..9).flat_map(|from| (from + 1..9).map(move |to| (from, to))).collect();
        let graph = graph(&(0..9).collect::<Vec<_>>(), &moves);
        let layout = MapLayout::of(&graph);
        for &edge in &graph.edges {
            let passed: Vec<(usize, f64)> = layout.passed(&graph, edge).collect();
            assert!(passed.iter().map(|&(level, _)| level).eq(edge.from + 1..edge.to), "{edge:?}");
            for (level, place) in passed {
                assert!((place - layout.places[level]).abs() > BOX / 2.0 + 0.05, "{edge:?} at {level}");
            }
        }
    }

    #[test]
    fn a_map_of_one_position_is_laid_out() {
        let layout = MapLayout::of(&graph(&[0], &[]));
        assert_eq!(layout.places, [0.0]);
        assert_eq!(layout.waypoints, [[0.0; 0]]);
    }

    #[test]
    fn moves_to_one_position_join_and_count_together() {
        let network = Network::of(&graph(&[0, 1, 2, 3], &[(0, 3), (1, 3), (2, 3), (0, 1), (1, 2)]));
        assert_eq!((network.positions, &network.level[4..]), (4, &[2, 1][..]));
        let mut links = network.links;
        links.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let expected =
            [(0, 1, 1.0), (0, 5, 1.0), (1, 2, 1.0), (1, 4, 1.0), (2, 3, 1.0), (4, 3, 2.0), (5, 4, 1.0)];
        assert_eq!(links, expected);
    }
}
