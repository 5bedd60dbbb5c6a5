//! Heaps in binary, one below the other, with the sums of the columns, as in a proof by nim-sums.

use std::fmt::{self, Display, Formatter};

use bouton_tables::heaps::Heap;
use bouton_tables::heaps::theory::column_sums;

/// The heaps of a position in binary, one a row, and the sums of the columns. Example: 3,5,7 has the rows 011, 101, 111;
/// the columns have 2, 2 and 3 ones, so the nim-sum is 001.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The heaps, in their order.
    pub rows: Vec<BinaryRow>,
    /// Number of ones in each column, modulo [`modulus`](Self::modulus); the highest column first.
    pub sums: Vec<u32>,
    /// 2 for the nim-sum; in Moore's Nim k + 1, if a move takes from up to k heaps.
    pub modulus: u32,
}

/// A heap in binary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryRow {
    /// Stones of the heap.
    pub heap: Heap,
    /// The number written in binary: the stones, or the Grundy value of the heap.
    pub value: u32,
    /// The binary digits of `value`, the highest first; one for each column.
    pub digits: Vec<u32>,
}

impl Columns {
    /// Computes the digits of the values of heaps, and the sums. There is a column even if all values are 0.
    pub(crate) fn new(heaps: &[Heap], value: impl Fn(Heap) -> u32, modulus: u32) -> Self {
        let values: Vec<u32> = heaps.iter().map(|&heap| value(heap)).collect();
        let ones = column_sums(&values);
        let columns = (0..ones.len().max(1)).rev();
        let digits = |value: u32| columns.clone().map(|column| value >> column & 1).collect();
        let rows =
            heaps.iter().zip(values).map(|(&heap, value)| BinaryRow { heap, value, digits: digits(value) });
        let rows = rows.collect();
        let sums = columns.map(|column| ones.get(column).map_or(0, |ones| ones % modulus)).collect();
        Self { rows, sums, modulus }
    }

    /// Returns the nim-sum; `None` if columns are not counted modulo 2.
    pub fn nim_sum(&self) -> Option<u32> {
        (self.modulus == 2).then(|| self.sums.iter().fold(0, |number, sum| 2 * number + sum))
    }

    /// Returns the label of the row of sums.
    pub fn label(&self) -> String {
        if self.modulus == 2 { "nim-sum".to_owned() } else { format!("ones mod {}", self.modulus) }
    }
}

/// Writes the rows, and below them the sums of the columns. If any value differs from its heap, the rows also show the
/// values.
impl Display for Columns {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let shows_values = self.rows.iter().any(|row| row.heap != row.value);
        let (label, total) = (self.label(), self.nim_sum());
        let label_width = label.len().max("row 16".len());
        let numbers = self.rows.iter().flat_map(|row| [row.heap, row.value]).chain(total);
        let width = numbers.map(|n| n.to_string().len()).max().unwrap_or(0).max("value".len());
        let mut line = |label: &str, heap: &str, value: &str, bits: &str| {
            let value = if shows_values { format!("  {value:>width$}") } else { String::new() };
            let line = format!("  {label:<label_width$}  {heap:>width$}{value}   {bits}");
            writeln!(f, "{}", line.trim_end())
        };
        line("", "heap", "value", "in binary")?;
        for (n, row) in (1..).zip(&self.rows) {
            line(&format!("row {n}"), &row.heap.to_string(), &row.value.to_string(), &join(&row.digits))?;
        }
        let total = total.map_or_else(String::new, |number| number.to_string());
        let (heap, value) = if shows_values { ("", total.as_str()) } else { (total.as_str(), "") };
        line(&label, heap, value, &join(&self.sums))
    }
}

fn join(digits: &[u32]) -> String {
    digits.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
