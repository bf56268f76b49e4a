//! Serves a robots.txt as RFC 9309 requires: as UTF-8 and text/plain (2.3), with the headers that crawlers use to cache
//! and revalidate it (2.4).
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! # axum
//!
//! ```no_run
//! use axum::Router;
//! use verger_responder::RobotsTxtResponder;
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
//! # tower
//!
//! A [`RobotsTxtResponder`] is a service for requests with any body, and never fails:
//!
//! ```
//! use http::Request;
//! use tower::ServiceExt;
//! use verger_responder::RobotsTxtResponder;
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
//! # hyper
//!
//! ```no_run
//! use std::convert::Infallible;
//!
//! use hyper::server::conn::http1;
//! use hyper::service::service_fn;
//! use hyper_util::rt::TokioIo;
//! use verger_responder::RobotsTxtResponder;
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
//! # What it does not do
//!
//! It does not read files or a clock, compress, or serve ranges, because robots.txt files are small. It serves the
//! given bytes unchanged, and only warns about them ([`RobotsTxtResponder::warnings`]).
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod body_warning;
mod entity_tag;
#[cfg(doctest)]
mod readme;
mod responder;
mod response_body;

pub use responder::RobotsTxtResponder;
pub use response_body::ResponseBody;
