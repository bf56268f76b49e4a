//! The result of an audit, in the order in which it is shown.
//!
//! | module | one line |
//! |---|---|
//! | `audit_answer` | totals, and a row for each crawler and check |
//! | `audit_finding` | the findings that can fail a run, and whether they are decided |
//! | `crawler_notes` | notes about crawlers, lines and logs |
//! | `columns` | the crawlers as a table |
//! | `csv_table` | the same table as CSV |
//! | `audit_lines` | the result as JSON Lines |

mod audit_answer;
mod audit_finding;
mod audit_lines;
mod columns;
mod crawler_notes;
mod csv_table;

pub use audit_answer::AuditAnswer;
pub use audit_finding::{AuditFinding, Undecided};
pub use columns::{COLUMNS, Column};
