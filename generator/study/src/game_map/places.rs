//! Where the positions of each level stand, so that few moves cross.
//!
//! By barycentres (Sugiyama, Tagawa and Toda, 1981): each position goes to where the mean of its neighbours
//! is, level by level, up and down in turn; of all orders met the one with the fewest crossings is taken.
//! Then neighbours change places as long as that saves crossings.

use std::ops::Range;

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
    spans: Spans,
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
        let places = vec![0.0; graph.nodes.len()];
        let mut order = Self { graph, touching, levels: Vec::new(), places, spans: Spans::of(graph) };
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

    /// The line of a move.
    fn line(&self, number: usize) -> Line {
        let Edge { from, to, .. } = self.graph.edges[number];
        let [top, bottom] = [from, to].map(|node| self.graph.nodes[node].level as f64);
        let place = self.places[from];
        Line { top, bottom, place, slope: (self.places[to] - place) / (bottom - top) }
    }

    /// The lines of all moves.
    fn lines(&self) -> Lines {
        let mut lines = Lines::default();
        self.spans.order.iter().for_each(|&number| lines.push(self.line(number)));
        lines
    }

    fn crossings(&self) -> usize {
        let lines = self.lines();
        let of_each = self.spans.order.iter().enumerate().map(|(at, &number)| {
            let line = self.line(number);
            // Each pair once.
            let behind = self.spans.beside(line).map(|range| range.start.max(at + 1)..range.end.max(at + 1));
            behind.map(|range| lines.crossings(line, range)).sum::<usize>()
        });
        of_each.sum()
    }

    /// The crossings of two positions' moves with any.
    fn crossings_of(&self, nodes: [usize; 2], lines: &Lines) -> usize {
        let moves = nodes.iter().flat_map(|&node| &self.touching[node]);
        let of_move = |&number: &usize| {
            let line = self.line(number);
            self.spans.beside(line).map(|range| lines.crossings(line, range)).sum::<usize>()
        };
        moves.map(of_move).sum()
    }

    /// Lets neighbours change places where that saves crossings; tells whether any did.
    fn exchange(&mut self) -> bool {
        let mut changed = false;
        let mut lines = self.lines();
        for level in 0..self.levels.len() {
            for place in 1..self.levels[level].len() {
                let pair = [self.levels[level][place - 1], self.levels[level][place]];
                let before = self.crossings_of(pair, &lines);
                self.swap(pair, &mut lines);
                if self.crossings_of(pair, &lines) < before {
                    self.levels[level].swap(place - 1, place);
                    changed = true;
                } else {
                    self.swap(pair, &mut lines);
                }
            }
        }
        changed
    }

    /// Lets two positions of a level change places, and the lines of their moves with them.
    fn swap(&mut self, pair: [usize; 2], lines: &mut Lines) {
        self.places.swap(pair[0], pair[1]);
        for &number in pair.iter().flat_map(|&node| &self.touching[node]) {
            lines.set(self.spans.place[number], self.line(number));
        }
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

/// The moves by the levels that they span: moves can cross only where they span the same.
struct Spans {
    /// Their numbers: by the level where they start, and of those by that where they end.
    order: Vec<usize>,
    /// For each move its place in that order.
    place: Vec<usize>,
    /// For each level, and each level below it, how many moves come before those that start there and end below.
    begins: Vec<Vec<usize>>,
}

impl Spans {
    fn of(graph: &Graph) -> Self {
        let span = |number: usize| {
            let Edge { from, to, .. } = graph.edges[number];
            [from, to].map(|node| graph.nodes[node].level)
        };
        let mut order: Vec<usize> = (0..graph.edges.len()).collect();
        order.sort_by_key(|&number| span(number));
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &number)| place[number] = at);
        let levels = graph.levels.len();
        let before = |top, bottom| order.partition_point(|&number| span(number) <= [top, bottom]);
        let begins = (0..levels).map(|top| (0..levels).map(|bottom| before(top, bottom)).collect()).collect();
        Self { order, place, begins }
    }

    /// Where the moves are in the order that span a level which a line spans too.
    fn beside(&self, line: Line) -> impl Iterator<Item = Range<usize>> {
        let (top, bottom) = (line.top as usize, line.bottom as usize);
        // Those that start above its end and end below its start.
        (0..bottom).map(move |from| {
            let last = self.begins[from].last().copied().unwrap_or(0);
            self.begins[from][top.max(from)]..last
        })
    }
}

/// A move as a straight line down the levels.
#[derive(Clone, Copy)]
struct Line {
    top: f64,
    bottom: f64,
    /// At the top.
    place: f64,
    /// How much further each level down.
    slope: f64,
}

/// Lines, each of their numbers beside those of others.
#[derive(Default)]
struct Lines {
    top: Vec<f64>,
    bottom: Vec<f64>,
    place: Vec<f64>,
    slope: Vec<f64>,
}

impl Lines {
    fn push(&mut self, Line { top, bottom, place, slope }: Line) {
        self.top.push(top);
        self.bottom.push(bottom);
        self.place.push(place);
        self.slope.push(slope);
    }

    fn set(&mut self, at: usize, Line { place, slope, .. }: Line) {
        self.place[at] = place;
        self.slope[at] = slope;
    }

    /// With how many of a range a line crosses. There are millions of pairs to look at, so it goes without branches.
    fn crossings(&self, of: Line, range: Range<usize>) -> usize {
        let [tops, bottoms] = [&self.top, &self.bottom].map(|all| &all[range.clone()]);
        let [places, slopes] = [&self.place, &self.slope].map(|all| &all[range.clone()]);
        let mut sum = 0_u64;
        for (((&top, &bottom), &place), &slope) in tops.iter().zip(bottoms).zip(places).zip(slopes) {
            let high = if of.top > top { of.top } else { top };
            let low = if of.bottom < bottom { of.bottom } else { bottom };
            let at = |level: f64| of.place + (level - of.top) * of.slope - (place + (level - top) * slope);
            // Lines that meet at an end do not cross.
            sum += u64::from((high < low) & (at(high) * at(low) < -1e-12));
        }
        sum as usize
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
