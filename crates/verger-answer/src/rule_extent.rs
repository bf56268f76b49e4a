use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use verger::dialect::{AllowLines, Comparison};
use verger::{
    AppliedGroup, Dialect, Effect, Group, GroupIndex, GroupMatch, GroupSelection, LineNumber,
    ProductToken, Reading, Rule,
};

use crate::read_indexes::ReadIndexes;
use verger_crawlers::ResolvedCrawler;

/// How much of a site a crawler's rules disallow.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleExtent {
    /// The extent.
    pub extent: Extent,
    /// Number of Disallow rules with a nonempty pattern.
    pub disallow_rules: usize,
    /// Number of Allow rules with a nonempty pattern.
    pub allow_rules: usize,
    /// The group that applies, if any.
    pub group: Option<AppliedGroup>,
    /// The crawler's product token that selects it, or `None` for a `*` group.
    pub token: Option<ProductToken>,
    /// The user-agent line with the token or `*`.
    pub group_line: Option<LineNumber>,
}

/// How much rules disallow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Extent {
    /// No rule disallows anything.
    Nothing,
    /// Rules may disallow some URLs, possibly none or all.
    SomeRules,
    /// The rule on this line disallows every URL, and no rule allows one. `/robots.txt` may still
    /// be allowed (R9309-2.2.2-8).
    Everything(LineNumber),
}

/// Extents of one file for many crawlers, each in its own reading ([`ResolvedCrawler::reading`]).
/// Crawlers with the same groups share the work.
#[derive(Debug)]
pub struct RuleExtents<'f> {
    files: ReadIndexes<'f>,
    known: BTreeMap<(Dialect, GroupSelection), RuleExtent>,
}

impl Extent {
    /// Returns `nothing`, `some-rules` or `everything`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::SomeRules => "some-rules",
            Self::Everything(_) => "everything",
        }
    }
}

impl fmt::Display for RuleExtent {
    /// Writes `nothing`, `everything`, or `some rules: 3 Disallow, 1 Allow`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.extent {
            Extent::Nothing => f.write_str("nothing"),
            Extent::Everything(_) => f.write_str("everything"),
            Extent::SomeRules => {
                write!(f, "some rules: {} Disallow", self.disallow_rules)?;
                match self.allow_rules {
                    0 => Ok(()),
                    allow => write!(f, ", {allow} Allow"),
                }
            }
        }
    }
}

impl<'f> RuleExtents<'f> {
    /// Creates the extents of a file.
    #[must_use]
    pub fn new(file: &'f GroupIndex) -> Self {
        Self {
            files: ReadIndexes::new(Cow::Borrowed(file)),
            known: BTreeMap::new(),
        }
    }

    /// Returns the file in the reading of a crawler.
    pub fn file_for(&mut self, crawler: &ResolvedCrawler) -> &GroupIndex {
        self.files.read(crawler)
    }

    /// Returns how much the rules for `crawler` disallow.
    #[must_use]
    pub fn of(&mut self, crawler: &ResolvedCrawler) -> RuleExtent {
        let (file, crawler) = (self.files.read(crawler), crawler.crawler());
        let selection = (file.robots().dialect(), file.selection(crawler));
        match self.known.get(&selection) {
            // A group may have several names, each on its own line.
            Some(known) if known.token.is_some() => {
                let found = file.groups_for(crawler);
                known.clone().named_by(found.as_ref())
            }
            Some(known) => known.clone(),
            None => {
                let found = file.groups_for(crawler);
                let extent = RuleExtent::of(found.as_ref(), file.robots().reading());
                self.known.insert(selection, extent.clone());
                extent
            }
        }
    }
}

impl RuleExtent {
    fn of(found: Option<&GroupMatch<'_, '_>>, reading: &Reading) -> Self {
        let (mut disallow_rules, mut allow_rules, mut disallows_all) = (0, 0, None);
        let groups = found.map(GroupMatch::groups).unwrap_or_default();
        for rule in groups.iter().flat_map(Group::rules) {
            match rule.effect() {
                // An empty pattern matches nothing.
                _ if rule.pattern().is_empty() => {}
                Effect::Allow if reading.allow_lines() == AllowLines::Ignored => {}
                Effect::Allow => allow_rules += 1,
                Effect::Disallow => {
                    disallow_rules += 1;
                    if matches_all(&rule, reading) {
                        disallows_all.get_or_insert(rule.line());
                    }
                }
            }
        }
        let extent = match (disallow_rules, disallows_all, allow_rules) {
            (0, _, _) => Extent::Nothing,
            (_, Some(line), 0) => Extent::Everything(line),
            _ => Extent::SomeRules,
        };
        let extent = Self {
            extent,
            disallow_rules,
            allow_rules,
            group: None,
            token: None,
            group_line: None,
        };
        extent.named_by(found)
    }

    /// Returns the same extent for a crawler that selects the groups in another way.
    fn named_by(self, found: Option<&GroupMatch<'_, '_>>) -> Self {
        Self {
            group: found.map(GroupMatch::applied),
            token: found.and_then(GroupMatch::token).cloned(),
            group_line: found.map(GroupMatch::line),
            ..self
        }
    }

    /// Returns the line that decides: the first rule that disallows everything, or the line that
    /// names the crawler. Returns `None` if no group applies.
    #[must_use]
    pub fn line(&self) -> Option<LineNumber> {
        match self.extent {
            Extent::Everything(line) => Some(line),
            Extent::Nothing | Extent::SomeRules => self.group_line,
        }
    }
}

/// Returns whether the pattern is `/` or `*`, which match every target.
fn matches_all(rule: &Rule<'_>, reading: &Reading) -> bool {
    match rule.pattern() {
        b"/" => true,
        b"/*" => reading.comparison() != Comparison::DecodedBytes,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use verger::{Dialect, RobotsTxt, TargetPath};

    use super::*;

    fn of(body: &str, token: &str, reading: impl Into<Reading>) -> RuleExtent {
        let reading = reading.into();
        let file = GroupIndex::new(RobotsTxt::parse(body, reading));
        RuleExtents::new(&file).of(&ResolvedCrawler::from_token(token, reading).unwrap())
    }

    #[test]
    fn what_is_certain_is_told_and_all_else_is_some_rules() {
        for (rules, extent, line) in [
            ("Disallow:", "nothing", 1),
            ("Allow: /", "nothing", 1),
            ("Crawl-delay: 1", "nothing", 1),
            ("Disallow: /", "everything", 2),
            ("Disallow: /a\nDisallow: /*", "everything", 3),
            ("Disallow: /\nAllow:", "everything", 2),
            ("Disallow: /\nAllow: /a", "some-rules", 1),
            ("Disallow: /a", "some-rules", 1),
            ("Disallow: /*$", "some-rules", 1),
        ] {
            let body = format!("User-agent: b\n{rules}\n");
            for dialect in [Dialect::Rfc9309, Dialect::Google] {
                let found = of(&body, "b", dialect);
                assert_eq!(found.extent.as_str(), extent, "{rules}");
                assert_eq!(found.line().map(LineNumber::get), Some(line), "{rules}");
            }
        }
    }

    #[test]
    fn a_star_is_a_star_where_nothing_is_special() {
        let body = "User-agent: b\nDisallow: /*\n";
        assert_eq!(of(body, "b", Dialect::Koster1996).extent, Extent::SomeRules);
    }

    #[test]
    fn allow_lines_that_are_ignored_allow_nothing() {
        let body = "User-agent: b\nDisallow: /\nAllow: /\n";
        assert_eq!(of(body, "b", Dialect::Rfc9309).extent, Extent::SomeRules);
        let reading = Reading::new(Dialect::Rfc9309).with_allow_lines(AllowLines::Ignored);
        assert_eq!(of(body, "b", reading).extent.as_str(), "everything");
    }

    #[test]
    fn all_groups_of_a_crawler_count_and_those_for_star_where_none_names_it() {
        let body = "User-agent: b\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: b\nAllow: /c\n";
        let own = of(body, "B", Dialect::Rfc9309);
        assert_eq!(own.to_string(), "some rules: 1 Disallow, 1 Allow");
        assert_eq!((own.disallow_rules, own.allow_rules), (1, 1));
        assert_eq!(own.token.unwrap().as_str(), "B");
        let star = of(body, "x", Dialect::Rfc9309);
        assert_eq!((star.extent.as_str(), star.token), ("everything", None));
        let none = of("User-agent: b\nDisallow: /\n", "x", Dialect::Rfc9309);
        assert_eq!((none.extent, none.line()), (Extent::Nothing, None));
        assert_eq!(none.group, None);
    }

    #[test]
    fn names_of_one_group_have_their_own_lines() {
        let body = "User-agent: a\nUser-agent: b\nDisallow: /x\n";
        let file = GroupIndex::new(RobotsTxt::parse(body, Dialect::Rfc9309));
        let mut extents = RuleExtents::new(&file);
        for (name, line) in [("a", 1), ("b", 2), ("A", 1)] {
            let crawler = ResolvedCrawler::from_token(name, Dialect::Rfc9309.into()).unwrap();
            let found = extents.of(&crawler);
            assert_eq!(found.token.unwrap().as_str(), name);
            assert_eq!(found.group_line.unwrap().get(), line);
        }
    }

    #[test]
    fn the_policy_agrees_with_what_is_certain() {
        let lines = [
            "Disallow: /",
            "Disallow: /*",
            "Disallow:",
            "Disallow: /a",
            "Allow: /",
            "Allow:",
        ];
        let targets = ["/", "/a", "/b?c", "/*", "/a$"];
        for &dialect in Dialect::ALL {
            for first in lines {
                for second in lines {
                    let body = format!("User-agent: b\n{first}\n{second}\n");
                    let file = GroupIndex::new(RobotsTxt::parse(body, dialect));
                    let crawler = ResolvedCrawler::from_token("b", dialect.into()).unwrap();
                    let extent = RuleExtents::new(&file).of(&crawler).extent;
                    for target in targets {
                        let target = TargetPath::new(target, dialect).unwrap();
                        let effect = file.policy(crawler.crawler()).decide(&target).effect();
                        match extent {
                            Extent::Everything(_) => assert_eq!(effect, Effect::Disallow),
                            Extent::Nothing => assert_eq!(effect, Effect::Allow),
                            Extent::SomeRules => {}
                        }
                    }
                }
            }
        }
    }
}
