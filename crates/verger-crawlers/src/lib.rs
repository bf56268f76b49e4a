//! A registry of known web crawlers: the product tokens that a crawler looks up in a robots.txt and
//! their order, whether it obeys rules for `*`, its operator and purpose, whether it obeys
//! robots.txt at all, and how to verify that a request comes from it.
//!
//! The facts are in one readable file, `data/crawlers.toml`. Each entry has its source, the kind of
//! evidence, and the day on which the source was read. To add a crawler, edit that file. `cargo
//! xtask crawlers` generates the bundled table from it.
//!
//! This crate does not read robots.txt files. The engine, `verger`, does, and takes the
//! [`verger::Crawler`] of an entry. The crate does not verify requests either. It only provides the
//! host names and address documents to check against, and does no I/O. A name in a User-Agent
//! header is a claim, not proof.
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
//! | `known_crawler` | [`KnownCrawler`]: one entry, and its [`verger::Crawler`] |
//! | `purpose` | [`Purpose`]: why a crawler fetches |
//! | `obeys` | [`Obeys`]: whether it obeys robots.txt, according to its operator |
//! | `crawl_delay` | [`CrawlDelay`]: whether it obeys Crawl-delay |
//! | `evidence` | [`Evidence`]: whether the facts come from the operator |
//! | `day` | [`Day`]: when a source was read |
//! | `unknown_name` | [`UnknownName`]: a text that is not one of the expected names |
//! | `registry` | [`Registry`]: all entries, by name, token, header, purpose and operator |
//! | `table` | the bundled entries |
//! | `entry` | an entry of the file, checked and converted (feature `toml`) |
//! | `registry_file` | reads a registry from a file (feature `toml`) |
//! | `user_agent_header` | [`UserAgentHeader`]: the names in a header, which is not a product token
//! |
//! | `near_miss` | the distance between a mistyped name and a known one |
//! | `read_as` | [`ReadAs`]: which dialect each crawler is judged in |
//! | `crawler_query`, `crawler_query_error` | [`CrawlerQuery`]: names, tokens, headers, purposes and operators |
//! | `resolved_crawler` | [`ResolvedCrawler`]: a crawler, and how the query named it |
//! | `crawler_readings` | [`CrawlerReadings`]: the different readings of several crawlers |
//! | `sending` | the known crawlers that requests can be sent as |
//! | `facts` | the facts about a crawler for people |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod crawl_delay;
mod crawler_query;
mod crawler_query_error;
mod crawler_readings;
mod day;
#[cfg(feature = "toml")]
mod entry;
mod evidence;
mod facts;
mod known_crawler;
mod near_miss;
mod obeys;
mod purpose;
mod read_as;
#[cfg(doctest)]
mod readme;
mod registry;
#[cfg(feature = "toml")]
mod registry_file;
mod resolved_crawler;
mod sending;
mod table;
mod unknown_name;
mod user_agent_header;

pub use crawl_delay::CrawlDelay;
pub use crawler_query::CrawlerQuery;
pub use crawler_query_error::CrawlerQueryError;
pub use crawler_readings::CrawlerReadings;
pub use day::{Day, NotADay};
#[cfg(feature = "toml")]
pub use entry::EntryProblem;
pub use evidence::Evidence;
pub use facts::{crawler_facts, purposes_of, tokens_in_order};
pub use known_crawler::KnownCrawler;
pub use near_miss::misspelling;
pub use obeys::Obeys;
pub use purpose::Purpose;
pub use read_as::ReadAs;
pub use registry::Registry;
#[cfg(feature = "toml")]
pub use registry_file::RegistryError;
pub use resolved_crawler::ResolvedCrawler;
pub use sending::{NotASender, sending_crawler};
pub use unknown_name::UnknownName;
pub use user_agent_header::UserAgentHeader;
