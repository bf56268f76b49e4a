use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::IpAddr;
use std::time::Duration;
use verger_store::StoreError;

use verger::TargetPath;
use verger_access::{Authority, Outcome, Profile, Reply, Timestamp, Treatment};
use verger_answer::ReadAs;
use verger_answer::text::legible;
use verger_crawlers::KnownCrawler;

use crate::authority_table::{AuthorityTable, RequestHost};
use crate::identity::{CrawlerFinder, RequestCheck, RequestChecks};
use crate::log::{LineProblem, LogLine, LogReader, LogRequest};
use crate::log_totals::LogTotals;
use crate::rules::{Judgement, RulesHistory, RulesSource};
use crate::rules_cache::RulesCache;
use crate::tally::{CrawlerTally, RobotsAnswer, RobotsRequest, Sample};
use crate::visit::{LATE_LINE_MAX, RobotsStreak, Visit};

/// Maximum number of rules counted individually, over all crawlers with the same check result.
const LINES_MAX: usize = 5_000;

/// Maximum length of a sample's target, in characters.
const TARGET_CHARACTERS_MAX: usize = 200;

/// Maximum number of remembered pairs of authority and crawler.
const VISITS_MAX: usize = 1_000_000;

/// How logs are judged.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AuditSettings {
    /// Authority of requests whose line names no host.
    pub site: Option<Authority>,
    /// Grace period: how long after a change requests may still follow the old rules.
    pub grace: Duration,
    /// Which dialect each crawler is judged in.
    pub read_as: ReadAs,
    /// Which responses to a request for robots.txt allow a crawler everything, and for how long.
    /// V-84.
    pub profile: Profile,
    /// Whether addresses are truncated to their network: /24 for IPv4, /48 for IPv6.
    pub anonymous: bool,
}

impl AuditSettings {
    /// Returns settings without a site, with full addresses, one day of grace and the profile
    /// `rfc9309`.
    pub fn new(read_as: impl Into<ReadAs>) -> Self {
        Self {
            site: None,
            grace: Duration::from_secs(24 * 60 * 60),
            read_as: read_as.into(),
            profile: Profile::RFC9309,
            anonymous: false,
        }
    }
}

/// Counts the requests of crawlers, line by line.
#[derive(Debug)]
pub struct Audit<S> {
    settings: AuditSettings,
    finder: CrawlerFinder,
    checks: RequestChecks,
    rules: RulesCache<S>,
    authorities: AuthorityTable,
    tallies: BTreeMap<(usize, RequestCheck), CrawlerTally>,
    /// By authority number and crawler number.
    visits: BTreeMap<(usize, usize), Visit>,
    /// How many more rules may be counted individually. Separate for each check result, so that
    /// impostors cannot use up the limit of real crawlers.
    room_for_lines: [usize; RequestCheck::ALL.len()],
    totals: LogTotals,
}

struct CrawlerRequest<'r> {
    number: usize,
    crawler: &'static KnownCrawler,
    check: RequestCheck,
    request: LogRequest<'r>,
    place: (&'r str, u64),
}

impl<S: RulesSource> Audit<S> {
    /// Starts an audit that judges requests by the rules of `source` and verifies them with
    /// `checks`.
    #[must_use]
    pub fn new(settings: AuditSettings, checks: RequestChecks, source: S) -> Self {
        Self {
            rules: RulesCache::new(source, settings.grace),
            authorities: AuthorityTable::new(settings.site.clone()),
            settings,
            finder: CrawlerFinder::new(),
            checks,
            tallies: BTreeMap::new(),
            visits: BTreeMap::new(),
            room_for_lines: [LINES_MAX; RequestCheck::ALL.len()],
            totals: LogTotals::default(),
        }
    }

    /// Returns the evidence that requests are checked against.
    #[must_use]
    pub fn checks(&self) -> &RequestChecks {
        &self.checks
    }

    /// Returns the grace period.
    #[must_use]
    pub fn grace(&self) -> Duration {
        self.settings.grace
    }

    /// Returns the evidence that requests are checked against. Host names may be added between
    /// lines.
    pub fn checks_mut(&mut self) -> &mut RequestChecks {
        &mut self.checks
    }

    /// Returns the client address of a line if its host names are needed and have not been queried
    /// since `since`.
    pub fn wants_names(
        &self,
        line: &LogLine<'_>,
        reader: &mut LogReader,
        since: Timestamp,
    ) -> Option<IpAddr> {
        let divided = reader.divide(line.bytes?).ok()??;
        let number = self.finder.find(&divided.user_agent)?;
        let address = divided.read().ok()?.address?;
        let crawler = self.finder.crawler(number);
        let wants = self.checks.wants_names(crawler, address, since);
        wants.then_some(address)
    }

    /// Counts a line of the log named `log`.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules cannot be read. An unreadable line is counted and is not an
    /// error.
    pub fn count(
        &mut self,
        log: &str,
        line: &LogLine<'_>,
        reader: &mut LogReader,
    ) -> Result<(), StoreError> {
        self.totals.lines += 1;
        let Some(bytes) = line.bytes else {
            self.totals.too_long += 1;
            self.totals.unread_of_crawlers += 1;
            return Ok(());
        };
        let divided = match reader.divide(bytes) {
            Ok(Some(divided)) => divided,
            Ok(None) => {
                self.totals.without_request += 1;
                return Ok(());
            }
            Err(problem) => {
                let is_of_crawler = self.finder.has_name(bytes);
                self.totals.unread_of_crawlers += u64::from(is_of_crawler);
                self.totals.count_problem(problem, log, line.number);
                return Ok(());
            }
        };
        if divided.user_agent.is_empty() {
            self.totals.without_header += 1;
            return Ok(());
        }
        let Some(number) = self.finder.find(&divided.user_agent) else {
            self.totals.other_clients += 1;
            return Ok(());
        };
        let request = match divided.read() {
            Ok(request) => request,
            Err(LineProblem::NoTarget) => {
                self.totals.without_target += 1;
                return Ok(());
            }
            Err(LineProblem::NoPath) => {
                self.totals.without_path += 1;
                return Ok(());
            }
            Err(problem) => {
                self.totals.unread_of_crawlers += 1;
                self.totals.count_problem(problem, log, line.number);
                return Ok(());
            }
        };
        let crawler = self.finder.crawler(number);
        self.totals.of_crawlers += 1;
        self.totals.span.extend_to(request.time);
        if request.address.is_none() {
            self.totals.without_address += 1;
        }
        let check = self.checks.check(crawler, request.address, request.time);
        self.judge(&CrawlerRequest {
            number,
            crawler,
            check,
            request,
            place: (log, line.number),
        })
    }

    fn judge(&mut self, asked: &CrawlerRequest<'_>) -> Result<(), StoreError> {
        let (request, check) = (&asked.request, asked.check);
        let has_rules = |authority: &Authority| self.rules.has(authority);
        let host = self.authorities.find(request, has_rules)?;
        let tally = self.tallies.entry((asked.number, check)).or_default();
        let time = request.time;
        tally.requests += 1;
        tally.span.extend_to(time);
        tally.days.count(time, 1, 0);
        let (checks, crawler) = (&self.checks, asked.crawler);
        let is_unchecked =
            check == RequestCheck::Unverifiable && checks.lacks_evidence(crawler, request.address);
        tally.unchecked += u64::from(is_unchecked);
        let read_as = self.settings.read_as;
        let Ok(target) = TargetPath::as_sent(&*request.target, read_as.of_known(crawler)) else {
            tally.unknown += 1;
            tally.unjudged += 1;
            return Ok(());
        };
        let visit = visit_of(&mut self.visits, host, asked.number);
        let lifetime = self.settings.profile.freshness.lifetime(None);
        if target.is_robots_txt() {
            let answer = RobotsAnswer::from_status(request.status);
            tally.robots.count(answer);
            if let Some(visit) = visit {
                let opens = opens(&self.settings.profile, request.status);
                let request = RobotsStreak::of(RobotsRequest { time, answer }, opens);
                visit.put_robots(check, request, lifetime);
            }
            return Ok(());
        }
        let authority = self.authorities.named(host);
        if authority.is_none() && self.rules.needs_authority() {
            self.totals.count_without_rules(host);
            tally.unknown += 1;
            tally.unjudged += u64::from(host != RequestHost::Unknown);
            return Ok(());
        }
        let history = self.rules.history(authority, time)?;
        let (who, grace) = ((asked.number, crawler, read_as), self.settings.grace);
        let robots = visit.as_ref().and_then(|visit| visit.robots(check, time));
        count_pace(tally, (visit, check), history, (time, grace), who);
        match history.judge(time, grace, who, &target) {
            Judgement::Allowed => tally.allowed += 1,
            Judgement::WithinGrace => tally.within_grace += 1,
            Judgement::Unknown => {
                tally.unknown += 1;
                tally.unjudged += 1;
            }
            Judgement::Disallowed(_)
                if robots.is_some_and(|robots| robots.opens_at(time, lifetime)) =>
            {
                tally.robots_open += 1;
            }
            Judgement::Disallowed(line) => {
                tally.disallowed += 1;
                tally.days.count(time, 0, 1);
                let in_force = self.rules.in_force(authority, time)?;
                let name = authority.map(|(_, named)| named.to_string());
                let row = (&*name.unwrap_or_default(), in_force, line);
                let anonymous = self.settings.anonymous;
                let room = &mut self.room_for_lines[check as usize];
                let robots = robots.map(|robots| robots.by(time));
                let sample = || sample(asked, robots, anonymous);
                tally.lines.count(row, time, room, sample);
            }
        }
        Ok(())
    }

    /// Counts blank lines, which [`crate::LogLines`] skips.
    pub fn count_blank(&mut self, lines: u64) {
        self.totals.lines += lines;
        self.totals.without_request += lines;
    }

    /// Counts requests under a crawl delay that came after later requests of the same crawler.
    pub(crate) fn out_of_order(&self) -> u64 {
        let tallies = self.tallies.values();
        tallies.map(|tally| tally.out_of_order).sum()
    }

    /// Returns the totals of all lines so far.
    #[must_use]
    pub fn totals(&self) -> &LogTotals {
        &self.totals
    }

    /// Returns the totals so far, and the crawlers in registry order.
    #[must_use]
    pub fn counted(&self) -> (&LogTotals, Vec<CountedCrawler<'_>>) {
        let counted = self
            .tallies
            .iter()
            .map(|(&(number, check), tally)| CountedCrawler {
                crawler: self.finder.crawler(number),
                check,
                tally,
            });
        (&self.totals, counted.collect())
    }
}

/// A crawler, a check result, and the counts of the requests with that result.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct CountedCrawler<'a> {
    /// The crawler named in the headers.
    pub crawler: &'static KnownCrawler,
    /// Whether the requests came from that crawler.
    pub check: RequestCheck,
    /// The counts.
    pub tally: &'a CrawlerTally,
}

impl CountedCrawler<'_> {
    /// Returns the purposes of the crawler in the registry, separated by spaces, such as
    /// `ai-train`.
    #[must_use]
    pub fn purposes(&self) -> String {
        let purposes = self.crawler.purposes().iter();
        let purposes: Vec<_> = purposes.map(|purpose| purpose.as_str()).collect();
        purposes.join(" ")
    }
}

/// Returns whether a response to robots.txt allows everything: a status from 400 to 499. Whether
/// the crawler has a copy is unknown.
fn opens(profile: &Profile, status: Option<u16>) -> bool {
    let Some(status @ 400..=499) = status else {
        return false;
    };
    let consequence = profile.consequence(Outcome::Error(Reply::Http(status)));
    matches!(
        consequence.treatment,
        Treatment::Open | Treatment::OpenUnlessCopyYoungerThan(_)
    )
}

/// Returns `None` if the crawler and host are not tracked.
fn visit_of(
    visits: &mut BTreeMap<(usize, usize), Visit>,
    host: RequestHost,
    crawler: usize,
) -> Option<&mut Visit> {
    let RequestHost::Numbered(number) = host else {
        return None;
    };
    let is_room = visits.len() < VISITS_MAX;
    match visits.entry((number, crawler)) {
        Entry::Occupied(kept) => Some(kept.into_mut()),
        Entry::Vacant(place) => is_room.then(|| place.insert(Visit::default())),
    }
}

/// Checks the gap since the latest earlier request. It is unknown if the pair is not tracked or if
/// the log has a much later request before this one. A slightly late line is ignored.
fn count_pace(
    tally: &mut CrawlerTally,
    (visit, check): (Option<&mut Visit>, RequestCheck),
    history: &mut RulesHistory,
    (time, grace): (Timestamp, Duration),
    who: (usize, &KnownCrawler, ReadAs),
) {
    let is_kept = visit.is_some();
    let before = visit.and_then(|visit| visit.put_time(check, time));
    if (before.is_some() || !is_kept)
        && let Some(delay) = history.crawl_delay_seconds(time, grace, who)
        && delay > 0
    {
        match before {
            None => tally.unpaced += 1,
            Some(before) if before <= time => {
                tally.pace.count(time.since(before).as_secs(), delay);
            }
            Some(before) if before.since(time) <= LATE_LINE_MAX => {}
            Some(_) => {
                tally.unpaced += 1;
                tally.out_of_order += 1;
            }
        }
    }
}

fn sample(
    asked: &CrawlerRequest<'_>,
    robots_request: Option<RobotsRequest>,
    anonymous: bool,
) -> Sample {
    let request = &asked.request;
    let target = legible(&request.target);
    let address = request.address.map(|address| {
        if anonymous {
            network_of(address)
        } else {
            address.to_string()
        }
    });
    Sample {
        log: asked.place.0.to_owned(),
        log_line: asked.place.1,
        time: request.time.to_string(),
        address,
        target: target.chars().take(TARGET_CHARACTERS_MAX).collect(),
        robots_request,
    }
}

/// Returns the network of an address: /24 for IPv4, /48 for IPv6.
fn network_of(address: IpAddr) -> String {
    let length = if address.is_ipv4() { 24 } else { 48 };
    match ipnet::IpNet::new(address, length) {
        Ok(network) => network.trunc().to_string(),
        Err(_) => String::new(),
    }
}
