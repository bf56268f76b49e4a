//! Tracks the groups of a body in one pass, and passes on their rules.
//!
//! Lines that `body_scan.rs` does not decide by their first bytes are read here, in the same way as
//! for a tree (`record::read_line`).

use verger_simd::Masks;

use super::asked_names::{AskedNames, UserAgentValue};
use crate::dialect::{BlankLine, Reading};
use crate::limits::is_line_end;
use crate::read::group::{GroupMachine, GroupStep};
use crate::read::line::line_end;
use crate::read::line_text::LineText;
use crate::read::record::{LineContent, RecordKind, RecordLine, read_line};
use crate::span::{Span, offset};
use crate::verdict::Effect;

/// Receives the rules of the groups that matter.
pub(crate) trait RuleWork: Sized {
    /// Processes the lines at `starts` up to the first one that is not a rule of the open group,
    /// and returns how many it processed.
    fn lines<M: Masks>(
        groups: &mut GroupScan<'_, '_, '_, Self>,
        masks: M,
        text: &LineText<'_>,
        starts: &[u32],
    ) -> usize;

    /// Processes a rule of an open group, with the position of its value.
    fn rule(
        &mut self,
        names: &mut AskedNames<'_, '_>,
        rule: (Effect, &[u8], u32),
        reading: &Reading,
    );

    /// Is called when groups may apply to other names than before.
    fn names_found(&mut self, names: &AskedNames<'_, '_>);
}

pub(crate) struct GroupScan<'q, 's, 't, W> {
    body: &'q [u8],
    pub(crate) reading: &'q Reading,
    pub(crate) names: &'q mut AskedNames<'s, 't>,
    pub(crate) work: W,
    machine: GroupMachine,
}

impl<'q, 's, 't, W: RuleWork> GroupScan<'q, 's, 't, W> {
    #[inline]
    pub(crate) fn new(
        body: &'q [u8],
        reading: &'q Reading,
        names: &'q mut AskedNames<'s, 't>,
        work: W,
    ) -> Self {
        Self {
            body,
            reading,
            names,
            work,
            machine: GroupMachine::new(reading.blank_line),
        }
    }

    /// Reads the line whose key is at `key`, or that starts there, as a tree does, if it can
    /// matter.
    #[inline(never)]
    pub(crate) fn line_apart(&mut self, key: usize) {
        let before = self.body.get(..key).unwrap_or_default();
        let indent = before.iter().rev().take_while(|byte| is_white(**byte));
        let start = before.len() - indent.count();
        if !self.matters(start) {
            return;
        }
        match line_content(self.body, start, self.reading) {
            LineContent::Record(record) => self.record(&record),
            LineContent::Blank => self.blank_line(),
            LineContent::Comment | LineContent::Invalid(_) => {}
        }
    }

    fn matters(&self, start: usize) -> bool {
        let Some(line) = self.body.get(start..) else {
            return false;
        };
        // In every dialect, the key of a user-agent line or rule starts with `u`, `a` or `d`.
        let mut after = line.iter().skip_while(|byte| is_white(**byte));
        match after.next().map(u8::to_ascii_lowercase) {
            Some(b'u') => true,
            Some(b'a' | b'd') => self.names.is_open(),
            Some(byte) if is_line_end(byte) => {
                // The LF of a CR LF is not a line.
                self.reading.blank_line == BlankLine::EndsTheRecord
                    && !(start > 0 && self.body[start - 1..].starts_with(b"\r\n"))
            }
            Some(_) | None => false,
        }
    }

    fn record(&mut self, record: &RecordLine) {
        let value = record.value.of(self.body);
        match record.kind {
            RecordKind::UserAgent => {
                self.user_agent(UserAgentValue::of(value), record.key.start as usize);
            }
            RecordKind::Allow => self.rule(Effect::Allow, value, record.value.start),
            RecordKind::Disallow => self.rule(Effect::Disallow, value, record.value.start),
            _ => {}
        }
    }

    #[inline(never)]
    pub(crate) fn user_agent(&mut self, value: UserAgentValue<'_>, position: usize) {
        if self.machine.record(RecordKind::UserAgent) == GroupStep::Opened {
            self.names.close_group(self.reading);
        }
        self.names.user_agent(value, offset(position), self.reading);
        self.work.names_found(self.names);
    }

    fn rule(&mut self, effect: Effect, value: &[u8], position: u32) {
        if self.takes_rule() {
            let Self { names, reading, .. } = self;
            self.work.rule(names, (effect, value, position), reading);
        }
    }

    /// Registers a rule. Returns whether it and the rules that follow directly can change the
    /// answer.
    pub(crate) fn takes_rule(&mut self) -> bool {
        if self.machine.record(RecordKind::Disallow) != GroupStep::Joined {
            return false;
        }
        self.names.rule(self.reading);
        self.work.names_found(self.names);
        self.names.takes_rules()
    }

    #[inline]
    pub(crate) fn is_ruling(&self) -> bool {
        self.machine.is_ruling()
    }

    fn blank_line(&mut self) {
        self.machine.blank_line();
        if self.reading.blank_line == BlankLine::EndsTheRecord {
            self.names.close_group(self.reading);
        }
    }
}

pub(super) fn line_content(body: &[u8], start: usize, reading: &Reading) -> LineContent {
    let span = Span::within(start, line_end(body, start));
    read_line(body, span, reading).content
}

/// Returns whether the byte is white space before a key in any dialect.
pub(crate) fn is_white(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0B | 0x0C)
}
