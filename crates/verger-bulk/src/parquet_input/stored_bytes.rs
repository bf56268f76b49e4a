use std::fs::File;
use std::io::BufReader;

use bytes::Bytes;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};

use super::caught::caught;
use super::footer;

/// Size of the footer length and `PAR1`, in bytes.
const END_BYTES: usize = 8;

/// A file. Only parts that exist are read, and no page that is larger than the limit.
pub(super) struct StoredBytes {
    pub(super) file: File,
    pub(super) page_bytes_max: u64,
}

impl StoredBytes {
    pub(super) fn metadata(&self) -> Result<ParquetMetaData> {
        let bytes = self.file.len();
        let before = |end: u64, bytes: usize| {
            let start = end.checked_sub(bytes as u64);
            let start = start.ok_or_else(|| refused("it is too short".to_owned()))?;
            self.file.get_bytes(start, bytes)
        };
        let end = before(bytes, END_BYTES)?;
        let tail = FooterTail::try_new(&end[..].try_into().unwrap_or_default())?;
        let footer = before(bytes - END_BYTES as u64, tail.metadata_length())?;
        footer::check(&footer).map_err(|why| refused(format!("footer: {why}")))?;
        caught(|| ParquetMetaDataReader::decode_metadata(&footer)).map_err(refused)?
    }
}

pub(super) fn refused(why: String) -> ParquetError {
    ParquetError::General(why)
}

impl Length for StoredBytes {
    fn len(&self) -> u64 {
        Length::len(&self.file)
    }
}

impl ChunkReader for StoredBytes {
    type T = BufReader<File>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let (bytes, there) = (length as u64, self.len().saturating_sub(start));
        let problem = match self.page_bytes_max {
            max if bytes > max => {
                format!("has {bytes} bytes in the file, more than the limit of {max}")
            }
            _ if bytes > there => format!("has only {there} of {bytes} bytes"),
            _ => return self.file.get_bytes(start, length),
        };
        Err(refused(format!("a page at byte {start} {problem}")))
    }
}
