//! AIPREF's own grouping: there a Content-Usage line is a rule (AA-1).
//!
//! RFC 9309 says that no other record ends a run of user-agent lines (R9309-2.2.4-3); AIPREF says
//! that Content-Usage does. Between `User-agent: a`, `Content-Usage: train-ai=n`, `User-agent: b`
//! and `Disallow: /` the first sees one group, and AIPREF two. The first grouping always decides
//! what may be crawled, and the second decides preferences, which only ever splits a group of the
//! first: at a user-agent line behind a Content-Usage line that no allow or disallow line follows.

use alloc::vec::Vec;

use crate::crawler::Crawler;
use crate::dialect::{GroupWithoutRules, Reading, SeveralGroups};
use crate::group_match::{agent_values, is_star, names};
use crate::product_token::ProductToken;
use crate::read::record::RecordKind;
use crate::read::robots_txt::{Record, RobotsTxt};

/// The records of a group as AIPREF sees it; the first one is a user-agent line.
#[derive(Clone, Debug)]
struct UsageGroup<'r> {
    records: Vec<Record<'r>>,
    opened_by: OpenedBy,
}

/// Which document lets a group begin where it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenedBy {
    Rfc9309AndAipref,
    AiprefAlone,
}

impl<'r> UsageGroup<'r> {
    fn all(robots: &'r RobotsTxt) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for group in robots.groups() {
            // Present where a user-agent line would open a group.
            let mut opens = Some(OpenedBy::Rfc9309AndAipref);
            for record in group.records() {
                if record.kind() == RecordKind::UserAgent
                    && let Some(opened_by) = opens.take()
                {
                    let records = Vec::new();
                    groups.push(Self { records, opened_by });
                }
                if is_rule(record.kind()) {
                    opens = Some(OpenedBy::AiprefAlone);
                }
                if let Some(open) = groups.last_mut() {
                    open.records.push(record);
                }
            }
        }
        groups
    }

    fn records_of(&self, kind: RecordKind) -> impl Iterator<Item = Record<'r>> {
        self.records
            .iter()
            .copied()
            .filter(move |record| record.kind() == kind)
    }

    /// Whether it can speak to anybody; in `koster1996` not without a rule, of which
    /// Content-Usage is one here. K96-3.3-2.
    fn is_record(&self, reading: &Reading) -> bool {
        match reading.group_without_rules {
            GroupWithoutRules::AllowsEverything => true,
            GroupWithoutRules::IsNoRecord => {
                self.records.iter().any(|record| is_rule(record.kind()))
            }
        }
    }

    fn speaks(&self, reading: &Reading, to: impl Fn(&[u8]) -> bool) -> bool {
        self.is_record(reading)
            && self
                .records_of(RecordKind::UserAgent)
                .any(|line| agent_values(line.value(), reading).any(&to))
    }
}

/// Whether it ends a run of user-agent lines for AIPREF.
fn is_rule(kind: RecordKind) -> bool {
    kind.is_rule() || kind == RecordKind::ContentUsage
}

/// The Content-Usage records of the groups that apply to `crawler`, in file order. The groups are
/// AIPREF's; RFC 9309 says which of them apply.
pub(super) fn usage_records<'r>(robots: &'r RobotsTxt, crawler: &Crawler) -> Vec<Record<'r>> {
    let reading = robots.reading();
    let groups = UsageGroup::all(robots);
    let several = reading.several_named_groups;
    let is_named =
        |value: &[u8], token: &ProductToken| names(value, token.as_str(), reading.agent_value);
    let tokens = crawler.tokens();
    let named = if crawler.merges_names(reading) {
        records_of_matching(&groups, reading, several, |value| {
            tokens.iter().any(|token| is_named(value, token))
        })
    } else {
        tokens.iter().find_map(|token| {
            records_of_matching(&groups, reading, several, |value| is_named(value, token))
        })
    };
    let of_star = || {
        let for_star = |value: &[u8]| is_star(value, reading.agent_value);
        records_of_matching(&groups, reading, reading.several_star_groups, for_star)
    };
    match named {
        None if crawler.honours_star() => of_star().unwrap_or_default(),
        named => named.unwrap_or_default(),
    }
}

/// `None` where no group speaks, which differs from groups that say nothing.
fn records_of_matching<'r>(
    groups: &[UsageGroup<'r>],
    reading: &Reading,
    several: SeveralGroups,
    to: impl Fn(&[u8]) -> bool,
) -> Option<Vec<Record<'r>>> {
    let mut speaking = groups.iter().filter(|group| group.speaks(reading, &to));
    let first = speaking.next()?;
    let rest = match several {
        SeveralGroups::Merged => Some(speaking),
        SeveralGroups::First => None,
    };
    let merged = core::iter::once(first).chain(rest.into_iter().flatten());
    Some(
        merged
            .flat_map(|group| group.records_of(RecordKind::ContentUsage))
            .collect(),
    )
}

impl RobotsTxt {
    /// The user-agent lines at which AIPREF lets a group begin and RFC 9309 does not, in file
    /// order: none where both see the same groups. At such a line the two documents disagree
    /// about which crawlers the records before and behind it are for. AA-1.
    ///
    /// ```
    /// use verger::{Dialect, RobotsTxt};
    ///
    /// let body = "User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nDisallow: /\n";
    /// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
    /// assert_eq!(robots.groups().count(), 1);
    /// assert_eq!(robots.content_usage_splits()[0].line().get(), 3);
    /// ```
    #[must_use]
    pub fn content_usage_splits(&self) -> Vec<Record<'_>> {
        UsageGroup::all(self)
            .into_iter()
            .filter(|group| group.opened_by == OpenedBy::AiprefAlone)
            .filter_map(|group| group.records.first().copied())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;

    fn lines(records: &[Record<'_>]) -> Vec<u32> {
        records.iter().map(|record| record.line().get()).collect()
    }

    fn usage_lines(body: &str, name: &str, dialect: Dialect) -> Vec<u32> {
        let robots = RobotsTxt::parse(body, dialect);
        let crawler = Crawler::named(name, dialect).unwrap();
        lines(&usage_records(&robots, &crawler))
    }

    const SPLIT: &str = "User-agent: a\nContent-Usage: train-ai=n\nCrawl-delay: 1\n\
                         User-agent: b\nDisallow: /\nContent-Usage: search=n\n\
                         User-agent: c\nUser-agent: d\nContent-Usage: search=y\n";

    #[test]
    fn a_content_usage_line_ends_a_run_of_user_agent_lines() {
        for &dialect in Dialect::ALL {
            assert_eq!(usage_lines(SPLIT, "a", dialect), [2]);
            assert_eq!(usage_lines(SPLIT, "b", dialect), [6]);
            assert_eq!(usage_lines(SPLIT, "c", dialect), [9]);
            assert_eq!(usage_lines(SPLIT, "d", dialect), [9]);
            let robots = RobotsTxt::parse(SPLIT, dialect);
            assert_eq!(robots.groups().count(), 2);
            assert_eq!(lines(&robots.content_usage_splits()), [4]);
        }
    }

    #[test]
    fn groups_that_agree_have_no_split() {
        for body in [
            "",
            "Content-Usage: train-ai=n\nUser-agent: a\nDisallow: /",
            "User-agent: a\nUser-agent: b\nContent-Usage: train-ai=n\nDisallow: /\nUser-agent: c",
            "User-agent: a\nCrawl-delay: 1\nUser-agent: b\nContent-Usage: train-ai=n",
        ] {
            let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
            assert!(robots.content_usage_splits().is_empty(), "{body}");
        }
    }

    #[test]
    fn groups_are_selected_and_merged_as_the_dialect_says() {
        let body = "Content-Usage: search=y\nUser-agent: *\nContent-Usage: train-ai=y\n\
                    User-agent: a\nDisallow: /\nUser-agent: *\nContent-Usage: train-ai=n\n";
        assert_eq!(usage_lines(body, "x", Dialect::Rfc9309), [3, 7]);
        assert_eq!(usage_lines(body, "x", Dialect::Draft2019), [3]);
        assert!(usage_lines(body, "a", Dialect::Rfc9309).is_empty());
    }
}
