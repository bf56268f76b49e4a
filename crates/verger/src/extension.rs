//! The other records that are understood (RFC 9309 2.2.4, protocol E): values only, never a
//! verdict. None of them splits a group or changes what may be accessed.
//!
//! Reading a value is total: an odd one is left out of the answers, stays among the records as
//! written, and [`crate::Record::value_problems`] says what is wrong with it.
//!
//! | module | one line |
//! |---|---|
//! | `records_for` | the records of one kind in the groups that speak to a crawler |
//! | `absolute_url` | whether a value is an absolute URL |
//! | `number` | decimal digits, saturating |
//! | `day_window` | `HHMM-HHMM`: a window of the day, UTC |
//! | `url_record`, `sitemap`, `license` | URLs of the whole file |
//! | `crawl_delay`, `request_rate`, `visit_time` | how fast and when |
//! | `pacing` | the three together, as a crawler keeps them |
//! | `host`, `clean_param`, `noindex` | what one search engine reads, or read |
//! | `content_signal` | what the content may be used for, by key |
//! | `dictionary` | RFC 9651's dictionaries, as much as a preference needs |
//! | `usage_group` | AIPREF's own grouping, in which a Content-Usage line is a rule |
//! | `preferences` | what may be done with content, by category |
//! | `content_usage` | preferences by path |
//! | `value_problem` | what is odd about a value |

mod absolute_url;
mod clean_param;
mod content_signal;
mod content_usage;
mod crawl_delay;
mod day_window;
mod dictionary;
mod host;
mod license;
mod noindex;
mod number;
mod pacing;
mod preferences;
mod records_for;
mod request_rate;
mod sitemap;
mod url_record;
mod usage_group;
mod value_problem;
mod visit_time;

pub use clean_param::CleanParam;
pub use content_signal::{ContentSignal, Signal, SignalPair};
pub use content_usage::{ContentUsage, UsageRule};
pub use crawl_delay::CrawlDelay;
pub use day_window::{DayWindow, TimeOfDay};
pub use host::Host;
pub use noindex::Noindex;
pub use pacing::Pacing;
pub use preferences::{Preference, Preferences};
pub use request_rate::RequestRate;
pub use url_record::UrlRecord;
pub use value_problem::{SpannedProblem, ValueProblem};
pub use visit_time::VisitTime;
