//! `Scratch`: an unlinked temporary file, which uses disk instead of memory and leaves nothing
//! behind.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::ops::Range;

/// A temporary file that is written sequentially, once.
#[derive(Debug)]
pub(super) struct ScratchWriter {
    file: BufWriter<File>,
    bytes: u64,
}

/// A temporary file that is read in any order. Threads share it.
#[derive(Debug)]
pub(super) struct Scratch {
    file: File,
    bytes: u64,
}

impl ScratchWriter {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::with_capacity(1 << 18, tempfile::tempfile()?),
            bytes: 0,
        })
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Scratch> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        Ok(Scratch {
            file,
            bytes: self.bytes,
        })
    }
}

impl Scratch {
    /// Returns the number of bytes read, which is smaller at the end.
    pub(super) fn read_at(&self, place: u64, room: &mut [u8]) -> io::Result<usize> {
        let there = usize::try_from(self.bytes.saturating_sub(place)).unwrap_or(usize::MAX);
        let room_bytes = room.len();
        let room = &mut room[..room_bytes.min(there)];
        read_exact_at(&self.file, room, place)?;
        Ok(room.len())
    }
}

/// A part of a temporary file, read sequentially.
pub(super) struct ScratchPart<'f> {
    file: &'f Scratch,
    rest: Range<u64>,
}

impl<'f> ScratchPart<'f> {
    pub(super) fn new(file: &'f Scratch, rest: Range<u64>) -> Self {
        Self { file, rest }
    }
}

impl Read for ScratchPart<'_> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let there = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
        let length = room.len().min(there);
        let read = self.file.read_at(self.rest.start, &mut room[..length])?;
        self.rest.start += read as u64;
        Ok(read)
    }
}

/// Does not use the file position, which all threads share.
#[cfg(unix)]
fn read_exact_at(file: &File, room: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, place)
}

/// Moves the file position, but no caller depends on it.
#[cfg(windows)]
fn read_exact_at(file: &File, mut room: &mut [u8], mut place: u64) -> io::Result<()> {
    while !room.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, room, place)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        room = &mut room[read..];
        place += read as u64;
    }
    Ok(())
}
