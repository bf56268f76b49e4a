//! `FileFacts`: what is counted about one file; nothing of its text.

use std::collections::BTreeMap;

use verger::{Dialect, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, ExtentClass};
use verger_lint::{Linted, Severity};
use verger_owner::{WhoRow, who};

use super::fix_facts::FixFacts;

/// The dialects that are compared with RFC 9309.
pub(super) const OTHER_DIALECTS: [Dialect; 3] =
    [Dialect::Google, Dialect::Draft2019, Dialect::Koster1996];

/// What is counted about one file.
#[derive(Debug)]
pub(super) struct FileFacts {
    pub(super) bytes: usize,
    pub(super) groups: usize,
    pub(super) rules: usize,
    /// Whether it is a robots.txt, and no page, archive or picture.
    pub(super) is_robots_txt: bool,
    /// Number and highest severity of the findings of each lint.
    pub(super) findings: BTreeMap<&'static str, (usize, Severity)>,
    /// What all fixes make of it, where there are any.
    pub(super) fixes: Option<FixFacts>,
    /// The dialects that decide otherwise than RFC 9309 about a URL that the lint tried.
    pub(super) disagreeing: Vec<Dialect>,
    /// How much is disallowed for each crawler of the list that was given, in its order.
    pub(super) classes: Vec<Option<ExtentClass>>,
    /// The crawlers of the list that a group names by their own token.
    pub(super) named: Vec<bool>,
    /// How much the other dialects disallow for the first crawler of the list.
    pub(super) other_classes: Vec<Option<ExtentClass>>,
}

/// How much is disallowed for the crawlers of a list.
pub(super) struct Extents {
    classes: Vec<Option<ExtentClass>>,
    named: Vec<bool>,
    other_classes: Vec<Option<ExtentClass>>,
}

impl FileFacts {
    pub(super) fn new(linted: &Linted, extents: Extents) -> Self {
        let mut findings: BTreeMap<_, (usize, Severity)> = BTreeMap::new();
        let mut disagreeing = Vec::new();
        for finding in linted.findings() {
            let entry = findings.entry(finding.code);
            let (count, severity) = entry.or_insert((0, finding.severity));
            *count += 1;
            *severity = finding.severity.max(*severity);
            if finding.code == "dialects-disagree" {
                disagreeing.extend(dialect_in(finding.help.as_deref().unwrap_or_default()));
            }
        }
        let robots = linted.robots();
        let is_page = ["html-page", "json-document", "not-text"].iter();
        let is_page = is_page.into_iter().any(|code| findings.contains_key(code));
        Self {
            bytes: robots.body().len(),
            groups: robots.groups().len(),
            rules: robots.groups().map(|group| group.rules().count()).sum(),
            is_robots_txt: !is_page,
            findings,
            fixes: None,
            disagreeing,
            classes: extents.classes,
            named: extents.named,
            other_classes: extents.other_classes,
        }
    }

    /// The highest severity of its findings.
    pub(super) fn severity(&self) -> Option<Severity> {
        self.findings.values().map(|(_, severity)| *severity).max()
    }

    /// Whether everything is disallowed for a crawler.
    pub(super) fn is_shut_out(&self, crawler: usize) -> bool {
        self.class(crawler) == Some(ExtentClass::EverythingDisallowed)
    }

    /// Whether everything is disallowed for a crawler, but not for one that no group names, which is
    /// the first of the list.
    pub(super) fn is_singled_out(&self, crawler: usize) -> bool {
        self.is_shut_out(crawler) && !self.is_shut_out(0)
    }

    /// Whether a group names a crawler by its own token.
    pub(super) fn is_named(&self, crawler: usize) -> bool {
        self.named.get(crawler) == Some(&true)
    }

    /// How much is disallowed for a crawler.
    pub(super) fn class(&self, crawler: usize) -> Option<ExtentClass> {
        self.classes.get(crawler).copied().flatten()
    }
}

/// How much of a site each crawler of a list may not fetch.
pub(super) fn extents(linted: &Linted, crawlers: &[ResolvedCrawler]) -> Extents {
    let rows = who(linted.robots().clone(), crawlers, Budget::default());
    let is_named = |row: &WhoRow<'_>| {
        let group = row.group.as_ref();
        group.is_some_and(|group| group.is_own && group.token.is_some())
    };
    let of_others = OTHER_DIALECTS.into_iter().map(|dialect| {
        let robots = RobotsTxt::parse(linted.robots().body(), dialect);
        let first = &crawlers[..crawlers.len().min(1)];
        let rows = who(robots, first, Budget::default());
        rows.first().and_then(|row| row.extent.class())
    });
    Extents {
        classes: rows.iter().map(|row| row.extent.class()).collect(),
        named: rows.iter().map(is_named).collect(),
        other_classes: of_others.collect(),
    }
}

/// The dialect that a help names after `-d`.
fn dialect_in(help: &str) -> Option<Dialect> {
    let (_, after) = help.split_once(" -d ")?;
    let name = after.split(['`', ' ']).next()?;
    Dialect::ALL
        .iter()
        .copied()
        .find(|it| it.to_string() == name)
}
