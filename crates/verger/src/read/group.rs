//! Collects records into groups: a small state machine (RFC 9309 2.1, and K96-3.2 for records).
//!
//! | state | user-agent line | rule | other record | blank line (`koster1996`) |
//! |---|---|---|---|---|
//! | outside any group | opens a group → naming | ignored, R9309-2.2.2-17 | – | – |
//! | naming crawlers | joins the group | joins it → ruling | joins it | → outside |
//! | ruling | opens a group → naming | joins the group | joins it | → outside |
//!
//! "Parsing of other records MUST NOT interfere with the parsing of explicitly defined records":
//! other records never change the state. R9309-2.2.4-3.

use crate::dialect::BlankLine;
use crate::read::record::RecordKind;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupStep {
    Opened,
    Joined,
    Outside,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Outside,
    Naming,
    Ruling,
}

#[derive(Clone, Copy, Debug)]
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

    #[inline(always)]
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

    /// Further rules do not change the state of a ruling group.
    pub(crate) fn is_ruling(self) -> bool {
        self.state == State::Ruling
    }

    pub(crate) fn is_in_a_group(self) -> bool {
        self.state != State::Outside
    }

    pub(crate) fn blank_line(&mut self) {
        match self.blank_line {
            BlankLine::Insignificant => {}
            BlankLine::EndsTheRecord => self.state = State::Outside,
        }
    }
}
