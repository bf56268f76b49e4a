//! What a site owner wants of a robots.txt, written down and held against it.
//!
//! | module | one line |
//! |---|---|
//! | `claim_file` | `robots.test.toml` as it is written |
//! | `claim` | one thing that is claimed about one crawler |
//! | `checked_claim` | whether it holds, and a target that shows that it does not |
//! | `claims_of_file` | what a file does today, as claims |
//! | `claim_report` | what was found of all claims, those about sitemaps included |
//! | `claim_line`, `junit`, `github` | that as JSON, as `JUnit` writes XML, as annotations |

pub(crate) mod checked_claim;
pub(crate) mod claim;
pub(crate) mod claim_file;
pub(crate) mod claim_line;
pub(crate) mod claim_report;
pub(crate) mod claims_of_file;
pub(crate) mod github;
pub(crate) mod junit;
