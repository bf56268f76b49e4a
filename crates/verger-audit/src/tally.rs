//! The counts of each crawler.
//!
//! | module | one line |
//! |---|---|
//! | `span` | when the first and the last request occurred |
//! | `crawler_tally` | the requests of a crawler with the same check result |
//! | `days` | requests by day |
//! | `disallowed_lines` | disallowed requests by rule, with samples |
//! | `robots_requests` | requests for robots.txt by result |
//! | `pace` | whether the crawl delay was respected |

mod crawler_tally;
mod days;
mod disallowed_lines;
mod pace;
mod robots_requests;
mod span;

pub use crawler_tally::CrawlerTally;
pub use days::{DayCount, Days};
pub use disallowed_lines::{DisallowedLine, DisallowedLines, Sample};
pub use pace::Pace;
pub use robots_requests::{RobotsAnswer, RobotsRequest, RobotsRequests};
pub use span::Span;
