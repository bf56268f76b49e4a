//! What was counted, comma-separated (RFC 4180).

use std::io::{self, Write};

use verger_answer::write_csv_cell;
use verger_audit::{CountedCrawler, Pace};
use verger_store::time_text;

use super::audit_rows::{AuditRows, obeys, purposes};

pub(super) fn write(output: &mut impl Write, rows: &AuditRows<'_>) -> io::Result<()> {
    output.write_all(
        b"crawler,operator,obeys,check,requests,first,last,allowed,within_grace,robots_refused,\
          disallowed,unknown,robots_requests,robots_refusals,delay_judged,delay_early,purposes\r\n",
    )?;
    for row in &rows.rows {
        for (index, cell) in cells(row).iter().enumerate() {
            if index > 0 {
                output.write_all(b",")?;
            }
            write_csv_cell(output, cell)?;
        }
        output.write_all(b"\r\n")?;
    }
    Ok(())
}

fn cells(row: &CountedCrawler<'_>) -> [String; 17] {
    let tally = row.tally;
    let Pace { judged, early, .. } = tally.pace;
    let time = |time: Option<_>| time.map(time_text).unwrap_or_default();
    [
        row.crawler.name().to_owned(),
        row.crawler.operator().to_owned(),
        obeys(row).to_owned(),
        row.check.as_str().to_owned(),
        tally.requests.to_string(),
        time(tally.span.first),
        time(tally.span.last),
        tally.allowed.to_string(),
        tally.within_grace.to_string(),
        tally.robots_refused.to_string(),
        tally.disallowed.to_string(),
        tally.unknown.to_string(),
        tally.robots.total().to_string(),
        tally.robots.refused.to_string(),
        judged.to_string(),
        early.to_string(),
        purposes(row),
    ]
}
