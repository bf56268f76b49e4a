//! Reads URLs from text, CSV, JSON, CDXJ and Parquet.
//!
//! | module | one line |
//! |---|---|
//! | `input_format` | the formats of URL lists, and their columns |
//! | `no_columns` | rejects a named column for a list without columns |
//! | `time_text` | parses times |
//! | `decompressed` | decompresses gzip and Zstandard lists |
//! | `row_problems` | problems of rows, with their line numbers |
//! | `list_rows` | rows of a list that is being read |
//! | `line_urls` | a URL in each line: text, JSON Lines, CDXJ |
//! | `json_elements` | the elements of a JSON array, of bounded length |
//! | `csv_urls` | a URL in each CSV record |
//! | `column_values` | values of Parquet columns: times and kept values |
//! | `parquet_urls` | a URL in each Parquet row |
//! | `url_reader` | the common trait |
//! | `placed_urls` | adds the position in the list |
//! | `open_urls` | opens a list of any format |
//! | `list_files` | finds the lists in a directory |

mod column_values;
mod csv_urls;
mod decompressed;
mod input_format;
mod json_elements;
mod line_urls;
mod list_files;
mod list_rows;
mod no_columns;
mod open_urls;
mod parquet_urls;
mod placed_urls;
mod row_problems;
mod time_text;
mod url_reader;

pub use input_format::{InputFormat, UrlColumns, UrlInputError};
pub use list_files::list_files;
pub use no_columns::{ColumnKind, NoColumns};
pub use open_urls::open_urls;
pub use time_text::TimeText;
pub use url_reader::UrlReader;
