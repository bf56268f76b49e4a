//! Parquet files from anywhere: what they state of themselves is checked before memory is taken for it.
//!
//! The crate `parquet` takes the sizes in a footer and in the headers of pages as they are, undoes gzip without a
//! bound, and reads a schema by recursion. A file of some hundred bytes could end the process.
//!
//! | module | one line |
//! |---|---|
//! | `caught` | panics of the crate as errors |
//! | `compact` | structs in Thrift's compact protocol, field by field |
//! | `footer` | counts and depths in a footer |
//! | `page_header` | sizes in the header of a page |
//! | `text_lengths` | the bytes of a page's texts once they are decoded |
//! | `checked_file` | a file whose footer and pages are checked |
//! | `codecs` | the codecs of pages that are read |
//! | `checked_batches` | the rows of a checked file |
//! | `views` | columns of texts as views |

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
