use serde::Serialize;
use verger::LineNumber;
use verger_access::{Answer, Timestamp};
use verger_extensions::{Pacing, TimeOfDay};

use crate::access::authority_lookup::AuthorityLookup;
use crate::access::keys::AccessKeys;
use crate::checked_file::CheckedFile;
use crate::delay::{Delay, PacingBounds};
use verger_crawlers::ResolvedCrawler;

const SCHEMA: &str = "verger.pacing/1";

/// Visit-time windows begin and end on a minute.
const MINUTE_SECONDS: u64 = 60;

const DAY_MINUTES: u64 = 24 * 60;

/// The delay between a crawler's requests to an authority, its visit times, and the reasons. The
/// crawler's frontier must count requests and wait.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct PacingAnswer<'a> {
    schema: &'static str,
    authority: String,
    agent: &'a str,
    crawler: &'a ResolvedCrawler,
    /// The time of the answer.
    pub at: Timestamp,
    /// The delay between two requests.
    #[serde(flatten)]
    pub delay: Delay,
    /// Whether the crawler may visit now.
    pub welcome: bool,
    /// When it may visit next. `None` if it may now, or if no minute of the day is in a
    /// `Visit-time`.
    pub welcome_at: Option<Timestamp>,
    /// First second in which the answer may change, because a window begins or ends or the state of
    /// the authority expires.
    pub holds_until: Option<Timestamp>,
    /// The records behind the answer, by kind, then in file order.
    pub reasons: Vec<PacingReason>,
    #[serde(flatten)]
    access: AccessKeys<'a>,
}

/// A record that asks for pacing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PacingReason {
    /// `crawl-delay`, `request-rate` or `visit-time`.
    pub kind: &'static str,
    /// The value in normal form.
    pub value: String,
    /// The line.
    pub line: u32,
    /// Delay that it asks for, in milliseconds, or `None` for a visit time.
    pub delay_ms: Option<u64>,
    /// Whether it applies at this time of day.
    pub applies: bool,
    /// Id of the choice behind it.
    pub clause: &'static str,
}

impl<'a> PacingAnswer<'a> {
    /// Answers for the first crawler of `file`, which was parsed from `lookup`.
    ///
    /// # Panics
    ///
    /// Panics if `file` has no crawler.
    #[must_use]
    pub fn new(
        file: &'a CheckedFile,
        lookup: &'a AuthorityLookup,
        at: Timestamp,
        bounds: PacingBounds,
    ) -> Self {
        let crawler = file.crawlers()[0].resolved();
        let answer = lookup.state.as_ref().map(|state| &state.answer);
        let asked = file.pacing(0);
        let time = TimeOfDay::from_unix_seconds(at.unix_seconds());
        let asked_ms = asked.wait_milliseconds(time);
        let welcome = asked.is_welcome_at(time);
        let welcome_at = next_minute(at, |time| asked.is_welcome_at(time));
        let changes = |time| {
            asked.wait_milliseconds(time) != asked_ms || asked.is_welcome_at(time) != welcome
        };
        let changes_at = next_minute(at, changes).into_iter();
        Self {
            schema: SCHEMA,
            authority: lookup.authority.to_string(),
            agent: crawler.name(),
            crawler,
            at,
            delay: bounds.delay(&asked, at).unwrap_or_default(),
            welcome,
            welcome_at: welcome_at.filter(|_| !welcome),
            holds_until: changes_at.chain(answer.map(Answer::holds_until)).min(),
            reasons: reasons(&asked, time),
            access: AccessKeys::new(&lookup.profile, lookup.state.as_ref()),
        }
    }
}

/// Returns the first minute after `at` that satisfies `is_so`, within a day. Most files have no
/// windows.
fn next_minute(at: Timestamp, is_so: impl Fn(TimeOfDay) -> bool) -> Option<Timestamp> {
    let this = at.unix_seconds() / MINUTE_SECONDS;
    let minutes = (1..=DAY_MINUTES).map(|minute| (this + minute) * MINUTE_SECONDS);
    let mut found = minutes.filter(|&seconds| is_so(TimeOfDay::from_unix_seconds(seconds)));
    found.next().map(Timestamp::from_unix_seconds)
}

fn reasons(asked: &Pacing, time: TimeOfDay) -> Vec<PacingReason> {
    let reason = |kind, value: String, line: LineNumber, clause: &'static str| PacingReason {
        kind,
        value,
        line: line.get(),
        delay_ms: None,
        applies: true,
        clause,
    };
    let delay = asked.crawl_delay().into_iter().map(|delay| PacingReason {
        delay_ms: Some(delay.milliseconds()),
        ..reason("crawl-delay", delay.to_string(), delay.line(), "V-75")
    });
    let rates = asked.request_rates().iter().map(|rate| PacingReason {
        delay_ms: Some(rate.interval_milliseconds()),
        applies: rate.window().is_none_or(|window| window.contains(time)),
        ..reason("request-rate", rate.to_string(), rate.line(), "V-76")
    });
    let times = asked.visit_times().iter().map(|visit| PacingReason {
        applies: visit.window().contains(time),
        ..reason("visit-time", visit.to_string(), visit.line(), "V-77")
    });
    delay.chain(rates).chain(times).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use verger::Dialect;
    use verger_access::{Authority, Profile};

    use super::*;
    use crate::access::looked_up::{self, NOW, fetched};
    use crate::checked_file::{Explaining, Readings};

    const BODY: &str = "User-agent: *\nCrawl-delay: 2\nRequest-rate: 1/10 0800-1159\n\
                        Visit-time: 0600-0845\nDisallow: /a\n";

    fn lookup(body: &str) -> AuthorityLookup {
        let authority = Authority::from_url("https://h.example/").unwrap();
        looked_up::lookup(authority, fetched(body.as_bytes()), &Profile::RFC9309, NOW)
    }

    fn with<T>(
        lookup: &AuthorityLookup,
        at: Timestamp,
        bounds: PacingBounds,
        look: impl FnOnce(PacingAnswer<'_>) -> T,
    ) -> T {
        let readings = Readings::new(Dialect::Rfc9309.into(), Explaining::No);
        let file = CheckedFile::from_authority(lookup, &readings, &[ResolvedCrawler::unnamed()]);
        look(PacingAnswer::new(&file, lookup, at, bounds))
    }

    #[test]
    fn the_longest_delay_that_applies_counts_with_its_reasons_and_its_end() {
        let lookup = lookup(BODY);
        with(&lookup, NOW, PacingBounds::default(), |pacing| {
            assert_eq!(
                (pacing.delay.delay_ms, pacing.delay.asked_ms),
                (10_000, 10_000)
            );
            assert_eq!((pacing.welcome, pacing.welcome_at), (true, None));
            let edge = NOW.after(Duration::from_secs(46 * 60));
            assert_eq!(pacing.holds_until, Some(edge));
            let reasons = pacing.reasons.iter();
            let reasons: Vec<_> = reasons.map(|it| (it.kind, it.line, it.applies)).collect();
            let expected = [
                ("crawl-delay", 2, true),
                ("request-rate", 3, true),
                ("visit-time", 4, true),
            ];
            assert_eq!(reasons, expected);
        });
    }

    #[test]
    fn where_it_is_not_welcome_the_next_minute_at_which_it_is_follows() {
        let lookup = lookup(BODY);
        let later = NOW.after(Duration::from_secs(4 * 3600 + 30));
        with(&lookup, later, PacingBounds::default(), |pacing| {
            assert_eq!((pacing.welcome, pacing.delay.delay_ms), (false, 2000));
            let six = NOW.after(Duration::from_secs(22 * 3600));
            assert_eq!(pacing.welcome_at, Some(six));
        });
    }

    #[test]
    fn a_site_of_which_nothing_is_known_asks_for_nothing() {
        let unknown = AuthorityLookup {
            state: None,
            ..lookup("")
        };
        with(&unknown, NOW, PacingBounds::default(), |pacing| {
            assert_eq!((pacing.delay.delay_ms, pacing.welcome), (0, true));
            assert_eq!(pacing.holds_until, None);
            let json = crate::json::to_string(&pacing).unwrap();
            assert!(
                json.starts_with(r#"{"schema":"verger.pacing/1","authority":"https://h.example""#)
            );
        });
    }
}
