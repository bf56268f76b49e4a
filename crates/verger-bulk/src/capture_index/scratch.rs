//! `Scratch`: an unlinked temporary file: it takes disk, not memory, and nothing is left of it.

use std::fs::File;
use std::io::{self, BufWriter, Write};

/// A temporary file that is written once, from its start to its end.
#[derive(Debug)]
pub(super) struct ScratchWriter {
    file: BufWriter<File>,
    octets: u64,
}

/// A temporary file that is read in any order. Threads share it.
#[derive(Debug)]
pub(super) struct Scratch {
    file: File,
    octets: u64,
}

impl ScratchWriter {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::with_capacity(1 << 18, tempfile::tempfile()?),
            octets: 0,
        })
    }

    /// Where the next octet is written.
    pub(super) fn octets(&self) -> u64 {
        self.octets
    }

    pub(super) fn write(&mut self, octets: &[u8]) -> io::Result<()> {
        self.file.write_all(octets)?;
        self.octets += octets.len() as u64;
        Ok(())
    }

    pub(super) fn finish(self) -> io::Result<Scratch> {
        let file = self
            .file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)?;
        Ok(Scratch {
            file,
            octets: self.octets,
        })
    }
}

impl Scratch {
    /// Fills `room` with the octets at a place, as far as there are any; returns how many.
    pub(super) fn read_at(&self, place: u64, room: &mut [u8]) -> io::Result<usize> {
        let there = usize::try_from(self.octets.saturating_sub(place)).unwrap_or(usize::MAX);
        let room_octets = room.len();
        let room = &mut room[..room_octets.min(there)];
        read_exact_at(&self.file, room, place)?;
        Ok(room.len())
    }
}

/// Reads without the position of the file, which all threads have in common.
#[cfg(unix)]
fn read_exact_at(file: &File, room: &mut [u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, room, place)
}

/// Reads at a place; each call moves the position of the file, and none depends on it.
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
