//! What was counted, as JSON Lines: `verger.audit/1` in `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;
use verger_access::Timestamp;
use verger_audit::{
    CountedCrawler, DayCount, DisallowedLine, LogTotals, Pace, RequestCheck, RobotsRequests, Span,
};
use verger_store::time_text;

use super::audit_rows::{AuditRows, obeys};
use super::checks::day;

const SCHEMA: &str = "verger.audit/1";

#[derive(Serialize)]
struct LogsLine<'r> {
    schema: &'static str,
    about: &'static str,
    grace_seconds: u64,
    range_documents: u64,
    ranges_read: Option<RangesRead>,
    #[serde(flatten)]
    totals: &'r LogTotals,
}

/// When the oldest and the newest document of address ranges were read.
#[derive(Serialize)]
struct RangesRead {
    oldest: String,
    newest: String,
}

/// The requests of a day.
#[derive(Serialize)]
struct DayLine {
    day: String,
    requests: u64,
    disallowed: u64,
}

#[derive(Serialize)]
struct CrawlerLine<'r> {
    schema: &'static str,
    about: &'static str,
    crawler: &'r str,
    operator: &'r str,
    /// Whether its operator says that it obeys: `yes`, `no` or `unclear`.
    obeys: &'static str,
    purposes: Vec<&'static str>,
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
    days: Vec<DayLine>,
}

pub(super) fn write(output: &mut impl Write, rows: &AuditRows<'_>) -> io::Result<()> {
    let logs = LogsLine {
        schema: SCHEMA,
        about: "logs",
        grace_seconds: rows.grace.as_secs(),
        range_documents: rows.ages.documents(),
        ranges_read: rows.ages.span().map(|(oldest, newest)| RangesRead {
            oldest: time_text(oldest),
            newest: time_text(newest),
        }),
        totals: rows.totals,
    };
    verger_answer::json::to_writer(&mut *output, &logs)?;
    output.write_all(b"\n")?;
    for row in &rows.rows {
        verger_answer::json::to_writer(&mut *output, &line(row))?;
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
        purposes: row
            .crawler
            .purposes()
            .iter()
            .map(|it| it.as_str())
            .collect(),
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
        days: tally.days.iter().map(day_line).collect(),
    }
}

fn day_line((time, count): (Timestamp, DayCount)) -> DayLine {
    DayLine {
        day: day(time),
        requests: count.requests,
        disallowed: count.disallowed,
    }
}
