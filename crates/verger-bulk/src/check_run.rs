//! Lists of URLs to answers.
//!
//! | module | one line |
//! |---|---|
//! | `listed_urls` | lists of URLs, one after the other |
//! | `check_observer` | what a run reports |
//! | `check_urls` | these through several threads to rows of answers, in order |

mod check_observer;
mod check_urls;
mod listed_urls;

pub use check_observer::CheckObserver;
pub use check_urls::{CheckUrlsError, Checked, check_urls};
pub use listed_urls::{ListedUrls, ListedUrlsError};
