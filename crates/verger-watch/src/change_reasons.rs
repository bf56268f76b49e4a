use std::collections::BTreeSet;

use verger::{Policy, RobotsTxt, TargetPath};
use verger_answer::{ReadAs, ResolvedCrawler};
use verger_crawlers::Purpose;
use verger_extensions::sitemaps;
use verger_lint::{Linted, Served, Severity};
use verger_owner::shown_names;

use crate::event_reason::{EventReason, ReasonKind};
use crate::seen_rules::SeenRules;

/// The home page, then a page in each part of the site that a path-pattern can close with one letter.
const PAGES: &[u8; 36] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// The pages that a crawler may fetch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Reach {
    has_home: bool,
    /// A bit for each of [`PAGES`].
    pages: u64,
}

impl Reach {
    const NOTHING: Self = Self {
        has_home: false,
        pages: 0,
    };

    const EVERYTHING: Self = Self {
        has_home: true,
        pages: (1 << PAGES.len()) - 1,
    };

    fn of(policy: &Policy, robots: &RobotsTxt) -> Self {
        let allows = |path: &[u8]| {
            let target = TargetPath::new(path, *robots.reading());
            target.is_ok_and(|target| policy.decide(&target).is_allowed())
        };
        let pages = PAGES.iter().enumerate();
        Self {
            has_home: allows(b"/"),
            pages: pages.fold(0, |pages, (nth, letter)| {
                pages | u64::from(allows(&[b'/', *letter])) << nth
            }),
        }
    }

    /// Returns whether the home page, or more than half of the pages, is in `self` only.
    fn exceeds(self, other: Self) -> bool {
        let pages = (self.pages & !other.pages).count_ones() as usize;
        (self.has_home && !other.has_home) || 2 * pages > PAGES.len()
    }
}

/// The files of a state, parsed once for each reading.
struct Reaches<'s> {
    rules: &'s SeenRules,
    read_as: ReadAs,
    parsed: Vec<RobotsTxt>,
}

impl Reaches<'_> {
    fn of(&mut self, crawler: &ResolvedCrawler) -> Reach {
        let reading = crawler.reading(self.read_as.reading());
        let known = self.parsed.iter().position(|it| *it.reading() == reading);
        let place = if let Some(place) = known {
            place
        } else if let Some(robots) = self.rules.rules(reading) {
            self.parsed.push(robots);
            self.parsed.len() - 1
        } else {
            return Reach::NOTHING;
        };
        let robots = &self.parsed[place];
        Reach::of(&robots.policy(crawler.crawler()), robots)
    }
}

/// A change for a receiver.
pub(crate) struct ChangeOfRules<'c> {
    /// The state that the receiver knows, and the last one with rules, if there was one.
    pub(crate) told: &'c SeenRules,
    pub(crate) before: Option<&'c SeenRules>,
    pub(crate) after: &'c SeenRules,
    /// Whether the last fetch found no server.
    pub(crate) is_outage: bool,
}

/// Returns the reasons why a change matters, the most severe ones first. Without reasons it is a
/// notice. `crawlers` matter to the owner.
pub(crate) fn change_reasons(
    change: &ChangeOfRules<'_>,
    crawlers: &[ResolvedCrawler],
    read_as: ReadAs,
) -> Vec<EventReason> {
    let after = change.after;
    let mut reasons = Vec::new();
    // The end of an outage is as severe as its start, for the same receivers.
    match (change.told.is_overdue, after.is_overdue) {
        (false, true) => reasons.push(EventReason::of_kind(ReasonKind::Unreachable)),
        (true, false) => reasons.push(EventReason::of_kind(ReasonKind::UnreachableEnded)),
        _ => {}
    }
    if change.is_outage && !after.has_rules() {
        // The profile, not the owner, closes the site. It may be back in a minute.
        let is_new = change.told.has_rules();
        reasons.extend(is_new.then(|| EventReason::of_kind(ReasonKind::Outage)));
        return reasons;
    }
    // Without earlier rules nothing is known to be lost.
    let Some(before) = change.before else {
        return reasons;
    };
    let mut reaches = [before, after].map(|rules| Reaches {
        rules,
        read_as,
        parsed: Vec::new(),
    });
    let [mut search_lost, mut lost, mut gained] = [(); 3].map(|()| Vec::new());
    for crawler in crawlers {
        let [before, after] = [0, 1].map(|side: usize| reaches[side].of(crawler));
        if before.exceeds(after) {
            if is_search_engine(crawler) {
                &mut search_lost
            } else {
                &mut lost
            }
            .push(crawler);
        } else if after.exceeds(before) {
            gained.push(crawler);
        }
    }
    let of_crawlers = [
        (ReasonKind::SearchLost, search_lost),
        (ReasonKind::CrawlerLost, lost),
        (ReasonKind::CrawlerGained, gained),
    ];
    for (kind, crawlers) in of_crawlers {
        reasons.extend(EventReason::of_names(kind, shown_names(&crawlers)));
    }
    if !change.told.has_rules()
        && reasons
            .iter()
            .all(|it| it.kind != ReasonKind::UnreachableEnded)
    {
        reasons.push(EventReason::of_kind(ReasonKind::OutageEnded));
    }
    if let (Some(before), Some(after)) = (&before.body, &after.body) {
        let [before, after] = [before, after].map(|body| &**body);
        let sitemaps = gone(sitemaps_of(before, read_as), &sitemaps_of(after, read_as));
        let mistakes = gone(mistakes_of(after), &mistakes_of(before));
        reasons.extend(EventReason::of_names(ReasonKind::SitemapGone, sitemaps));
        reasons.extend(EventReason::of_names(ReasonKind::LintError, mistakes));
    }
    reasons
}

pub(crate) fn is_search_engine(crawler: &ResolvedCrawler) -> bool {
    let known = crawler.known();
    known.is_some_and(|it| it.purposes().contains(&Purpose::Search))
}

/// Returns the search engines among these crawlers that may not fetch the home page, or most other
/// pages.
pub(crate) fn closed_search_engines(
    rules: &SeenRules,
    crawlers: &[ResolvedCrawler],
    read_as: ReadAs,
) -> Vec<String> {
    let mut reaches = Reaches {
        rules,
        read_as,
        parsed: Vec::new(),
    };
    let closed = crawlers.iter().filter(|it| is_search_engine(it));
    let closed = closed.filter(|it| Reach::EVERYTHING.exceeds(reaches.of(it)));
    shown_names(&closed.collect::<Vec<_>>())
}

fn gone(before: BTreeSet<String>, after: &BTreeSet<String>) -> Vec<String> {
    before
        .into_iter()
        .filter(|it| !after.contains(it))
        .collect()
}

fn sitemaps_of(body: &[u8], read_as: ReadAs) -> BTreeSet<String> {
    let robots = RobotsTxt::parse(body, read_as.reading());
    let urls = sitemaps(&robots).map(|it| String::from_utf8_lossy(it.url()).into_owned());
    urls.collect()
}

fn mistakes_of(body: &[u8]) -> BTreeSet<String> {
    let file = Linted::new(body, &Served::default());
    let errors = file.findings().iter();
    let errors = errors.filter(|it| it.severity == Severity::Error);
    errors.map(|it| it.code.to_owned()).collect()
}
