//! Which crawler a request claims to come from, and whether the claim is true.
//!
//! | module | one line |
//! |---|---|
//! | `crawler_finder` | finds the crawler that a header names |
//! | `address_set` | a set of address ranges |
//! | `range_document` | published address ranges at a point in time |
//! | `evidence_age` | how long evidence against an address holds |
//! | `confirmed_names` | the host names of an address |
//! | `reverse_zones` | reverse zones whose name servers do not answer |
//! | `request_checks` | verified, impostor or unverifiable |

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
