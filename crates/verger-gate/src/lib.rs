//! Checks robots.txt before each request of an HTTP client.
//!
//! ```text
//! request ─→ Gate: may it be sent? ─ yes, once the site's delay has passed ─→ HTTP client
//!                 │                └ no ─→ GateError::Denied, with the decision
//!                 └ robots.txt is fetched through the same HTTP client
//! ```
//!
//! A [`Gate`] decides with a [`verger_client::Client`], which fetches each robots.txt once, caches it, and closes
//! sites that fail. Allowed requests wait until the delay that the site asks for has passed (`Crawl-delay`,
//! `Request-rate`). RFC 9309 defines neither, and [`Gate::keep_delays`] switches the wait off. [`Gate::least_delay`]
//! sets a minimum for every site.
//!
//! # tower
//!
//! ```
//! use std::sync::Arc;
//!
//! use http::HeaderValue;
//! use tower::{Layer, ServiceExt};
//! use verger_gate::{Client, Crawler, Gate, GateError, ProductToken, ServiceTransport};
//! # use http::{Request, Response};
//! # fn http_client() -> impl tower::Service<
//! #     Request<String>, Response = Response<String>, Error = std::io::Error, Future: Send,
//! # > + Clone + Send {
//! #     tower::service_fn(|request: Request<String>| async move {
//! #         let body = match request.uri().path() {
//! #             "/robots.txt" => "User-agent: *\nDisallow: /private/\n",
//! #             _ => "<p>Hello.</p>",
//! #         };
//! #         Ok::<_, std::io::Error>(Response::new(body.to_owned()))
//! #     })
//! # }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let http = http_client(); // any Service<http::Request<B>, Response = http::Response<R>>
//! let user_agent = HeaderValue::from_static("ExampleBot/1.0 (+https://example.com/bot)");
//! let robots = Client::over(Arc::new(ServiceTransport::new(http.clone(), user_agent))).build()?;
//! let gate = Gate::new(robots, Crawler::from(ProductToken::new("ExampleBot")?));
//!
//! let http = gate.layer().layer(http);
//! let page = Request::get("https://example.com/").body(String::new())?;
//! assert_eq!(http.clone().oneshot(page).await?.status(), 200);
//! let private = Request::get("https://example.com/private/").body(String::new())?;
//! match http.oneshot(private).await {
//!     Err(GateError::Denied(denied)) => assert_eq!(
//!         denied.to_string(),
//!         "https://example.com/private/: disallowed by line 2",
//!     ),
//!     other => panic!("{other:?}"),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Put a layer that follows redirects around the gate, not below it, so the gate checks each hop.
//!
//! # reqwest
//!
//! See the module `reqwest` (feature `reqwest`, on by default).
#![cfg_attr(docsrs, feature(doc_cfg))]

mod delays;
mod denied;
mod gate;
mod gate_error;
#[cfg(all(doctest, feature = "reqwest"))]
mod readme;
mod reply;
#[cfg(feature = "reqwest")]
pub mod reqwest;
mod service;
mod service_transport;

pub use denied::Denied;
pub use gate::Gate;
pub use gate_error::GateError;
pub use service::{GateFuture, GateLayer, GateService};
pub use service_transport::ServiceTransport;
pub use verger_client::{Client, Crawler, Decision, ProductToken};
