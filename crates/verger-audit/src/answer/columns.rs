use verger_access::Timestamp;

use crate::audit::CountedCrawler;

/// A column of the crawler table, and how to compute its cells.
#[derive(Clone, Copy, Debug)]
pub enum Column {
    /// Text.
    Text(fn(&CountedCrawler<'_>) -> String),
    /// A number.
    Number(fn(&CountedCrawler<'_>) -> u64),
    /// A time, if there is one.
    Time(fn(&CountedCrawler<'_>) -> Option<Timestamp>),
}

use Column::{Number, Text, Time};

/// The columns of the crawler table, with their names.
#[expect(
    clippy::redundant_closure_for_method_calls,
    reason = "the method itself has one lifetime"
)]
pub const COLUMNS: [(&str, Column); 17] = [
    ("crawler", Text(|row| row.crawler.name().to_owned())),
    ("operator", Text(|row| row.crawler.operator().to_owned())),
    ("obeys", Text(|row| row.crawler.obeys().as_str().to_owned())),
    ("check", Text(|row| row.check.as_str().to_owned())),
    ("requests", Number(|row| row.tally.requests)),
    ("first", Time(|row| row.tally.span.first)),
    ("last", Time(|row| row.tally.span.last)),
    ("allowed", Number(|row| row.tally.allowed)),
    ("within_grace", Number(|row| row.tally.within_grace)),
    ("robots_open", Number(|row| row.tally.robots_open)),
    ("disallowed", Number(|row| row.tally.disallowed)),
    ("unknown", Number(|row| row.tally.unknown)),
    ("robots_requests", Number(|row| row.tally.robots.total())),
    ("robots_refusals", Number(|row| row.tally.robots.refused)),
    ("delay_judged", Number(|row| row.tally.pace.judged)),
    ("delay_early", Number(|row| row.tally.pace.early)),
    ("purposes", Text(|row| row.purposes())),
];
