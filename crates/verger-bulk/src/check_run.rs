//! Answers lists of URLs.
//!
//! | module | one line |
//! |---|---|
//! | `listed_urls` | reads lists of URLs one after the other |
//! | `kept_columns` | checks the names of kept columns |
//! | `check_observer` | receives the events of a run |
//! | `check_urls` | answers lists in several threads, in order |

mod check_observer;
mod check_urls;
mod kept_columns;
mod listed_urls;

pub use check_observer::CheckObserver;
pub use check_urls::{CheckUrlsError, Checked, check_urls};
pub use kept_columns::{KeptTwice, check_kept};
pub use listed_urls::{ListedUrls, ListedUrlsError};
