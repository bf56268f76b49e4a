//! The inputs of commands and services, in bounded memory: files, URLs, bodies by authority, and network settings.
//!
//! This crate is internal to Verger: its API may change in any release.
//!
//! # Features
//!
//! - `files`: [`WholeFile`] is written out of sight and appears in its place once it is on disk. [`InputLines`] reads
//!   lines in bounded memory, and [`UrlQuestions`] URLs from arguments and lists. The module `files` has the limits.
//! - `rulebook`: the module of that name has the rules of many authorities for several crawlers, and caches.
//! - `filter`: [`filter_urls`] reads blocks of lines, answers them in several threads, and passes output, counts and
//!   problems to a [`FilterObserver`]. Rules come from a single body, or by authority from a [`RobotsDirectory`] or a
//!   [`RobotsList`], which `verger-bulk` also uses. It does not write or fetch, and opens only the files that it is
//!   given and the files that these name.
//! - `web`: settings of `verger-client` as text, such as a [`Contact`], networks, proxies and overrides. It also fetches
//!   other files ([`WebReader`]), fetches pages if robots.txt allows it ([`PageFetcher`]), and posts JSON ([`JsonPoster`]).
//!
//! Without any, the crate is empty.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `files` | whole files, lines, and URLs from arguments and lists |
//! | `rulebook` | the rules of many authorities |
//! | `in_order` | runs jobs in several threads and returns their results in order |
//! | `given` | bodies by authority, and the rules made from them |
//! | `filter` | answers blocks of URLs |
//! | `web` | network settings as text, and requests for other files |
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used))]

#[cfg(feature = "files")]
mod files;
#[cfg(feature = "filter")]
mod filter;
#[cfg(feature = "filter")]
mod given;
#[cfg(feature = "filter")]
mod in_order;
#[cfg(all(doctest, feature = "filter"))]
mod readme;
#[cfg(feature = "rulebook")]
pub mod rulebook;
#[cfg(feature = "web")]
mod web;

#[cfg(feature = "files")]
pub use files::byte_text::{argument_bytes, legible_path};
#[cfg(feature = "files")]
pub use files::left_over::is_unfinished;
#[cfg(feature = "files")]
pub use files::output_place::{Links, directory_of, end_of_links, is_in_directory_of};
#[cfg(feature = "files")]
pub use files::private::make_private_directory;
#[cfg(feature = "files")]
pub use files::put_file::{NotWritten, put_file};
#[cfg(feature = "files")]
#[doc(hidden)]
pub use files::repository_file;
#[cfg(feature = "files")]
pub use files::run_files::{ReplacedFiles, RunFiles, RunFilesError};
#[cfg(feature = "files")]
pub use files::source::{InputError, Source, read_regular};
#[cfg(feature = "files")]
pub use files::url_block::UrlBlock;
#[cfg(feature = "files")]
pub use files::url_question::{UrlQuestion, UrlQuestionError, UrlQuestions, url_without_scheme};
#[cfg(feature = "files")]
pub use files::whole_file::{WholeFile, try_beside, write_whole};
#[cfg(feature = "filter")]
pub use filter::{
    BodiesReadAgain, FilterLines, FilterObserver, FilterTally, FilterTerms, Filtered, LinesOf,
    RuleSource, UnansweredLine, WithoutBody, filter_urls,
};
#[cfg(feature = "filter")]
pub use given::{Bodies, BodyRules, GivenRules, RobotsDirectory, RobotsList, RobotsListError};
#[cfg(feature = "filter")]
pub use in_order::{Ended, in_order, thread_count};
#[cfg(feature = "web")]
pub use web::contact::{Contact, NotAContact};
#[cfg(feature = "web")]
pub use web::environment_proxies::{EnvironmentProxies, NotAProxy, UnusableVariable};
#[cfg(feature = "web")]
pub use web::fetched_page::{FetchedPage, PageResponse};
#[cfg(feature = "web")]
pub use web::json_poster::JsonPoster;
#[cfg(feature = "web")]
pub use web::kept_pages::KeptPages;
#[cfg(feature = "web")]
pub use web::network_text::{
    NotANameServer, NotANat64Prefix, NotANetwork, name_server_of, nat64_prefix_of, network_of,
};
#[cfg(feature = "web")]
pub use web::page_fetcher::{PageFetcher, SiteOwner};
#[cfg(feature = "web")]
pub use web::page_record::PageRecord;
#[cfg(feature = "web")]
pub use web::site_text::{NotASiteHeader, NotAnOverride, overrides_of, site_header_of};
#[cfg(feature = "web")]
pub use web::web_error::WebError;
#[cfg(feature = "web")]
pub use web::web_reader::WebReader;
// Crates below this one read lines as well.
#[cfg(feature = "files")]
#[doc(no_inline)]
pub use verger_answer::{InputLine, InputLineContent, InputLines, LINE_BYTES_MAX};
