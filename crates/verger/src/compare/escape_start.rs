//! `EscapeStart`: a `%`, or `%` and a hexadecimal digit, at the end of a pattern or before a `*`
//! (V-97).
//!
//! A `%` without two hexadecimal digits equals `%25`. At these places it is also the beginning of
//! an escape that a request contains: `/query%` matches `/query%20x`. Only here does a match depend
//! on how a target is written, and not on its comparison form alone.

use crate::compare::byte_search::{find_outsider, question_mark_of};
use crate::compare::bytes::{
    ComparedTarget, OWN_FORM, Written, WrittenBytes, is_sent, is_unreserved,
};

/// The beginning of an escape, at the end of a pattern or before a `*`.
///
/// It matches `%25` and the digit, or an escape that begins with it. The target either contains
/// that escape, and it does not encode an unreserved character, or a client writes it for a byte
/// that requests cannot contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EscapeStart {
    digit: Option<u8>,
}

impl EscapeStart {
    /// Reads the rest of a value after a `%`, including a final `$`.
    pub(crate) fn of(after_percent: &[u8]) -> Option<Self> {
        let digit = match *after_percent {
            [] | [b'*', ..] => None,
            [digit] | [digit, b'*', ..] if digit.is_ascii_hexdigit() => Some(digit),
            _ => return None,
        };
        Some(Self { digit })
    }

    /// Returns the hexadecimal digit after the `%`, as written, if there is one.
    #[must_use]
    pub fn digit(self) -> Option<u8> {
        self.digit
    }

    /// Returns whether the escape of `byte` begins like this.
    #[must_use]
    pub fn begins_escape_of(self, byte: u8) -> bool {
        let value = |digit| char::from(digit).to_digit(16);
        self.digit
            .is_none_or(|digit| value(digit) == Some(u32::from(byte >> 4)))
    }

    /// Returns the size of a match at the start of `form`, whose first unit has `unit_bytes` and is
    /// written as `written`.
    pub(crate) fn match_bytes(
        self,
        written: Written,
        form: &[u8],
        unit_bytes: usize,
    ) -> Option<usize> {
        let escaped = match written {
            Written::Escaped(byte) => (!is_unreserved(byte)).then_some(byte),
            Written::Raw(byte) => (!is_sent(byte)).then_some(byte),
        };
        if escaped.is_some_and(|byte| self.begins_escape_of(byte)) {
            return Some(unit_bytes);
        }
        let after_percent = form.strip_prefix(b"%25")?;
        match self.digit {
            None => Some(unit_bytes),
            Some(digit) => (after_percent.first() == Some(&digit)).then_some(unit_bytes + 1),
        }
    }
}

/// Reads the units of a target at which the beginning of an escape may match, in order and each
/// once.
#[derive(Clone, Debug)]
pub(crate) struct EscapableUnits<'t> {
    target: &'t [u8],
    question_mark: Option<usize>,
    /// The bytes of the form before `rest`.
    read: usize,
    /// The bytes as written, from the start of a unit on.
    rest: WrittenBytes<'t>,
}

/// A unit that is written as an escape or as a byte that is not its own form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EscapableUnit {
    /// Its start in the form.
    pub(crate) at: usize,
    /// Its size in the form.
    pub(crate) bytes: usize,
    pub(crate) written: Written,
}

impl<'t> EscapableUnits<'t> {
    pub(crate) fn of(target: &ComparedTarget<'t>) -> Self {
        // All units before that are bytes, raw in the form as well.
        let first = find_outsider(target.written, &OWN_FORM).unwrap_or(target.written.len());
        Self {
            target: target.form,
            question_mark: question_mark_of(target.form),
            read: first,
            rest: WrittenBytes::of(&target.written[first..]),
        }
    }

    /// Returns the form of the target.
    pub(crate) fn target(&self) -> &'t [u8] {
        self.target
    }

    /// Returns the place in the form of the `?` that starts the query.
    pub(crate) fn question_mark(&self) -> Option<usize> {
        self.question_mark
    }

    /// Returns how many bytes of the form were read.
    #[cfg(test)]
    pub(crate) fn read(&self) -> usize {
        self.read
    }
}

impl Iterator for EscapableUnits<'_> {
    type Item = EscapableUnit;

    fn next(&mut self) -> Option<EscapableUnit> {
        self.read += self.rest.raw_run(&OWN_FORM).len();
        let written = self.rest.next()?;
        let at = self.read;
        let bytes = match self.target.get(at) {
            Some(b'%') => 3,
            _ => 1,
        };
        self.read += bytes;
        Some(EscapableUnit { at, bytes, written })
    }
}
