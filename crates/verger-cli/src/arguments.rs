//! Arguments that several commands share.
//!
//! | module | one line |
//! |---|---|
//! | `time` | a time such as `2026-11-20` or `7d` |
//! | `reading` | `--dialect` and `--reading` |
//! | `budget` | `--max-states` |
//! | `delay` | `--min-delay` and `--max-delay` |
//! | `purpose` | `--purpose`, a use of the content |
//! | `crawler_names` | names of crawlers, and which are known |
//! | `crawler` | `-a`, `--token` and `--user-agent`, in the order given |
//! | `profile_names` | names of profiles |
//! | `store` | `--store`, and the file it names |
//! | `fetch_store` | the store for fetches: a file, memory, or a stand-in for a store that cannot be used |
//! | `transport` | how requests are sent and names are resolved |
//! | `site` | what is done about single sites |
//! | `fetch` | how robots.txt is fetched |

pub(crate) mod budget;
pub(crate) mod crawler;
pub(crate) mod crawler_names;
pub(crate) mod delay;
#[cfg_attr(not(feature = "web"), path = "without_web/fetch_arguments.rs")]
pub(crate) mod fetch;
#[cfg(feature = "web")]
pub(crate) mod fetch_store;
pub(crate) mod profile_names;
pub(crate) mod purpose;
pub(crate) mod reading;
#[cfg(feature = "web")]
pub(crate) mod site;
#[cfg(feature = "web")]
pub(crate) mod store;
pub(crate) mod time;
#[cfg(feature = "web")]
pub(crate) mod transport;
