//! URLs out of text, CSV, JSON Lines, CDXJ and Parquet.
//!
//! | module | one line |
//! |---|---|
//! | `input_format` | the forms of lists of URLs, and their columns |
//! | `time_text` | times as text |
//! | `decompressed` | a list as it is, or what its gzip members or Zstandard frames hold |
//! | `bounded_lines` | lines, none longer than a bound |
//! | `row_problems` | what is wrong with rows, each with its line |
//! | `line_urls` | a URL in each line: text, JSON Lines, CDXJ |
//! | `csv_urls` | a URL in each record of CSV |
//! | `parquet_urls` | a URL in each row of Parquet |
//! | `url_reader` | what all of them do |
//! | `open_urls` | any of them |

mod bounded_lines;
mod csv_urls;
mod decompressed;
mod input_format;
mod line_urls;
mod open_urls;
mod parquet_urls;
mod row_problems;
mod time_text;
mod url_reader;

pub use input_format::{InputFormat, UrlColumns, UrlInputError};
pub use open_urls::open_urls;
pub use time_text::TimeText;
pub use url_reader::UrlReader;
