//! Who may fetch what, comma-separated (RFC 4180).

use std::io::{self, Write};

use verger::LineNumber;
use verger_compare::Found;
use verger_owner::WhoRow;

use crate::csv_cell::write_cell;

pub(super) fn write(output: &mut impl Write, rows: &[WhoRow<'_>], site: &str) -> io::Result<()> {
    output.write_all(
        b"crawler,operator,purposes,disallowed,token,group_line,rule_line,allowed_url,disallowed_url\r\n",
    )?;
    for row in rows {
        let known = row.crawler.known();
        let purposes = known.map_or_else(Vec::new, |known| {
            known.purposes().iter().map(|it| it.as_str()).collect()
        });
        let group = row.group.as_ref();
        let token = group.map(|group| group.token.as_deref().unwrap_or("*"));
        let number = |line: Option<LineNumber>| line.map(|line| line.to_string());
        let url = |found: &Found| found.witness().map(|it| it.url(site));
        let cells = [
            Some(row.crawler.name().to_owned()),
            known.map(|known| known.operator().to_owned()),
            Some(purposes.join(" ")),
            Some(
                row.extent
                    .class()
                    .map_or("not-decided", |it| it.as_str())
                    .to_owned(),
            ),
            token.map(str::to_owned),
            number(group.map(|group| group.line)),
            number(row.disallowed_by),
            url(row.extent.allowed()),
            url(row.extent.disallowed()),
        ];
        for (index, cell) in cells.into_iter().enumerate() {
            if index > 0 {
                output.write_all(b",")?;
            }
            write_cell(output, &cell.unwrap_or_default())?;
        }
        output.write_all(b"\r\n")?;
    }
    Ok(())
}
