//! Collects the records of one kind that apply to a crawler.

use alloc::vec::Vec;

use verger::dialect::BlankLine;
use verger::{Crawler, Group, GroupMatch, Record, RecordKind, RobotsTxt};

/// Returns the records of one kind in the groups that apply to `crawler`, in file order.
///
/// A record belongs to the group of the user-agent lines above it, wherever it is in the group.
/// R9309-2.2.4-1.
pub(crate) fn records_for<'r>(
    robots: &'r RobotsTxt,
    crawler: &Crawler,
    kind: RecordKind,
) -> impl Iterator<Item = Record<'r>> + use<'r> {
    records_in(robots.groups_for(crawler).as_ref(), kind)
}

/// Returns the records of one kind in these groups.
pub(crate) fn records_in<'r>(
    found: Option<&GroupMatch<'r, '_>>,
    kind: RecordKind,
) -> impl Iterator<Item = Record<'r>> + use<'r> {
    let groups = found.map(GroupMatch::groups).unwrap_or_default().to_vec();
    let records = groups.into_iter().flat_map(|group| group.records());
    records.filter(move |record| record.kind() == kind)
}

/// Returns the pacing records of one kind that apply to `crawler`, in file order. V-87.
///
/// Before the first rule of a group, such a record belongs to the user-agent lines directly above
/// it. They begin after the last pacing record above them, because a site that writes `User-agent:
/// a`, `Crawl-delay: 60`, `User-agent: *` asks `a` to wait and nobody else. After a rule, it
/// belongs to the whole group.
pub(crate) fn pacing_records_for<'r>(
    robots: &'r RobotsTxt,
    crawler: &Crawler,
    kind: RecordKind,
) -> Vec<Record<'r>> {
    let Some(found) = robots.groups_for(crawler) else {
        return Vec::new();
    };
    let names = |line: Group<'_>| match found.token() {
        None => line.is_for_star(),
        Some(_) if crawler.is_union() => crawler.tokens().iter().any(|it| line.names(it)),
        Some(token) => line.names(token),
    };
    // "Of the record", which a blank line ends.                                      K96-3.2-1
    let is_of_record = robots.reading().blank_line() == BlankLine::EndsTheRecord;
    let mut records = Vec::new();
    for group in found.groups() {
        let (mut applies, mut is_run_over) = (is_of_record, false);
        for record in group.records() {
            match record.kind() {
                RecordKind::UserAgent if !is_of_record => {
                    let line = group.part(record.index()..record.index() + 1);
                    applies = (applies && !is_run_over) || line.is_some_and(names);
                    is_run_over = false;
                }
                RecordKind::CrawlDelay | RecordKind::RequestRate | RecordKind::VisitTime => {
                    is_run_over = true;
                }
                kind => applies |= kind.is_rule(),
            }
            if record.kind() == kind && applies {
                records.push(record);
            }
        }
    }
    records
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use verger::Dialect;

    #[test]
    fn all_groups_that_speak_are_searched_and_no_other() {
        let robots = RobotsTxt::parse(
            "Crawl-delay: 1\nUser-agent: a\nCrawl-delay: 2\nDisallow: /\nCrawl-delay: 3\n\
             User-agent: b\nCrawl-delay: 4\nDisallow:\nUser-agent: A\nCrawl-delay: 5\n",
            Dialect::Rfc9309,
        );
        let values = |name: &str| {
            let crawler = Crawler::named(name, Dialect::Rfc9309).unwrap();
            records_for(&robots, &crawler, RecordKind::CrawlDelay)
                .map(|record| record.value())
                .collect::<Vec<_>>()
        };
        assert_eq!(values("a"), [b"2", b"3", b"5"]);
        assert_eq!(values("b"), [b"4"]);
        assert!(values("c").is_empty());
    }

    /// Returns the lines of the records that apply to a crawler with these names.
    fn lines(body: &str, dialect: Dialect, kind: RecordKind, crawler: &Crawler) -> Vec<u32> {
        let robots = RobotsTxt::parse(body, dialect);
        let records = pacing_records_for(&robots, crawler, kind);
        records.iter().map(|record| record.line().get()).collect()
    }

    const RUNS: &str = "User-agent: a\nUser-agent: *\nCrawl-delay: 3\nRequest-rate: 1/9\n\
                        User-agent: b\nSitemap: https://h.example/s\nUser-agent: c\nCrawl-delay: 8\n\
                        User-agent: d\nUser-agent: A\nCrawl-delay: 11\nAllow: /x\nCrawl-delay: 13\n";

    #[test]
    fn a_delay_before_a_rule_is_for_the_user_agent_lines_directly_above_it() {
        for dialect in [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Google] {
            for (name, expected) in [
                ("a", &[3, 11, 13][..]),
                ("b", &[8, 13]),
                ("c", &[8, 13]),
                ("d", &[11, 13]),
                ("x", &[3, 13]),
            ] {
                let crawler = Crawler::named(name, dialect).unwrap();
                let found = lines(RUNS, dialect, RecordKind::CrawlDelay, &crawler);
                assert_eq!(found, expected, "{name} in {dialect}");
                let rates = lines(RUNS, dialect, RecordKind::RequestRate, &crawler);
                assert_eq!(!rates.is_empty(), matches!(name, "a" | "x"), "{name}");
            }
        }
    }

    /// Any of the three keys ends a run, even if its value is invalid.
    #[test]
    fn every_pacing_record_ends_the_user_agent_lines_above_it() {
        for key in ["Crawl-delay: soon", "Request-rate: 1/9", "visit-time:"] {
            let body =
                format!("User-agent: a\n{key}\nUser-agent: b\nCrawl-delay: 4\nDisallow: /\n");
            let lines = |name: &str| {
                let crawler = Crawler::named(name, Dialect::Rfc9309).unwrap();
                lines(&body, Dialect::Rfc9309, RecordKind::CrawlDelay, &crawler)
            };
            assert!(!lines("a").contains(&4), "{key}");
            assert_eq!(lines("b"), [4], "{key}");
        }
    }

    /// Only the token that selects the groups counts, unless the crawler is a union.
    #[test]
    fn a_crawler_with_several_tokens_has_the_delays_of_the_one_that_is_named() {
        let body = "User-agent: b\nCrawl-delay: 2\nUser-agent: a\nCrawl-delay: 4\nDisallow: /\n";
        let google = Dialect::Google;
        let in_order = Crawler::named_in_order(["a", "b"], google).unwrap();
        assert_eq!(lines(body, google, RecordKind::CrawlDelay, &in_order), [4]);
        let union = Crawler::union(["a", "b"], google).unwrap();
        assert_eq!(lines(body, google, RecordKind::CrawlDelay, &union), [2, 4]);
    }

    #[test]
    fn in_the_draft_of_1996_a_delay_is_for_its_record() {
        let delays = |body: &str, name: &str| {
            let crawler = Crawler::named(name, Dialect::Koster1996).unwrap();
            lines(body, Dialect::Koster1996, RecordKind::CrawlDelay, &crawler)
        };
        let body = "User-agent: a\nCrawl-delay: 2\nUser-agent: b\nDisallow: /\n";
        assert_eq!(
            (delays(body, "a"), delays(body, "b")),
            ([2].into(), [2].into())
        );
        let two = body.replace("User-agent: b", "\nUser-agent: b");
        assert!(delays(&two, "a").is_empty() && delays(&two, "b").is_empty());
    }
}
