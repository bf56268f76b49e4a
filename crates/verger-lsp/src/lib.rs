//! A language server for robots.txt.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! [`serve`] answers an editor's messages until the session ends. It shows the findings of
//! `verger-lint` and the proven effects of rules.
//!
//! # What it does not do
//!
//! It does not open files: the editor sends the text, and the caller returns the lint settings for
//! a path. Diagnostics are pushed and cannot be pulled, because editors that do both would show
//! them twice.
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
