//! Text for people: standard output, standard error, formats.
//!
//! | module | one line |
//! |---|---|
//! | `byte_text` | output byte for byte, and bytes shown as text |
//! | `terminal` | the width of the terminal |
//! | `palette` | colours |
//! | `message`, `advice`, `unusable_query` | a message and its help |
//! | `notice`, `progress`, `fetch_progress` | what goes to standard error |
//! | `shown_command` | the command that made a page |
//! | `hunks` | lines that changed |
//! | `output_format`, `rendering` | `--format` and `--json`; answers written in one format |

mod advice;
pub(crate) mod byte_text;
#[cfg(feature = "web")]
pub(crate) mod fetch_progress;
pub(crate) mod hunks;
pub(crate) mod message;
pub(crate) mod notice;
pub(crate) mod output_format;
pub(crate) mod palette;
#[cfg_attr(
    not(any(feature = "web", feature = "filter")),
    path = "without_web/progress.rs"
)]
pub(crate) mod progress;
pub(crate) mod rendering;
#[cfg(feature = "page")]
pub(crate) mod shown_command;
pub(crate) mod terminal;
pub(crate) mod unusable_query;
