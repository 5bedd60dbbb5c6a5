//! Parses CSV files that `bouton export` has written.

/// An exported CSV file with its parsed lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportedCsv {
    /// The first line, without its newline.
    pub header: String,
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The other lines, without their newlines.
    pub lines: Vec<String>,
    /// The cells of these lines.
    pub rows: Vec<Vec<String>>,
}

impl ExportedCsv {
    /// Parses the text of a file. Exported values need no quotes by RFC 4180 and have no spaces, so the text has
    /// neither.
    ///
    /// # Panics
    /// If the text is not an exported CSV file.
    #[must_use]
    pub fn read(text: &str) -> Self {
        assert!(!text.contains(['"', '\r', ' ']), "no quotes, no spaces, and lines end in \\n: {text}");
        let text = text.strip_suffix('\n').expect("the last line ends too");
        let mut lines = text.split('\n').map(str::to_owned);
        let cells = |line: &String| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let header = lines.next().expect("a line of column names");
        let columns = cells(&header);
        let lines: Vec<String> = lines.collect();
        let rows: Vec<Vec<String>> = lines.iter().map(cells).collect();
        for row in &rows {
            assert_eq!(row.len(), columns.len(), "{row:?} under {columns:?}");
        }
        Self { header, columns, lines, rows }
    }

    /// Returns whether there is a column of this name.
    #[must_use]
    pub fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    /// Returns the cell of a row in the column of this name.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn cell<'a>(&self, row: &'a [String], column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        &row[place.unwrap_or_else(|| panic!("no column {column} in {:?}", self.columns))]
    }

    /// Returns the number in a row's cell in the column of this name.
    ///
    /// # Panics
    /// If there is no such column, or its cell is not a number.
    #[must_use]
    pub fn number(&self, row: &[String], column: &str) -> u32 {
        number(self.cell(row, column))
    }

    /// Returns the heaps of a row, ascending; empty for Expanding Nim.
    #[must_use]
    pub fn heaps(&self, row: &[String]) -> Vec<u32> {
        let columns = self.columns.iter().zip(row);
        columns.filter(|(name, _)| name.starts_with("heap")).map(|(_, cell)| number(cell)).collect()
    }

    /// Returns the file with only the rows that satisfy a condition.
    #[must_use]
    pub fn select(&self, wanted: impl Fn(&[String]) -> bool) -> String {
        let lines = self.lines.iter().zip(&self.rows).filter(|(_, row)| wanted(row)).map(|(line, _)| line);
        [&self.header].into_iter().chain(lines).map(|line| format!("{line}\n")).collect()
    }
}

/// Parses the number in a cell.
///
/// # Panics
/// If the cell is not a number in canonical form.
#[must_use]
pub fn number(cell: &str) -> u32 {
    let number: u32 = cell.parse().unwrap_or_else(|_| panic!("'{cell}' is not a number"));
    assert_eq!(number.to_string(), cell, "without plus and leading zeros");
    number
}
