//! Verger over HTTP. The server has no logic of its own: response bodies are the JSON of the libraries.
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
//! | `given` | settings from flags, environment, file and defaults |
//! | `problem` | errors as RFC 9457 problems |
//! | `histogram`, `metrics` | Prometheus metrics |
//! | `fetch_observer`, `timed_store` | metrics and logs of fetches and store calls |
//! | `store_choice` | the store that a URL names |
//! | `tokens` | bearer tokens and their rate limits |
//! | `site_file` | the parsed file of a site for one crawler, cached in bounded memory |
//! | `watching` | the watched sites and the thread that looks at them |
//! | `service` | state shared by all requests |
//! | `site_lookup` | looks up a site in memory, by fetching, or in the past |
//! | `query`, `call` | an admitted request |
//! | `input_lines` | a body read line by line |
//! | `routes` | the handlers of all routes |
//! | `route` | an entry of the table of routes |
//! | `tools`, `mcp` | routes as tools of models, over the Model Context Protocol |
//! | `stdio` | messages of that protocol as lines |
//! | `route_table` | the table of routes |
//! | `openapi` | the `OpenAPI` description, generated from the table |
//! | `request_id`, `dispatch` | admission, request ids and logs |
//! | `page` | static files |
//! | `server` | the router and its sockets |
//! | `signals` | signals to reload and to stop |
//!
//! A module uses only modules above it.

mod call;
mod dispatch;
mod fetch_observer;
mod given;
mod histogram;
mod input_lines;
mod mcp;
mod metrics;
mod openapi;
mod page;
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
mod site_metrics;
mod stdio;
mod store_choice;
mod timed_store;
mod tokens;
mod tools;
mod watching;

pub use given::{Given, Mode, Settings, UnusableFile};
pub use openapi::openapi;
pub use server::Server;
pub use service::StartError;
pub use signals::{asked_to_end, asked_to_reload};
pub use store_choice::StoreChoiceError;
pub use tokens::TokensError;
