//! Numbers in binary, one below the other, with what their columns come to.

use std::fmt::{self, Display, Formatter};

/// The heaps of a position in binary, and what their columns come to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    /// The heaps, in their order.
    pub rows: Vec<Row>,
    /// What each column comes to, from the lowest up: the number of its ones, modulo 2 or another number.
    pub sums: Vec<u32>,
    /// That number.
    pub modulus: u32,
}

/// A heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its stones.
    pub heap: u32,
    /// The number that counts for it: its stones, or its Grundy value.
    pub value: u32,
}

impl Columns {
    /// The number that the sums make in binary: the nim-sum. `None` if columns are not counted modulo 2.
    pub fn number(&self) -> Option<u32> {
        let number = self.sums.iter().rev().fold(0, |number, sum| 2 * number + sum);
        (self.modulus == 2).then_some(number)
    }

    /// Whether other numbers than the stones of heaps count.
    pub fn has_values(&self) -> bool {
        self.rows.iter().any(|row| row.heap != row.value)
    }

    /// What stands beside the sums.
    pub fn label(&self) -> String {
        if self.modulus == 2 { "nim-sum".to_owned() } else { format!("ones mod {}", self.modulus) }
    }
}

/// The rows and their sums. The values stand in a column of their own if they are not the heaps.
impl Display for Columns {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let values = self.has_values();
        let columns = self.sums.len().max(1);
        let (label, total) = (self.label(), self.number());
        let labels = label.len().max("row 16".len());
        let number = |n: u32| n.to_string().len();
        let of_rows = self.rows.iter().map(|row| number(row.heap).max(number(row.value))).max().unwrap_or(1);
        let width = of_rows.max(total.map_or(1, number)).max("value".len());
        let mut line = |label: &str, heap: &str, value: &str, bits: &str| {
            let value = if values { format!("  {value:>width$}") } else { String::new() };
            let line = format!("  {label:<labels$}  {heap:>width$}{value}   {bits}");
            writeln!(f, "{}", line.trim_end())
        };
        line("", "heap", "value", "in binary")?;
        for (n, row) in (1..).zip(&self.rows) {
            let bits = spaced((0..columns).rev().map(|column| row.value >> column & 1));
            line(&format!("row {n}"), &row.heap.to_string(), &row.value.to_string(), &bits)?;
        }
        let total = total.map_or_else(String::new, |number| number.to_string());
        let (heap, value) = if values { ("", total.as_str()) } else { (total.as_str(), "") };
        let bits = spaced((0..columns).rev().map(|column| self.sums.get(column).copied().unwrap_or(0)));
        line(&label, heap, value, &bits)
    }
}

fn spaced(digits: impl Iterator<Item = u32>) -> String {
    digits.map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ")
}
