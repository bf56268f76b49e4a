//! Answers blocks of URLs.
//!
//! | module | one line |
//! |---|---|
//! | `bodies_read` | counts bodies that were read again |
//! | `rule_source` | one body for all URLs, or one for each authority |
//! | `block` | splits the input into blocks of whole lines |
//! | `filter_lines` | which lines are printed, and how |
//! | `filter_tally` | number of URLs by result |
//! | `answers` | answers a block |
//! | `filter_urls` | runs blocks through several threads and returns answers in order |

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
