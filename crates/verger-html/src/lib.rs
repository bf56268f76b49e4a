//! Reads the head of an HTML page: the metas that tell crawlers whether they may index it, and the links to its
//! canonical URL and its license.
//!
//! ```
//! use verger_html::read_page;
//!
//! let page = b"<!doctype html><title>A</title><meta name=robots content=noindex><p>Text";
//! let head = read_page(page, Some("text/html; charset=utf-8"));
//! assert_eq!(head.metas[0].content, "noindex");
//! assert!(head.metas[0].is_in_head);
//! ```
//!
//! The head is that of a browser, however wrong the HTML is: [`read_page`] cites the clauses, and a comparison with
//! Chromium on thousands of pages (`browser/run`) confirms them. Reading never fails, and its time and memory are
//! bounded by [`PAGE_BYTES_MAX`].
//!
//! # What it does not do
//!
//! It does not fetch pages, run scripts or interpret directives. `verger-extensions` interprets them.
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `page_head` | the metas and links of a page |
//! | `head_region` | the start and the end of the head |
//! | `page_encoding` | the encoding that a page declares |
//! | `collector` | collects metas and links from the tokens of a page |
//! | `page_reading` | decodes a page and feeds the tokenizer, within limits |
//! | `given_page` | the facts about a page from its response as it came |
#![cfg_attr(test, allow(clippy::unwrap_used))]

mod collector;
mod given_page;
mod head_region;
mod page_encoding;
mod page_head;
mod page_reading;

pub use given_page::{Given, html_of, page_facts};
pub use page_head::{LinkElement, LinkRel, MetaElement, PageHead, TAGS_MAX, VALUE_BYTES_MAX};
pub use page_reading::{PAGE_BYTES_MAX, read_page};
