//! What was counted, as JSON Lines: `verger.audit/1` in `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;
use verger_audit::{
    CountedCrawler, DisallowedLine, LogTotals, Pace, RequestCheck, RobotsRequests, Span,
};

use super::audit_rows::{AuditRows, obeys};

const SCHEMA: &str = "verger.audit/1";

#[derive(Serialize)]
struct LogsLine<'r> {
    schema: &'static str,
    about: &'static str,
    grace_seconds: u64,
    #[serde(flatten)]
    totals: &'r LogTotals,
}

#[derive(Serialize)]
struct CrawlerLine<'r> {
    schema: &'static str,
    about: &'static str,
    crawler: &'r str,
    operator: &'r str,
    /// Whether its operator says that it obeys: `yes`, `no` or `unclear`.
    obeys: &'static str,
    check: RequestCheck,
    requests: u64,
    #[serde(flatten)]
    span: Span,
    allowed: u64,
    within_grace: u64,
    robots_refused: u64,
    disallowed: u64,
    unknown: u64,
    robots_txt: RobotsRequests,
    crawl_delay: Option<Pace>,
    disallowed_lines: Vec<&'r DisallowedLine>,
    disallowed_by_other_lines: u64,
}

pub(super) fn write(output: &mut impl Write, rows: &AuditRows<'_>) -> io::Result<()> {
    let logs = LogsLine {
        schema: SCHEMA,
        about: "logs",
        grace_seconds: rows.grace.as_secs(),
        totals: rows.totals,
    };
    serde_json::to_writer(&mut *output, &logs)?;
    output.write_all(b"\n")?;
    for row in &rows.rows {
        serde_json::to_writer(&mut *output, &line(row))?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn line<'r>(row: &CountedCrawler<'r>) -> CrawlerLine<'r> {
    let tally = row.tally;
    CrawlerLine {
        schema: SCHEMA,
        about: "crawler",
        crawler: row.crawler.name(),
        operator: row.crawler.operator(),
        obeys: obeys(row),
        check: row.check,
        requests: tally.requests,
        span: tally.span,
        allowed: tally.allowed,
        within_grace: tally.within_grace,
        robots_refused: tally.robots_refused,
        disallowed: tally.disallowed,
        unknown: tally.unknown,
        robots_txt: tally.robots,
        crawl_delay: (tally.pace.judged > 0).then_some(tally.pace),
        disallowed_lines: tally.lines.by_requests(),
        disallowed_by_other_lines: tally.lines.others(),
    }
}
