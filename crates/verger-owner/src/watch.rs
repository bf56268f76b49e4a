//! Watching sites: when to fetch them, what changed since a receiver was told last, and who has not taken it yet.
//!
//! `seen_rules` is what is known of a site, `watch_event` one change of it, `chat_message` that for a chat;
//! `delivery_queue` has what a receiver has not taken yet; `deliveries` tells receivers, and keeps in the store what each took; `rounds` fetches sites when they
//! are due. Receivers of this crate are `program` (in a `process_group`) and `webhook`; `receiver_name` is their name in
//! the store.

pub(crate) mod chat_message;
mod deliveries;
mod delivery_queue;
pub(crate) mod process_group;
pub(crate) mod program;
pub(crate) mod receiver;
pub(crate) mod receiver_name;
pub(crate) mod rounds;
mod seen_rules;
pub(crate) mod watch_event;
pub(crate) mod webhook;
