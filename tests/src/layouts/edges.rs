//! Rows of edges, one for each class. Two rows are stored as one if they agree at all sizes for which both have a
//! meaning, up to a constant difference of depths.

/// An edge, or a record of the stem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    /// The number of the class that the edge leads to.
    pub(super) class: u64,
    /// The depth to add to the depth of the class.
    pub(super) deeper: u64,
    /// True if only won positions follow.
    pub(super) is_won: bool,
}

/// Edges for consecutive sizes; `None` if the edge has no meaning.
pub(super) type Edges = Vec<Option<Edge>>;

/// The edges of the classes of one level, or of their segments.
#[derive(Debug, Default)]
pub(super) struct EdgeRows {
    rows: Vec<Edges>,
}

impl EdgeRows {
    /// Returns the number of rows.
    pub(super) fn len(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Adds a row and returns its number.
    pub(super) fn add(&mut self, edges: Edges) -> u64 {
        self.rows.push(edges);
        self.len() - 1
    }

    /// Returns the number of the first row that agrees with these edges in all places where both have a meaning, and
    /// the depth to add to it. Fills the gaps of that row from the edges. If no row agrees, adds a new one.
    pub(super) fn find(&mut self, mut edges: Edges) -> (u64, u64) {
        let deeper = take_common_depth(&mut edges);
        let shared = |(number, row): (u64, &mut Edges)| Some((number, fill_gaps(row, &edges, deeper)?));
        let found = (0..).zip(&mut self.rows).find_map(shared);
        found.unwrap_or_else(|| (self.add(edges), deeper))
    }

    /// Cuts the rows into segments of `length` edges. Returns the distinct segments, and a row for each class whose
    /// edges lead to segments.
    pub(super) fn cut(self, length: usize) -> (EdgeRows, EdgeRows) {
        let (mut segments, mut cut) = (EdgeRows::default(), EdgeRows::default());
        for mut row in self.rows {
            row.resize(row.len().next_multiple_of(length), None);
            let mut segment = |edges: &[Option<Edge>]| {
                if edges.iter().all(Option::is_none) {
                    return None;
                }
                let is_won = edges.iter().flatten().all(|edge| edge.is_won);
                let (class, deeper) = segments.find(edges.to_vec());
                Some(Edge { class, deeper, is_won })
            };
            cut.add(row.chunks(length).map(&mut segment).collect());
        }
        (segments, cut)
    }

    /// Returns the records. Edges without a meaning get varying classes and depths, often wrong ones, to expose
    /// readers that rely on them.
    pub(super) fn records(self, classes: u64, depths: bool) -> Vec<Vec<u64>> {
        let record = |(number, edge): (u64, Option<Edge>)| match edge {
            Some(edge) => vec![edge.class, edge.deeper],
            // Any numbers will do if they vary and are reproducible.
            None => vec![number * 7 / 3 % classes, if depths { number * 5 / 2 % 3 } else { 0 }],
        };
        (0..).zip(self.rows.into_iter().flatten()).map(record).collect()
    }
}

/// Subtracts the greatest possible common depth from all edges to lost positions, and returns it.
fn take_common_depth(edges: &mut Edges) -> u64 {
    let lost = |edge: &&mut Edge| !edge.is_won;
    let common_depth = edges.iter_mut().flatten().filter(lost).map(|edge| edge.deeper).min().unwrap_or(0);
    edges
        .iter_mut()
        .flatten()
        .for_each(|edge| edge.deeper = if edge.is_won { 0 } else { edge.deeper - common_depth });
    common_depth
}

/// Fills the gaps of a row from edges whose depths were lowered by `deeper` before. Returns by how much the original
/// edges are deeper than the row, or `None`, without changing the row, if they disagree or a depth would become
/// negative.
fn fill_gaps(row: &mut Edges, edges: &Edges, deeper: u64) -> Option<u64> {
    let both = || row.iter().zip(edges).filter_map(|(row, edge)| row.zip(*edge));
    if both().any(|(row, edge)| (row.class, row.is_won) != (edge.class, edge.is_won)) {
        return None;
    }
    // Depths of edges to won positions have no meaning.
    let lost = both().filter(|(_, edge)| !edge.is_won);
    let mut differences = lost.map(|(row, edge)| edge.deeper as i64 - row.deeper as i64);
    let difference = differences.next().unwrap_or(0);
    if differences.any(|other| other != difference) {
        return None;
    }
    let lower_to_row = |edge: &Option<Edge>| match edge {
        Some(edge) if !edge.is_won => {
            let deeper = edge.deeper.checked_add_signed(-difference)?;
            Some(Some(Edge { deeper, ..*edge }))
        }
        _ => Some(*edge),
    };
    let edges: Edges = edges.iter().map(lower_to_row).collect::<Option<_>>()?;
    let deeper = deeper.checked_add_signed(difference)?;
    row.iter_mut().zip(edges).for_each(|(row, edge)| *row = row.or(edge));
    Some(deeper)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns edges to lost positions, each a class with its extra depth, or `None`.
    fn edges(edges: &[Option<(u64, u64)>]) -> Edges {
        let found = |(class, deeper)| Edge { class, deeper, is_won: false };
        edges.iter().map(|edge| edge.map(found)).collect()
    }

    #[test]
    fn a_row_that_is_the_beginning_of_a_longer_one_is_stored_with_it() {
        let mut stored = EdgeRows::default();
        assert_eq!(stored.find(edges(&[Some((1, 0)), None, None])), (0, 0));
        assert_eq!(stored.find(edges(&[Some((1, 4)), Some((2, 5)), None])), (0, 4));
        assert_eq!(stored.find(edges(&[Some((1, 2)), Some((3, 2)), None])), (1, 2));
        assert_eq!(stored.find(edges(&[Some((1, 1)), Some((2, 2)), Some((5, 3))])), (0, 1));
        assert_eq!(stored.find(edges(&[Some((1, 1)), Some((2, 2)), Some((5, 2))])), (2, 1));
        let rows = [
            edges(&[Some((1, 0)), Some((2, 1)), Some((5, 2))]),
            edges(&[Some((1, 0)), Some((3, 0)), None]),
            edges(&[Some((1, 0)), Some((2, 1)), Some((5, 1))]),
        ];
        assert_eq!(stored.rows, rows);
    }

    #[test]
    fn no_depth_becomes_negative() {
        let mut stored = EdgeRows::default();
        assert_eq!(stored.find(edges(&[Some((1, 3)), None])), (0, 3));
        // To share the first row, the second edge would need a depth below 0.
        assert_eq!(stored.find(edges(&[Some((1, 5)), Some((1, 3))])), (1, 3));
        // To share the first row, these edges would have to be lowered by more than `take_common_depth` lowered them.
        let mut stored = EdgeRows::default();
        assert_eq!(stored.find(edges(&[Some((1, 2)), Some((1, 0))])), (0, 0));
        assert_eq!(stored.find(edges(&[Some((1, 1)), None])), (1, 1));
    }
}
