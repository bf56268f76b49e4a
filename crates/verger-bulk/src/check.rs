//! Answers about URLs, as columns.
//!
//! | module | one line |
//! |---|---|
//! | `url_rows` | URLs that are asked about, with their times |
//! | `answer_reason` | why an answer is what it is |
//! | `kept_columns` | where rows are in their list, and which of its columns go with the answers |
//! | `answer_columns` | answers, column by column |
//! | `checker` | URLs in, answers out |
//! | `tally` | how many answers there were of each kind |

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
