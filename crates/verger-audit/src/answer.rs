//! The counts, in the order in which they are shown.
//!
//! | module | one line |
//! |---|---|
//! | `audit_answer` | of all lines, and of each crawler by how it was checked |
//! | `audit_finding` | what an audit may have found, and whether that is decided |
//! | `crawler_notes` | what is to be said of crawlers, lines and logs in words |
//! | `columns` | the crawlers as a table |
//! | `csv_table` | the same, comma-separated |
//! | `audit_lines` | the answer as JSON Lines |

mod audit_answer;
mod audit_finding;
mod audit_lines;
mod columns;
mod crawler_notes;
mod csv_table;

pub use audit_answer::AuditAnswer;
pub use audit_finding::{AuditFinding, Undecided};
pub use columns::{COLUMNS, Column};
