//! The crawler table as CSV (RFC 4180).

use std::io::{self, Write};

use verger_answer::write_csv_cells;

use super::audit_answer::AuditAnswer;
use super::columns::{COLUMNS, Column};

impl AuditAnswer<'_> {
    /// Writes a CSV row for each crawler and check.
    ///
    /// # Errors
    ///
    /// Returns an error if `output` fails.
    pub fn write_csv(&self, output: &mut impl Write) -> io::Result<()> {
        output.write_all(COLUMNS.map(|(name, _)| name).join(",").as_bytes())?;
        output.write_all(b"\r\n")?;
        for row in &self.rows {
            let cells = COLUMNS.iter().map(|(_, column)| match column {
                Column::Text(text) => text(row),
                Column::Number(number) => number(row).to_string(),
                Column::Time(time) => time(row).map(|it| it.to_string()).unwrap_or_default(),
            });
            write_csv_cells(output, cells)?;
            output.write_all(b"\r\n")?;
        }
        Ok(())
    }
}
