//! Findings in the formats of other programs (feature `report`).
//!
//! [`FileFindings`] is a line of JSON, schema `verger.lint/1`, which [`lint_json`] makes from a
//! file. [`SarifLog`] has the findings of many files. [`GithubAnnotations`] shows them next to a
//! change on GitHub. A [`Lint`](crate::Lint) is a line of `verger.lint-list/1`.
//! `verger_answer::json` writes all of them as text that is safe to print.
//!
//! | module | one line |
//! |---|---|
//! | `settings` | settings of a `verger.toml` |
//! | `columns` | characters between two bytes |
//! | `file_findings` | findings of a file with their severities |
//! | `json` | findings and the list of lints as JSON |
//! | `page_json` | answers about a page as JSON |
//! | `sarif` | findings as a SARIF log |
//! | `github` | findings as annotations of a workflow |

mod columns;
mod file_findings;
mod github;
mod json;
mod page_json;
mod sarif;
mod settings;

pub use file_findings::{FileFindings, Region};
pub use github::GithubAnnotations;
pub use json::lint_json;
pub use page_json::{PageJsonError, page_json};
pub use sarif::SarifLog;
pub use settings::{LintSettings, LintSettingsError};
