//! Answers batches: each input line is JSON with questions about one body.
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

mod answers;
mod policy_cache;
mod preference_cache;
mod request;
mod wrong_key;

pub use answers::{Answers, Batch, Response, no_files};
