//! A language server for robots.txt.
//!
//! [`serve`] reads messages from an input and answers them on an output until the editor ends the session. What it
//! says is what `verger-lint` finds and what policies are proven to do.
//!
//! # What it does not do
//!
//! It opens no file: the text of a document comes from the editor, and the caller says which lints count for its path.
//! Diagnostics are sent and cannot be pulled: editors that do both would show findings twice.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `text` | the lines of a text, and positions as editors count them |
//! | `client_features` | what an editor understands |
//! | `document` | an open robots.txt, and what was found in it |
//! | `diagnostics` | findings |
//! | `code_actions` | fixes |
//! | `crawler_facts` | what the registry knows about a token, for readers |
//! | `hover` | what a rule does, and which crawler a user-agent line names |
//! | `completion` | keys and crawlers |
//! | `symbols` | groups and sitemaps |
//! | `message` | messages of JSON-RPC, read and written |
//! | `server` | requests, notifications, and when diagnostics are sent |
//! | `session` | the server on an input and an output |
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod client_features;
mod code_actions;
mod completion;
mod crawler_facts;
mod diagnostics;
mod document;
mod hover;
mod message;
#[cfg(doctest)]
mod readme;
mod server;
mod session;
mod symbols;
mod text;

pub use document::SettingsOf;
pub use message::FramingError;
pub use server::End;
pub use session::serve;
