//! Reads untrusted Parquet files. The sizes in a file are checked before memory is allocated for
//! them.
//!
//! The crate `parquet` trusts the sizes in a footer and in page headers, inflates gzip without a
//! limit, and parses a schema recursively. A file of a few hundred bytes could end the process.
//!
//! | module | one line |
//! |---|---|
//! | `caught` | turns panics of the crate into errors |
//! | `compact` | reads structs in Thrift's compact protocol |
//! | `footer` | checks counts and depths in a footer |
//! | `page_header` | reads the sizes in a page header |
//! | `text_lengths` | computes the decoded size of a page's texts |
//! | `checked_file` | a file whose footer and pages are checked |
//! | `codecs` | the supported page codecs |
//! | `checked_batches` | the rows of a checked file |
//! | `views` | text columns as views |

mod caught;
mod checked_batches;
mod checked_file;
mod codecs;
mod compact;
mod footer;
mod page_header;
mod text_lengths;
mod views;

pub use caught::is_panic_caught;
pub(crate) use checked_batches::CheckedBatches;
pub(crate) use checked_file::CheckedFile;
pub(crate) use views::with_views;
