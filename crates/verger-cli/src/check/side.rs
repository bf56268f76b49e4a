//! One dialect's view of a question: which groups speak, which rules they hold, which match.

use verger::{
    Crawler, Dialect, Group, GroupMatch, LineNumber, NamedBy, ProductToken, Reason, Record,
    RecordKind, RobotsTxt, TargetPath, Verdict,
};

use crate::octet_text::legible;

/// One dialect's view of a question.
pub(super) struct Side<'s> {
    pub(super) robots: &'s RobotsTxt,
    pub(super) crawler: &'s Crawler,
    pub(super) target: &'s TargetPath<'s>,
    pub(super) verdict: Verdict,
}

/// By what groups speak to a crawler; what counts before the other stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Call {
    /// The crawler's token of that number.
    Token(usize),
    /// The `*`.
    Star,
    /// No group speaks to it.
    Nobody,
}

impl<'s> Side<'s> {
    pub(super) fn dialect(&self) -> Dialect {
        self.robots.dialect()
    }

    /// The line of the rule that decides.
    pub(super) fn rule_line(&self) -> Option<LineNumber> {
        self.verdict.line()
    }

    pub(super) fn answers_like(&self, other: &Side<'_>) -> bool {
        // Whether nobody speaks or nothing matches is the same to whoever may fetch.
        self.verdict.effect() == other.verdict.effect() && self.rule_line() == other.rule_line()
    }

    pub(super) fn decided_by(&self) -> String {
        match (self.rule_line(), self.verdict.reason()) {
            (Some(line), _) => format!("line {line} decides"),
            (None, Reason::NoGroup) => "no group speaks to it".to_owned(),
            (None, Reason::RobotsTxtItself) => "/robots.txt is exempt".to_owned(),
            (None, _) => "no rule matches".to_owned(),
        }
    }

    pub(super) fn is_exempt(&self) -> bool {
        matches!(self.verdict.reason(), Reason::RobotsTxtItself)
    }

    /// By what its groups speak to the crawler.
    pub(super) fn call(&self) -> Call {
        let Some(found) = self.groups() else {
            return Call::Nobody;
        };
        let mut tokens = self.crawler.tokens().iter();
        match found.named_by() {
            NamedBy::Star => Call::Star,
            NamedBy::Token => tokens
                .position(|token| found.groups()[0].names(token))
                .map_or(Call::Nobody, Call::Token),
        }
    }

    /// Whether a group is called so, wherever it stands.
    pub(super) fn is_called(&self, group: &Group<'_>, call: Call) -> bool {
        match call {
            Call::Token(number) => {
                let token: Option<&ProductToken> = self.crawler.tokens().get(number);
                token.is_some_and(|token| group.names(token))
            }
            Call::Star => group.is_for_star(),
            Call::Nobody => false,
        }
    }

    /// The first user-agent line of a group that is called so.
    pub(super) fn calling_line(&self, group: &Group<'s>, call: Call) -> Option<LineNumber> {
        let mut lines = group.user_agents();
        let calling = lines.find(|line| {
            // One user-agent line alone is a group of its own.
            let alone = RobotsTxt::parse(line.text(), *self.robots.reading());
            alone.groups().any(|group| self.is_called(&group, call))
        });
        calling.map(|line| line.line())
    }

    fn groups(&self) -> Option<GroupMatch<'s, 's>> {
        self.robots.groups_for(self.crawler)
    }

    /// The first lines of the groups that speak to the crawler.
    pub(super) fn group_lines(&self) -> Vec<LineNumber> {
        let found = self.groups();
        let groups = found.iter().flat_map(GroupMatch::groups);
        groups.map(Group::line).collect()
    }

    /// The group of that first line, whomever it speaks to.
    pub(super) fn group_at(&self, line: LineNumber) -> Option<Group<'s>> {
        self.robots.groups().find(|group| group.line() == line)
    }

    /// The first line of the group in which the rule on that line stands.
    pub(super) fn group_around(&self, line: LineNumber) -> Option<LineNumber> {
        let mut groups = self.robots.groups();
        let around = groups.find(|group| group.rules().any(|rule| rule.line() == line));
        around.map(|group| group.line())
    }

    /// Whether the rule on that line stands in one of the crawler's groups.
    pub(super) fn holds(&self, line: LineNumber) -> bool {
        let found = self.groups();
        let mut groups = found.iter().flat_map(GroupMatch::groups);
        groups.any(|group| group.rules().any(|rule| rule.line() == line))
    }

    pub(super) fn matches(&self, line: LineNumber) -> bool {
        self.octets_of(line).is_some()
    }

    /// How specific the rule on that line is, if it matches.
    pub(super) fn octets_of(&self, line: LineNumber) -> Option<u32> {
        let matching = self.robots.matching_rules(self.crawler, self.target);
        let rule = matching.iter().find(|rule| rule.rule.line == line)?;
        Some(rule.specificity.octets())
    }

    /// What the line is to groups: a user-agent line, a rule, or nothing.
    pub(super) fn kind_at(&self, line: LineNumber) -> Option<RecordKind> {
        let kind = self.robots.record_at(line).as_ref().map(Record::kind);
        kind.filter(|kind| kind.is_rule() || *kind == RecordKind::UserAgent)
    }

    /// Whether a limit keeps the record that `other` has on that line from being read.
    pub(super) fn is_cut_before(&self, line: LineNumber, other: &Side<'_>) -> bool {
        let record = other.robots.record_at(line);
        record.is_some_and(|record| record.key_span().start as usize >= self.robots.octets_read())
    }

    /// What the line is read as.
    pub(super) fn reads(&self, line: LineNumber) -> String {
        match self.robots.record_at(line) {
            Some(record) => record.kind().key().map_or_else(
                || format!("an unknown `{}`", legible(record.key())),
                |key| format!("`{key}`"),
            ),
            None => "nothing".to_owned(),
        }
    }
}
