use verger::dialect::{BlankLine, KeySpelling, Precedence};
use verger::{
    Crawler, Dialect, Group, GroupMatch, LineNumber, Reason, Record, RecordKind, RobotsTxt,
    TargetPath, Verdict,
};

use crate::text::legible;

/// A question as one dialect answers it.
pub(crate) struct DialectView<'s> {
    pub(crate) robots: &'s RobotsTxt,
    pub(crate) crawler: &'s Crawler,
    pub(crate) target: &'s TargetPath<'s>,
    pub(crate) verdict: Verdict,
}

/// The selector of a crawler's groups, in order of precedence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Selector {
    /// The `n`th token of the crawler.
    Token(usize),
    /// `*`.
    Star,
    /// No group applies.
    Nothing,
}

impl<'s> DialectView<'s> {
    pub(crate) fn dialect(&self) -> Dialect {
        self.robots.dialect()
    }

    pub(crate) fn rule_line(&self) -> Option<LineNumber> {
        self.verdict.line()
    }

    pub(crate) fn answers_like(&self, other: &DialectView<'_>) -> bool {
        // To an allowed crawler it does not matter whether no group applies or no rule matches.
        self.verdict.effect() == other.verdict.effect() && self.rule_line() == other.rule_line()
    }

    /// Returns whether clients send both targets alike. Escapes of bytes that no request contains
    /// do not matter.
    pub(crate) fn asks_about_target_of(&self, other: &DialectView<'_>) -> bool {
        let [own, others] = [self, other].map(|view| {
            let form = view.target.as_bytes().iter();
            form.flat_map(|&byte| as_sent(byte))
        });
        own.eq(others)
    }

    pub(crate) fn decided_by(&self) -> String {
        match (self.rule_line(), self.verdict.reason()) {
            (Some(line), _) => format!("line {line} decides"),
            (None, Reason::NoGroup) => "no group applies to this crawler".to_owned(),
            (None, Reason::RobotsTxtItself) => "/robots.txt is exempt".to_owned(),
            (None, _) => "no rule matches".to_owned(),
        }
    }

    pub(crate) fn is_exempt(&self) -> bool {
        matches!(self.verdict.reason(), Reason::RobotsTxtItself)
    }

    /// Returns whether the first match decides, instead of the most specific one.
    pub(crate) fn first_rule_decides(&self) -> bool {
        first_rule_decides(self.robots)
    }

    pub(crate) fn blank_line_ends_the_record(&self) -> bool {
        self.robots.reading().blank_line() == BlankLine::EndsTheRecord
    }

    /// Returns whether keys are read as in Google's library, which accepts misspellings.
    pub(crate) fn reads_googles_keys(&self) -> bool {
        self.robots.reading().key_spelling() == KeySpelling::GooglePrefixes
    }

    pub(crate) fn selector(&self) -> Selector {
        match self.groups() {
            Some(found) => found.token_index().map_or(Selector::Star, Selector::Token),
            None => Selector::Nothing,
        }
    }

    /// Returns the first user-agent line of the group that the selector selects.
    pub(crate) fn selecting_line(
        &self,
        group: &Group<'s>,
        selector: Selector,
    ) -> Option<LineNumber> {
        let line = match selector {
            Selector::Token(number) => {
                let token = self.crawler.tokens().get(number)?;
                group.user_agent_naming(token)?
            }
            Selector::Star => group.user_agent_for_star()?,
            Selector::Nothing => return None,
        };
        Some(line.line())
    }

    fn groups(&self) -> Option<GroupMatch<'s, 's>> {
        self.robots.groups_for(self.crawler)
    }

    /// Returns the first lines of the groups that apply.
    pub(crate) fn group_lines(&self) -> Vec<LineNumber> {
        let found = self.groups();
        let groups = found.iter().flat_map(GroupMatch::groups);
        groups.map(Group::line).collect()
    }

    /// Returns the group that starts at a line, even if it does not apply.
    pub(crate) fn group_at(&self, line: LineNumber) -> Option<Group<'s>> {
        self.robots.groups().find(|group| group.line() == line)
    }

    /// Returns the first line of the group that contains the rule at `line`.
    pub(crate) fn group_around(&self, line: LineNumber) -> Option<LineNumber> {
        let mut groups = self.robots.groups();
        let around = groups.find(|group| group.rules().any(|rule| rule.line() == line));
        around.map(|group| group.line())
    }

    /// Returns whether the rule at `line` is in one of the crawler's groups.
    pub(crate) fn holds(&self, line: LineNumber) -> bool {
        let found = self.groups();
        let mut groups = found.iter().flat_map(GroupMatch::groups);
        groups.any(|group| group.rules().any(|rule| rule.line() == line))
    }

    pub(crate) fn matches(&self, line: LineNumber) -> bool {
        self.bytes_of(line).is_some()
    }

    /// Returns the specificity of the rule at `line`, if it matches.
    pub(crate) fn bytes_of(&self, line: LineNumber) -> Option<u32> {
        let matching = self.robots.matching_rules(self.crawler, self.target);
        let rule = matching.iter().find(|rule| rule.rule.line == line)?;
        Some(rule.specificity.bytes())
    }

    /// Returns the kind of a user-agent line or rule, or `None` for any other line.
    pub(crate) fn kind_at(&self, line: LineNumber) -> Option<RecordKind> {
        let kind = self.robots.record_at(line).as_ref().map(Record::kind);
        kind.filter(|kind| kind.is_rule() || *kind == RecordKind::UserAgent)
    }

    /// Returns whether the size limit cuts the record that `other` has at `line`.
    pub(crate) fn is_cut_before(&self, line: LineNumber, other: &DialectView<'_>) -> bool {
        let record = other.robots.record_at(line);
        record.is_some_and(|record| record.key_span().start as usize >= self.robots.bytes_read())
    }

    /// Describes how the line is read.
    pub(crate) fn reads(&self, line: LineNumber) -> String {
        match self.robots.record_at(line) {
            Some(record) => record.kind().key().map_or_else(
                || format!("an unknown `{}`", legible(record.key())),
                |key| format!("`{key}`"),
            ),
            None => "nothing".to_owned(),
        }
    }
}

/// Returns a byte of a target as clients send it.
fn as_sent(byte: u8) -> impl Iterator<Item = u8> {
    let hex = |digit: u8| b"0123456789ABCDEF"[usize::from(digit)];
    let is_sent = byte.is_ascii_graphic();
    let first = if is_sent { byte } else { b'%' };
    let rest = (!is_sent).then(|| [hex(byte >> 4), hex(byte & 15)]);
    std::iter::once(first).chain(rest.into_iter().flatten())
}

pub(crate) fn first_rule_decides(robots: &RobotsTxt) -> bool {
    robots.reading().precedence() == Precedence::FirstMatch
}
