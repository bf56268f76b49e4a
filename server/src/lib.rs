//! Verger over HTTP. It has no logic of its own: the bodies of its answers are the JSON of the libraries.
//!
//! ```no_run
//! use vergerd::{Given, Server};
//!
//! # async fn serve() -> Result<(), Box<dyn std::error::Error>> {
//! let server = Server::new(Given::default().settings())?;
//! let listeners = server.listeners().await?;
//! server.serve(listeners, std::future::pending()).await;
//! # Ok(())
//! # }
//! ```
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `given` | settings: flags, environment, file, defaults |
//! | `problem` | why a request has no answer (RFC 9457) |
//! | `histogram`, `metrics` | what happened, as Prometheus reads it |
//! | `fetch_observer`, `timed_store` | fetches and calls of the store, counted |
//! | `store_choice` | the store that a URL names |
//! | `tokens` | who may ask, and how often |
//! | `site_file` | what is known of a site, read for one crawler, in bounded memory |
//! | `service` | what all requests share |
//! | `site_lookup` | finds what is known of a site: in memory, by a fetch, in the past |
//! | `query`, `call` | a request that was admitted |
//! | `input_lines` | a body read line by line |
//! | `routes` | what each route answers |
//! | `route`, `route_table` | the table of routes |
//! | `openapi` | their description, made of it |
//! | `request_id`, `dispatch` | admits a request, and logs what came of it |
//! | `server` | the router of all routes, and its sockets |
//! | `signals` | the signals that end it |
//!
//! A module uses only modules above it.

mod call;
mod dispatch;
mod fetch_observer;
mod given;
mod histogram;
mod input_lines;
mod metrics;
mod openapi;
mod problem;
mod query;
mod request_id;
mod route;
mod route_table;
mod routes;
mod server;
mod service;
mod signals;
mod site_file;
mod site_lookup;
mod store_choice;
mod timed_store;
mod tokens;

pub use given::{Given, Settings, UnusableFile};
pub use openapi::openapi;
pub use server::Server;
pub use service::StartError;
pub use signals::asked_to_end;
pub use store_choice::StoreChoiceError;
pub use tokens::TokensError;
