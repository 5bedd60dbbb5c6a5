//! The cost of making and proving tables of Expanding Nim: what `crate::estimate` needs to extrapolate from trial runs.

use bouton_tables::expanding::{ArrayLayout, Expanding, ExpandingKeys};

use super::pack::EncodedRow;
use super::{Run, WAITING, steps, verify};
use crate::GenerateOptions;
use crate::estimate::{Estimated, Measurement};

fn cells(rules: &Expanding) -> u128 {
    u128::from(rules.positions_per_pair()) / 2
}

/// Estimated numbers of lost places, on one line of each row. On a line of currentmax m, about one place in m + 1 is lost.
#[derive(Clone, Copy, Debug)]
struct MarkCounts {
    /// In all rows.
    all: f64,
    /// In the row with most of them.
    of_row: f64,
}

/// This many rows are counted one by one; of the next as many every second row, then every third, and so on. Each stands for
/// the rows up to the next.
const ROWS_ONE_BY_ONE: u32 = 1 << 12;

impl MarkCounts {
    fn of(rules: &Expanding) -> Self {
        let first = rules.base_limit().saturating_sub(rules.growth()).min(rules.stones());
        let rows = ArrayLayout::count_rows_of_table(rules) as u32;
        let mut marks = Self { all: 0.0, of_row: 0.0 };
        let mut row = 0;
        while row < rows {
            let some = (row / ROWS_ONE_BY_ONE + 1).min(rows - row);
            let currentmax = first + row;
            let length = f64::from(rules.most_stones(currentmax).unwrap_or(0)) + 1.0;
            let length = if row == 0 { f64::from(rules.stones()) + 1.0 } else { length };
            let of_row = length / (f64::from(currentmax) + 1.0);
            let of_some = of_row * f64::from(some);
            marks.all += of_some;
            marks.of_row = marks.of_row.max(of_row);
            row += some;
        }
        marks
    }

    /// Returns the share of a total over all rows that the row with most lost places has.
    fn longest(&self, of: u128) -> u128 {
        (of as f64 * (self.of_row / self.all.max(1.0)).min(1.0)) as u128
    }
}

impl Estimated for Expanding {
    fn work(&self, options: GenerateOptions) -> u128 {
        // A row takes 64 steps for each pair of resets, or 256 with depths. Without depths a lost place takes one step, and
        // more if moves reach many rows. With depths it takes 64, for the changes between two lost places, and up to four
        // times as many if moves reach many rows.
        let reach = f64::from(self.growth().min(self.stones()));
        let of_mark = if options.depths { 64.0 * (1.0 + reach / 32.0).min(4.0) } else { 1.0 + reach / 8.0 };
        let of_row = 64 * cells(self) * if options.depths { 4 } else { 1 };
        (MarkCounts::of(self).all * of_mark) as u128
            + of_row * u128::from(ArrayLayout::count_rows_of_table(self))
    }

    fn grows_by(&self, options: GenerateOptions) -> [f64; 2] {
        // Lists grow with the lost places; at some sizes their entries get wider. With depths, rows of a great
        // currentmax have runs so long that blocks of verdicts have few; and with a great growth, small games are not
        // representative.
        if options.depths { [0.0, 2.0] } else { [1.0, 1.0] }
    }

    fn halved(&self) -> Option<Self> {
        let stones = self.stones() / 2;
        ExpandingKeys { stones, ..self.keys().clone() }.rules().ok()
    }

    fn solving(&self, _: GenerateOptions, trail: Measurement) -> u128 {
        let rows = u128::from(ArrayLayout::count_rows_of_table(self));
        let for_each_row = (size_of::<Option<EncodedRow>>() + 64) as u128;
        // The solver replaces its rows one by one, and a growing list is copied into twice the room.
        let above = 2 * trail.kept;
        let longest = MarkCounts::of(self).longest(trail.handed);
        // An allocator seldom reuses memory that one thread allocated and another freed.
        let waiting = 2 * (trail.handed.min(WAITING as u128 + longest) + longest);
        above + waiting + rows * for_each_row
    }

    fn greatest_measurement(&self, options: GenerateOptions) -> Measurement {
        // The worst case: every line changes at every place.
        let places = u128::from(steps(self)) * 4 * cells(self);
        let rows = u128::from(ArrayLayout::count_rows(self)) * 4 * cells(self) * 256;
        let bytes = |of_place: u128| places * of_place + rows;
        let (handed, packed, file) =
            if options.depths { (2 * size_of::<Run>() as u128, 128, 16) } else { (2, 16, 4) };
        Measurement { handed: bytes(handed), kept: bytes(handed), packed: bytes(packed), file: bytes(file) }
    }

    fn proof(&self) -> (u64, [u128; 2]) {
        let held = verify::bytes_in_use(self, 4 * cells(self));
        (self.pairs(), [held, held])
    }
}

#[cfg(test)]
mod tests {
    use bouton_tables::expanding::MAX_STONES;

    use super::*;
    use crate::{estimate, greatest_memory};

    #[test]
    fn the_greatest_rulesets_are_estimated_too() {
        // If the limit exceeds the number of stones from the start, there is only one row.
        for (base, growth, least) in
            [(1, MAX_STONES, 8 << 20), (MAX_STONES, MAX_STONES, 8 << 20), (1, 1, 1 << 40), (1, 0, 1 << 30)]
        {
            let keys = ExpandingKeys {
                stones: MAX_STONES,
                base_limit: base,
                growth,
                reset_limit: 1,
                resets: [15, 15],
                ..Default::default()
            };
            let ruleset = keys.rules().unwrap().into();
            let estimate = estimate(&ruleset, GenerateOptions::default());
            assert!(estimate.memory > least, "{base} {growth}: {estimate:?}");
            assert!(greatest_memory(&ruleset, GenerateOptions::default()) >= estimate.memory);
        }
    }
}
