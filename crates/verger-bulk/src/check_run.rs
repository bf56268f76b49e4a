//! Lists of URLs to answers.
//!
//! | module | one line |
//! |---|---|
//! | `listed_urls` | lists of URLs, one after the other |
//! | `check_urls` | these through several threads to rows of answers, in order |

mod check_urls;
mod listed_urls;

pub use check_urls::{CheckObserver, CheckUrlsError, Checked, check_urls};
pub use listed_urls::{ListedUrls, ListedUrlsError};
