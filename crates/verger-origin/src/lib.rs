//! A hostile origin: a server that serves `/robots.txt` in every way a server can go wrong, each on
//! its own port. `testdata/origin.toml` defines the expected result for each behaviour.
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
//! Scripts are plain functions from a connection and a request head to output. Each runs in its own
//! thread. There are at most [`CONNECTIONS_MAX`] of them, and none outlives
//! [`OriginSettings::connection_lifetime`]. The origin can keep a client waiting, but no client can
//! keep the origin waiting.
//!
//! | module | one line |
//! |---|---|
//! | `settings` | the addresses and host names of the origin |
//! | `request_head`, `ledger` | a request head, and the statistics of a port |
//! | `certificates` | root and server certificates, generated at the start |
//! | `site` | the state that all connections share |
//! | `connection` | a connection, plain or over TLS |
//! | `reply`, `robots_file` | complete replies and files for scripts |
//! | `script` | the script of a behaviour |
//! | `bodies`, `encodings`, `framing`, `freshness`, `http2`, `redirects`, `slow`, `statuses`, `tls` | scripts |
//! | `ftp_faults`, `ftp_session`, `ftp` | FTP scripts |
//! | `scripts` | all scripts by name |
//! | `listener` | ports, and the threads that accept connections |
//! | `server` | [`Origin`] |
//! | `listing` | describes the origin as text |

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
