//! Watches sites: fetches them when due, compares the result with what each receiver was last told,
//! and delivers the changes.

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
