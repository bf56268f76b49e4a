use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

use super::csv_urls::CsvUrls;
use super::decompressed::Decompressed;
use super::input_format::{InputFormat, UrlColumns, UrlInputError};
use super::line_urls::LineUrls;
use super::parquet_urls::ParquetUrls;
use super::placed_urls::PlacedUrls;
use super::url_reader::UrlReader;

/// Opens a list. `None` is standard input, which is text unless `format` is given.
///
/// # Errors
///
/// Returns an error if the list cannot be opened or lacks a column.
pub fn open_urls(
    path: Option<&Path>,
    format: Option<InputFormat>,
    columns: &UrlColumns,
) -> Result<Box<dyn UrlReader>, UrlInputError> {
    let name = path.map_or_else(|| "standard input".into(), |path| path.to_string_lossy());
    let of_name = || path.map_or(InputFormat::Text, InputFormat::from_name);
    let format = format.unwrap_or_else(of_name);
    let fail = |error: io::Error| UrlInputError::of(&name, error);
    let input: Box<dyn Read> = match (path, format) {
        (Some(path), InputFormat::Parquet) => {
            let file = File::open(path).map_err(fail)?;
            let urls = ParquetUrls::open(&name, file, columns)?;
            return Ok(Box::new(PlacedUrls::of(&name, urls)));
        }
        (None, InputFormat::Parquet) => {
            let problem = "Parquet cannot be read from standard input: give it as a file";
            return Err(UrlInputError::of(&name, problem));
        }
        (Some(path), _) => Box::new(File::open(path).map_err(fail)?),
        (None, _) => Box::new(io::stdin().lock()),
    };
    let input: Box<dyn BufRead> = Box::new(Decompressed::new(input));
    Ok(if format == InputFormat::Csv {
        let urls = CsvUrls::open(&name, input, columns)?;
        Box::new(PlacedUrls::of(&name, urls))
    } else {
        let urls = LineUrls::open(&name, input, format, columns)?;
        Box::new(PlacedUrls::of(&name, urls))
    })
}
