//! `Gathered`: the records of a body and the starts of its groups, from one pass over its lines.
//!
//! *Idea.* Lines are found in blocks (`line_text.rs`, `line_starts.rs`). A line that starts with a
//! usual key and has its whole value within a window is a record without further reading.

use alloc::vec::Vec;

use verger_simd::{Masks, kernel};

use crate::dialect::Reading;
use crate::read::group::{GroupMachine, GroupStep};
use crate::read::kept_record::KeptRecord;
use crate::read::line::{byte_order_mark_bytes, line_end};
use crate::read::line_starts::LineStarts;
use crate::read::line_text::{BLOCK, LastBytes, LineText, VALUE_WINDOW, plain_value};
use crate::read::record::{LineContent, RecordKind, read_line};
use crate::read::usual_key::usual_key;
use crate::span::{LineNumber, Span, offset};

struct Parse<'b> {
    body: &'b [u8],
    reading: &'b Reading,
    groups: GroupMachine,
    lines_before: u32,
    gathered: Gathered,
}

kernel! {
    pub(super) fn gathered<'b>(masks: M, body: &'b [u8], reading: &'b Reading) -> Gathered {
        let mut parse = Parse {
            body,
            reading,
            groups: GroupMachine::new(reading.blank_line),
            lines_before: 0,
            gathered: Gathered::default(),
        };
        parse.gathered.records.reserve(body.len() / LINE_BYTES + 4);
        let mark = byte_order_mark_bytes(body, reading.byte_order_mark);
        let (mut last, mut starts) = (LastBytes::room(), LineStarts::none());
        let mut carry = 1;
        for mut text in LineText::of_body(&body[mark..], &mut last) {
            text.base += mark;
            let mut base = 0;
            for block in text.line_blocks() {
                let ends = masks.line_ends(block);
                starts.push(base, ends << 1 | carry);
                carry = ends >> (BLOCK - 1);
                base += 64;
                if starts.is_full() {
                    parse.lines(masks, &text, starts.as_slice());
                    starts.clear();
                }
            }
            parse.lines(masks, &text, starts.as_slice());
            starts.clear();
        }
        parse.gathered
    }
}

impl Parse<'_> {
    #[inline(always)]
    fn lines<M: Masks>(&mut self, masks: M, text: &LineText<'_>, starts: &[u32]) {
        for (nth, &start) in starts.iter().enumerate() {
            let Some(line) = text.line::<VALUE_WINDOW>(start) else {
                break;
            };
            let position = text.in_body(start);
            let usual = line.first_chunk().and_then(usual_key);
            if let Some(key) = usual
                && let Some((value, bytes)) = plain_value(masks, line, key.bytes)
            {
                let gap = value + 1 - key.bytes;
                let record = (offset(position), gap, bytes.len());
                let kind = RecordKind::of_usual(key);
                let step = self.groups.record(kind);
                let record = KeptRecord::usual(self.lines_before, kind, record);
                self.gathered.push(record, step);
                self.lines_before += 1;
                continue;
            }
            if position >= self.body.len() {
                break;
            }
            match line[0] {
                // A line does not start between CR and LF.
                b'\n' if self.body[..position].ends_with(b"\r") => continue,
                b'\n' | b'\r' => self.groups.blank_line(),
                b'#' => {}
                _ => {
                    let end = match starts.get(nth + 1) {
                        Some(&next) => text.in_body(next) - 1,
                        None => line_end(self.body, position),
                    };
                    self.line_apart(Span::within(position, end.min(self.body.len())));
                }
            }
            self.lines_before += 1;
        }
    }

    /// A separate function to keep the loop short.
    #[inline(never)]
    fn line_apart(&mut self, span: Span) {
        match read_line(self.body, span, self.reading).content {
            LineContent::Record(record) => {
                let step = self.groups.record(record.kind);
                let record = KeptRecord::of(self.lines_before, &record);
                self.gathered.push(record, step);
            }
            LineContent::Blank => self.groups.blank_line(),
            LineContent::Invalid(_) => self.gathered.invalid_lines.count(self.lines_before),
            LineContent::Comment => {}
        }
    }
}

/// Typical length, in bytes.
const LINE_BYTES: usize = 32;

#[derive(Default)]
pub(super) struct Gathered {
    pub(super) records: Vec<KeptRecord>,
    pub(super) group_starts: Vec<u32>,
    pub(super) invalid_lines: InvalidLines,
}

impl Gathered {
    #[inline(always)]
    fn push(&mut self, record: KeptRecord, step: GroupStep) {
        if step == GroupStep::Opened {
            self.group_starts.push(offset(self.records.len()));
        }
        self.records.push(record.with_step(step));
    }
}

/// The number of lines of a body that were ignored as invalid, and the first of them.
/// R9309-2.3.1.5-1.
///
/// They are counted while the body is parsed, so reading the count is free.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvalidLines {
    count: u32,
    lines_before: u32,
}

impl InvalidLines {
    pub(super) fn count(&mut self, lines_before: u32) {
        if self.count == 0 {
            self.lines_before = lines_before;
        }
        self.count += 1;
    }

    /// Returns the number of invalid lines.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.count
    }

    /// Returns whether every line is valid.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the first invalid line.
    #[must_use]
    pub fn first(&self) -> Option<LineNumber> {
        (self.count > 0).then(|| LineNumber::after(self.lines_before))
    }
}
