//! Which crawler a request says it is, and whether it is.
//!
//! | module | one line |
//! |---|---|
//! | `crawler_finder` | the crawler that a header names |
//! | `address_set` | addresses in ranges |
//! | `range_document` | the ranges that an operator publishes, at a time |
//! | `evidence_age` | how long what was seen tells that an address is of another |
//! | `confirmed_names` | the host names of an address |
//! | `reverse_zones` | which reverse zones have name servers that do not answer |
//! | `request_checks` | verified, an impostor, or unverifiable |

mod address_set;
mod confirmed_names;
mod crawler_finder;
mod evidence_age;
mod range_document;
mod request_checks;
mod reverse_zones;

pub use address_set::AddressSet;
pub use confirmed_names::ConfirmedNames;
pub use crawler_finder::CrawlerFinder;
pub use evidence_age::EVIDENCE_HOLDS;
pub use range_document::{RangeDocument, RangeDocumentError};
pub use request_checks::{RequestCheck, RequestChecks};
pub use reverse_zones::ReverseZones;
