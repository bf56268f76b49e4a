//! Lists of URLs to answers.
//!
//! | module | one line |
//! |---|---|
//! | `listed_urls` | lists of URLs, one after the other |
//! | `kept_columns` | their columns that go with each answer |
//! | `check_observer` | what a run reports |
//! | `check_urls` | these through several threads to rows of answers, in order |

mod check_observer;
mod check_urls;
mod kept_columns;
mod listed_urls;

pub use check_observer::CheckObserver;
pub use check_urls::{CheckUrlsError, Checked, check_urls};
pub use kept_columns::{KeptTwice, check_kept};
pub use listed_urls::{ListedUrls, ListedUrlsError};
