//! Rows of steps out of classes. Two rows are stored as one if they agree at all sizes for which both have a meaning,
//! up to a constant difference of depths.

/// The result of a step, or of the stem: the next class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ClassStep {
    /// The class, among those of the next number of heaps.
    pub(super) class: u64,
    /// The depth to add to the depth of the class.
    pub(super) deeper: u64,
    /// True if only won positions follow.
    pub(super) is_won: bool,
}

/// Steps for consecutive sizes; `None` if the step has no meaning.
pub(super) type Steps = Vec<Option<ClassStep>>;

/// The steps of the classes of one level, or of their segments.
#[derive(Debug, Default)]
pub(super) struct StepRows {
    rows: Vec<Steps>,
}

impl StepRows {
    /// Returns the number of rows.
    pub(super) fn len(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Adds a row and returns its number.
    pub(super) fn add(&mut self, steps: Steps) -> u64 {
        self.rows.push(steps);
        self.len() - 1
    }

    /// Returns the number of the first row that agrees with these steps in all places where both have a meaning, and
    /// the depth to add to it. Fills the gaps of that row from the steps. If no row agrees, adds a new one.
    pub(super) fn find(&mut self, mut steps: Steps) -> (u64, u64) {
        let deeper = take_common_depth(&mut steps);
        let shared = |(number, row): (u64, &mut Steps)| Some((number, fill_gaps(row, &steps, deeper)?));
        let found = (0..).zip(&mut self.rows).find_map(shared);
        found.unwrap_or_else(|| (self.add(steps), deeper))
    }

    /// Cuts the rows into segments of `steps` steps. Returns the distinct segments, and rows of steps whose classes
    /// are segments.
    pub(super) fn cut(self, steps: usize) -> (StepRows, StepRows) {
        let (mut segments, mut cut) = (StepRows::default(), StepRows::default());
        for mut row in self.rows {
            row.resize(row.len().next_multiple_of(steps), None);
            let mut segment = |steps: &[Option<ClassStep>]| {
                if steps.iter().all(Option::is_none) {
                    return None;
                }
                let is_won = steps.iter().flatten().all(|step| step.is_won);
                let (class, deeper) = segments.find(steps.to_vec());
                Some(ClassStep { class, deeper, is_won })
            };
            cut.add(row.chunks(steps).map(&mut segment).collect());
        }
        (segments, cut)
    }

    /// Returns the records. Steps without a meaning get varying classes and depths, often wrong ones, to expose
    /// readers that rely on them.
    pub(super) fn records(self, classes: u64, depths: bool) -> Vec<Vec<u64>> {
        let record = |(number, step): (u64, Option<ClassStep>)| match step {
            Some(step) => vec![step.class, step.deeper],
            // Any numbers will do if they vary and are reproducible.
            None => vec![number * 7 / 3 % classes, if depths { number * 5 / 2 % 3 } else { 0 }],
        };
        (0..).zip(self.rows.into_iter().flatten()).map(record).collect()
    }
}

/// Subtracts the greatest possible common depth from all steps to lost positions, and returns it.
fn take_common_depth(steps: &mut Steps) -> u64 {
    let lost = |step: &&mut ClassStep| !step.is_won;
    let common_depth = steps.iter_mut().flatten().filter(lost).map(|step| step.deeper).min().unwrap_or(0);
    steps
        .iter_mut()
        .flatten()
        .for_each(|step| step.deeper = if step.is_won { 0 } else { step.deeper - common_depth });
    common_depth
}

/// Fills the gaps of a row from steps whose depths were lowered by `deeper` before. Returns by how much the original
/// steps are deeper than the row, or `None`, without changing the row, if they disagree or a depth would become
/// negative.
fn fill_gaps(row: &mut Steps, steps: &Steps, deeper: u64) -> Option<u64> {
    let both = || row.iter().zip(steps).filter_map(|(row, step)| row.zip(*step));
    if both().any(|(row, step)| (row.class, row.is_won) != (step.class, step.is_won)) {
        return None;
    }
    // Depths of steps to won positions have no meaning.
    let lost = both().filter(|(_, step)| !step.is_won);
    let mut differences = lost.map(|(row, step)| step.deeper as i64 - row.deeper as i64);
    let difference = differences.next().unwrap_or(0);
    if differences.any(|other| other != difference) {
        return None;
    }
    let lower_to_row = |step: &Option<ClassStep>| match step {
        Some(step) if !step.is_won => {
            let deeper = step.deeper.checked_add_signed(-difference)?;
            Some(Some(ClassStep { deeper, ..*step }))
        }
        _ => Some(*step),
    };
    let steps: Steps = steps.iter().map(lower_to_row).collect::<Option<_>>()?;
    let deeper = deeper.checked_add_signed(difference)?;
    row.iter_mut().zip(steps).for_each(|(row, step)| *row = row.or(step));
    Some(deeper)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns steps to lost positions, each a class with its extra depth, or `None`.
    fn steps(steps: &[Option<(u64, u64)>]) -> Steps {
        let found = |(class, deeper)| ClassStep { class, deeper, is_won: false };
        steps.iter().map(|step| step.map(found)).collect()
    }

    #[test]
    fn a_row_that_is_the_beginning_of_a_longer_one_is_stored_with_it() {
        let mut stored = StepRows::default();
        assert_eq!(stored.find(steps(&[Some((1, 0)), None, None])), (0, 0));
        assert_eq!(stored.find(steps(&[Some((1, 4)), Some((2, 5)), None])), (0, 4));
        assert_eq!(stored.find(steps(&[Some((1, 2)), Some((3, 2)), None])), (1, 2));
        assert_eq!(stored.find(steps(&[Some((1, 1)), Some((2, 2)), Some((5, 3))])), (0, 1));
        assert_eq!(stored.find(steps(&[Some((1, 1)), Some((2, 2)), Some((5, 2))])), (2, 1));
        let rows = [
            steps(&[Some((1, 0)), Some((2, 1)), Some((5, 2))]),
            steps(&[Some((1, 0)), Some((3, 0)), None]),
            steps(&[Some((1, 0)), Some((2, 1)), Some((5, 1))]),
        ];
        assert_eq!(stored.rows, rows);
    }

    #[test]
    fn no_depth_becomes_negative() {
        let mut stored = StepRows::default();
        assert_eq!(stored.find(steps(&[Some((1, 3)), None])), (0, 3));
        // To share the first row, the second step would need a depth below 0.
        assert_eq!(stored.find(steps(&[Some((1, 5)), Some((1, 3))])), (1, 3));
        // To share the first row, these steps would have to be lowered by more than `take_common_depth` lowered them.
        let mut stored = StepRows::default();
        assert_eq!(stored.find(steps(&[Some((1, 2)), Some((1, 0))])), (0, 0));
        assert_eq!(stored.find(steps(&[Some((1, 1)), None])), (1, 1));
    }
}
