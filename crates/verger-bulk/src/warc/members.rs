//! `Members`: decodes gzip members, Zstandard frames and plain bytes one by one.

use std::io::{self, Read};

use crc32fast::Hasher;
use flate2::{Decompress, FlushDecompress, Status};
use memchr::memmem;
use zstd::stream::raw::{DParameter, Decoder as FrameDecoder, Operation as _};

use super::counted_input::CountedInput;

const OUTPUT_BYTES: usize = 64 * 1024;

/// What `zstd` rejects: damage, a missing dictionary, or a window that is too large.
const FRAME_DAMAGED: &str =
    "a Zstandard frame is damaged, or needs a dictionary or too much memory";

/// Maximum size of a gzip header, in bytes. A file name in it cannot be longer.
const GZIP_HEAD_BYTES_MAX: usize = 4096 + 64;

pub(crate) const WARC: &[u8] = b"WARC/";

/// The start of a record that is searched for after damage. In plain bytes, a digit and a line end
/// must follow.
const BEGINNING: &[u8] = b"WARC/1.";

/// Length of the first line of a record with its line end, in bytes.
const BEGINNING_LINE_BYTES: usize = BEGINNING.len() + 3;

/// Why bytes could not be read.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The file cannot be read.
    Io(io::Error),
    Damaged(&'static str),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Plain,
    Gzip,
    Zstandard,
}

/// The state of the current member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Between,
    /// More bytes may follow.
    Within,
    /// The last byte of a gzip member was decoded, but its checksum has not been verified.
    AtCheck,
    /// The member has ended.
    Ended,
}

pub(crate) struct Members<R> {
    input: CountedInput<R>,
    form: Form,
    state: State,
    start: u64,
    inflate: Decompress,
    /// Checksum of the decoded bytes of a gzip member.
    check: Hasher,
    frame: FrameDecoder<'static>,
    output: Vec<u8>,
    begin: usize,
    end: usize,
    /// Number of bytes read again after damage, at most as many as were read at all.
    read_again: u64,
    /// Whether there were plain records, which may contain compressed members in their blocks.
    has_plain_records: bool,
}

impl<R: Read> Members<R> {
    /// Reads a file. Zstandard frames may have windows of at most 2 to the power of
    /// `window_log_max` bytes, which are kept in memory.
    ///
    /// # Panics
    ///
    /// Panics if there is not enough memory or the window size is not supported.
    pub(crate) fn new(input: R, window_log_max: u32) -> Self {
        let mut frame = FrameDecoder::new().expect("there is memory for a decoder");
        let window = frame.set_parameter(DParameter::WindowLogMax(window_log_max));
        window.expect("the window size is supported");
        Self {
            input: CountedInput::new(input),
            form: Form::Plain,
            state: State::Between,
            start: 0,
            inflate: Decompress::new(false),
            check: Hasher::new(),
            frame,
            output: vec![0; OUTPUT_BYTES],
            begin: 0,
            end: 0,
            read_again: 0,
            has_plain_records: false,
        }
    }

    pub(crate) fn position(&self) -> u64 {
        self.input.position()
    }

    /// Returns the offset of the open member, or of the next byte if bytes are plain.
    pub(crate) fn start(&self) -> u64 {
        match self.form {
            Form::Plain => self.input.position(),
            Form::Gzip | Form::Zstandard => self.start,
        }
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.form == Form::Plain
    }

    /// Records that the file has uncompressed records. After damage, the search includes these.
    pub(crate) fn note_plain_record(&mut self) {
        self.has_plain_records = true;
    }

    /// Returns whether there were uncompressed records.
    pub(crate) fn has_plain_records(&self) -> bool {
        self.has_plain_records
    }

    /// Opens the next member. Returns false at the end of the file. A skippable Zstandard frame
    /// (RFC 8878 3.1.2) is a member without bytes.
    pub(crate) fn open(&mut self) -> Result<bool, Trouble> {
        self.state = State::Between;
        (self.begin, self.end) = (0, 0);
        self.form = match self.input.peek(WARC.len())? {
            [] => return Ok(false),
            [0x1F, 0x8B, ..] => Form::Gzip,
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Form::Zstandard,
            _ => Form::Plain,
        };
        self.start = self.input.position();
        match self.form {
            Form::Plain => {}
            Form::Gzip => self.open_gzip()?,
            Form::Zstandard => self.frame.reinit()?,
        }
        self.state = State::Within;
        Ok(true)
    }

    /// Ends the open member early. It must be plain, because the next one is expected right here.
    pub(crate) fn close(&mut self) {
        self.state = State::Between;
    }

    fn open_gzip(&mut self) -> Result<(), Trouble> {
        let head = self.input.peek(GZIP_HEAD_BYTES_MAX)?;
        let bytes = gzip_head_bytes(head)?;
        self.input.consume(bytes);
        self.inflate.reset(false);
        self.check.reset();
        Ok(())
    }

    pub(crate) fn peek(&mut self) -> Result<&[u8], Trouble> {
        self.peek_at_least(1)
    }

    /// Returns the next bytes of the open member: at least `wanted`, which must be far below the
    /// buffer size, unless the member ends first.
    pub(crate) fn peek_at_least(&mut self, wanted: usize) -> Result<&[u8], Trouble> {
        if self.form == Form::Plain {
            return Ok(match self.state {
                State::Within => self.input.peek(wanted)?,
                State::Between | State::AtCheck | State::Ended => &[],
            });
        }
        while self.end - self.begin < wanted {
            self.output.copy_within(self.begin..self.end, 0);
            (self.begin, self.end) = (0, self.end - self.begin);
            match (self.state, self.form) {
                (State::Between | State::Ended, _) => break,
                (State::Within, Form::Zstandard) => self.decode_frame()?,
                (State::Within, _) => self.inflate()?,
                (State::AtCheck, _) => self.check()?,
            }
        }
        Ok(&self.output[self.begin..self.end])
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        match self.form {
            Form::Plain => self.input.consume(bytes),
            Form::Gzip | Form::Zstandard => self.begin = self.end.min(self.begin + bytes),
        }
    }

    fn inflate(&mut self) -> Result<(), Trouble> {
        let ahead = self.input.peek(1)?;
        if ahead.is_empty() {
            return Err(Trouble::Damaged("the file ends within a gzip member"));
        }
        let before = (self.inflate.total_in(), self.inflate.total_out());
        let flush = FlushDecompress::None;
        let status = self
            .inflate
            .decompress(ahead, &mut self.output[self.end..], flush);
        let status = status.map_err(|_| Trouble::Damaged("a gzip member is damaged"))?;
        let bytes = |now: u64, before: u64| usize::try_from(now - before).unwrap_or(0);
        let read = bytes(self.inflate.total_in(), before.0);
        let made = bytes(self.inflate.total_out(), before.1);
        self.input.consume(read);
        self.check.update(&self.output[self.end..self.end + made]);
        self.end += made;
        match status {
            Status::StreamEnd => self.state = State::AtCheck,
            Status::Ok | Status::BufError if read == 0 && made == 0 => {
                return Err(Trouble::Damaged("a gzip member is damaged"));
            }
            Status::Ok | Status::BufError => {}
        }
        Ok(())
    }

    fn decode_frame(&mut self) -> Result<(), Trouble> {
        let ahead = self.input.peek(1)?;
        let decoded = self
            .frame
            .run_on_buffers(ahead, &mut self.output[self.end..]);
        let decoded = decoded.map_err(|_| Trouble::Damaged(FRAME_DAMAGED))?;
        if ahead.is_empty() && decoded.bytes_written == 0 {
            return Err(Trouble::Damaged("the file ends within a Zstandard frame"));
        }
        self.input.consume(decoded.bytes_read);
        self.end += decoded.bytes_written;
        if decoded.remaining == 0 {
            self.state = State::Ended;
        }
        Ok(())
    }

    /// Verifies the length and the checksum after a gzip member.
    fn check(&mut self) -> Result<(), Trouble> {
        let ahead = self.input.peek(8)?;
        let Some((sum, [amount, ..])) = ahead.as_chunks::<4>().0.split_first() else {
            return Err(Trouble::Damaged("the file ends within a gzip member"));
        };
        let stated = (u32::from_le_bytes(*sum), u32::from_le_bytes(*amount));
        let amount = self.inflate.total_out() & u64::from(u32::MAX);
        if stated.0 != self.check.clone().finalize() || u64::from(stated.1) != amount {
            return Err(Trouble::Damaged("a gzip member has a wrong checksum"));
        }
        self.input.consume(8);
        self.state = State::Ended;
        Ok(())
    }

    /// Skips to the next possible record in the open member, or to its end. Returns whether there
    /// is one.
    pub(crate) fn seek_record_within(&mut self) -> Result<bool, Trouble> {
        loop {
            let ahead = self.peek_at_least(BEGINNING.len())?;
            let found = memmem::find(ahead, BEGINNING);
            let passed = match found {
                Some(at) => at,
                None if ahead.len() < BEGINNING.len() => ahead.len(),
                None => ahead.len() - (BEGINNING.len() - 1),
            };
            let is_at_end = found.is_none() && ahead.len() < BEGINNING.len();
            self.consume(passed);
            if found.is_some() || is_at_end {
                return Ok(found.is_some());
            }
        }
    }

    /// Returns whether plain bytes continue with a record, a member that starts with a record, or
    /// the end of the file.
    pub(crate) fn is_at_beginning(&mut self) -> io::Result<bool> {
        let ahead = self.input.peek(WARC.len())?;
        let ahead = &ahead[..ahead.len().min(WARC.len())];
        if WARC.starts_with(ahead) || beginning(ahead, false) != Some(0) {
            return Ok(WARC.starts_with(ahead));
        }
        let start = self.input.position();
        let is_record = self.opens_record();
        self.input.step_back_to(start);
        (self.form, self.state) = (Form::Plain, State::Within);
        is_record
    }

    /// Opens what comes next. Returns whether it starts with a record or is the end of the file.
    fn opens_record(&mut self) -> io::Result<bool> {
        let ahead = match self.open() {
            Ok(true) => self.peek_at_least(WARC.len()),
            Ok(false) => return Ok(true),
            Err(trouble) => Err(trouble),
        };
        match ahead {
            Ok(ahead) => Ok(ahead.starts_with(WARC)),
            Err(Trouble::Damaged(_)) => Ok(false),
            Err(Trouble::Io(error)) => Err(error),
        }
    }

    /// Searches for the next record after damage and opens its member, if there are plain records.
    /// Otherwise searches for the next member. Returns its offset, and whether it is open.
    pub(crate) fn seek_record(&mut self) -> io::Result<(u64, bool)> {
        loop {
            self.seek_beginning()?;
            let offset = self.input.position();
            if !self.has_plain_records {
                return Ok((offset, false));
            }
            // The block of a plain record may also be gzip.
            if self.opens_record()? {
                return Ok((offset, self.state != State::Between));
            }
        }
    }

    /// Searches after damage for a possible start: a gzip header, a Zstandard frame or, if records
    /// are plain, a line with `WARC/1.`. Starts just after the start of the damaged member, if the
    /// buffer still contains it.
    fn seek_beginning(&mut self) -> io::Result<()> {
        let is_plain = self.form == Form::Plain || self.has_plain_records;
        let position = self.input.position();
        if self.read_again + (position - self.start) <= position {
            self.read_again += self.input.step_back_to(self.start + 1);
        }
        if self.input.position() <= self.start {
            // The header was examined but not consumed.
            self.input.consume(1);
        }
        self.state = State::Between;
        loop {
            let ahead = self.input.peek(BEGINNING_LINE_BYTES)?;
            let found = beginning(ahead, is_plain);
            let is_at_end = ahead.len() < BEGINNING_LINE_BYTES;
            let passed = match found {
                Some(at) => at,
                None if is_at_end => ahead.len(),
                None => ahead.len() - (BEGINNING_LINE_BYTES - 1),
            };
            self.input.consume(passed);
            if found.is_some() || is_at_end {
                return Ok(());
            }
        }
    }
}

/// Returns where a member seems to start.
fn beginning(bytes: &[u8], is_plain: bool) -> Option<usize> {
    let gzip = memmem::find_iter(bytes, b"\x1F\x8B\x08");
    let gzip = gzip.filter(|at| bytes.get(at + 3).is_none_or(|flags| flags & 0xE0 == 0));
    let zstandard = memmem::find(bytes, b"\x28\xB5\x2F\xFD");
    let plain = is_plain.then(|| {
        let mut lines = memmem::find_iter(bytes, BEGINNING);
        lines.find(|at| is_beginning_line(&bytes[at + BEGINNING.len()..]))
    });
    let found = [gzip.min(), zstandard, plain.flatten()];
    found.into_iter().flatten().min()
}

/// Returns whether the bytes after `WARC/1.`, as far as present, complete the first line of a
/// record.
fn is_beginning_line(rest: &[u8]) -> bool {
    match rest {
        [] => true,
        [digit, end @ ..] => {
            digit.is_ascii_digit() && matches!(end, [] | [b'\n', ..] | [b'\r'] | [b'\r', b'\n', ..])
        }
    }
}

/// Returns the length of a gzip header (RFC 1952 2.3).
fn gzip_head_bytes(head: &[u8]) -> Result<usize, Trouble> {
    let cut = || Trouble::Damaged("the header of a gzip member is truncated or too long");
    let &[_, _, method, flags, ..] = head else {
        return Err(cut());
    };
    if method != 8 || flags & 0xE0 != 0 {
        return Err(Trouble::Damaged("the header of a gzip member is malformed"));
    }
    let mut bytes = 10;
    if flags & 4 != 0 {
        let length = head.get(bytes..bytes + 2).ok_or_else(cut)?;
        bytes += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for text in [8, 16] {
        if flags & text != 0 {
            let rest = head.get(bytes..).ok_or_else(cut)?;
            bytes += memchr::memchr(0, rest).ok_or_else(cut)? + 1;
        }
    }
    if flags & 2 != 0 {
        bytes += 2;
    }
    if bytes > head.len() {
        return Err(cut());
    }
    Ok(bytes)
}
