use std::collections::BTreeSet;
use std::net::IpAddr;
use std::ops::Range;

use crate::log::LogLine;

const BYTES_MAX: usize = 8 << 20;

const LINES_MAX: usize = 100_000;

const ADDRESSES_MAX: usize = 2_000;

/// Lines that wait for host names, in bounded memory.
#[derive(Debug, Default)]
pub(super) struct LineBlock {
    bytes: Vec<u8>,
    lines: Vec<(u64, Option<Range<usize>>)>,
    addresses: BTreeSet<IpAddr>,
}

impl LineBlock {
    pub(super) fn push(&mut self, line: &LogLine<'_>, address: Option<IpAddr>) {
        let kept = line.bytes.map(|bytes| {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(bytes);
            start..self.bytes.len()
        });
        self.lines.push((line.number, kept));
        self.addresses.extend(address);
    }

    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() >= BYTES_MAX
            || self.lines.len() >= LINES_MAX
            || self.addresses.len() >= ADDRESSES_MAX
    }

    /// Returns the addresses to query.
    pub(super) fn addresses(&self) -> &BTreeSet<IpAddr> {
        &self.addresses
    }

    pub(super) fn lines(&self) -> impl Iterator<Item = LogLine<'_>> {
        self.lines.iter().map(|(number, kept)| LogLine {
            number: *number,
            bytes: kept.clone().map(|kept| &self.bytes[kept]),
        })
    }

    /// Keeps the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.lines.clear();
        self.addresses.clear();
    }
}
