//! Text tables with aligned columns.

use std::fmt;

/// Rows below a header. The first columns are text, flush left. The others are numbers, flush right.
pub(crate) struct Table {
    text_columns: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Creates a table. `head` lists the column names, separated by commas.
    pub(crate) fn new(text_columns: usize, head: &str) -> Self {
        Self {
            text_columns,
            rows: vec![head.split(',').map(str::to_owned).collect()],
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for row in &self.rows {
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let gap = if column == 0 { "" } else { "  " };
                if column < self.text_columns {
                    write!(f, "{gap}{cell:<width$}")?;
                } else {
                    write!(f, "{gap}{cell:>width$}")?;
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let mut table = Table::new(1, "file,asked");
        table.row(vec!["a-long-name".to_owned(), "7".to_owned()]);
        assert_eq!(
            table.to_string(),
            "file         asked\na-long-name      7\n"
        );
    }
}
