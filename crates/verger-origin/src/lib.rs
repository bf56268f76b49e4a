//! A hostile origin: a server that serves `/robots.txt` in every way in which a server can go
//! wrong, each on a port of its own. `testdata/origin.toml` says what is to be made of each.
//!
//! ```
//! use verger_origin::Origin;
//!
//! let origin = Origin::start()?;
//! for behaviour in origin.behaviours() {
//!     let url = origin.url(&behaviour.name);
//!     let answer = &behaviour.expected["rfc9309"].answer_in_short;
//!     println!("{url}: {}; {answer}", behaviour.does);
//! }
//! assert_eq!(origin.requests("usual"), 0);
//! # Ok::<(), verger_origin::OriginError>(())
//! ```
//!
//! Scripts are plain functions from a connection and a request head to what is written. They run
//! in threads, of which there are [`CONNECTIONS_MAX`] at most, and none lasts longer than
//! [`OriginSettings::connection_lifetime`]: the origin can keep a client waiting, and no client keeps the origin waiting.
//!
//! | module | one line |
//! |---|---|
//! | `settings` | where it listens, and what it calls itself |
//! | `request_head`, `ledger` | what was asked, and how often |
//! | `certificates` | a root and what it signed, made when the origin starts |
//! | `site` | what all connections share |
//! | `connection` | one connection, in the clear or through TLS |
//! | `reply`, `robots_file` | whole replies and files, for scripts to send |
//! | `script` | what a behaviour does |
//! | `bodies`, `encodings`, `framing`, `freshness`, `http2`, `redirects`, `slow`, `statuses`, `tls` | scripts |
//! | `ftp_faults`, `ftp_session`, `ftp` | the same for FTP |
//! | `scripts` | all of them by name |
//! | `listener` | ports, and the threads that accept connections |
//! | `server` | [`Origin`] |
//! | `listing` | the origin in words |

mod bodies;
mod certificates;
mod connection;
mod encodings;
mod framing;
mod freshness;
mod ftp;
mod ftp_faults;
mod ftp_session;
mod http2;
mod ledger;
mod listener;
mod listing;
mod redirects;
mod reply;
mod request_head;
mod robots_file;
mod script;
mod scripts;
mod server;
mod settings;
mod site;
mod slow;
mod statuses;
mod tls;

pub use listing::{listing, planned_listing};
pub use server::{Origin, OriginError};
pub use settings::{CONNECTIONS_MAX, OriginSettings};
