use std::fmt;
use std::io::{self, BufReader, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

/// Maximum length of a line, in bytes. Longer lines are skipped.
pub const LINE_BYTES_MAX: usize = 1 << 20;

const BUFFER_BYTES: usize = 256 << 10;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

const MAGIC_BYTES: usize = 6;

/// The lines of a log. Gzip and Zstandard are detected and decompressed, including files with
/// several members or frames.
pub struct LogLines {
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    /// The range of the buffer that has been read but not returned.
    start: usize,
    end: usize,
    number: u64,
    blank: u64,
    bytes: u64,
}

/// A line of a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogLine<'l> {
    /// The line number, from 1.
    pub number: u64,
    /// The bytes without the line end, or `None` if the line is longer than [`LINE_BYTES_MAX`].
    pub bytes: Option<&'l [u8]>,
}

impl fmt::Debug for LogLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("LogLines");
        shown.field("number", &self.number).finish_non_exhaustive()
    }
}

impl LogLines {
    /// Reads the lines of a log. Skips a byte order mark before the first line.
    ///
    /// # Errors
    ///
    /// Returns an error if the start of the log cannot be read or is compressed with xz, bzip2 or
    /// LZ4, which are not supported.
    pub fn new(log: impl Read + 'static) -> io::Result<Self> {
        Ok(Self {
            reader: decompressed(Box::new(log))?,
            buffer: vec![0; BUFFER_BYTES],
            start: 0,
            end: 0,
            number: 0,
            blank: 0,
            bytes: 0,
        })
    }

    /// Returns the start of the log without consuming it: at least one line if there is one, at
    /// most [`LINE_BYTES_MAX`] bytes.
    ///
    /// # Errors
    ///
    /// Returns an error if the log cannot be read.
    pub fn beginning(&mut self) -> io::Result<&[u8]> {
        // The first read may return only the bytes that identify a compression, or a few short
        // lines.
        let has_line = |unread: &[u8]| {
            let after = unread.get(MAGIC_BYTES..).unwrap_or_default();
            memchr::memchr(b'\n', after).is_some()
        };
        while !has_line(&self.buffer[self.start..self.end])
            && self.end - self.start < LINE_BYTES_MAX
            && self.read_more()?
        {}
        Ok(&self.buffer[self.start..self.end])
    }

    /// Returns the number of decompressed bytes read so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of lines read so far, including blank ones.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the number of blank lines skipped so far. [`crate::Audit::count_blank`] counts them.
    #[must_use]
    pub fn blank(&self) -> u64 {
        self.blank
    }

    /// Advances to the next line that is not blank. Returns `None` at the end.
    ///
    /// # Errors
    ///
    /// Returns an error if the log cannot be read or the compressed data is damaged.
    pub fn advance(&mut self) -> io::Result<Option<LogLine<'_>>> {
        let mut searched = 0;
        let mut is_kept = true;
        loop {
            if searched == 0 && is_kept {
                self.skip_blank();
            }
            let unread = &self.buffer[self.start..self.end];
            if let Some(found) = memchr::memchr(b'\n', &unread[searched..]) {
                let line = self.start..self.start + searched + found;
                self.start = line.end + 1;
                if is_kept && self.is_blank(&line) {
                    (self.number, self.blank) = (self.number + 1, self.blank + 1);
                    searched = 0;
                    continue;
                }
                return Ok(Some(self.line(line, is_kept)));
            }
            searched = unread.len();
            if searched > LINE_BYTES_MAX {
                is_kept = false;
                (self.start, searched) = (self.end, 0);
            }
            if !self.read_more()? {
                let line = self.start..self.end;
                self.start = self.end;
                if is_kept && self.is_blank(&line) {
                    let lines = u64::from(!line.is_empty());
                    (self.number, self.blank) = (self.number + lines, self.blank + lines);
                    return Ok(None);
                }
                return Ok(Some(self.line(line, is_kept)));
            }
        }
    }

    /// Skips blank lines at once, because a log may consist only of line ends.
    fn skip_blank(&mut self) {
        let most = self.end.min(self.start + LINE_BYTES_MAX);
        let unread = &self.buffer[self.start..most];
        let blanks = unread.iter().take_while(|byte| byte.is_ascii_whitespace());
        let blanks = &unread[..blanks.count()];
        if let Some(last) = memchr::memrchr(b'\n', blanks) {
            let lines = memchr::memchr_iter(b'\n', &blanks[..=last]).count() as u64;
            (self.number, self.blank) = (self.number + lines, self.blank + lines);
            self.start += last + 1;
        }
    }

    fn is_blank(&self, line: &std::ops::Range<usize>) -> bool {
        line.len() <= LINE_BYTES_MAX && self.buffer[line.clone()].trim_ascii().is_empty()
    }

    fn line(&mut self, line: std::ops::Range<usize>, is_kept: bool) -> LogLine<'_> {
        self.number += 1;
        let bytes = &self.buffer[line];
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let is_kept = is_kept && bytes.len() <= LINE_BYTES_MAX;
        LogLine {
            number: self.number,
            bytes: is_kept.then_some(bytes),
        }
    }

    /// Returns false at the end of the log.
    fn read_more(&mut self) -> io::Result<bool> {
        if self.start > 0 {
            self.buffer.copy_within(self.start..self.end, 0);
            (self.start, self.end) = (0, self.end - self.start);
        }
        if self.end == self.buffer.len() {
            self.buffer.resize(self.buffer.len() * 2, 0);
        }
        let is_first = self.bytes == 0;
        loop {
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Ok(is_first && self.end > 0),
                Ok(length) => {
                    self.end += length;
                    self.bytes += length as u64;
                    // The bytes of the mark may arrive one at a time.
                    if is_first && self.end < BYTE_ORDER_MARK.len() {
                        continue;
                    }
                    if is_first && self.buffer.starts_with(BYTE_ORDER_MARK) {
                        self.start = BYTE_ORDER_MARK.len();
                    }
                    return Ok(true);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// Returns the tool for an unsupported compression.
fn unread_compression(start: &[u8]) -> Option<&'static str> {
    match start {
        [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some("xz"),
        [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, ..] => Some("bzip2"),
        [0x04, 0x22, 0x4D, 0x18, ..] => Some("lz4"),
        _ => None,
    }
}

fn decompressed(log: Box<dyn Read>) -> io::Result<Box<dyn Read>> {
    let mut log = BufReader::with_capacity(BUFFER_BYTES, log);
    // A pipe may deliver the first bytes one at a time.
    let mut start = Vec::new();
    log.by_ref()
        .take(MAGIC_BYTES as u64)
        .read_to_end(&mut start)?;
    if let Some(name) = unread_compression(&start) {
        return Err(unread(name));
    }
    let is_gzip = start.starts_with(&[0x1F, 0x8B]);
    // A Zstandard frame or a skippable frame (RFC 8878 3.1).
    let is_zstandard = matches!(
        *start,
        [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]
    );
    let whole = io::Cursor::new(start).chain(log);
    Ok(if is_gzip {
        Box::new(Compressed {
            reader: MultiGzDecoder::new(whole),
            member: "gzip member",
        })
    } else if is_zstandard {
        zstandard(whole)?
    } else {
        Box::new(whole)
    })
}

fn unread(name: &str) -> io::Error {
    let problem = format!(
        "it is compressed with {name}, which is not supported: use `{name} -dc LOG | verger audit -`"
    );
    io::Error::new(ErrorKind::Unsupported, problem)
}

#[cfg(feature = "zstd")]
fn zstandard(log: impl io::BufRead + 'static) -> io::Result<Box<dyn Read>> {
    Ok(Box::new(Compressed {
        reader: zstd::Decoder::with_buffer(log)?,
        member: "Zstandard frame",
    }))
}

#[cfg(not(feature = "zstd"))]
fn zstandard(_: impl io::BufRead) -> io::Result<Box<dyn Read>> {
    Err(unread("zstd"))
}

/// A decompressor whose errors tell whether the data ended early or is damaged.
struct Compressed<R> {
    reader: R,
    member: &'static str,
}

impl<R: Read> Read for Compressed<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.reader.read(room).map_err(|error| {
            let member = self.member;
            let problem = match error.kind() {
                // The log itself cannot be read.
                _ if error.raw_os_error().is_some() => return error,
                ErrorKind::UnexpectedEof => format!("it ends within a {member}"),
                _ => format!("a {member} cannot be read: {error}"),
            };
            io::Error::new(ErrorKind::InvalidData, problem)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use proptest::prelude::*;

    use super::*;

    struct Slowly(io::Cursor<Vec<u8>>);

    impl Read for Slowly {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(1);
            self.0.read(&mut buffer[..length])
        }
    }

    /// Returns the lines except blank ones.
    fn numbered(log: impl Read + 'static) -> Vec<(u64, Option<Vec<u8>>)> {
        let mut lines = LogLines::new(log).unwrap();
        let mut all = Vec::new();
        while let Some(line) = lines.advance().unwrap() {
            all.push((line.number, line.bytes.map(<[u8]>::to_vec)));
        }
        assert_eq!(lines.number(), all.len() as u64 + lines.blank());
        all
    }

    fn lines_of(log: impl Read + 'static) -> Vec<Option<Vec<u8>>> {
        let lines = numbered(log).into_iter();
        lines.map(|(_, bytes)| bytes).collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zstandard(bytes: &[u8]) -> Vec<u8> {
        let skipped = b"\x5A\x2A\x4D\x18\x03\0\0\0abc".to_vec();
        let mut frame = zstd::Encoder::new(skipped, 1).unwrap();
        frame.include_checksum(true).unwrap();
        frame.write_all(bytes).unwrap();
        frame.finish().unwrap()
    }

    #[test]
    fn a_byte_order_mark_is_left_out_at_the_beginning() {
        let log = b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n";
        let expected = [Some(b"a".to_vec()), Some(b"\xef\xbb\xbfb".to_vec())];
        assert_eq!(lines_of(&log[..]), expected);
        assert_eq!(lines_of(Slowly(io::Cursor::new(gzip(log)))), expected);
        assert_eq!(lines_of(&b"\xef\xbb"[..]), [Some(b"\xef\xbb".to_vec())]);
        assert!(lines_of(&b"\xef\xbb\xbf"[..]).is_empty());
    }

    #[test]
    fn compressed_logs_are_read_member_by_member() {
        for compress in [gzip, zstandard] {
            let mut log = compress(b"one\ntw");
            log.extend(compress(b"o\r\nthree"));
            let expected = [&b"one"[..], b"two", b"three"].map(|line| Some(line.to_vec()));
            assert_eq!(lines_of(io::Cursor::new(log.clone())), expected);
            assert_eq!(lines_of(Slowly(io::Cursor::new(log))), expected);
        }
    }

    /// Returns the number of lines, and the error after them.
    fn lines_and_error(log: Vec<u8>) -> (u64, Option<String>) {
        let mut lines = LogLines::new(io::Cursor::new(log)).unwrap();
        let mut number = 0;
        loop {
            match lines.advance() {
                Ok(Some(line)) => number = line.number,
                Ok(None) => return (number, None),
                Err(error) => return (number, Some(error.to_string())),
            }
        }
    }

    #[test]
    fn lines_before_damage_come_before_an_error_in_words() {
        type Compress = fn(&[u8]) -> Vec<u8>;
        let forms: [(Compress, &str); 2] = [(gzip, "gzip member"), (zstandard, "Zstandard frame")];
        for (compress, member) in forms {
            let whole = compress(b"one\ntwo\nthree");
            let cut = whole[..whole.len() - 3].to_vec();
            let problem = Some(format!("it ends within a {member}"));
            assert_eq!(lines_and_error(cut.clone()), (2, problem.clone()));
            let after = [compress(b"one\ntwo\nthree\n"), cut].concat();
            assert_eq!(lines_and_error(after), (5, problem));
            let start = [whole.clone(), whole[..1].to_vec()].concat();
            assert!(lines_and_error(start).1.is_some());
        }
        let mut wrong = zstandard(b"one\n");
        *wrong.last_mut().unwrap() ^= 1;
        for (log, lines, problem) in [
            (
                [gzip(b"one\n"), b"longer than a head\n".to_vec()].concat(),
                1,
                "a gzip member cannot be read: invalid gzip header",
            ),
            (
                [zstandard(b"one\n"), b"longer than a head\n".to_vec()].concat(),
                1,
                "a Zstandard frame cannot be read: Unknown frame descriptor",
            ),
            (
                // The decoder drops data that it decodes in the same step as a wrong checksum.
                [zstandard(b"one\n"), wrong].concat(),
                1,
                "a Zstandard frame cannot be read: Restored data doesn't match checksum",
            ),
        ] {
            assert_eq!(lines_and_error(log), (lines, Some(problem.to_owned())));
        }
    }

    /// A disk that cannot be read.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::from_raw_os_error(5))
        }
    }

    #[test]
    fn a_disk_that_cannot_be_read_is_no_damage_of_what_is_compressed() {
        let start = io::Cursor::new(gzip(b"one\n")[..12].to_vec());
        let mut lines = LogLines::new(start.chain(Broken)).unwrap();
        assert_eq!(lines.advance().unwrap_err().raw_os_error(), Some(5));
    }

    #[test]
    fn the_beginning_goes_on_behind_short_lines() {
        let log = b"\n1\n2\n\nthe first whole line\n".to_vec();
        let mut lines = LogLines::new(io::Cursor::new(log.clone())).unwrap();
        assert_eq!(lines.beginning().unwrap(), log);
        let mut lines = LogLines::new(Slowly(io::Cursor::new(log.clone()))).unwrap();
        assert_eq!(lines.beginning().unwrap(), log);
    }

    #[test]
    fn compression_that_is_not_read_is_named() {
        let text = b"BZh9, as a line begins";
        assert_eq!(lines_of(io::Cursor::new(&text[..])), [Some(text.to_vec())]);
        for (start, name) in [
            (&b"\xFD7zXZ\0\0\x04"[..], "xz"),
            (b"BZh91AY&SY", "bzip2"),
            (b"\x04\x22\x4D\x18\x64\x40", "lz4"),
        ] {
            let error = LogLines::new(Slowly(io::Cursor::new(start.to_vec()))).unwrap_err();
            let expected = format!(
                "it is compressed with {name}, which is not supported: use `{name} -dc LOG | verger audit -`"
            );
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn the_memory_that_a_frame_asks_for_is_bounded() {
        // A window of 144 MiB and an empty block.
        let log = b"\x28\xB5\x2F\xFD\0\x89\x01\0\0".to_vec();
        let problem =
            "a Zstandard frame cannot be read: Frame requires too much memory for decoding";
        assert_eq!(lines_and_error(log), (0, Some(problem.to_owned())));
    }

    #[test]
    fn a_long_line_is_counted_and_not_kept() {
        let mut log = b"short\n".to_vec();
        log.resize(log.len() + 3 * LINE_BYTES_MAX, b'x');
        log.extend_from_slice(b"\nshort");
        let lines = lines_of(io::Cursor::new(log));
        assert_eq!(
            lines,
            [Some(b"short".to_vec()), None, Some(b"short".to_vec())]
        );
        let longest = vec![b'x'; LINE_BYTES_MAX];
        assert_eq!(lines_of(io::Cursor::new(longest.clone())), [Some(longest)]);
        let longer = vec![b'x'; LINE_BYTES_MAX + 1];
        assert_eq!(lines_of(io::Cursor::new(longer)), [None]);
    }

    #[test]
    fn blank_lines_come_in_one_step() {
        let log = [vec![b'\n'; 3 * BUFFER_BYTES], b" \r\n\t\nx\n\n".to_vec()].concat();
        let mut lines = LogLines::new(io::Cursor::new(log)).unwrap();
        let line = lines.advance().unwrap().unwrap();
        let number = 3 * BUFFER_BYTES as u64 + 3;
        assert_eq!((line.number, line.bytes), (number, Some(&b"x"[..])));
        assert_eq!(lines.advance().unwrap(), None);
        assert_eq!((lines.number(), lines.blank()), (number + 1, number));
        // A blank line may also be too long.
        let blank = vec![b' '; LINE_BYTES_MAX + 1];
        let log = [blank.clone(), b"\n".to_vec(), blank].concat();
        assert_eq!(numbered(io::Cursor::new(log)), [(1, None), (2, None)]);
    }

    proptest! {
        #[test]
        fn lines_are_those_between_line_ends(log in "[ab \r\n]{0,60}") {
            let mut expected: Vec<_> = log.split('\n').collect();
            if expected.last() == Some(&"") {
                expected.pop();
            }
            let strip = |line: &str| Some(line.strip_suffix('\r').unwrap_or(line).as_bytes().to_vec());
            let expected = (1..).zip(expected).filter(|(_, line)| !line.trim().is_empty());
            let expected: Vec<_> = expected.map(|(number, line)| (number, strip(line))).collect();
            prop_assert_eq!(&numbered(Slowly(io::Cursor::new(log.clone().into_bytes()))), &expected);
            prop_assert_eq!(&numbered(io::Cursor::new(log.into_bytes())), &expected);
        }
    }
}
