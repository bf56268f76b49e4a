use std::sync::Arc;

use serde::{Serialize, Serializer};
use verger::RobotsTxt;
use verger_access::{Authority, Profile, Stance, Timestamp};
use verger_answer::{ReadAs, ReadError, ResolvedCrawler};
use verger_compare::Budget;
use verger_lint::{Linted, Served, Severity};
use verger_owner::{FileComparison, crawlers_of};

use crate::change_reasons::closed_search_engines;
use crate::condition::failing_claims;
use crate::seen_site::{Expected, SeenSite};
use crate::site_fetcher::FetchedSite;
use crate::watched_site::WatchedSite;

const SCHEMA: &str = "verger.site/1";

/// The state of a watched site at its last look (`verger.site/1` in `docs/json.md`).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SiteState {
    /// The site.
    pub site: Authority,
    /// The stance of crawlers.
    pub stance: Stance,
    /// Description of the outcome of the last fetch.
    pub outcome: Arc<str>,
    /// When the last fetch ended.
    pub at: Timestamp,
    /// When the site is fetched next.
    pub next: Timestamp,
    /// When the first of the failures in a row ended, if the site is unreachable.
    pub unreachable_since: Option<Timestamp>,
    /// The crawlers that matter.
    pub crawlers: Arc<[ResolvedCrawler]>,
    /// The search engines that matter and may not fetch the home page, or most other pages. Empty
    /// while the site is unreachable and no rules apply.
    pub search_closed: Vec<String>,
    /// The claims that fail. `None` if there are claims but no rules.
    pub claims_failed: Option<Vec<String>>,
    /// Whether the served file differs from the expected one. `None` without an expected file or rules.
    pub differs_from_file: Option<bool>,
    /// Number of lint findings: notes, warnings and errors.
    pub findings: [usize; 3],
    /// Files of the owner that cannot be read.
    pub problems: Vec<String>,
}

impl SiteState {
    /// Returns the state of a site that is not watched, after a fetch.
    ///
    /// # Errors
    ///
    /// Returns an error if the fetch failed for a reason that is not about the site.
    pub fn of_fetch(
        site: &WatchedSite,
        fetched: FetchedSite,
        profile: &Profile,
        read_as: ReadAs,
    ) -> Result<Self, ReadError> {
        let next = fetched.answer.ask_again_at();
        let time = (profile, fetched.at);
        let seen = SeenSite::new(site, fetched, Expected::default(), time)?;
        let look = Look {
            seen: &seen,
            problems: &[],
            next,
            read_as,
        };
        Ok(look.state())
    }

    /// Returns whether the site is unreachable, and no rules apply meanwhile.
    #[must_use]
    pub fn is_outage(&self) -> bool {
        let has_rules = matches!(self.stance, Stance::Rules | Stance::Copy | Stance::Open);
        self.unreachable_since.is_some() && !has_rules
    }
}

/// A look at a site.
#[derive(Clone, Copy, Debug)]
pub struct Look<'l> {
    pub(crate) seen: &'l SeenSite,
    pub(crate) problems: &'l [String],
    pub(crate) next: Timestamp,
    pub(crate) read_as: ReadAs,
}

impl Look<'_> {
    /// Computes the state of the site, with lints, claims and the comparison with the expected file.
    #[must_use]
    pub fn state(&self) -> SiteState {
        let seen = self.seen;
        let claims_failed = match &seen.expected.claims {
            Some(claims) => failing_claims(claims, seen),
            None => Some(Vec::new()),
        };
        let search_closed = if seen.is_outage() {
            Vec::new()
        } else {
            closed_search_engines(&seen.rules, &seen.crawlers, self.read_as)
        };
        SiteState {
            site: seen.site.clone(),
            stance: seen.rules.stance,
            outcome: Arc::clone(&seen.outcome),
            at: seen.at,
            next: self.next,
            unreachable_since: seen.unreachable_since,
            crawlers: Arc::clone(&seen.crawlers),
            search_closed,
            claims_failed,
            differs_from_file: self.differs_from_file(),
            findings: findings_of(seen),
            problems: self.problems.to_vec(),
        }
    }

    fn differs_from_file(&self) -> Option<bool> {
        let reading = self.read_as.reading();
        let own = RobotsTxt::parse(&**self.seen.expected.file.as_ref()?, reading);
        let served = self.seen.rules.rules(reading)?;
        let crawlers = crawlers_of([&own, &served], self.read_as);
        let comparison = FileComparison::new(own, served, &crawlers, Budget::default());
        Some(comparison.ok()?.is_same() != Some(true))
    }
}

fn findings_of(seen: &SeenSite) -> [usize; 3] {
    let Some(body) = &seen.rules.body else {
        return [0; 3];
    };
    let served = Served {
        origin: Some(seen.site.to_string()),
        ..Served::default()
    };
    let linted = Linted::new(&**body, &served);
    let count = |severity| {
        let findings = linted.findings().iter();
        findings.filter(|it| it.severity == severity).count()
    };
    [Severity::Note, Severity::Warning, Severity::Error].map(count)
}

#[derive(Serialize)]
struct StateLine<'s> {
    schema: &'static str,
    site: String,
    stance: &'static str,
    outcome: &'s str,
    at: Timestamp,
    next: Timestamp,
    unreachable_since: Option<Timestamp>,
    search_closed: &'s [String],
    claims_failed: Option<&'s [String]>,
    differs_from_file: Option<bool>,
    findings: Findings,
    problems: &'s [String],
}

#[derive(Serialize)]
struct Findings {
    note: usize,
    warning: usize,
    error: usize,
}

impl Serialize for SiteState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let [note, warning, error] = self.findings;
        let line = StateLine {
            schema: SCHEMA,
            site: self.site.to_string(),
            stance: self.stance.as_str(),
            outcome: &self.outcome,
            at: self.at,
            next: self.next,
            unreachable_since: self.unreachable_since,
            search_closed: &self.search_closed,
            claims_failed: self.claims_failed.as_deref(),
            differs_from_file: self.differs_from_file,
            findings: Findings {
                note,
                warning,
                error,
            },
            problems: &self.problems,
        };
        line.serialize(serializer)
    }
}
