//! The counts of the requests of each crawler.
//!
//! | module | one line |
//! |---|---|
//! | `span` | when the first and the last were |
//! | `crawler_tally` | the requests of a crawler that came one way of checking |
//! | `days` | requests by day |
//! | `disallowed_lines` | requests by the line that disallows them, with samples |
//! | `robots_requests` | requests for robots.txt, and what they were answered |
//! | `pace` | whether a crawl delay was kept |

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
