//! Collects the records of one kind in the groups that apply to a crawler.

use verger::{Crawler, GroupMatch, Record, RecordKind, RobotsTxt};

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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
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
}
