//! Findings of a file as they count, in the formats that other programs read (feature `report`).
//!
//! [`FileFindings`] is one line of JSON, schema `verger.lint/1`, which [`lint_json`] makes of a file; [`SarifLog`] has the findings of many files;
//! [`GithubAnnotations`] shows them beside a change on GitHub. A [`Lint`](crate::Lint) is one line of
//! `verger.lint-list/1`. `verger_answer::json` writes all of them as text that is safe to show.
//!
//! | module | one line |
//! |---|---|
//! | `settings` | which lints count, as a `verger.toml` says |
//! | `columns` | characters between two bytes |
//! | `file_findings` | what was found in one file, as it counts |
//! | `json` | that as JSON, and a lint of the list of lints |
//! | `sarif` | all findings as a SARIF log |
//! | `github` | findings as annotations of a workflow |

mod columns;
mod file_findings;
mod github;
mod json;
mod sarif;
mod settings;

pub use file_findings::{FileFindings, Region};
pub use github::GithubAnnotations;
pub use json::lint_json;
pub use sarif::SarifLog;
pub use settings::{LintSettings, LintSettingsError};
