//! Where the positions of each level stand, so that few moves cross.
//!
//! By barycentres (Sugiyama, Tagawa and Toda, 1981): each position goes to where the mean of its neighbours
//! is, level by level, up and down in turn; of all orders met the one with the fewest crossings is taken.
//! Then neighbours change places as long as that saves crossings.

use super::{Edge, Graph};
use crate::spread;

/// How often all levels are put in order.
const SWEEPS: usize = 24;
/// How often all neighbours are looked at.
const EXCHANGES: usize = 8;
/// Moves that win count so much more, since they are what is looked at.
const WEIGHT: f64 = 3.0;

/// Where positions stand so that few moves cross: for each its place along its level, in units of the distance of
/// neighbours, 0 in the middle.
pub fn places(graph: &Graph) -> Vec<f64> {
    let mut order = Order::new(graph);
    let mut best = (order.crossings(), order.levels.clone());
    for sweep in 0..SWEEPS {
        order.sweep(sweep);
        let crossings = order.crossings();
        if crossings < best.0 {
            best = (crossings, order.levels.clone());
        }
    }
    order.take(best.1);
    for _ in 0..EXCHANGES {
        if !order.exchange() {
            break;
        }
    }
    order.settle();
    order.places
}

struct Order<'a> {
    graph: &'a Graph,
    /// For each position its moves and those that lead to it, as places in the list of all.
    touching: Vec<Vec<usize>>,
    levels: Vec<Vec<usize>>,
    places: Vec<f64>,
}

impl<'a> Order<'a> {
    fn new(graph: &'a Graph) -> Self {
        let mut levels = vec![Vec::new(); graph.levels.len()];
        let mut touching = vec![Vec::new(); graph.nodes.len()];
        for (number, node) in graph.nodes.iter().enumerate() {
            levels[node.level].push(number);
        }
        for (number, edge) in graph.edges.iter().enumerate() {
            touching[edge.from].push(number);
            touching[edge.to].push(number);
        }
        let mut order = Self { graph, touching, levels: Vec::new(), places: vec![0.0; graph.nodes.len()] };
        order.take(levels);
        order
    }

    fn take(&mut self, levels: Vec<Vec<usize>>) {
        self.levels = levels;
        (0..self.levels.len()).for_each(|level| self.space(level));
    }

    /// Puts a level's positions beside each other, around the middle.
    fn space(&mut self, level: usize) {
        let nodes = &self.levels[level];
        for (number, &node) in nodes.iter().enumerate() {
            self.places[node] = number as f64 - (nodes.len() - 1) as f64 / 2.0;
        }
    }

    /// The mean place of a position's neighbours.
    fn barycentre(&self, node: usize) -> f64 {
        let (mut sum, mut weights) = (0.0, 0.0);
        for &number in &self.touching[node] {
            let Edge { from, to, winning } = self.graph.edges[number];
            let weight = if winning { WEIGHT } else { 1.0 };
            sum += weight * self.places[if from == node { to } else { from }];
            weights += weight;
        }
        if weights > 0.0 { sum / weights } else { self.places[node] }
    }

    /// All levels, downwards in even sweeps and upwards in odd ones.
    fn levels_of(&self, sweep: usize) -> impl Iterator<Item = usize> + use<> {
        let number = self.levels.len();
        (0..number).map(move |step| if sweep.is_multiple_of(2) { step } else { number - 1 - step })
    }

    fn sweep(&mut self, sweep: usize) {
        for level in self.levels_of(sweep) {
            let mut nodes: Vec<(f64, usize)> =
                self.levels[level].iter().map(|&node| (self.barycentre(node), node)).collect();
            nodes.sort_by(|a, b| a.0.total_cmp(&b.0));
            self.levels[level] = nodes.into_iter().map(|(_, node)| node).collect();
            self.space(level);
        }
    }

    fn segments(&self) -> Vec<Segment> {
        let level = |node: usize| self.graph.nodes[node].level as f64;
        let segment = |edge: &Edge| {
            let (top, bottom, place) = (level(edge.from), level(edge.to), self.places[edge.from]);
            Segment { top, bottom, place, slope: (self.places[edge.to] - place) / (bottom - top) }
        };
        self.graph.edges.iter().map(segment).collect()
    }

    fn crossings(&self) -> usize {
        let segments = self.segments();
        segments.iter().enumerate().map(|(number, segment)| segment.crossings(&segments[number + 1..])).sum()
    }

    /// The crossings of two positions' moves with any.
    fn crossings_of(&self, nodes: [usize; 2]) -> usize {
        let segments = self.segments();
        let moves = nodes.iter().flat_map(|&node| &self.touching[node]);
        moves.map(|&number| segments[number].crossings(&segments)).sum()
    }

    /// Lets neighbours change places where that saves crossings; tells whether any did.
    fn exchange(&mut self) -> bool {
        let mut changed = false;
        for level in 0..self.levels.len() {
            for place in 1..self.levels[level].len() {
                let pair = [self.levels[level][place - 1], self.levels[level][place]];
                let before = self.crossings_of(pair);
                self.places.swap(pair[0], pair[1]);
                if self.crossings_of(pair) < before {
                    self.levels[level].swap(place - 1, place);
                    changed = true;
                } else {
                    self.places.swap(pair[0], pair[1]);
                }
            }
        }
        changed
    }

    /// Moves positions towards their neighbours where there is room: no level becomes wider than the widest,
    /// and no two come closer than they are.
    fn settle(&mut self) {
        let widest = self.levels.iter().map(Vec::len).max().unwrap_or(1);
        let half = (widest - 1) as f64 / 2.0;
        for sweep in 0..2 * SWEEPS {
            for level in self.levels_of(sweep) {
                let nodes = self.levels[level].clone();
                let wishes: Vec<f64> = nodes.iter().map(|&node| self.barycentre(node)).collect();
                let placed = spread(&wishes, -half, half);
                for (&node, &place) in nodes.iter().zip(&placed) {
                    self.places[node] = place;
                }
            }
        }
    }
}

/// A move as a straight line down the levels.
#[derive(Clone, Copy)]
struct Segment {
    top: f64,
    bottom: f64,
    /// At the top.
    place: f64,
    /// How much further each level down.
    slope: f64,
}

impl Segment {
    fn at(self, level: f64) -> f64 {
        self.place + (level - self.top) * self.slope
    }

    /// With how many others it crosses. There are millions of pairs to look at, so it goes without branches.
    fn crossings(self, others: &[Self]) -> usize {
        let crosses = |other: &Self| {
            let top = if self.top > other.top { self.top } else { other.top };
            let bottom = if self.bottom < other.bottom { self.bottom } else { other.bottom };
            let above = self.at(top) - other.at(top);
            let below = self.at(bottom) - other.at(bottom);
            // Lines that meet at an end do not cross.
            u32::from((top < bottom) & (above * below < -1e-12))
        };
        others.iter().map(crosses).sum::<u32>() as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::{Outcome, Verdict};

    use crate::game_map::Node;

    #[test]
    fn moves_that_need_not_cross_do_not() {
        let verdict = Verdict { outcome: Outcome::Win, depth: None };
        let node = |level| Node { key: String::new(), label: Vec::new(), verdict, level };
        let edge = |from, to| Edge { from, to, winning: false };
        let graph = Graph {
            nodes: [0, 1, 1, 1, 2, 2, 2].map(node).into_iter().collect(),
            edges: vec![edge(0, 1), edge(0, 2), edge(0, 3), edge(1, 6), edge(2, 5), edge(3, 4), edge(1, 5)],
            levels: vec![String::new(); 3],
            measure: "",
        };
        let places = places(&graph);
        let mut order = Order::new(&graph);
        order.places = places;
        assert_eq!(order.crossings(), 0);
    }
}
