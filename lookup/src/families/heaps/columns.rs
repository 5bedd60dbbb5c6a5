//! Numbers in binary, one below the other, with what their columns come to.

/// A number of a row: its heap, and the number that counts for it, if that is another one.
pub(super) struct Row {
    pub(super) heap: u32,
    pub(super) value: u32,
}

/// What stands below the columns.
pub(super) struct Sums<'a> {
    pub(super) label: &'a str,
    /// The number that the sums make, if they make one.
    pub(super) number: Option<u32>,
    /// The sum of each column, from the lowest up.
    pub(super) columns: Vec<u32>,
}

/// The rows and their sums. The values stand in a column of their own if they are not the heaps.
pub(super) fn show(rows: &[Row], sums: &Sums) -> String {
    let values = rows.iter().any(|row| row.heap != row.value);
    let columns = sums.columns.len().max(1);
    let label = sums.label.len().max("row 16".len());
    let number = |n: u32| n.to_string().len();
    let of_rows = rows.iter().map(|row| number(row.heap).max(number(row.value))).max().unwrap_or(1);
    let width = of_rows.max(sums.number.map_or(1, number)).max("value".len());
    let mut text = String::new();
    let mut line = |label_text: &str, heap: &str, value: &str, bits: &str| {
        let value = if values { format!("  {value:>width$}") } else { String::new() };
        let line = format!("  {label_text:<label$}  {heap:>width$}{value}   {bits}");
        text += line.trim_end();
        text.push('\n');
    };
    line("", "heap", "value", "in binary");
    for (n, row) in (1..).zip(rows) {
        let bits = spaced((0..columns).rev().map(|column| row.value >> column & 1));
        line(&format!("row {n}"), &row.heap.to_string(), &row.value.to_string(), &bits);
    }
    let total = sums.number.map_or_else(String::new, |number| number.to_string());
    let (heap, value) = if values { ("", total.as_str()) } else { (total.as_str(), "") };
    let bits = spaced((0..columns).rev().map(|column| sums.columns.get(column).copied().unwrap_or(0)));
    line(sums.label, heap, value, &bits);
    text
}

fn spaced(digits: impl Iterator<Item = u32>) -> String {
    digits.map(|digit| digit.to_string()).collect::<Vec<_>>().join(" ")
}
