use std::fmt::Write as _;
use std::io::{self, Read};

use verger_answer::CountOf;

use super::members::{Members, Trouble, WARC};
use super::warc_head::{Field, WarcHead};

/// Maximum number of bytes kept of a block. The rest is skipped.
pub(crate) const BLOCK_BYTES_MAX: usize = 1024 * 1024;

/// Maximum window of a Zstandard frame: 8 MiB, which every decoder should support (RFC 8878
/// 3.1.1.1.2). Each thread keeps one in memory.
const WINDOW_LOG_MAX: u32 = 23;

/// A record, as far as it could be read.
#[derive(Debug, Default)]
pub(crate) struct WarcRecord {
    /// The file offset of its member, or of the record itself if it is uncompressed.
    pub(crate) offset: u64,
    /// The number of bytes in the file. `None` if the member has more records or is damaged.
    pub(crate) length: Option<u64>,
    pub(crate) head: WarcHead,
    /// The first [`BLOCK_BYTES_MAX`] bytes of the block. Empty for records without a response.
    pub(crate) block: Vec<u8>,
    /// Whether the block has more bytes.
    pub(crate) is_cut: bool,
    /// Why the record cannot be trusted. Empty if it can.
    pub(crate) problem: String,
    /// Whether the bytes do not start like a WARC record.
    pub(crate) is_foreign: bool,
    /// Whether the record was found by a search after damage, so it may be part of another record's
    /// block.
    pub(crate) is_resynchronised: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Response,
    Resource,
    Revisit,
    /// Requests, metadata, information about the file, and so on.
    Other,
}

impl WarcRecord {
    pub(crate) fn kind(&self) -> Kind {
        let value = self.head.value(Field::Type).unwrap_or_default();
        match value.to_ascii_lowercase().as_slice() {
            b"response" => Kind::Response,
            b"resource" => Kind::Resource,
            b"revisit" => Kind::Revisit,
            _ => Kind::Other,
        }
    }

    fn clear(&mut self, offset: u64) {
        self.offset = offset;
        self.length = None;
        self.head.clear();
        self.block.clear();
        self.is_cut = false;
        self.problem.clear();
        self.is_foreign = false;
        self.is_resynchronised = false;
    }
}

/// Which records may be inside the block of a damaged record. Nothing in a block tells where it
/// ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum InDoubt {
    Nothing,
    /// Uncompressed records. A checksum shows where a compressed member ends.
    Plain,
    All,
}

/// Reads records in one pass, in bounded memory.
pub(crate) struct WarcRecords<R> {
    members: Members<R>,
    record: WarcRecord,
    is_within_member: bool,
    in_doubt: InDoubt,
    /// Whether the rest of the open member may be inside the block of one of its records.
    is_member_in_doubt: bool,
    /// Why the file cannot be read after the current record.
    failure: Option<io::Error>,
    /// The size of the file in bytes, if known.
    end: Option<u64>,
}

/// The `Content-Length` of a record is too small or too large.
const NO_RECORD_FOLLOWS: &str = "its Content-Length is wrong: no record starts after it";

/// The bytes between a block and the next record.
const BLOCK_END: &[u8] = b"\r\n\r\n";

/// The `Content-Length` of a record includes some of these bytes.
const LINE_ENDS_WITHIN: &str =
    "its Content-Length is wrong: it includes line ends that belong after the record";

/// Why a record was not read to its end.
enum Stop {
    MemberEnded,
    Trouble(Trouble),
    /// The bytes are intact but do not form a valid record.
    Malformed(&'static str),
    /// The bytes are not a WARC record.
    Foreign,
}

impl From<Trouble> for Stop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl<R: Read> WarcRecords<R> {
    pub(crate) fn new(input: R) -> Self {
        Self {
            members: Members::new(input, WINDOW_LOG_MAX),
            record: WarcRecord::default(),
            is_within_member: false,
            in_doubt: InDoubt::Nothing,
            is_member_in_doubt: false,
            failure: None,
            end: None,
        }
    }

    /// Sets the size of the file. A longer `Content-Length` then skips no records.
    pub(crate) fn ends_at(&mut self, bytes: u64) {
        self.end = Some(bytes);
    }

    /// Returns the offset up to which the file was read.
    pub(crate) fn position(&self) -> u64 {
        self.members.position()
    }

    /// Reads the next record. Returns `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read. Damage becomes a record with a problem.
    pub(crate) fn read_next(&mut self) -> io::Result<Option<&WarcRecord>> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        loop {
            if !self.is_within_member {
                self.is_member_in_doubt = false;
                self.clear(self.members.position());
                match self.members.open() {
                    Ok(true) => self.is_within_member = true,
                    Ok(false) => return Ok(None),
                    Err(Trouble::Io(error)) => return Err(error),
                    Err(Trouble::Damaged(why)) => return self.damaged(why),
                }
            }
            return match self.read() {
                Ok(()) => Ok(Some(&self.record)),
                Err(Stop::MemberEnded) => {
                    self.is_within_member = false;
                    continue;
                }
                Err(Stop::Trouble(Trouble::Io(error))) => Err(error),
                Err(Stop::Trouble(Trouble::Damaged(why))) => self.damaged(why),
                Err(Stop::Malformed(why)) => match self.malformed(why) {
                    Ok(()) => Ok(Some(&self.record)),
                    Err(Trouble::Io(error)) => Err(error),
                    Err(Trouble::Damaged(why)) => self.damaged(why),
                },
                Err(Stop::Foreign) => {
                    self.record.is_foreign = true;
                    self.damaged("no WARC record starts here")
                }
            };
        }
    }

    fn clear(&mut self, offset: u64) {
        self.record.clear(offset);
        self.record.is_resynchronised = match self.in_doubt {
            InDoubt::Nothing => self.is_member_in_doubt,
            InDoubt::Plain => self.is_member_in_doubt || self.members.is_plain(),
            InDoubt::All => true,
        };
    }

    /// Continues after damage, and returns the part of the record that was read.
    fn damaged(&mut self, why: &str) -> io::Result<Option<&WarcRecord>> {
        self.in_doubt = if self.members.has_plain_records() {
            InDoubt::All
        } else {
            InDoubt::Plain
        };
        let (to, is_open) = self.members.seek_record()?;
        self.is_within_member = is_open;
        let from = self.record.offset;
        self.record.length = None;
        if !self.record.problem.is_empty() {
            self.record.problem += "; ";
        }
        let _ = write!(
            self.record.problem,
            "{why}; {} skipped from its start",
            CountOf(to.saturating_sub(from), "byte is", "bytes are")
        );
        Ok(Some(&self.record))
    }

    /// Continues with the next record of the member or, if bytes are plain, after the start of this
    /// one.
    fn malformed(&mut self, why: &'static str) -> Result<(), Trouble> {
        if self.members.is_plain() {
            return Err(Trouble::Damaged(why));
        }
        self.record.length = None;
        if !self.record.problem.is_empty() {
            self.record.problem += "; ";
        }
        self.record.problem += why;
        self.is_within_member = self.members.seek_record_within()?;
        self.is_member_in_doubt = true;
        if self.is_within_member {
            self.record.problem += "; reading continues with the next record in the member";
        }
        Ok(())
    }

    fn read(&mut self) -> Result<(), Stop> {
        self.skip_line_ends(usize::MAX)?;
        self.clear(self.members.start());
        if self.members.peek()?.is_empty() {
            return Err(Stop::MemberEnded);
        }
        self.read_head()?;
        if self.members.is_plain() {
            self.members.note_plain_record();
        }
        let Some(length) = self.record.head.content_length() else {
            return Err(Stop::Malformed("the record has no readable Content-Length"));
        };
        let is_in_file = |end: u64| length <= end.saturating_sub(self.members.position());
        if self.members.is_plain() && !self.end.is_none_or(is_in_file) {
            return Err(Stop::Malformed(
                "the file is shorter than the Content-Length of the record",
            ));
        }
        self.read_block(length)?;
        match self.read_end() {
            // The record itself is complete.
            Err(Stop::Trouble(Trouble::Io(error))) => self.failure = Some(error),
            ended => ended?,
        }
        Ok(())
    }

    fn read_head(&mut self) -> Result<(), Stop> {
        let head = &mut self.record.head;
        for line in 0_u64.. {
            loop {
                let ahead = self.members.peek()?;
                let end = memchr::memchr(b'\n', ahead);
                let bytes = end.map_or(ahead.len(), |end| end + 1);
                if bytes == 0 {
                    if line == 0 && !head.line().starts_with(WARC) {
                        return Err(Stop::Foreign);
                    }
                    return Err(Trouble::Damaged("the record ends within its head").into());
                }
                head.push(&ahead[..bytes]);
                self.members.consume(bytes);
                if end.is_some() {
                    break;
                }
                // Stop early if this is not a WARC record, because reading on may reach damage.
                let is_record = head.line().iter().zip(WARC).all(|(byte, of)| byte == of);
                if line == 0 && (head.is_line_cut() || !is_record) {
                    return Err(Stop::Foreign);
                }
            }
            if line == 0 && !head.line().starts_with(WARC) {
                return Err(Stop::Foreign);
            }
            if head.line().is_empty() {
                break;
            }
            head.end_line();
        }
        Ok(())
    }

    fn read_block(&mut self, length: u64) -> Result<(), Stop> {
        let is_kept = self.record.kind() != Kind::Other;
        let mut left = length;
        while left > 0 {
            let ahead = self.members.peek()?;
            if ahead.is_empty() {
                if self.members.is_plain() {
                    return Err(Stop::Malformed(
                        "the file is shorter than the Content-Length of the record",
                    ));
                }
                let _ = write!(
                    self.record.problem,
                    "the record is {} shorter than its Content-Length",
                    CountOf(left, "byte", "bytes")
                );
                break;
            }
            let step = usize::try_from(left).map_or(ahead.len(), |left| left.min(ahead.len()));
            if is_kept {
                let block = &mut self.record.block;
                let kept = step.min(BLOCK_BYTES_MAX - block.len());
                block.extend_from_slice(&ahead[..kept]);
                self.record.is_cut |= kept < step;
            }
            self.members.consume(step);
            left -= step as u64;
        }
        Ok(())
    }

    /// Reads the bytes between the block and the next record.
    fn read_end(&mut self) -> Result<(), Stop> {
        let is_plain = self.members.is_plain();
        let line_ends = self.skip_line_ends(BLOCK_END.len())?;
        let from = self.record.offset;
        let length = self.members.position() - from;
        // Some writers end records with more than two empty lines.
        self.skip_line_ends(usize::MAX)?;
        // A plain file may be truncated here. A member cannot be.
        if !is_plain || !self.members.peek()?.is_empty() {
            self.note_line_ends_within_block(line_ends);
        }
        if is_plain {
            if !self.members.is_at_beginning().map_err(Trouble::Io)? {
                return Err(Stop::Malformed(NO_RECORD_FOLLOWS));
            }
            self.members.close();
            self.is_within_member = false;
            self.record.length = Some(length);
            return Ok(());
        }
        let ahead = self.members.peek_at_least(WARC.len())?;
        if ahead.is_empty() {
            self.is_within_member = false;
            self.record.length = Some(self.members.position() - from);
        } else if !ahead.starts_with(WARC) {
            return Err(Stop::Malformed(NO_RECORD_FOLLOWS));
        }
        Ok(())
    }

    /// Marks a record whose block includes line ends that belong after it. `after` of them are
    /// after it.
    fn note_line_ends_within_block(&mut self, after: usize) {
        let within = &BLOCK_END[..BLOCK_END.len() - after];
        let WarcRecord { block, is_cut, .. } = &self.record;
        if !within.is_empty()
            && !is_cut
            && block.ends_with(within)
            && self.record.problem.is_empty()
        {
            self.record.problem += LINE_ENDS_WITHIN;
        }
    }

    /// Skips line ends and returns the number of bytes.
    fn skip_line_ends(&mut self, most: usize) -> Result<usize, Stop> {
        let mut left = most;
        loop {
            let ahead = self.members.peek()?;
            let blanks = ahead.iter().take(left);
            let bytes = blanks.take_while(|byte| b"\r\n".contains(byte)).count();
            if bytes == 0 {
                return Ok(most - left);
            }
            self.members.consume(bytes);
            left -= bytes;
        }
    }
}
