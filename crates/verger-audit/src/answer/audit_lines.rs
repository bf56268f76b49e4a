//! The result as JSON Lines: `verger.audit/1` in `docs/json.md`.

use serde::Serialize;
use verger_access::Timestamp;
use verger_answer::text::day_text;

use super::audit_answer::AuditAnswer;
use crate::audit::CountedCrawler;
use crate::identity::RequestCheck;
use crate::log_totals::LogTotals;
use crate::tally::{DayCount, DisallowedLine, Pace, RobotsRequests, Span};

#[derive(Serialize)]
#[serde(untagged)]
enum AuditLine<'r> {
    Logs(LogsLine<'r>),
    Crawler(Box<CrawlerLine<'r>>),
}

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

#[derive(Serialize)]
struct RangesRead {
    oldest: Timestamp,
    newest: Timestamp,
}

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
    /// Whether its operator says that it obeys robots.txt: `yes`, `no` or `unclear`.
    obeys: &'static str,
    purposes: Vec<&'static str>,
    check: RequestCheck,
    requests: u64,
    #[serde(flatten)]
    span: Span,
    allowed: u64,
    within_grace: u64,
    robots_open: u64,
    disallowed: u64,
    unknown: u64,
    robots_txt: RobotsRequests,
    crawl_delay: Option<Pace>,
    disallowed_lines: Vec<&'r DisallowedLine>,
    disallowed_by_other_lines: u64,
    days: Vec<DayLine>,
    requests_on_earlier_days: u64,
}

impl AuditAnswer<'_> {
    /// The schema of the lines.
    pub const SCHEMA: &'static str = "verger.audit/1";

    /// Returns a line about the logs, then one for each crawler and check.
    pub fn lines(&self) -> impl Iterator<Item = impl Serialize> {
        let logs = LogsLine {
            schema: Self::SCHEMA,
            about: "logs",
            grace_seconds: self.grace.as_secs(),
            range_documents: self.ages.documents(),
            ranges_read: self
                .ages
                .span()
                .map(|(oldest, newest)| RangesRead { oldest, newest }),
            totals: self.totals,
        };
        let crawlers = self.rows.iter().map(|row| Box::new(line(row)));
        std::iter::once(AuditLine::Logs(logs)).chain(crawlers.map(AuditLine::Crawler))
    }
}

fn line<'r>(row: &CountedCrawler<'r>) -> CrawlerLine<'r> {
    let tally = row.tally;
    CrawlerLine {
        schema: AuditAnswer::SCHEMA,
        about: "crawler",
        crawler: row.crawler.name(),
        operator: row.crawler.operator(),
        obeys: row.crawler.obeys().as_str(),
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
        robots_open: tally.robots_open,
        disallowed: tally.disallowed,
        unknown: tally.unknown,
        robots_txt: tally.robots,
        crawl_delay: (tally.pace.judged > 0).then_some(tally.pace),
        disallowed_lines: tally.lines.by_requests(),
        disallowed_by_other_lines: tally.lines.others(),
        days: tally.days.iter().map(day_line).collect(),
        requests_on_earlier_days: tally.days.earlier(),
    }
}

fn day_line((time, count): (Timestamp, DayCount)) -> DayLine {
    DayLine {
        day: day_text(time),
        requests: count.requests,
        disallowed: count.disallowed,
    }
}
