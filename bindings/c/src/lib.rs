//! Verger's C ABI, documented by `include/verger/verger.h`, which is generated from this source.
//!
//! All functions share one contract, stated at the top of the header: pointers are null or valid
//! for their lengths during the call, objects were made here and not freed, and a cursor is used by
//! one thread at a time. Comments on `unsafe` code call it *the contract*.
//!
//! [`guarded`](guard::guarded) turns panics into errors, so none leaves a function.
//!
//! | module | contents |
//! |---|---|
//! | `status` | error codes |
//! | `failure` | `verger_error`: a code and a message in the caller's memory |
//! | `guard` | converts panics to errors |
//! | `text` | borrowed texts |
//! | `buffer` | texts that the caller owns |
//! | `dialect` | `verger_dialect` |
//! | `crawler` | `verger_crawler` |
//! | `robots` | `verger_robots` |
//! | `verdict` | `verger_verdict` |
//! | `policy` | `verger_policy` |
//! | `question` | single-pass queries, targets and product tokens |
//! | `records` | cursors over groups and sitemaps |
//! | `pacing` | `verger_pacing`: delay, request rates and visit times |
//! | `content_signal` | permitted uses of the content |
//! | `events` | the parse events of Google's library |
//! | `explanation` | `verger_explain_json` |
//! | `owner` | JSON about whole files for site owners |
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
