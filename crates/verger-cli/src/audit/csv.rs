//! What was counted, comma-separated (RFC 4180).

use std::io::{self, Write};

use verger_answer::write_csv_cell;
use verger_audit::{AuditAnswer, COLUMNS, Column};
use verger_store::time_text;

pub(super) fn write(output: &mut impl Write, answer: &AuditAnswer<'_>) -> io::Result<()> {
    output.write_all(COLUMNS.map(|(name, _)| name).join(",").as_bytes())?;
    output.write_all(b"\r\n")?;
    for row in &answer.rows {
        for (index, (_, column)) in COLUMNS.iter().enumerate() {
            if index > 0 {
                output.write_all(b",")?;
            }
            let cell = match column {
                Column::Text(text) => text(row),
                Column::Number(number) => number(row).to_string(),
                Column::Time(time) => time(row).map(time_text).unwrap_or_default(),
            };
            write_csv_cell(output, &cell)?;
        }
        output.write_all(b"\r\n")?;
    }
    Ok(())
}
