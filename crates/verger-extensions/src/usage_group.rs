//! AIPREF's own grouping, in which a Content-Usage line is a rule (AA-1).
//!
//! RFC 9309 defines that no other record ends a run of user-agent lines (R9309-2.2.4-3). AIPREF
//! defines that Content-Usage does. For `User-agent: a`, `Content-Usage: train-ai=n`, `User-agent:
//! b` and `Disallow: /`, RFC 9309 has one group and AIPREF two. The grouping of RFC 9309 always
//! decides what may be crawled. That of AIPREF decides preferences, and it only ever splits a
//! group: at a user-agent line after a Content-Usage line that no allow or disallow line follows.

use alloc::vec::Vec;
use core::mem;

use verger::{Crawler, Group, Record, RecordKind, RobotsTxt};

use crate::records_for::records_in;

/// Splits a group into AIPREF's groups. The first record of each is a user-agent line.
fn parts(group: Group<'_>) -> impl Iterator<Item = Group<'_>> {
    let mut starts = Vec::new();
    let mut opens = true;
    for record in group.records() {
        if record.kind() == RecordKind::UserAgent && mem::take(&mut opens) {
            starts.push(record.index());
        }
        opens |= record.kind().is_rule() || record.kind() == RecordKind::ContentUsage;
    }
    (0..starts.len()).filter_map(move |nth| {
        let end = starts.get(nth + 1).copied();
        group.part(starts[nth]..end.unwrap_or(usize::MAX))
    })
}

/// Returns whether the group can apply to a crawler. In `koster1996` it needs a rule, and
/// Content-Usage is one here. K96-3.3-2.
fn is_record(part: &Group<'_>) -> bool {
    let mut records = part.records();
    part.is_record() || records.any(|record| record.kind() == RecordKind::ContentUsage)
}

/// Returns the Content-Usage records of the groups that apply to `crawler`, in file order. The
/// groups are AIPREF's, selected as in RFC 9309.
pub(crate) fn usage_records<'r>(
    robots: &'r RobotsTxt,
    crawler: &Crawler,
) -> impl Iterator<Item = Record<'r>> + use<'r> {
    let groups: Vec<_> = robots.groups().flat_map(parts).filter(is_record).collect();
    let found = robots.groups_among(groups.iter().copied(), crawler);
    records_in(found.as_ref(), RecordKind::ContentUsage)
}

/// Returns the user-agent lines at which a group starts in AIPREF but not in RFC 9309, in file
/// order. At such a line the two documents disagree about which crawlers the surrounding records
/// are for. AA-1.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_extensions::content_usage_splits;
///
/// let body = "User-agent: a\nContent-Usage: train-ai=n\nUser-agent: b\nDisallow: /\n";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// assert_eq!(robots.groups().count(), 1);
/// assert_eq!(content_usage_splits(&robots)[0].line().get(), 3);
/// ```
#[must_use]
pub fn content_usage_splits(robots: &RobotsTxt) -> Vec<Record<'_>> {
    let later_parts = robots.groups().flat_map(|group| parts(group).skip(1));
    later_parts
        .filter_map(|part| part.records().next())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::Dialect;

    fn lines<'r>(records: impl IntoIterator<Item = Record<'r>>) -> Vec<u32> {
        records
            .into_iter()
            .map(|record| record.line().get())
            .collect()
    }

    fn usage_lines(body: &str, name: &str, dialect: Dialect) -> Vec<u32> {
        let robots = RobotsTxt::parse(body, dialect);
        let crawler = Crawler::named(name, dialect).unwrap();
        lines(usage_records(&robots, &crawler))
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
            assert_eq!(lines(content_usage_splits(&robots)), [4]);
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
            assert!(content_usage_splits(&robots).is_empty(), "{body}");
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
