//! URLs out of text, CSV, JSON, CDXJ and Parquet.
//!
//! | module | one line |
//! |---|---|
//! | `input_format` | the forms of lists of URLs, and their columns |
//! | `no_columns` | a list has no columns, and one is named |
//! | `time_text` | times as text |
//! | `decompressed` | a list as it is, or what its gzip members or Zstandard frames hold |
//! | `row_problems` | what is wrong with rows, each with its line |
//! | `list_rows` | rows of a list that are being read |
//! | `line_urls` | a URL in each line: text, JSON Lines, CDXJ |
//! | `json_elements` | the elements of a JSON array, none longer than a bound |
//! | `csv_urls` | a URL in each record of CSV |
//! | `column_values` | the values of columns of Parquet: times, and what is kept |
//! | `parquet_urls` | a URL in each row of Parquet |
//! | `url_reader` | what all of them do |
//! | `placed_urls` | URLs with where they are in their list |
//! | `open_urls` | any of them |
//! | `list_files` | the lists in a directory |

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
