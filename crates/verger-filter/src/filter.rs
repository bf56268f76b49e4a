//! Blocks of URLs to their answers.
//!
//! | module | one line |
//! |---|---|
//! | `bodies_read` | how many bodies were read again |
//! | `rule_source` | one body for all URLs, or one for each authority |
//! | `block` | the input in blocks of whole lines, as they come |
//! | `filter_lines` | which lines come out, and how |
//! | `filter_tally` | how many URLs had which result |
//! | `answers` | the answers to a block |
//! | `filter_urls` | blocks through several threads, and their answers in order |

mod answers;
mod block;
mod bodies_read;
mod filter_lines;
mod filter_tally;
mod filter_urls;
mod rule_source;

pub use answers::FilterTerms;
pub use bodies_read::BodiesReadAgain;
pub use filter_lines::{FilterLines, LinesOf};
pub use filter_tally::FilterTally;
pub use filter_urls::{FilterObserver, Filtered, UnansweredLine, WithoutBody, filter_urls};
pub use rule_source::RuleSource;
