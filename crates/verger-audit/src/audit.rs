//! `Audit`: the lines of logs in, what crawlers did out.

use std::collections::BTreeMap;
use std::error::Error;
use std::net::IpAddr;
use std::time::Duration;

use verger::{Reading, TargetPath};
use verger_access::{Authority, Timestamp};
use verger_answer::text::legible;
use verger_crawlers::KnownCrawler;
use verger_store::time_text;

use crate::authority_table::{AuthorityTable, RequestHost};
use crate::identity::{CrawlerFinder, RequestCheck, RequestChecks};
use crate::log::{LineProblem, LogLine, LogReader, LogRequest};
use crate::log_totals::LogTotals;
use crate::rules::{Judgement, RulesHistory, RulesSource};
use crate::rules_cache::RulesCache;
use crate::tally::{CrawlerTally, RobotsAnswer, Sample};
use crate::visit::Visit;

/// How many lines of rules are counted one by one for all crawlers whose requests are checked with one
/// result.
const LINES_MAX: usize = 5_000;

/// How long the target of a sample is at most, in characters.
const TARGET_CHARACTERS_MAX: usize = 200;

/// How many pairs of authority and crawler are remembered, for what the crawler did last there.
const VISITS_MAX: usize = 1_000_000;

/// How logs are read.
#[derive(Clone, Debug)]
pub struct AuditSettings {
    /// The authority of requests whose line names no host.
    pub site: Option<Authority>,
    /// How long after a change requests by the rules before it are within grace.
    pub grace: Duration,
    /// How URLs are compared.
    pub reading: Reading,
    /// Whether addresses are shortened to their networks: 24 bits of IPv4, 48 of IPv6.
    pub anonymous: bool,
}

/// Counts what crawlers did, line by line of some logs.
#[derive(Debug)]
pub struct Audit<S> {
    settings: AuditSettings,
    finder: CrawlerFinder,
    checks: RequestChecks,
    rules: RulesCache<S>,
    authorities: AuthorityTable,
    tallies: BTreeMap<(usize, RequestCheck), CrawlerTally>,
    /// By the numbers of authority and crawler.
    visits: BTreeMap<(usize, usize), Visit>,
    /// How many more lines of rules are counted one by one, by the result of the check: impostors take no
    /// room from others.
    room_for_lines: [usize; RequestCheck::ALL.len()],
    totals: LogTotals,
}

/// A crawler's request, as it is judged.
struct CrawlerRequest<'r> {
    number: usize,
    crawler: &'static KnownCrawler,
    check: RequestCheck,
    request: LogRequest<'r>,
    place: (&'r str, u64),
}

impl<S: RulesSource> Audit<S> {
    /// Begins an audit. Requests are held to the rules of `source`, and checked with `checks`.
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

    /// What requests are checked with. The names of addresses can be added between lines.
    pub fn checks_mut(&mut self) -> &mut RequestChecks {
        &mut self.checks
    }

    /// The address of a line's client, where its names are wanted for the check and were not asked for at
    /// `since` or later.
    pub fn wants_names(
        &self,
        line: &LogLine<'_>,
        reader: &mut LogReader,
        since: Timestamp,
    ) -> Option<IpAddr> {
        let divided = reader.divide(line.octets?).ok()??;
        let number = self.finder.find(&divided.user_agent)?;
        let address = divided.read().ok()?.address?;
        let crawler = self.finder.crawler(number);
        let wants = self.checks.wants_names(crawler, address, since);
        wants.then_some(address)
    }

    /// Counts a line of the log called `log`.
    ///
    /// # Errors
    ///
    /// Where the rules cannot be read. A line that cannot be read is counted so, and is no error.
    pub fn count(
        &mut self,
        log: &str,
        line: &LogLine<'_>,
        reader: &mut LogReader,
    ) -> Result<(), Box<dyn Error>> {
        self.totals.lines += 1;
        let Some(octets) = line.octets else {
            self.totals.too_long += 1;
            return Ok(());
        };
        let divided = match reader.divide(octets) {
            Ok(Some(divided)) => divided,
            Ok(None) => {
                self.totals.without_request += 1;
                return Ok(());
            }
            Err(problem) => {
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
            Err(problem) => {
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

    fn judge(&mut self, asked: &CrawlerRequest<'_>) -> Result<(), Box<dyn Error>> {
        let request = &asked.request;
        let number = self.number_of_host(request);
        let tally = self.tallies.entry((asked.number, asked.check)).or_default();
        tally.requests += 1;
        tally.span.extend_to(request.time);
        tally.days.count(request.time, 1, 0);
        let is_common = !self.rules.needs_authority();
        let target = TargetPath::as_sent(&*request.target, self.settings.reading);
        let (true, Ok(target)) = (number.is_some() || is_common, target) else {
            tally.unknown += 1;
            return Ok(());
        };
        let is_room = self.visits.len() < VISITS_MAX;
        let key = number.map(|number| (number, asked.number));
        let mut unkept = Visit::default();
        let visit = match key {
            Some(key) if is_room || self.visits.contains_key(&key) => {
                self.visits.entry(key).or_default()
            }
            _ => &mut unkept,
        };
        if target.as_bytes() == b"/robots.txt" || target.as_bytes().starts_with(b"/robots.txt?") {
            let answer = RobotsAnswer::of_status(request.status);
            tally.robots.count(answer);
            visit.put_answer(asked.check, answer);
            return Ok(());
        }
        let named = number.and_then(|number| self.authorities.authority(number));
        if named.is_none() && !is_common {
            self.totals.without_host += 1;
        }
        let authority = number.zip(named);
        let history = self.rules.history(authority, request.time)?;
        let who = (asked.number, asked.crawler);
        let grace = self.settings.grace;
        let before = visit.put_time(asked.check, request.time);
        count_pace(tally, before, history, (request.time, grace), who);
        match history.judge(request.time, grace, who, &target) {
            Judgement::Allowed => tally.allowed += 1,
            Judgement::WithinGrace => tally.within_grace += 1,
            Judgement::Unknown => tally.unknown += 1,
            Judgement::Disallowed(_) if visit.is_refused(asked.check) => tally.robots_refused += 1,
            Judgement::Disallowed(line) => {
                tally.disallowed += 1;
                tally.days.count(request.time, 0, 1);
                let authority = named.map(ToString::to_string).unwrap_or_default();
                let anonymous = self.settings.anonymous;
                let sample = || sample(asked, anonymous);
                let room = &mut self.room_for_lines[asked.check as usize];
                tally
                    .lines
                    .count(&authority, line, request.time, room, sample);
            }
        }
        Ok(())
    }

    /// The number of the authority of a request; `None` where it has none. Counts those that therefore are not
    /// held to rules that there may be.
    fn number_of_host(&mut self, request: &LogRequest<'_>) -> Option<usize> {
        match self.authorities.find(request) {
            RequestHost::Numbered(number) => Some(number),
            RequestHost::Further(authority) => {
                if self.rules.needs_authority() && self.rules.may_have(&authority) {
                    self.totals.of_further_hosts += 1;
                }
                None
            }
            RequestHost::Invalid => None,
        }
    }

    /// What was counted of all lines so far.
    #[must_use]
    pub fn totals(&self) -> &LogTotals {
        &self.totals
    }

    /// What was counted so far: of all lines, and of the crawlers in the order of the registry.
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

/// A crawler, how its requests were checked, and what was counted of them.
#[derive(Clone, Copy, Debug)]
pub struct CountedCrawler<'a> {
    /// The crawler that the headers name.
    pub crawler: &'static KnownCrawler,
    /// Whether they were its own.
    pub check: RequestCheck,
    /// What was counted.
    pub tally: &'a CrawlerTally,
}

/// Counts whether the delay was kept since the latest request before. Lines may be somewhat out of order; a
/// time before the last is no gap.
fn count_pace(
    tally: &mut CrawlerTally,
    before: Option<Timestamp>,
    history: &mut RulesHistory,
    (time, grace): (Timestamp, Duration),
    who: (usize, &KnownCrawler),
) {
    if let Some(before) = before
        && before <= time
        && let Some(delay) = history.crawl_delay_seconds(time, grace, who)
        && delay > 0
    {
        tally.pace.count(time.since(before).as_secs(), delay);
    }
}

fn sample(asked: &CrawlerRequest<'_>, anonymous: bool) -> Sample {
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
        time: time_text(request.time),
        address,
        target: target.chars().take(TARGET_CHARACTERS_MAX).collect(),
    }
}

/// The network of an address: 24 bits of IPv4, 48 of IPv6.
fn network_of(address: IpAddr) -> String {
    let length = if address.is_ipv4() { 24 } else { 48 };
    match ipnet::IpNet::new(address, length) {
        Ok(network) => network.trunc().to_string(),
        Err(_) => String::new(),
    }
}
