//! Records → groups: a machine of two states (RFC 9309 2.1; K96-3.2 for records).
//!
//! | state | user-agent line | rule | other record | blank line (`koster1996`) |
//! |---|---|---|---|---|
//! | outside any group | opens a group → naming | ignored, R9309-2.2.2-17 | – | – |
//! | naming crawlers | joins the group | joins it → ruling | joins it | → outside |
//! | ruling | opens a group → naming | joins the group | joins it | → outside |
//!
//! "Parsing of other records MUST NOT interfere with the parsing of explicitly defined records":
//! no other record ever changes the state. R9309-2.2.4-3.

use core::ops::Range;

use crate::dialect::BlankLine;
use crate::record::RecordKind;
use crate::span::offset;

/// A group, as the range of the records that belong to it; the first one is a user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GroupExtent {
    start: u32,
    end: u32,
    has_rules: bool,
}

impl GroupExtent {
    /// Indices of its records.
    pub(crate) fn records(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Whether an allow or disallow line stands in it, an empty one counted too.
    pub(crate) fn has_rules(self) -> bool {
        self.has_rules
    }
}

/// What one line did to the groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupStep {
    /// It opened a group; the one before it, if any, is complete.
    Opened,
    /// It belongs to the open group.
    Joined,
    /// It belongs to no group.
    Outside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Outside,
    Naming,
    Ruling,
}

/// Follows the records of a body.
#[derive(Clone, Debug)]
pub(crate) struct GroupMachine {
    state: State,
    blank_line: BlankLine,
}

impl GroupMachine {
    pub(crate) fn new(blank_line: BlankLine) -> Self {
        Self {
            state: State::Outside,
            blank_line,
        }
    }

    pub(crate) fn record(&mut self, kind: RecordKind) -> GroupStep {
        match (self.state, kind) {
            (State::Outside | State::Ruling, RecordKind::UserAgent) => {
                self.state = State::Naming;
                GroupStep::Opened
            }
            // "Crawlers [...] SHOULD ignore [...] rules that are not part of any group"
            (State::Outside, _) => GroupStep::Outside,
            (State::Naming, kind) if kind.is_rule() => {
                self.state = State::Ruling;
                GroupStep::Joined
            }
            (State::Naming | State::Ruling, _) => GroupStep::Joined,
        }
    }

    /// Whether a rule stands in the open group, so that another one changes nothing.
    pub(crate) fn is_ruling(&self) -> bool {
        self.state == State::Ruling
    }

    pub(crate) fn blank_line(&mut self) {
        match self.blank_line {
            BlankLine::Insignificant => {}
            BlankLine::EndsTheRecord => self.state = State::Outside,
        }
    }
}

/// Gathers the extents of groups while records are appended.
#[derive(Clone, Debug)]
pub(crate) struct GroupBuilder {
    machine: GroupMachine,
    groups: alloc::vec::Vec<GroupExtent>,
}

impl GroupBuilder {
    pub(crate) fn new(blank_line: BlankLine) -> Self {
        Self {
            machine: GroupMachine::new(blank_line),
            groups: alloc::vec::Vec::new(),
        }
    }

    /// The record at `index`, which is one more than the last one's.
    pub(crate) fn record(&mut self, index: usize, kind: RecordKind) {
        let end = offset(index + 1);
        match self.machine.record(kind) {
            GroupStep::Opened => self.groups.push(GroupExtent {
                start: offset(index),
                end,
                has_rules: false,
            }),
            GroupStep::Joined => {
                if let Some(group) = self.groups.last_mut() {
                    group.end = end;
                    group.has_rules |= kind.is_rule();
                }
            }
            GroupStep::Outside => {}
        }
    }

    pub(crate) fn blank_line(&mut self) {
        self.machine.blank_line();
    }

    pub(crate) fn finish(self) -> alloc::boxed::Box<[GroupExtent]> {
        self.groups.into_boxed_slice()
    }
}
