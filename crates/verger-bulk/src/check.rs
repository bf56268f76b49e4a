//! Answers about URLs, as columns.
//!
//! | module | one line |
//! |---|---|
//! | `url_rows` | URLs to check, with their times |
//! | `answer_reason` | the reason for an answer |
//! | `kept_columns` | the position of rows in their list, and its columns that are kept |
//! | `answer_columns` | collects answers into columns |
//! | `checker` | answers URLs |
//! | `tally` | number of answers by kind |

mod answer_columns;
mod answer_reason;
mod checker;
mod kept_columns;
mod tally;
mod url_rows;

pub use answer_columns::answer_schema;
pub use answer_reason::AnswerReason;
pub use checker::{CheckWorker, Checker};
pub(crate) use kept_columns::{KEPT_BYTES_MAX, KeptTexts, RowOrigin, text_field};
pub use tally::AnswerTally;
pub use url_rows::{URL_BYTES_MAX, UrlRows, UrlRowsBuilder, UrlTimes};
