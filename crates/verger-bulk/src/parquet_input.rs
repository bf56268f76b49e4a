//! Parquet files from anywhere: what they state of themselves is checked before memory is taken for it.
//!
//! The crate `parquet` takes the sizes in a footer and in the headers of pages as they are, undoes gzip without a
//! bound, and reads a schema by recursion. A file of some hundred octets could end the process.
//!
//! | module | one line |
//! |---|---|
//! | `compact` | structs in Thrift's compact protocol, field by field |
//! | `footer` | counts and depths in a footer |
//! | `page_header` | sizes in the header of a page |
//! | `checked_file` | a file whose footer and pages are checked |

mod checked_file;
mod compact;
mod footer;
mod page_header;

pub(crate) use checked_file::CheckedFile;
