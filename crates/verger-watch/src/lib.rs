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
//! | `event_severity`, `event_reason` | how much an event matters, and why |
//! | `watch_event` | a change |
//! | `watched_site`, `site_fetcher` | a site to watch, and what is fetched and read for it |
//! | `seen_rules`, `seen_site` | the rules in the last report, and the observed state of a site |
//! | `change_reasons`, `sitemap_loss` | proves what crawlers lose and gain by a change |
//! | `condition`, `document_change` | whether a file is as its owner expects, and an edit of the expectation |
//! | `site_state` | the state of a site, for people and metrics |
//! | `receiver`, `receiver_name` | a receiver of events, and its name in the store |
//! | `process_group`, `program` | a program that gets events |
//! | `chat_message`, `webhook` | a URL that gets events |
//! | `event_log` | the last events of each site, in the store |
//! | `site_list`, `selected_receiver` | a list of sites and receivers, as TOML |
//! | `watch_end` | ends a watch |
//! | `delivery_queue`, `lane`, `deliveries` | the queue of states of each receiver |
//! | `rounds` | the loop: fetches sites when they are due |
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod change_reasons;
mod chat_message;
mod condition;
mod deliveries;
mod delivery_queue;
mod document_change;
mod event_log;
mod event_reason;
mod event_severity;
mod lane;
mod process_group;
mod program;
#[cfg(doctest)]
mod readme;
mod receiver;
mod receiver_name;
mod rounds;
mod seen_rules;
mod seen_site;
mod selected_receiver;
mod site_fetcher;
mod site_list;
mod site_state;
mod sitemap_loss;
mod watch_end;
mod watch_event;
mod watched_site;
mod webhook;

pub use chat_message::ChatMessage;
pub use event_log::{EventLog, LoggedEvent};
pub use event_reason::{EventReason, ReasonKind};
pub use event_severity::EventSeverity;
pub use process_group::end_programs;
pub use program::Program;
pub use receiver::{FailedDelivery, NotTaken, Receiver, WatchObserver};
pub use receiver_name::receiver_name;
pub use rounds::{Round, WATCH_INTERVAL_MIN, Watch};
pub use selected_receiver::{ReceiverMeans, SelectedReceiver};
pub use site_fetcher::{FetchedSite, SiteFetcher};
pub use site_list::{
    ListedReceiver, ListedSite, OwnHosts, ReceiverAddress, SiteList, SiteListError,
};
pub use site_state::{Look, SiteState};
pub use sitemap_loss::WATCH_SITEMAP_BYTES_MAX;
pub use watch_end::WatchEnd;
pub use watch_event::{WatchEvent, WatchEventKind};
pub use watched_site::WatchedSite;
pub use webhook::{NotAWebhook, Post, PostError, Webhook, webhook_url};
