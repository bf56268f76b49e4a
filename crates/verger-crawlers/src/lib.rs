//! The registry of known web crawlers: which product tokens a crawler looks up
//! in a robots.txt and in which order, whether `*` applies to it, who runs it,
//! what for, whether it obeys, and how to verify that a request comes from it.
//!
//! The facts are in one readable file, `data/crawlers.toml`; each entry names its source, whose words they are, and the
//! day on which it was read. Growing the registry is editing that file. `cargo xtask crawlers` makes the table of it
//! that is bundled.
//!
//! What this crate does not do: it reads no robots.txt and decides nothing (that
//! is the engine, `verger`, which takes the [`verger::Crawler`] of an entry), it
//! verifies no request (it only says which host names and address documents to
//! check against), and it does no input or output. A name found in a User-Agent
//! header is a claim, never a proof.
//!
//! ```
//! use verger_crawlers::{Obeys, Purpose, Registry, UserAgentHeader};
//!
//! let registry = Registry::bundled();
//! let news = registry.by_name("googlebot-news").expect("a known crawler");
//! let tokens: Vec<&str> = news.tokens().iter().map(|token| token.as_str()).collect();
//! assert_eq!(tokens, ["Googlebot-News", "Googlebot"]);
//! assert_eq!(news.obeys(), Obeys::Yes);
//! assert!(news.purposes().contains(&Purpose::Search));
//!
//! let header = UserAgentHeader::new("Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)");
//! assert_eq!(registry.named_by(&header).map(|crawler| crawler.name()), Some("gptbot"));
//! ```
//!
//! The modules, in reading order:
//!
//! | module | one line |
//! |---|---|
//! | `known_crawler` | [`KnownCrawler`]: one entry, and the [`verger::Crawler`] that it makes |
//! | `purpose` | [`Purpose`]: what a crawler fetches for |
//! | `obeys` | [`Obeys`]: whether it obeys robots.txt, by its operator's statement |
//! | `crawl_delay` | [`CrawlDelay`]: whether it obeys that line |
//! | `evidence` | [`Evidence`]: whose words the facts rest on |
//! | `day` | [`Day`]: when a source was read |
//! | `unknown_name` | [`UnknownName`]: a text that is none of the names of these |
//! | `registry` | [`Registry`]: all entries, found by name, token, header, purpose and operator |
//! | `table` | the bundled entries, as they are in the crate |
//! | `entry` | an entry as the file has it, made into a `KnownCrawler` or an `EntryProblem` (feature `toml`) |
//! | `registry_file` | a registry of a file, or a `RegistryError` (feature `toml`) |
//! | `user_agent_header` | [`UserAgentHeader`]: the names in a header, which is not a product token |
//! | `near_miss` | how far a mistyped name is from a known one |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod crawl_delay;
mod day;
#[cfg(feature = "toml")]
mod entry;
mod evidence;
mod known_crawler;
mod near_miss;
mod obeys;
mod purpose;
#[cfg(doctest)]
mod readme;
mod registry;
#[cfg(feature = "toml")]
mod registry_file;
mod table;
mod unknown_name;
mod user_agent_header;

pub use crawl_delay::CrawlDelay;
pub use day::{Day, NotADay};
#[cfg(feature = "toml")]
pub use entry::EntryProblem;
pub use evidence::Evidence;
pub use known_crawler::KnownCrawler;
pub use near_miss::misspelling;
pub use obeys::Obeys;
pub use purpose::Purpose;
pub use registry::Registry;
#[cfg(feature = "toml")]
pub use registry_file::RegistryError;
pub use unknown_name::UnknownName;
pub use user_agent_header::UserAgentHeader;
