//! A gate for reqwest, as middleware of reqwest-middleware.
//!
//! ```no_run
//! use verger_tower::reqwest::gated;
//! use verger_tower::{Crawler, ProductToken};
//!
//! # async fn crawl() -> Result<(), Box<dyn std::error::Error>> {
//! let crawler = Crawler::from(ProductToken::new("ExampleBot")?);
//! let user_agent = "ExampleBot/1.0 (+https://example.com/bot)";
//! let http = gated(reqwest::Client::builder(), user_agent, crawler)?.build();
//! let page = http.get("https://example.org/shop").send().await?; // robots.txt first, and at each redirect
//! # Ok(())
//! # }
//! ```
//!
//! [`gated()`] combines three parts, which you can also use separately: a [`ReqwestTransport`], which fetches each
//! robots.txt through the same reqwest client, a [`Gate`](crate::Gate) as middleware, and [`FollowRedirects`] around
//! it, because reqwest follows redirects below all middleware.

mod follow_redirects;
mod gated;
mod reqwest_transport;

pub use follow_redirects::{FollowRedirects, TooManyRedirects};
pub use gated::{GatedError, denied, gated, gated_with};
pub use reqwest_transport::ReqwestTransport;
