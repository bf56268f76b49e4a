//! Questions about one body, answered in one pass, without a tree.
//!
//! `question` has what is public, `body_scan` makes the pass. The reference is the tree:
//! `RobotsTxt::parse`, `RobotsTxt::policy`, `Policy::decide`.

mod asked_names;
mod bigram_filter;
mod body_scan;
mod counted_thrice;
mod group_scan;
mod line_starts;
mod prefix_compare;
pub(crate) mod question;
mod raw_rule;
mod scan_target;
mod scan_text;
