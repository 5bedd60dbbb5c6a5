//! Heaps in binary, one below the other, with the sums of the columns, as in a proof by nim-sums.

use std::fmt::{self, Display, Formatter};

/// The heaps of a position in binary, one a row, and the sums of the columns. Example: 3,5,7 has the rows 011, 101, 111;
/// the columns have 2, 2 and 3 ones, so the nim-sum is 001.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The heaps, in their order.
    pub rows: Vec<BinaryRow>,
    /// Number of ones in each column, modulo [`modulus`](Self::modulus); the lowest column first.
    pub sums: Vec<u32>,
    /// 2 for the nim-sum; in Moore's Nim one more than the heaps from which a move may take.
    pub modulus: u32,
}

/// A heap in binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BinaryRow {
    /// Stones of the heap.
    pub heap: u32,
    /// The number written in binary: the stones, or the Grundy value of the heap.
    pub value: u32,
}

impl Columns {
    /// Returns the nim-sum; `None` if columns are not counted modulo 2.
    pub fn nim_sum(&self) -> Option<u32> {
        (self.modulus == 2).then(|| self.sums.iter().rev().fold(0, |number, sum| 2 * number + sum))
    }

    /// Returns whether any row shows a Grundy value that differs from its stones.
    pub fn has_grundy_values(&self) -> bool {
        self.rows.iter().any(|row| row.heap != row.value)
    }

    /// Returns the label of the row of sums.
    pub fn label(&self) -> String {
        if self.modulus == 2 { "nim-sum".to_owned() } else { format!("ones mod {}", self.modulus) }
    }
}

/// Writes the rows and their sums, with an extra column for values that differ from the heaps.
impl Display for Columns {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let values = self.has_grundy_values();
        let columns = self.sums.len().max(1);
        let (label, total) = (self.label(), self.nim_sum());
        let labels = label.len().max("row 16".len());
        let numbers = self.rows.iter().flat_map(|row| [row.heap, row.value]).chain(total);
        let width = numbers.map(|n| n.to_string().len()).max().unwrap_or(0).max("value".len());
        let mut line = |label: &str, heap: &str, value: &str, bits: &str| {
            let value = if values { format!("  {value:>width$}") } else { String::new() };
            let line = format!("  {label:<labels$}  {heap:>width$}{value}   {bits}");
            writeln!(f, "{}", line.trim_end())
        };
        line("", "heap", "value", "in binary")?;
        for (n, row) in (1..).zip(&self.rows) {
            let bits = join_digits((0..columns).rev().map(|column| row.value >> column & 1));
            line(&format!("row {n}"), &row.heap.to_string(), &row.value.to_string(), &bits)?;
        }
        let total = total.map_or_else(String::new, |number| number.to_string());
        let (heap, value) = if values { ("", total.as_str()) } else { (total.as_str(), "") };
        let bits = join_digits((0..columns).rev().map(|column| self.sums.get(column).copied().unwrap_or(0)));
        line(&label, heap, value, &bits)
    }
}

fn join_digits(digits: impl Iterator<Item = u32>) -> String {
    digits.map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ")
}
