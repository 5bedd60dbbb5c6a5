//! Text in columns that fit the terminal.

use std::iter::once;

/// Formats rows of cells in columns, each row indented: the first column aligned left, the others right.
///
/// Columns that do not fit into `width` follow in further tables below, each of which repeats the first column.
pub fn in_columns(rows: &[Vec<String>], indent: &str, width: Option<usize>) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width_of = |column: usize| rows.iter().filter_map(|row| Some(row.get(column)?.chars().count())).max();
    let widths: Vec<usize> = (0..columns).map(|column| width_of(column).unwrap_or(0)).collect();
    let first_width = indent.chars().count() + widths.first().copied().unwrap_or(0);
    let mut text = String::new();
    let mut next = 1;
    loop {
        let mut taken = first_width;
        let begin = next;
        while next < columns {
            taken += 2 + widths[next];
            // Print at least one column, even if it is too wide.
            if next > begin && width.is_some_and(|width| taken > width) {
                break;
            }
            next += 1;
        }
        for row in rows {
            let cells = row.iter().zip(&widths).enumerate();
            let cells = cells.filter(|(column, _)| *column == 0 || (begin..next).contains(column));
            let cells = cells.map(|(column, (cell, width))| match column {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            });
            let line: String = once(indent.to_owned()).chain(cells).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        if next >= columns {
            return text;
        }
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_follow_in_further_tables() {
        let rows = [["name", "one", "two", "three"], ["x", "10", "200", "3"]];
        let rows = rows.map(|row| row.map(str::to_owned).to_vec());
        let whole = "  name  one  two  three\n  x      10  200      3\n";
        assert_eq!(in_columns(&rows, "  ", None), whole);
        assert_eq!(in_columns(&rows, "  ", Some(23)), whole);
        let folded = "  name  one  two\n  x      10  200\n\n  name  three\n  x         3\n";
        assert_eq!(in_columns(&rows, "  ", Some(22)), folded);
        // With a tiny width, one column at a time.
        assert_eq!(in_columns(&rows, "", Some(1)).lines().count(), 8);
        assert_eq!(in_columns(&[], "", Some(1)), "");
        let ragged = [vec!["a".to_owned()], vec!["b".to_owned(), "c".to_owned()]];
        assert_eq!(in_columns(&ragged, "", None), "a\nb  c\n");
    }
}
