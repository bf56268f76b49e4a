//! `Gathered`: the records of a body, and where its groups start, in one pass over its lines.

use alloc::vec::Vec;

use verger_simd::{Kernel, Masks, dispatch};

use crate::dialect::Reading;
use crate::read::group::{GroupMachine, GroupStep};
use crate::read::invalid_lines::InvalidLines;
use crate::read::kept_record::KeptRecord;
use crate::read::line_batch::LineBatches;
use crate::read::line_window::LineWindows;
use crate::read::record::{LineContent, unusual_content, usual_key, usual_value};
use crate::span::{Span, offset};

/// Reads all lines of a body.
struct Parse<'b> {
    body: &'b [u8],
    reading: &'b Reading,
}

impl Kernel for Parse<'_> {
    type Output = Gathered;

    #[expect(
        clippy::inline_always,
        reason = "it is compiled for the processor it runs on"
    )]
    #[inline(always)]
    fn run<M: Masks>(self, masks: M) -> Gathered {
        let Self { body, reading } = self;
        let windows = LineWindows::of(body);
        let mut batches = LineBatches::of(body, reading);
        let mut groups = GroupMachine::new(reading.blank_line);
        let mut gathered = Gathered::default();
        let mut lines_before = 0;
        while let Some(batch) = batches.next(masks) {
            gathered
                .records
                .reserve(batch.len() + batch.lines_expected_behind());
            for span in batch.spans() {
                if span.start == span.end {
                    if batch.is_line(span) {
                        lines_before += 1;
                        groups.blank_line();
                    }
                    continue;
                }
                let window = windows.at(span.start);
                if let Some(key) = window.first_chunk().and_then(usual_key) {
                    // The step that it makes in the groups comes first, while its kind is at hand.
                    let mut groups_behind = groups;
                    let step = groups_behind.record(key.kind);
                    if let Some(value) = usual_value(masks, window, key, span) {
                        let record = KeptRecord::usual(lines_before, span.start, key, value);
                        gathered.push(record, step);
                        groups = groups_behind;
                        lines_before += 1;
                        continue;
                    }
                }
                let nth = lines_before;
                lines_before += 1;
                if window.starts_with(b"#") {
                    continue;
                }
                match read_apart(nth, span, body, reading) {
                    Apart::Record(record) => {
                        let step = groups.record(record.kind());
                        gathered.push(record, step);
                    }
                    Apart::Blank => groups.blank_line(),
                    Apart::Invalid => gathered.invalid_lines.count(nth),
                    Apart::Comment => {}
                }
            }
        }
        gathered
    }
}

/// What was read of a body.
#[derive(Default)]
pub(super) struct Gathered {
    /// In file order.
    pub(super) records: Vec<KeptRecord>,
    /// Indices of the records that opened a group.
    pub(super) group_starts: Vec<u32>,
    pub(super) invalid_lines: InvalidLines,
}

impl Gathered {
    /// Reads what is read of a body.
    pub(super) fn of(body: &[u8], reading: &Reading) -> Self {
        dispatch(Parse { body, reading })
    }

    #[expect(clippy::inline_always, reason = "it is part of a kernel")]
    #[inline(always)]
    fn push(&mut self, record: KeptRecord, step: GroupStep) {
        if step == GroupStep::Opened {
            self.group_starts.push(offset(self.records.len()));
        }
        self.records.push(record.with_step(step));
    }
}

/// What a line holds that is read apart from the others.
enum Apart {
    Record(KeptRecord),
    Blank,
    Comment,
    Invalid,
}

/// Reads a line that its first octets do not decide. It is no part of the loop, so that the loop
/// stays short.
#[inline(never)]
fn read_apart(lines_before: u32, span: Span, body: &[u8], reading: &Reading) -> Apart {
    match unusual_content(body, span, reading) {
        LineContent::Record(record) => Apart::Record(KeptRecord::of(lines_before, &record)),
        LineContent::Blank => Apart::Blank,
        LineContent::Comment => Apart::Comment,
        LineContent::Invalid(_) => Apart::Invalid,
    }
}
