//! Watches the robots.txt of sites and reports changes to receivers.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! A [`Watch`] fetches sites when they are due, compares each result with the last report to each receiver, and delivers
//! the changes. A [`Receiver`] is a [`Webhook`], a [`Program`], or a type of the caller. The store knows the last
//! delivery, so a watch resumes after it.
//!
//! # What it does not do
//!
//! It does not fetch or post: callers implement [`SiteFetcher`] and [`Post`]. Only [`Watch`] starts threads, and only
//! [`Program`] starts a process.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `watch_event` | a change |
//! | `receiver`, `receiver_name` | a receiver of events, and its name in the store |
//! | `process_group`, `program` | a program that gets events |
//! | `chat_message`, `webhook` | a URL that gets events |
//! | `seen_rules` | the rules in the last report |
//! | `delivery_queue`, `deliveries` | the queue of states of each receiver |
//! | `rounds` | fetches sites when they are due |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod chat_message;
mod deliveries;
mod delivery_queue;
mod process_group;
mod program;
#[cfg(doctest)]
mod readme;
mod receiver;
mod receiver_name;
mod rounds;
mod seen_rules;
mod watch_event;
mod webhook;

pub use chat_message::ChatMessage;
pub use process_group::end_programs;
pub use program::Program;
pub use receiver::{FailedDelivery, NotTaken, Receiver, WatchObserver};
pub use receiver_name::receiver_name;
pub use rounds::{FetchedSite, Round, SiteFetcher, WATCH_INTERVAL_MIN, Watch};
pub use watch_event::{WatchEvent, WatchEventKind};
pub use webhook::{NotAWebhook, Post, PostError, Webhook, webhook_url};
