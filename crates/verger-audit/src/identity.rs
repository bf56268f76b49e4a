//! Which crawler a request says it is, and whether it is.
//!
//! | module | one line |
//! |---|---|
//! | `crawler_finder` | the crawler that a header names |
//! | `address_set` | addresses in ranges |
//! | `range_document` | the ranges that an operator publishes, at a time |
//! | `request_checks` | verified, an impostor, or unverifiable |

mod address_set;
mod crawler_finder;
mod range_document;
mod request_checks;

pub use address_set::AddressSet;
pub use crawler_finder::CrawlerFinder;
pub use range_document::{RangeDocument, RangeDocumentError};
pub use request_checks::{ConfirmedNames, RANGES_HOLD, RequestCheck, RequestChecks};
