use std::io::{self, BufRead, ErrorKind, Read};

use crate::warc::members::{Members, Trouble};

/// Maximum window of a Zstandard frame: 128 MiB, the default limit of `zstd`.
const WINDOW_LOG_MAX: u32 = 27;

pub(super) struct Decompressed {
    members: Members<Box<dyn Read>>,
    is_compressed: bool,
}

impl Decompressed {
    pub(super) fn new(input: Box<dyn Read>) -> Self {
        Self {
            members: Members::new(input, WINDOW_LOG_MAX),
            is_compressed: false,
        }
    }

    /// Opens the next member. Returns false at the end.
    fn open(&mut self) -> io::Result<bool> {
        if !self.members.open().map_err(in_words)? {
            return Ok(false);
        }
        if self.is_compressed && self.members.is_plain() {
            let problem = "other bytes follow the compressed data";
            return Err(io::Error::new(ErrorKind::InvalidData, problem));
        }
        self.is_compressed = !self.members.is_plain();
        Ok(true)
    }
}

impl BufRead for Decompressed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        while self.members.peek().map_err(in_words)?.is_empty() && self.open()? {}
        self.members.peek().map_err(in_words)
    }

    fn consume(&mut self, bytes: usize) {
        self.members.consume(bytes);
    }
}

impl Read for Decompressed {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(room)?;
        self.consume(read);
        Ok(read)
    }
}

fn in_words(trouble: Trouble) -> io::Error {
    match trouble {
        Trouble::Io(error) => error,
        Trouble::Damaged(why) => io::Error::new(ErrorKind::InvalidData, why),
    }
}
