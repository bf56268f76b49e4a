//! Batches: a line with questions about one body, in JSON, to the lines with their answers.
//!
//! ```
//! use verger::Reading;
//! use verger_answer::batch::{Batch, no_files};
//!
//! let batch = Batch::new(verger::Dialect::Rfc9309, Reading::new, no_files);
//! let line = br#"{"id":1,"robots":"","agent":"a","url":"/"}"#;
//! let responses: Result<Vec<_>, _> = batch.answer(line, 1).collect();
//! assert_eq!(
//!     responses?[0].json,
//!     r#"{"id":1,"query":0,"agent":"a","url":"/","allowed":true,"reason":"no-group","line":null,"rule":null,"group":null,"dialect":"rfc9309"}"#
//! );
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! | module | one line |
//! |---|---|
//! | `wrong_key` | which key of a line appears twice or is not of its type |
//! | `request` | a line of the input as questions about one body |
//! | `policy_cache` | the policies of one line, shared by crawlers of the same groups |
//! | `answers` | the answers to a line, its body parsed once in each dialect |

mod answers;
mod policy_cache;
mod request;
mod wrong_key;

pub use answers::{Answers, Batch, Response, no_files};
