//! Parquet files whose sizes may be false. The crate `parquet` allocates memory for stated sizes, so it gets only
//! sizes that are checked against the file and the bound of a batch.
//!
//! | module | one line |
//! |---|---|
//! | `caught` | turns panics of the library into errors |
//! | `compact` | reads Thrift structs of known types |
//! | `footer` | checks a footer up to the number of row groups |
//! | `stored_bytes` | a file whose parts exist and are small enough |
//! | `text_lengths` | the decoded size of texts that share prefixes |
//! | `pages` | pages, decompressed within the bound |
//! | `input` | a file, and its batches of rows |
//! | `views` | text types in which a repeated text is in memory once |

mod caught;
mod compact;
mod footer;
mod input;
mod pages;
mod stored_bytes;
mod text_lengths;
mod views;

pub use caught::is_panic_caught;
pub(crate) use input::{CheckedBatches, ParquetInput};
pub(crate) use views::with_views;
