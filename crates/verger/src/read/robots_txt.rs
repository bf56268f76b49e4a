//! `RobotsTxt`: a parsed body. Parsing never fails, because any bytes are a robots.txt (RFC 9309
//! 2.1, 2.3.1.5).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

use crate::allocated_bytes::allocated_bytes;
use crate::dialect::{Dialect, Reading};
use crate::limits;
use crate::read::encoding;
use crate::read::gathered::{InvalidLines, gathered};
use crate::read::group::GroupStep;
use crate::read::kept_record::KeptRecord;
use crate::read::line;
use crate::read::record::{KeyForm, RecordKind, RecordLine, Separator};
use crate::span::{LineNumber, Position, Span, offset};
use crate::verdict::Effect;

/// A parsed robots.txt file, read in one dialect: one buffer and spans into it.
///
/// Parse once and use it for any number of crawlers. It is immutable, and `Send + Sync`.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
///
/// let robots = RobotsTxt::parse("User-agent: *\nDisallow: /a # why\n", Dialect::Rfc9309);
/// let rule = robots.groups().next().unwrap().rules().next().unwrap();
/// assert_eq!((rule.line().get(), rule.column(), rule.pattern()), (2, 1, &b"/a"[..]));
/// ```
#[derive(Clone, Debug)]
pub struct RobotsTxt {
    body: Box<[u8]>,
    bytes_read: usize,
    reading: Reading,
    records: Box<[KeptRecord]>,
    group_starts: Box<[u32]>,
    invalid_lines: InvalidLines,
}

impl RobotsTxt {
    /// Parses a body in a dialect, or in a [`Reading`] with options. It never fails. Lines that
    /// cannot be read are ignored, and [`RobotsTxt::diagnostics`] reports them. R9309-2.3.1.5-1.
    ///
    /// Time and memory are linear in the body. Except in `google`, at most
    /// [`limits::BODY_BYTES_MAX`] bytes are read.
    pub fn parse(body: impl Into<Vec<u8>>, reading: impl Into<Reading>) -> Self {
        let reading = reading.into();
        let body = encoding::bridged(body.into(), reading.encoding_mismatch);
        let bytes_read = limits::bytes_read(&body, reading.body_limit);
        let gathered = gathered(&body[..bytes_read], &reading);
        Self {
            body: body.into_boxed_slice(),
            bytes_read,
            reading,
            records: gathered.records.into_boxed_slice(),
            group_starts: gathered.group_starts.into_boxed_slice(),
            invalid_lines: gathered.invalid_lines,
        }
    }

    /// Returns the whole body, which all spans refer to. It differs from the input only if the
    /// reading converted another encoding.
    #[must_use]
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Returns how many bytes of the body were read. This is less than its length if a limit cut
    /// it.
    #[must_use]
    pub fn bytes_read(&self) -> usize {
        self.bytes_read
    }

    /// Returns how many lines were ignored as invalid, and the first of them.
    /// [`RobotsTxt::diagnostics`] lists them all.
    #[must_use]
    pub fn invalid_lines(&self) -> InvalidLines {
        self.invalid_lines
    }

    /// Returns how the body was read.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Returns the dialect in which the body was read.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.reading.dialect()
    }

    /// Returns the heap memory in use, in bytes, including allocator overhead (`allocated_bytes`).
    /// Caches can use it as a weight.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        allocated_bytes(self.body.len())
            + allocated_bytes(size_of_val(&*self.records))
            + allocated_bytes(size_of_val(&*self.group_starts))
    }

    /// Returns all records in file order, inside and outside of groups.
    pub fn records(&self) -> impl ExactSizeIterator<Item = Record<'_>> + DoubleEndedIterator {
        (0..self.records.len()).map(|index| self.nth_record(index))
    }

    /// Returns the records of one kind, in file order.
    pub fn records_of(&self, kind: RecordKind) -> impl Iterator<Item = Record<'_>> {
        self.records().filter(move |record| record.kind() == kind)
    }

    /// Returns all groups in file order.
    ///
    /// In `koster1996` this includes user-agent lines without a rule, although they are not a
    /// record and name no crawler ([`Group::is_record`]).
    pub fn groups(&self) -> impl ExactSizeIterator<Item = Group<'_>> + DoubleEndedIterator + Clone {
        (0..self.group_starts.len()).map(|index| self.nth_group(index))
    }

    /// Returns a group by its number, counted from 0 in file order, or `None` if the number is out
    /// of range.
    ///
    /// Takes constant time, or O(log records) in `koster1996`.
    #[must_use]
    pub fn group(&self, index: usize) -> Option<Group<'_>> {
        (index < self.group_starts.len()).then(|| self.nth_group(index))
    }

    /// *Invariant*: the records that joined a group directly follow its first record. A record
    /// outside of groups comes before the first group or, in `koster1996`, after the joined ones.
    fn nth_group(&self, index: usize) -> Group<'_> {
        let start = self.group_starts[index];
        let next = self.group_starts.get(index + 1);
        let next = next.map_or(self.records.len(), |&next| next as usize);
        let after = &self.records[start as usize + 1..next];
        let has_joined = |record: &KeptRecord| record.step() == GroupStep::Joined;
        let joined = match after.last() {
            Some(last) if !has_joined(last) => after.partition_point(has_joined),
            _ => after.len(),
        };
        Group {
            robots: self,
            index,
            start,
            end: start + 1 + offset(joined),
        }
    }

    /// Returns a record by its number, counted from 0 in file order, or `None` if the number is out
    /// of range. Takes constant time.
    #[must_use]
    pub fn record(&self, index: usize) -> Option<Record<'_>> {
        (index < self.records.len()).then(|| self.nth_record(index))
    }

    /// Returns the record with this number as a rule, or `None` if it is not one. Takes constant
    /// time.
    #[must_use]
    pub fn rule(&self, index: usize) -> Option<Rule<'_>> {
        self.record(index)?.as_rule()
    }

    /// Returns the line and column of a byte of the body, given its offset. An offset past the end
    /// is clamped to the end.
    ///
    /// The bytes of a line terminator belong to the line that they end. Lines are numbered like
    /// those of records. A byte order mark has no column of its own: it and the byte after it are
    /// both in column 1.
    ///
    /// Takes O(offset). For many bytes, walk [`RobotsTxt::lines`] alongside them. Records store
    /// their own line and column.
    ///
    /// ```
    /// use verger::{Dialect, RobotsTxt};
    ///
    /// let robots = RobotsTxt::parse("User-agent: *\r\nDisallow: /a", Dialect::Rfc9309);
    /// let rule = robots.rule(1).unwrap();
    /// let position = robots.position(rule.pattern_span().start);
    /// assert_eq!((position.line.get(), position.column), (2, 11));
    /// ```
    #[must_use]
    pub fn position(&self, byte: u32) -> Position {
        let byte = (byte as usize).min(self.body.len());
        let (line, start) = line::line_around(&self.body, byte, &self.reading);
        Position {
            line,
            column: offset(byte.saturating_sub(start)) + 1,
        }
    }

    pub(crate) fn nth_record(&self, index: usize) -> Record<'_> {
        Record {
            robots: self,
            index,
        }
    }

    /// Returns the record on a line, if any.
    #[must_use]
    pub fn record_at(&self, line: LineNumber) -> Option<Record<'_>> {
        let index = self
            .records
            .binary_search_by_key(&line, KeptRecord::line)
            .ok()?;
        Some(self.nth_record(index))
    }
}

/// A line with a key and a value.
#[derive(Clone, Copy, Debug)]
pub struct Record<'r> {
    robots: &'r RobotsTxt,
    index: usize,
}

impl<'r> Record<'r> {
    fn kept(&self) -> &'r KeptRecord {
        &self.robots.records[self.index]
    }

    fn record_line(&self) -> RecordLine {
        self.kept().record(&self.robots.body, &self.robots.reading)
    }

    /// Returns its number among all records, counted from 0 ([`RobotsTxt::record`]).
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the group that the record belongs to, or `None` if it is outside of groups.
    /// R9309-2.2.2-17.
    ///
    /// Takes O(log groups).
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        if self.kept().step() == GroupStep::Outside {
            return None;
        }
        let starts = &self.robots.group_starts;
        let opened = starts.partition_point(|&start| start as usize <= self.index);
        self.robots.group(opened.checked_sub(1)?)
    }

    /// Returns the kind of the record.
    #[must_use]
    pub fn kind(&self) -> RecordKind {
        self.kept().kind()
    }

    /// Returns whether its key is spelled as documented or is an accepted misspelling.
    #[must_use]
    pub fn key_form(&self) -> KeyForm {
        self.record_line().key_form
    }

    /// Returns what separates key and value.
    #[must_use]
    pub fn separator(&self) -> Separator {
        self.record_line().separator
    }

    /// Returns its line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.kept().line()
    }

    /// Returns its span: from the first byte of the key to the last byte of the value, or to the
    /// colon if the value is empty. [`Record::text`] returns these bytes.
    #[must_use]
    pub fn span(&self) -> Span {
        let RecordLine { key, value, .. } = self.record_line();
        let end = if value.is_empty() {
            // Up to the colon, which no key contains.
            let after_key = Span::new(key.end, value.end.max(key.end));
            let colon = memchr::memchr(b':', after_key.of(&self.robots.body));
            key.end + colon.map_or(0, |colon| offset(colon + 1))
        } else {
            value.end
        };
        Span::new(key.start, end)
    }

    /// Returns the column of its key, in bytes counted from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.column_of(self.key_span())
    }

    /// Returns the column in its line at which `span` starts, in bytes counted from 1.
    #[must_use]
    pub fn column_of(&self, span: Span) -> u32 {
        let position = (span.start as usize).min(self.robots.body.len());
        let start = line::line_start(&self.robots.body, position, &self.robots.reading);
        span.start.saturating_sub(offset(start)) + 1
    }

    /// Returns the key as written, without surrounding white space.
    #[must_use]
    pub fn key(&self) -> &'r [u8] {
        self.key_span().of(&self.robots.body)
    }

    /// Returns the span of the key.
    #[must_use]
    pub fn key_span(&self) -> Span {
        self.record_line().key
    }

    /// Returns the value as written, without comment and surrounding white space. It is empty if
    /// nothing follows the colon.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value_span().of(&self.robots.body)
    }

    /// Returns the span of the value.
    #[must_use]
    pub fn value_span(&self) -> Span {
        self.record_line().value
    }

    /// Returns the line as written, without comment and surrounding white space.
    #[must_use]
    pub fn text(&self) -> &'r [u8] {
        self.span().of(&self.robots.body)
    }

    /// Returns the record as a rule, if it is one.
    #[must_use]
    pub fn as_rule(&self) -> Option<Rule<'r>> {
        match self.kind() {
            RecordKind::Allow => Some(Effect::Allow),
            RecordKind::Disallow => Some(Effect::Disallow),
            _ => None,
        }
        .map(|effect| Rule {
            record: *self,
            effect,
        })
    }
}

/// An allow or disallow line. R9309-2.1-2.
#[derive(Clone, Copy, Debug)]
pub struct Rule<'r> {
    record: Record<'r>,
    effect: Effect,
}

impl<'r> Rule<'r> {
    /// Returns whether the rule allows or disallows.
    #[must_use]
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// Returns the path-pattern as written. An empty pattern has no effect.
    #[must_use]
    pub fn pattern(&self) -> &'r [u8] {
        self.record.value()
    }

    /// Returns its line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.record.line()
    }

    /// Returns the column at which it starts, in bytes counted from 1.
    #[must_use]
    pub fn column(&self) -> u32 {
        self.record.column()
    }

    /// Returns the span of its record ([`Record::span`]).
    #[must_use]
    pub fn span(&self) -> Span {
        self.record.span()
    }

    /// Returns the span of its pattern.
    #[must_use]
    pub fn pattern_span(&self) -> Span {
        self.record.value_span()
    }

    /// Returns the number of its record among all records, counted from 0 ([`RobotsTxt::rule`]).
    #[must_use]
    pub fn index(&self) -> usize {
        self.record.index
    }

    /// Returns the group that the rule belongs to, or `None` if it is outside of groups.
    /// R9309-2.2.2-17.
    #[must_use]
    pub fn group(&self) -> Option<Group<'r>> {
        self.record.group()
    }

    /// Returns the rule as a record.
    #[must_use]
    pub fn record(&self) -> Record<'r> {
        self.record
    }
}

/// One or more user-agent lines, and the records under them. R9309-2.1-3.
#[derive(Clone, Copy, Debug)]
pub struct Group<'r> {
    robots: &'r RobotsTxt,
    index: usize,
    /// The records of the group are `start..end`. The first one is a user-agent line.
    start: u32,
    end: u32,
}

impl<'r> Group<'r> {
    /// Returns its number among all groups, counted from 0 ([`RobotsTxt::group`]).
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the line of its first user-agent line.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.first_record().line()
    }

    /// Returns its span: from the key of the first user-agent line to the end of its last record,
    /// including comments and ignored lines in between.
    #[must_use]
    pub fn span(&self) -> Span {
        let last = self.robots.nth_record(self.end as usize - 1);
        Span::new(self.first_record().key_span().start, last.span().end)
    }

    pub(crate) fn first_record(&self) -> Record<'r> {
        self.robots.nth_record(self.start as usize)
    }

    /// Returns the part of the group with these of its records, by [`Record::index`], or `None` if
    /// the range has none of them. With [`RobotsTxt::groups_among`] it serves documents that group
    /// records differently.
    #[must_use]
    pub fn part(&self, records: Range<usize>) -> Option<Self> {
        let start = self.start.max(offset(records.start));
        let end = self.end.min(offset(records.end));
        (start < end).then_some(Self {
            start,
            end,
            ..*self
        })
    }

    pub(crate) fn robots(&self) -> &'r RobotsTxt {
        self.robots
    }

    pub(crate) fn reading(&self) -> &'r Reading {
        &self.robots.reading
    }

    /// Returns all its records, in file order.
    pub fn records(&self) -> impl DoubleEndedIterator<Item = Record<'r>> + use<'r> {
        let robots = self.robots;
        (self.start..self.end).map(|index| robots.nth_record(index as usize))
    }

    pub(crate) fn record_count(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Returns its user-agent lines.
    pub fn user_agents(&self) -> impl Iterator<Item = Record<'r>> + use<'r> {
        // A user-agent line after a rule opens another group.
        self.records()
            .take_while(|record| !record.kind().is_rule())
            .filter(|record| record.kind() == RecordKind::UserAgent)
    }

    /// Returns its allow and disallow lines, including empty ones.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'r>> + use<'r> {
        self.records().filter_map(|record| record.as_rule())
    }

    /// Returns whether it has a rule. In `koster1996` a group without one is not a record.
    /// K96-3.3-2.
    #[must_use]
    pub fn has_rules(&self) -> bool {
        self.records().any(|record| record.kind().is_rule())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::group::GroupMachine;
    use crate::read::line::PhysicalLines;
    use crate::read::record::{LineContent, read_line};
    use alloc::borrow::ToOwned;
    use alloc::string::String;
    use proptest::prelude::*;

    /// Compares a tree with its lines, read one by one and byte by byte.
    fn assert_is_what_its_lines_read(body: &[u8]) {
        for &dialect in Dialect::ALL {
            let robots = RobotsTxt::parse(body, dialect);
            let mut records = robots.records();
            let mut groups = GroupMachine::new(robots.reading.blank_line);
            let read = &body[..robots.bytes_read];
            for line in PhysicalLines::of(read, &robots.reading) {
                match read_line(read, line.span, &robots.reading).content {
                    LineContent::Record(expected) => {
                        let record = records.next().unwrap();
                        assert_eq!(record.record_line(), expected, "{}", body.escape_ascii());
                        assert_eq!(record.line(), line.number);
                        assert_eq!(record.kind(), expected.kind);
                        assert_eq!(record.kept().step(), groups.record(expected.kind));
                    }
                    LineContent::Blank => groups.blank_line(),
                    LineContent::Comment | LineContent::Invalid(_) => {}
                }
            }
            assert!(records.next().is_none());
            let opened = |kept: &&KeptRecord| kept.step() == GroupStep::Opened;
            let count = robots.records.iter().filter(opened).count();
            assert_eq!(robots.groups().len(), count);
        }
    }

    fn line() -> impl Strategy<Value = String> {
        let key = "(?i)[ \t]{0,9}(disallow|allow|user-agent|sitemap|disalow|crawl-delay|x)[ \t]?:?";
        let value = "[ \t]{0,3}([a/*$%é#\u{0}\u{1}\u{b}]|[a-z/]{9}|[/a]{60}| ){0,5}[ \t]{0,2}";
        let end = "\n|\r\n|\r|\n\n|\r\n\r\n";
        prop_oneof![
            8 => (key, value, end).prop_map(|(key, value, end)| key + &value + &end),
            1 => "[ \t#a:]{0,40}(\n|\r\n|\r)",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn a_tree_is_what_its_lines_read(
            mark in "(\u{FEFF}|#{0,130}\n)?",
            lines in prop::collection::vec(line(), 0..150),
            last in "(disallow: /a?|user-agent:x|u|\\n)?",
        ) {
            assert_is_what_its_lines_read((mark + &lines.concat() + &last).as_bytes());
        }
    }

    #[test]
    fn keys_and_values_straddle_blocks_and_the_end_of_the_body() {
        let rule = "User-agent: someone\r\nDisallow: /a/b/c\nAllow: /\rDisallow: /abc";
        for shift in 0..130 {
            let mut body = "#".repeat(shift) + "\n" + rule;
            assert_is_what_its_lines_read(body.as_bytes());
            for _ in 0..30 {
                body.pop();
                assert_is_what_its_lines_read(body.as_bytes());
            }
            body.push_str(&"a".repeat(shift + 40));
            assert_is_what_its_lines_read(body.as_bytes());
        }
    }

    #[test]
    fn a_body_cut_at_the_limit_has_the_records_of_what_is_read() {
        let rule = "Disallow: /".to_owned() + &"a".repeat(999) + " \r\n";
        let agent = "\nUser-agent: *\n";
        let rest = (limits::BODY_BYTES_MAX - agent.len()) % rule.len();
        let times = limits::BODY_BYTES_MAX / rule.len() + 2;
        for before_limit in 0..5 {
            let shift = rest + 2 - before_limit;
            let body = "#".repeat(shift) + agent + &rule.repeat(times);
            assert_is_what_its_lines_read(body.as_bytes());
        }
    }

    fn groups(body: &str, dialect: Dialect) -> Vec<(u32, usize)> {
        let robots = RobotsTxt::parse(body, dialect);
        let forwards: Vec<_> = robots.groups().collect();
        let shape = |group: &Group<'_>| (group.line().get(), group.records().count());
        let expected: Vec<_> = forwards.iter().map(shape).collect();
        assert_eq!(robots.groups().len(), expected.len());
        let mut backwards: Vec<_> = robots.groups().rev().map(|group| shape(&group)).collect();
        backwards.reverse();
        assert_eq!(backwards, expected);
        let mut walk = robots.groups();
        let mut from_both_ends = Vec::new();
        let mut of_the_end = Vec::new();
        while let Some(group) = walk.next() {
            from_both_ends.push(shape(&group));
            of_the_end.extend(walk.next_back().map(|group| shape(&group)));
        }
        assert!(walk.next_back().is_none());
        from_both_ends.extend(of_the_end.into_iter().rev());
        assert_eq!(from_both_ends, expected);
        expected
    }

    #[test]
    fn what_joined_no_group_belongs_to_none() {
        let body = "Allow: /\nUser-agent: a\nx: y\nUser-agent: b\nAllow: /\n\nAllow: /b\n\
                    User-agent: c\nDisallow: /\nUser-agent: d";
        assert_eq!(groups(body, Dialect::Rfc9309), [(2, 5), (8, 2), (10, 1)]);
        assert_eq!(groups(body, Dialect::Koster1996), [(2, 4), (8, 2), (10, 1)]);
        assert_eq!(groups("Allow: /", Dialect::Rfc9309), []);
    }

    proptest! {
        #[test]
        fn walks_from_either_end_meet_the_same_groups(body in "(u:a\n|user-agent:a\n|allow:/\n|\n){0,30}") {
            for &dialect in Dialect::ALL {
                groups(&body, dialect);
            }
        }
    }
}
