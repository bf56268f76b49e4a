//! robots.txt for tower, on both sides of a connection: a [`Gate`] asks it before each request of an HTTP client, and a
//! [`RobotsTxtResponder`] serves it.
//!
//! # Features
//!
//! - `reqwest`, on by default: the module `reqwest`, middleware for reqwest. It includes `gate`.
//! - `gate`: the [`Gate`] for tower and any other client, and `verger-client`.
//!
//! Without them the crate has the responder, tower's trait for services, and no HTTP client.
//!
//! # Ask before each request
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
//! ## tower
//!
//! ```
//! use std::sync::Arc;
//!
//! use http::HeaderValue;
//! use tower::{Layer, ServiceExt};
//! use verger_tower::{Client, Crawler, Gate, GateError, ProductToken, ServiceTransport};
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
//! ## reqwest
//!
//! See the module `reqwest`.
//!
//! # Serve a robots.txt
//!
//! A [`RobotsTxtResponder`] serves it as RFC 9309 requires: as UTF-8 and text/plain (2.3), with the headers that crawlers
//! use to cache and revalidate it (2.4).
//!
//! ## axum
//!
//! ```no_run
//! use axum::Router;
//! use verger_tower::RobotsTxtResponder;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> std::io::Result<()> {
//! let robots_txt = RobotsTxtResponder::new("User-agent: *\nDisallow: /private/\n");
//! for warning in robots_txt.warnings() {
//!     eprintln!("robots.txt: {warning}");
//! }
//! let app: Router = Router::new().route_service("/robots.txt", robots_txt);
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! axum::serve(listener, app).await
//! # }
//! ```
//!
//! ## tower
//!
//! A [`RobotsTxtResponder`] is a service for requests with any body, and never fails:
//!
//! ```
//! use http::Request;
//! use tower::ServiceExt;
//! use verger_tower::RobotsTxtResponder;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let robots_txt = RobotsTxtResponder::new("User-agent: *\nDisallow: /private/\n");
//! let request = Request::get("/robots.txt").body(())?;
//! let response = robots_txt.oneshot(request).await?;
//! assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
//! # Ok(())
//! # }
//! ```
//!
//! ## hyper
//!
//! ```no_run
//! use std::convert::Infallible;
//!
//! use hyper::server::conn::http1;
//! use hyper::service::service_fn;
//! use hyper_util::rt::TokioIo;
//! use verger_tower::RobotsTxtResponder;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let robots_txt = RobotsTxtResponder::new("User-agent: *\nDisallow: /private/\n");
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
//! loop {
//!     let (stream, _) = listener.accept().await?;
//!     let robots_txt = robots_txt.clone();
//!     let service = service_fn(move |request| {
//!         let response = robots_txt.respond(&request);
//!         async { Ok::<_, Infallible>(response) }
//!     });
//!     tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(stream), service));
//! }
//! # }
//! ```
//!
//! ## What it does not do
//!
//! It does not read files or a clock, compress, or serve ranges, because robots.txt files are small. It serves the
//! given bytes unchanged, and only warns about them ([`RobotsTxtResponder::warnings`]).
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod body_warning;
#[cfg(feature = "gate")]
mod delays;
#[cfg(feature = "gate")]
mod denied;
mod entity_tag;
#[cfg(feature = "gate")]
mod gate;
#[cfg(feature = "gate")]
mod gate_error;
#[cfg(all(doctest, feature = "reqwest"))]
mod readme;
#[cfg(feature = "gate")]
mod reply;
#[cfg(feature = "reqwest")]
pub mod reqwest;
mod responder;
mod response_body;
#[cfg(feature = "gate")]
mod service;
#[cfg(feature = "gate")]
mod service_transport;

#[cfg(feature = "gate")]
pub use denied::Denied;
#[cfg(feature = "gate")]
pub use gate::Gate;
#[cfg(feature = "gate")]
pub use gate_error::GateError;
pub use responder::RobotsTxtResponder;
pub use response_body::ResponseBody;
#[cfg(feature = "gate")]
pub use service::{GateFuture, GateLayer, GateService};
#[cfg(feature = "gate")]
pub use service_transport::ServiceTransport;
#[cfg(feature = "gate")]
pub use verger_client::{Client, Crawler, Decision, ProductToken};
