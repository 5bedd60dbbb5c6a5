//! Numerical parts of the estimate of strengths: densities of one quantity, and matrices.

/// Distance of neighbouring nodes, in standard deviations.
const STEP: f64 = 0.25;
/// Densities below `exp(-NEGLIGIBLE)` of the density at the estimate are 0.
const NEGLIGIBLE: f64 = 15.0;
/// Maximum number of nodes on each side of the estimate.
const MAX_NODES: i32 = 1000;

/// A distribution given by its density at evenly spaced nodes.
pub(super) struct Density {
    first: f64,
    step: f64,
    /// Probability of a value up to each node.
    cumulative: Vec<f64>,
}

impl Density {
    /// Integrates a density, given its logarithm at each distance from the estimate, minus its logarithm at the estimate.
    pub(super) fn new(estimate: f64, deviation: f64, log_density: impl Fn(f64) -> f64) -> Self {
        let step = STEP * deviation;
        let side = |sign: f64| -> Vec<f64> {
            let logs = (1..=MAX_NODES).map(|node| log_density(sign * step * f64::from(node)));
            logs.take_while(|&log| log > -NEGLIGIBLE).map(f64::exp).chain([0.0]).collect()
        };
        let (below, above) = (side(-1.0), side(1.0));
        let first = estimate - step * below.len() as f64;
        let densities: Vec<f64> = below.into_iter().rev().chain([1.0]).chain(above).collect();
        let mut sum = 0.0;
        let mut cumulative = vec![0.0];
        for (node, ends) in densities.windows(2).enumerate() {
            sum += f64::midpoint(ends[0], ends[1]);
            // The trapezoidal rule with the first correction of Euler and Maclaurin.
            let slope = densities.get(node + 2).map_or(0.0, |next| (next - ends[0]) / 2.0);
            cumulative.push(sum - slope / 12.0);
        }
        cumulative.iter_mut().for_each(|probability| *probability /= sum);
        Self { first, step, cumulative }
    }

    /// Returns the quantile of a probability: the quantity is below it with this probability.
    pub(super) fn quantile(&self, probability: f64) -> f64 {
        let next = self.cumulative.partition_point(|&below| below < probability).max(1);
        let [low, high] = [self.cumulative[next - 1], self.cumulative[next]];
        self.first + self.step * ((next - 1) as f64 + (probability - low) / (high - low))
    }

    pub(super) fn probability_below(&self, value: f64) -> f64 {
        let last = self.cumulative.len() - 1;
        let node_position = ((value - self.first) / self.step).clamp(0.0, last as f64);
        let node = (node_position as usize).min(last - 1);
        let [low, high] = [self.cumulative[node], self.cumulative[node + 1]];
        (low + (node_position - node as f64) * (high - low)).clamp(0.0, 1.0)
    }
}

pub(super) fn scalar_product(row: &[f64], column: &[f64]) -> f64 {
    row.iter().zip(column).map(|(one, other)| one * other).sum()
}

/// Inverts a symmetric, positive definite matrix by Gauss-Jordan elimination, which then needs no pivoting.
pub(super) fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for pivot in 0..matrix.len() {
        let divisor = std::mem::replace(&mut matrix[pivot][pivot], 1.0);
        matrix[pivot].iter_mut().for_each(|cell| *cell /= divisor);
        let pivot_row = matrix[pivot].clone();
        for (_, row) in matrix.iter_mut().enumerate().filter(|(row, _)| *row != pivot) {
            let factor = std::mem::take(&mut row[pivot]);
            row.iter_mut().zip(&pivot_row).for_each(|(cell, above)| *cell -= factor * above);
        }
    }
    matrix
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_the_identity() {
        let matrix = vec![vec![4.0, -1.0, 0.5], vec![-1.0, 3.0, 1.0], vec![0.5, 1.0, 2.0]];
        let inverted = inverse(matrix.clone());
        for (row, cells) in matrix.iter().enumerate() {
            for column in 0..3 {
                let of_column: Vec<f64> = inverted.iter().map(|cells| cells[column]).collect();
                let expected = f64::from(u8::from(row == column));
                assert!((scalar_product(cells, &of_column) - expected).abs() < 1e-12, "{inverted:?}");
            }
        }
    }

    #[test]
    fn quantiles_of_a_normal_and_a_skewed_density_are_right() {
        let normal = Density::new(3.0, 2.0, |moved| -moved * moved / 8.0);
        for (probability, deviations) in [(0.025, -1.959_964), (0.5, 0.0), (0.975, 1.959_964)] {
            let found = normal.quantile(probability);
            assert!((found - (3.0 + 2.0 * deviations)).abs() < 0.02, "{probability}: {found}");
            assert!((normal.probability_below(found) - probability).abs() < 1e-9);
        }
        // The logarithm of an exponentially distributed variable: its density is highest at 0.
        let gumbel = Density::new(0.0, 1.0, |moved| moved - moved.exp() + 1.0);
        for probability in [0.025_f64, 0.5, 0.975] {
            let expected = (-(-probability).ln_1p()).ln();
            let found = gumbel.quantile(probability);
            assert!((found - expected).abs() < 0.02, "{probability}: {found}, not {expected}");
        }
    }
}
