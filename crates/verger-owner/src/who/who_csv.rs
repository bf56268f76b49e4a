//! The answer of `who` as CSV (RFC 4180).

use std::io::{self, Write};

use verger_answer::write_csv_cells;

use crate::who::who_line::WhoLine;
use crate::who::who_row::WhoRow;

/// Writes a header and a line per row. `site` is the origin of the URLs.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_who_csv(output: &mut impl Write, rows: &[WhoRow<'_>], site: &str) -> io::Result<()> {
    output.write_all(
        b"crawler,operator,purposes,disallowed,token,group_line,rule_line,allowed_url,disallowed_url\r\n",
    )?;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let number = |line: Option<u32>| line.map(|line| line.to_string()).unwrap_or_default();
    for row in rows {
        let line = WhoLine::new(row, site);
        let group = line.group.as_ref();
        let cells = [
            line.crawler.to_owned(),
            text(line.operator),
            line.purposes.join(" "),
            line.disallowed.unwrap_or("not-decided").to_owned(),
            text(group.map(|group| group.token.unwrap_or("*"))),
            number(group.map(|group| group.line)),
            number(line.rule_line),
            line.allowed_url.unwrap_or_default(),
            line.disallowed_url.unwrap_or_default(),
        ];
        write_csv_cells(output, &cells)?;
        output.write_all(b"\r\n")?;
    }
    Ok(())
}
