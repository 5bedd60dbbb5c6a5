//! The cost of making and proving tables of Expanding Nim, by which `crate::estimate` extrapolates from trial runs.

use bouton_tables::expanding::{Expanding, ExpandingKeys, ExpandingLayout};

use super::pack::BYTES_PER_ROW;
use super::run::Run;
use super::{BATCH_BYTES, steps};
use crate::family::{Estimated, Measurement};
use crate::making::GenerateOptions;
use crate::memory::capped;

/// Returns the number of pairs of both players' resets. A row has 4 lines for each pair: two turns, with and without a
/// reset in force.
fn reset_pairs(rules: &Expanding) -> u128 {
    u128::from(rules.positions_per_pair()) / 2
}

/// Estimated numbers of lost places, on one line of each row. On a line of currentmax m, about one place in m + 1 is lost.
#[derive(Clone, Copy, Debug)]
struct LostCounts {
    total: f64,
    /// In the row with most lost places.
    greatest: f64,
}

/// Size of a block of rows. All rows of the first block are counted, every second row of the second block, every third of
/// the third, and so on. A counted row stands for the rows up to the next counted one.
const ROWS_ONE_BY_ONE: u32 = 1 << 12;

impl LostCounts {
    fn of(rules: &Expanding) -> Self {
        let first = rules.base_limit().saturating_sub(rules.growth());
        let rows = ExpandingLayout::count_rows(rules) as u32;
        let mut counts = Self { total: 0.0, greatest: 0.0 };
        let mut row = 0;
        while row < rows {
            let step = (row / ROWS_ONE_BY_ONE + 1).min(rows - row);
            let currentmax = first + row;
            // Row 0 serves all currentmax from 0 on, so all stones can be left.
            let most_stones =
                if row == 0 { rules.stones() } else { rules.max_stones(currentmax).unwrap_or(0) };
            let lost = (most_stones as f64 + 1.0) / (f64::from(currentmax) + 1.0);
            counts.total += lost * f64::from(step);
            counts.greatest = counts.greatest.max(lost);
            row += step;
        }
        counts
    }

    /// Returns the share that the row with most lost places has in a total over all rows.
    fn greatest_part(&self, total: u128) -> u128 {
        (total as f64 * (self.greatest / self.total.max(1.0)).min(1.0)) as u128
    }
}

impl Estimated for Expanding {
    fn work(&self, options: GenerateOptions) -> u128 {
        let rows = u128::from(ExpandingLayout::count_rows(self));
        let reach = u128::from(self.stones().min(self.growth().into()));
        let work_of_rows = 256 * reset_pairs(self) * rows;
        if !options.depths {
            // The number of stretches of equal gaps in a row depends little on its length, and more on how many rows a
            // move reaches. If a move reaches several rows, the first rows have lines without such stretches.
            let irregular = if reach > 1 { 16 * u128::from(self.stones()) } else { 0 };
            return work_of_rows + 128 * reach.min(32) * rows + irregular;
        }
        // A lost place takes 64 steps, for the changes between two lost places, and up to four times as many if moves
        // reach many rows.
        let work_per_lost_place = 64.0 * (1.0 + reach as f64 / 32.0).min(4.0);
        (LostCounts::of(self).total * work_per_lost_place) as u128 + work_of_rows
    }

    fn growth_exponents(&self, options: GenerateOptions) -> [f64; 2] {
        // The file may grow less than the work, as rows of a great currentmax are short, or more, as small games of a great
        // growth are not representative.
        if options.depths { [0.0, 2.0] } else { [0.0, 1.5] }
    }

    fn halved(&self) -> Option<Self> {
        let stones = self.stones() / 2;
        ExpandingKeys { stones, ..self.keys().clone() }.rules().ok()
    }

    fn solving_bytes(&self, _: GenerateOptions, measurement: Measurement) -> u128 {
        let rows = u128::from(ExpandingLayout::count_rows(self));
        let bytes_per_row = BYTES_PER_ROW as u128;
        // Twice: the solver replaces its rows one by one, and a growing list is copied to an allocation of twice the size.
        let above = 2 * measurement.kept;
        let greatest = LostCounts::of(self).greatest_part(measurement.handed_over);
        // The last row of a batch may exceed `BATCH_BYTES`, and another row is being solved meanwhile. The factor is
        // nearly 2, as an allocator seldom reuses memory that one thread allocated and another freed.
        let in_batches = (measurement.handed_over.min(BATCH_BYTES as u128 + greatest) + greatest) * 15 / 8;
        above + in_batches + rows * bytes_per_row
    }

    fn greatest_measurement(&self, options: GenerateOptions) -> Measurement {
        // The worst case: every line changes at every place.
        let places = u128::from(steps(self)) * 4 * reset_pairs(self);
        let overhead_of_lines = u128::from(ExpandingLayout::count_rows(self)) * 4 * reset_pairs(self) * 256;
        let bytes = |per_place: u128| places * per_place + overhead_of_lines;
        // Bytes per place: of a solved line, of a packed one, and in the file.
        let (handed, packed, file) =
            if options.depths { (2 * size_of::<Run>() as u128, 192, 32) } else { (2, 16, 4) };
        Measurement {
            handed_over: bytes(handed),
            kept: bytes(handed),
            packed: bytes(packed),
            file: bytes(file),
        }
    }

    fn proof_steps(&self) -> u64 {
        capped(self.pairs())
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::expanding::{MAX_BASE_LIMIT, MAX_STONES, MAX_STONES_WITH_DEPTHS};

    use super::*;
    use crate::estimate::{estimate, memory_upper_bound};

    #[test]
    fn estimates_of_the_greatest_rulesets_do_not_overflow() {
        // If the limit exceeds the number of stones from the start, the table has only one row.
        let most = MAX_BASE_LIMIT;
        for (stones, base, growth, least) in [
            (MAX_STONES_WITH_DEPTHS, 1, most, 8 << 20),
            (MAX_STONES_WITH_DEPTHS, most, most, 8 << 20),
            (MAX_STONES_WITH_DEPTHS, 1, 1, 1 << 40),
            (MAX_STONES_WITH_DEPTHS, 1, 0, 1 << 30),
        ] {
            let keys = ExpandingKeys {
                stones,
                base_limit: base,
                growth,
                reset_limit: 1,
                resets: [15, 15],
                ..Default::default()
            };
            let ruleset = keys.rules().unwrap().into();
            let estimate = estimate(&ruleset, GenerateOptions::default());
            assert!(estimate.memory > least, "{base} {growth}: {estimate:?}");
            assert!(memory_upper_bound(&ruleset, GenerateOptions::default()) >= estimate.memory);
        }
        let without = GenerateOptions { depths: false };
        for (base_limit, growth) in [(1, 1), (most, 0), (1, 0), (most, 1000)] {
            let keys = ExpandingKeys { stones: MAX_STONES, base_limit, growth, ..Default::default() };
            let ruleset = ExpandingKeys { resets: [15, 15], reset_limit: 1, ..keys }.rules().unwrap().into();
            assert!(memory_upper_bound(&ruleset, without) >= estimate(&ruleset, without).memory);
        }
    }
}
