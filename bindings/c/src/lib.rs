//! Verger's C ABI. `include/verger/verger.h` is made of this source, and documents it.
//!
//! Every function follows one contract, which the head of the header states for its callers: pointers
//! are null or valid for their lengths during the call, objects were made here and not freed yet, and
//! a cursor is used by one thread at a time. The comments at `unsafe` code call it *the contract*.
//!
//! No panic leaves a function: [`guarded`](guard::guarded) makes an error of one.
//!
//! | module | one line |
//! |---|---|
//! | `status` | error codes |
//! | `failure` | `verger_error`: a code and a message, in memory of the caller |
//! | `guard` | a panic becomes an error |
//! | `text` | texts that come in, texts that go out |
//! | `buffer` | texts that the caller owns |
//! | `dialect` | numbers as dialects |
//! | `crawler` | `verger_crawler` |
//! | `robots` | `verger_robots` |
//! | `verdict` | `verger_verdict` |
//! | `policy` | `verger_policy` |
//! | `question` | one question about one body; what a URL or a name is |
//! | `records` | groups and sitemaps, one record after the other |
//! | `pacing` | `verger_pacing`: delay, request rates and visit times |
//! | `content_signal` | what a file says about uses of the content |
//! | `events` | what Google's library reports while it parses |
//! | `explanation` | an answer as JSON |
//! | `owner` | what the owner of a site asks about whole files, as JSON |
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod buffer;
mod content_signal;
mod crawler;
mod dialect;
mod events;
mod explanation;
mod failure;
mod guard;
#[cfg(feature = "owner")]
mod owner;
mod pacing;
mod policy;
mod question;
mod records;
mod robots;
mod status;
mod text;
mod verdict;
