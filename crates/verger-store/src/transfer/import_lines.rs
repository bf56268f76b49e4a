//! Reads and checks the lines of an import on a separate thread, while the store writes earlier lines. Parsing JSON and
//! URLs and computing hashes takes about as long as writing, so a second core halves the time of an import.
//!
//! ```text
//! reader ─→ Chunk ─→ thread: LineParser ─→ ParsedChunk ─→ the store
//! ```

use std::collections::VecDeque;
use std::io::{self, BufRead, Read as _};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::body_hash::BodyHash;
use crate::history_import::PendingSnapshot;
use crate::transfer::line_error::LineError;
use crate::transfer::read_bodies::ReadBodies;
use crate::transfer::store_line::{SnapshotLine, StoreLine};

/// Maximum length of a line, in bytes. The longest line of an export, a whole body in base64, has less than a tenth of
/// that.
const LINE_BYTES_MAX: usize = 8 << 20;

/// Size of a chunk, in bytes. The line that reaches it ends the chunk.
const CHUNK_BYTES: usize = 256 << 10;

/// Maximum number of bytes that are parsed ahead. The lines of a batch have about 2 MB, so parsing continues while a
/// batch is written.
const AHEAD_BYTES_MAX: usize = 4 << 20;

#[derive(Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// Number of lines before the chunk.
    lines_before: u64,
}

pub(crate) struct ParsedChunk {
    pub(crate) snapshots: Vec<ParsedSnapshot>,
    /// The number of the first malformed line, and what is wrong with it.
    pub(crate) wrong: Option<(u64, LineError)>,
}

/// A snapshot, and the number of its line.
#[expect(
    clippy::large_enum_variant,
    reason = "in an export all are whole, and a box would be made for each"
)]
pub(crate) enum ParsedSnapshot {
    Whole(u64, PendingSnapshot),
    /// A snapshot of which some bodies are on no earlier line. They may be in the store.
    WithoutBodies(u64, Box<SnapshotLine>, NeededBodies),
}

/// The body and the copy of a snapshot, with their bytes if they were read.
pub(crate) type NeededBodies = [Option<(BodyHash, Option<Arc<[u8]>>)>; 2];

/// Why reading ended before the end.
pub(crate) enum Interruption {
    Read(io::Error),
    TooLong { number: u64 },
}

/// Reads lines to the end, and calls `each` with the parsed chunks in order. If reading fails, `each` first gets the
/// lines before the failure.
pub(crate) fn parse<E: From<Interruption>>(
    reader: &mut dyn BufRead,
    mut each: impl FnMut(ParsedChunk) -> Result<(), E>,
) -> Result<(), E> {
    thread::scope(|scope| {
        let (chunks, to_parse) = channel();
        let (to_use, parsed) = channel();
        thread::Builder::new()
            .spawn_scoped(scope, move || parse_chunks(to_parse, &to_use))
            .map_err(Interruption::Read)?;
        let mut ahead = VecDeque::new();
        let mut ahead_bytes = 0;
        let mut lines = 0;
        let mut next = || parsed.recv().map_or(Ok(()), &mut each);
        loop {
            let (chunk, ended) = read_chunk(reader, &mut lines);
            let bytes = chunk.bytes.len();
            ahead.push_back(bytes);
            ahead_bytes += bytes;
            let is_sent = chunks.send(chunk).is_ok();
            while ahead_bytes > AHEAD_BYTES_MAX || ended.is_some() || !is_sent {
                let Some(bytes) = ahead.pop_front() else {
                    break;
                };
                ahead_bytes -= bytes;
                next()?;
            }
            if let Some(ended) = ended {
                return Ok(ended?);
            }
        }
    })
}

/// Reads a chunk. Also returns how reading ended, if it did.
fn read_chunk(
    reader: &mut dyn BufRead,
    lines: &mut u64,
) -> (Chunk, Option<Result<(), Interruption>>) {
    let mut chunk = Chunk {
        bytes: Vec::with_capacity(CHUNK_BYTES + CHUNK_BYTES / 8),
        lines_before: *lines,
    };
    while chunk.bytes.len() < CHUNK_BYTES {
        let before = chunk.bytes.len();
        let mut limited = (&mut *reader).take(LINE_BYTES_MAX as u64 + 1);
        match limited.read_until(b'\n', &mut chunk.bytes) {
            Ok(0) => return (chunk, Some(Ok(()))),
            Ok(bytes) if bytes > LINE_BYTES_MAX => {
                chunk.bytes.truncate(before);
                let number = *lines + 1;
                return (chunk, Some(Err(Interruption::TooLong { number })));
            }
            Ok(_) => *lines += 1,
            Err(error) => {
                chunk.bytes.truncate(before);
                return (chunk, Some(Err(Interruption::Read(error))));
            }
        }
    }
    (chunk, None)
}

/// Parses chunks until they end or the receiver is gone.
fn parse_chunks(chunks: Receiver<Chunk>, parsed: &Sender<ParsedChunk>) {
    let mut parser = LineParser::default();
    for chunk in chunks {
        if parsed.send(parser.chunk(&chunk)).is_err() {
            break;
        }
    }
}

#[derive(Default)]
struct LineParser {
    bodies: ReadBodies,
}

impl LineParser {
    fn chunk(&mut self, chunk: &Chunk) -> ParsedChunk {
        let mut parsed = ParsedChunk {
            snapshots: Vec::new(),
            wrong: None,
        };
        let lines = chunk.bytes.split_inclusive(|byte| *byte == b'\n');
        for (number, line) in (chunk.lines_before + 1..).zip(lines) {
            match self.line(line, number) {
                Ok(snapshot) => parsed.snapshots.extend(snapshot),
                Err(error) => {
                    parsed.wrong = Some((number, error));
                    break;
                }
            }
        }
        parsed
    }

    fn line(&mut self, line: &[u8], number: u64) -> Result<Option<ParsedSnapshot>, LineError> {
        if line.trim_ascii().is_empty() {
            return Ok(None);
        }
        let snapshot = match StoreLine::read(line)? {
            StoreLine::Body(hash, bytes) => {
                self.bodies.keep(hash, bytes);
                return Ok(None);
            }
            StoreLine::Snapshot(snapshot) => snapshot,
        };
        let bodies = snapshot
            .bodies()?
            .map(|hash| hash.map(|hash| (hash, self.bodies.bytes_of(hash).cloned())));
        let is_missing = |body: &Option<(BodyHash, Option<_>)>| {
            body.as_ref().is_some_and(|(_, bytes)| bytes.is_none())
        };
        if bodies.iter().any(is_missing) {
            let without = ParsedSnapshot::WithoutBodies(number, snapshot, bodies);
            return Ok(Some(without));
        }
        let bytes = bodies.map(|body| body.and_then(|(_, bytes)| bytes));
        let pending = PendingSnapshot::of(snapshot.observation(bytes)?);
        Ok(Some(ParsedSnapshot::Whole(number, pending)))
    }
}
