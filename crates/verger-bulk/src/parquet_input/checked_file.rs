//! `CheckedFile`: a Parquet file whose footer and pages are checked before they are read.

use std::fs::File;
use std::io::{self, BufReader, Read};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};

use super::caught::caught;
use super::compact::Stop;
use super::footer;
use super::page_header::PageHeader;

/// A page has at most so many octets, in the file and once its compression is undone: 128 MiB. Writers make pages of
/// about 1 MiB, some of up to 100 MB.
const PAGE_OCTETS_MAX: u64 = 128 << 20;

/// Headers of pages have some tens of octets, and where statistics are in them, texts of the column.
const HEADER_OCTETS: u64 = 4096;
const HEADER_OCTETS_MAX: u64 = 16 << 20;

/// The length of the footer and `PAR1`.
const END_OCTETS: u64 = 8;

/// Gzip makes at most so many octets of one.
const GZIP_RATIO_MAX: u64 = 1032;

/// A value of text has at least its length in a dictionary, and any other one is longer.
const VALUE_OCTETS_MIN: i64 = 4;

/// A Parquet file whose footer and pages are checked before they are read: no memory is taken for what is not
/// there.
pub(crate) struct CheckedFile {
    file: File,
    octets: u64,
    page_octets_max: u64,
}

impl CheckedFile {
    pub(crate) fn of(file: File) -> Self {
        Self::bounded(file, PAGE_OCTETS_MAX)
    }

    fn bounded(file: File, page_octets_max: u64) -> Self {
        let octets = Length::len(&file);
        Self {
            file,
            octets,
            page_octets_max,
        }
    }

    /// Reads the footer.
    ///
    /// # Errors
    ///
    /// Where it is none, or states what cannot be.
    pub(crate) fn metadata(&self, options: ArrowReaderOptions) -> Result<ArrowReaderMetadata> {
        if let Some(footer) = self.footer()? {
            footer::check(&footer).map_err(|why| refused(format!("footer: {why}")))?;
        }
        caught(|| ArrowReaderMetadata::load(&self.file, options)).map_err(refused)?
    }

    /// The footer; `None` where there is none.
    fn footer(&self) -> Result<Option<Vec<u8>>> {
        let Some(end) = self.octets.checked_sub(END_OCTETS) else {
            return Ok(None);
        };
        let mut last = [0; 8];
        self.file.get_read(end)?.read_exact(&mut last)?;
        let [length @ .., b'P', b'A', b'R', b'1'] = last else {
            return Ok(None);
        };
        let length = u64::from(u32::from_le_bytes(length));
        let Some(start) = end.checked_sub(length) else {
            return Ok(None);
        };
        let mut footer = Vec::new();
        self.file
            .get_read(start)?
            .take(length)
            .read_to_end(&mut footer)?;
        Ok(Some(footer))
    }

    fn check_page(&self, start: u64) -> Result<()> {
        let header = self.header(start)?;
        let page_octets_max = self.page_octets_max;
        let of_page = |why: String| refused(format!("page at octet {start}: {why}"));
        let states = |octets: i64, what: &str| {
            of_page(format!(
                "it states {octets} octets{what}, and at most {page_octets_max} are read"
            ))
        };
        for (octets, what) in [
            (header.page_octets, ""),
            (header.compressed_octets, " in the file"),
        ] {
            if u64::try_from(octets).is_ok_and(|octets| octets > page_octets_max) {
                return Err(states(octets, what));
            }
        }
        let values = header.dictionary_values;
        let room = header.page_octets.max(header.compressed_octets);
        if values > room / VALUE_OCTETS_MIN {
            return Err(of_page(format!(
                "it states {values} values in {room} octets"
            )));
        }
        let levels = u64::try_from(header.level_octets).unwrap_or(0);
        let octets = u64::try_from(header.compressed_octets).unwrap_or(0);
        let octets = octets.saturating_sub(levels);
        // Shorter ones have at most twice as many octets as a page may have.
        if octets > 2 * page_octets_max / GZIP_RATIO_MAX {
            let data = start.saturating_add(header.octets).saturating_add(levels);
            self.check_gzip(data, octets).map_err(of_page)?;
        }
        Ok(())
    }

    fn header(&self, start: u64) -> Result<PageHeader> {
        let mut octets_max = HEADER_OCTETS;
        loop {
            let mut octets = Vec::new();
            self.file
                .get_read(start)?
                .take(octets_max)
                .read_to_end(&mut octets)?;
            match PageHeader::read(&octets) {
                Ok(header) => return Ok(header),
                Err(Stop::Ended)
                    if octets.len() as u64 == octets_max && octets_max < HEADER_OCTETS_MAX =>
                {
                    octets_max = HEADER_OCTETS_MAX;
                }
                Err(stop) => {
                    return Err(refused(format!(
                        "header of the page at octet {start}: {stop}"
                    )));
                }
            }
        }
    }

    /// Whether octets are no gzip, or gzip of a bounded length: it is undone once more to be counted.
    fn check_gzip(&self, start: u64, octets: u64) -> std::result::Result<(), String> {
        let data = || self.file.get_read(start).map(|read| read.take(octets));
        let mut first = [0; 2];
        let magic = data().and_then(|mut data| Ok(data.read_exact(&mut first)?));
        if magic.is_err() || first != [0x1F, 0x8B] {
            return Ok(());
        }
        let data = data().map_err(|error| error.to_string())?;
        let mut undone = MultiGzDecoder::new(data).take(self.page_octets_max + 1);
        // What is wrong with it is found again where it is read.
        let count = io::copy(&mut undone, &mut io::sink()).unwrap_or(0);
        if count > self.page_octets_max {
            let page_octets_max = self.page_octets_max;
            return Err(format!("its gzip has more than {page_octets_max} octets"));
        }
        Ok(())
    }
}

fn refused(why: String) -> ParquetError {
    ParquetError::General(why)
}

impl Length for CheckedFile {
    fn len(&self) -> u64 {
        self.octets
    }
}

impl ChunkReader for CheckedFile {
    type T = BufReader<File>;

    /// The header of a page, and what follows.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        self.check_page(start)?;
        self.file.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let is_there = (length as u64) <= self.octets.saturating_sub(start);
        if !is_there {
            return Err(refused(format!(
                "there are no {length} octets at octet {start}"
            )));
        }
        self.file.get_bytes(start, length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::io::{Seek, SeekFrom, Write};
    use std::sync::Arc;

    use arrow_array::{ArrayRef, RecordBatch, StringArray};
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use parquet::arrow::ArrowWriter;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use parquet::basic::{Compression as Codec, GzipLevel};
    use parquet::file::properties::{WriterProperties, WriterVersion};
    use verger_testkit::generate::Rng;

    /// A file with one page that gzip makes about half as long.
    fn gzip_file(version: WriterVersion) -> File {
        let mut rng = Rng::new(3);
        let mut digit = || char::from(b"0123456789abcdef"[rng.below(16)]);
        let texts = (0..500).map(|_| (0..40).map(|_| digit()).collect::<String>());
        let texts: Vec<String> = texts.collect();
        let texts: ArrayRef = Arc::new(StringArray::from(texts));
        let batch = RecordBatch::try_from_iter_with_nullable([("url", texts, true)]).unwrap();
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(false)
            .set_writer_version(version)
            .set_compression(Codec::GZIP(GzipLevel::default()));
        let file = tempfile::tempfile().unwrap();
        let writer = ArrowWriter::try_new(&file, batch.schema(), Some(properties.build()));
        let mut writer = writer.unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
        file
    }

    fn rows(file: &File, page_octets_max: u64) -> std::result::Result<usize, String> {
        let file = CheckedFile::bounded(file.try_clone().unwrap(), page_octets_max);
        let metadata = file.metadata(ArrowReaderOptions::new()).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let batches = reader.build().unwrap();
        let rows = batches.map(|batch| batch.map(|batch| batch.num_rows()));
        let rows: std::result::Result<Vec<usize>, _> = rows.collect();
        rows.map(|rows| rows.iter().sum())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn gzip_is_counted_before_it_is_undone() {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let mut file = gzip_file(version);
            // Five hundred texts of 40 octets, and in the file more than what is not counted.
            for page_octets_max in [23_000, 1 << 20] {
                assert_eq!(rows(&file, page_octets_max), Ok(500));
            }
            let said = rows(&file, 19_000).unwrap_err();
            assert!(said.contains("page at octet 4: it states 2"), "{said}");
            let mut octets = Vec::new();
            file.seek(SeekFrom::Start(0)).unwrap();
            file.read_to_end(&mut octets).unwrap();
            let magic = octets
                .windows(3)
                .position(|it| it == [0x1F, 0x8B, 8])
                .unwrap();
            let mut member = GzEncoder::new(Vec::new(), Compression::best());
            member.write_all(&vec![0; 1 << 20]).unwrap();
            let bomb = member.finish().unwrap().repeat(5);
            file.seek(SeekFrom::Start(magic as u64)).unwrap();
            file.write_all(&bomb).unwrap();
            let said = rows(&file, 4 << 20).unwrap_err();
            assert!(
                said.contains("page at octet 4: its gzip has more than 4194304 octets"),
                "{said}"
            );
            // What is not longer than a page may be is an error of the page.
            let said = rows(&file, 8 << 20).unwrap_err();
            assert!(!said.contains("its gzip has more"), "{said}");
        }
    }
}
