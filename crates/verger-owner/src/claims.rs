//! Claims: a site owner's expectations of a robots.txt, and their check.
//!
//! | module | contents |
//! |---|---|
//! | `claim_file` | the parser of `robots.test.toml` |
//! | `claim` | one claim about one crawler |
//! | `checked_claim` | its result, with a counterexample if it fails |
//! | `claims_of_file` | claims that a file fulfils today |
//! | `claim_report` | the results of all claims, including those about sitemaps |
//! | `claim_line`, `junit`, `github` | the report as JSON, `JUnit` XML and annotations |

pub(crate) mod checked_claim;
pub(crate) mod claim;
pub(crate) mod claim_file;
pub(crate) mod claim_line;
pub(crate) mod claim_report;
pub(crate) mod claims_of_file;
pub(crate) mod github;
pub(crate) mod junit;
