//! Access logs against robots.txt: which crawlers asked for what was disallowed to them.
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod audit;
mod authority_table;
mod identity;
mod log;
mod log_totals;
mod rules;
mod rules_cache;
mod tally;

pub use audit::{Audit, AuditSettings, CountedCrawler};
pub use identity::{
    AddressSet, ConfirmedNames, CrawlerFinder, RANGES_HOLD, RangeDocument, RangeDocumentError,
    RequestCheck, RequestChecks,
};
pub use log::{
    FormatError, JsonField, JsonFieldError, JsonFields, LINE_OCTETS_MAX, LineProblem, LogFormat,
    LogLine, LogLines, LogReader, LogRequest, LoggedRequest,
};
pub use log_totals::{LinePlace, LogTotals};
pub use rules::{
    FileRules, Judgement, RuleLine, RulesHistory, RulesInForce, RulesSource, StoreRules,
};
pub use tally::{
    CrawlerTally, DisallowedLine, DisallowedLines, Pace, RobotsAnswer, RobotsRequests, Sample, Span,
};
