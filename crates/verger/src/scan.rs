//! Answers one question about a body in one pass, in any dialect, without building a tree.
//!
//! [`crate::allowed`] and [`crate::verdict()`] are the short forms for RFC 9309 and one product
//! token. The functions here take a [`crate::Crawler`] and a [`crate::Reading`]. For more than one
//! question about a body, keep a [`crate::Policy`].
//!
//! In the source, `question` has the public functions and `body_scan` makes the pass. The reference
//! is the tree: `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.

mod answering;
mod asked_names;
mod bigram_filter;
mod body_scan;
mod gathering;
mod group_scan;
mod line_count;
mod prefix_compare;
pub(crate) mod question;
mod raw_rule;
pub(crate) mod rows_scan;
pub(crate) mod scan_target;

pub use question::{effect_for_crawler, effect_for_name, verdict_for_crawler, verdict_for_name};
