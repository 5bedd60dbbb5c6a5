//! The network of a map: positions and waypoints, linked from each level to the next.

use super::{Graph, GraphEdge};

/// Weight of a winning move, compared to 1 for other moves: winning moves should be short, as readers follow them.
const WEIGHT: f64 = 3.0;

/// Minimum number of sweeps over all levels.
const MIN_SWEEPS: usize = 4;

/// Returns the number of sweeps over a map with this many points: at most `most`. For large maps it is less, but at least [`MIN_SWEEPS`]:
/// all sweeps together should visit at most `visits` points.
pub(super) fn sweeps(points: usize, most: usize, visits: usize) -> usize {
    (visits / points.max(1)).clamp(MIN_SWEEPS, most)
}

/// The points of a map, positions before waypoints, and links from each level to the next.
pub(super) struct Network {
    /// Number of points that are positions.
    pub(super) positions: usize,
    pub(super) level_of: Vec<usize>,
    /// Upper point, lower point, and weight: the greater, the closer the points should be.
    pub(super) links: Vec<(usize, usize, f64)>,
    pub(super) level_count: usize,
    /// For each position, the waypoints of moves to it, the lowest first.
    pub(super) waypoints: Vec<Vec<usize>>,
}

impl Network {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut level_of: Vec<usize> = graph.nodes.iter().map(|node| node.level).collect();
        let mut moves_to: Vec<Vec<GraphEdge>> = vec![Vec::new(); level_of.len()];
        graph.edges.iter().for_each(|edge| moves_to[edge.to].push(*edge));
        let (mut links, mut waypoints) = (Vec::new(), Vec::new());
        for (node, moves) in moves_to.iter().enumerate() {
            let bottom = level_of[node];
            let top = moves.iter().map(|edge| level_of[edge.from]).min().unwrap_or(bottom);
            let first = level_of.len();
            level_of.extend((top + 1..bottom).rev());
            // The point where moves to this position pass a level: a waypoint, or at the bottom the position.
            let point = |level: usize| if level == bottom { node } else { first + (bottom - 1 - level) };
            // The total weight of the moves that reach their first point in each level.
            let mut joining = vec![0.0; bottom - top];
            for edge in moves {
                let weight = if edge.winning { WEIGHT } else { 1.0 };
                let below = level_of[edge.from] + 1;
                links.push((edge.from, point(below), weight));
                joining[below - top - 1] += weight;
            }
            let mut weight = 0.0;
            for level in top + 1..bottom {
                weight += joining[level - top - 1];
                links.push((point(level), point(level + 1), weight));
            }
            waypoints.push((first..level_of.len()).collect());
        }
        Self { positions: graph.nodes.len(), level_of, links, level_count: graph.levels.len(), waypoints }
    }
}

/// Returns the weighted mean place of some linked points; `None` if there are no links.
pub(super) fn mean_place(links: &[(usize, f64)], places: &[f64]) -> Option<f64> {
    let add =
        |(sum, weights), &(point, weight): &(usize, f64)| (sum + weight * places[point], weights + weight);
    let (sum, weights) = links.iter().fold((0.0, 0.0), add);
    (weights > 0.0).then(|| sum / weights)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game_map::GraphNode;
    use bouton_tables::{Outcome, Verdict};

    /// Makes a map with a position at each of these levels, and moves between positions given by their indices.
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
    fn moves_to_one_position_merge_and_their_weights_add_up() {
        let network = Network::of(&graph(&[0, 1, 2, 3], &[(0, 3), (1, 3), (2, 3), (0, 1), (1, 2)]));
        assert_eq!((network.positions, &network.level_of[4..]), (4, &[2, 1][..]));
        let mut links = network.links;
        links.sort_by(|a, b| a.partial_cmp(b).unwrap());
        let expected =
            [(0, 1, 1.0), (0, 5, 1.0), (1, 2, 1.0), (1, 4, 1.0), (2, 3, 1.0), (4, 3, 2.0), (5, 4, 1.0)];
        assert_eq!(links, expected);
    }
}
