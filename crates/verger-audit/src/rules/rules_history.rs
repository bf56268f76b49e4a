use std::time::Duration;

use verger::{Effect, TargetPath};
use verger_access::{Answer, Missing, Timestamp};
use verger_answer::ReadAs;
use verger_crawlers::KnownCrawler;
use verger_store::{Basis, InForce};

use super::rules_in_force::{RuleLine, RulesInForce};

const END_OF_TIME: Timestamp = Timestamp::from_unix_seconds(u64::MAX);

/// The rules of an authority and when they were in force, oldest first.
///
/// A history consists of observations. Between the last observation of one version and the first of
/// the next, either may have been in force. An observation is valid for a limited time
/// ([`RulesHistory::known_until`]). After that, nothing is known until the next observation.
#[derive(Clone, Debug, Default)]
pub struct RulesHistory {
    versions: Vec<Version>,
    bytes: usize,
}

#[derive(Clone, Debug)]
struct Version {
    first_seen: Timestamp,
    last_seen: Timestamp,
    /// From then on, nothing is known until the next version.
    known_until: Timestamp,
    /// If the rules are carried over, they apply by the profile, but other rules may be in force.
    basis: Basis,
    rules: RulesInForce,
}

/// How the rules judge a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The rules in force allow it.
    Allowed,
    /// The rules in force disallow it, but rules that were or may have been in force shortly before
    /// allow it.
    WithinGrace,
    /// The rules in force disallow it, and so do all rules that were or may have been in force
    /// during the grace period.
    Disallowed(RuleLine),
    /// No rules had been observed by then, or not recently enough.
    Unknown,
}

impl RulesHistory {
    /// Returns a history in which the same rules are always in force.
    #[must_use]
    pub fn always(rules: RulesInForce) -> Self {
        let mut history = Self::default();
        history.push(Timestamp::from_unix_seconds(0), rules);
        history.seen_until(END_OF_TIME);
        history
    }

    /// Adds rules first seen at a time later than all before.
    pub fn push(&mut self, seen: Timestamp, rules: RulesInForce) {
        self.push_version(seen, rules, Basis::Observed);
    }

    /// Adds a period of a store, after all others. `before` is the answer of the period before it.
    pub(super) fn add(&mut self, period: &InForce, before: Option<&Answer>) {
        let (answer, basis) = (&period.answer, period.basis);
        // The newest rules have expired, and none follow.
        if matches!(answer.missing(), Some(Missing::AttemptAfter(_))) {
            return;
        }
        let is_same = |it: &Answer| (it.stance(), it.body()) == (answer.stance(), answer.body());
        let is_observed = |version: &Version| version.basis == Basis::Observed;
        let has_observed = self.versions.last().is_some_and(is_observed);
        if has_observed && basis == Basis::Observed && before.is_some_and(is_same) {
            self.seen_until(period.from);
        } else {
            self.push_version(period.from, RulesInForce::from_answer(answer), basis);
        }
        self.known_until(period.until);
    }

    /// Adds rules that apply from a time later than all before.
    fn push_version(&mut self, from: Timestamp, rules: RulesInForce, basis: Basis) {
        self.bytes += size_of::<Version>() + rules.heap_bytes() + rules.compiled_bytes();
        self.versions.push(Version {
            first_seen: from,
            last_seen: from,
            known_until: END_OF_TIME,
            basis,
            rules,
        });
    }

    /// Records that the newest rules were seen again.
    pub fn seen_until(&mut self, time: Timestamp) {
        if let Some(version) = self.versions.last_mut() {
            version.last_seen = version.last_seen.max(time);
        }
    }

    /// Lets the newest rules apply until this time. After it, nothing is known.
    pub fn known_until(&mut self, time: Timestamp) {
        if let Some(version) = self.versions.last_mut() {
            version.known_until = time;
        }
    }

    /// Returns the heap size of bodies and compiled rules, in bytes.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        self.bytes
    }

    /// Queries a version, which may compile more of its rules.
    fn ask<T>(&mut self, version: usize, question: impl FnOnce(&mut RulesInForce) -> T) -> T {
        let rules = &mut self.versions[version].rules;
        let before = rules.compiled_bytes();
        let answer = question(rules);
        self.bytes += rules.compiled_bytes() - before;
        answer
    }

    /// Returns `None` if the version is unknown.
    fn in_force(&self, at: Timestamp) -> Option<usize> {
        let after = self
            .versions
            .partition_point(|version| version.first_seen <= at);
        let current = after.checked_sub(1)?;
        (at < self.versions[current].known_until).then_some(current)
    }

    /// Judges a request for `target` by the crawler with this registry number, which is judged as
    /// `who` says. `target` is that of its reading.
    pub fn judge(
        &mut self,
        at: Timestamp,
        grace: Duration,
        who: (usize, &KnownCrawler, ReadAs),
        target: &TargetPath<'_>,
    ) -> Judgement {
        let Some(current) = self.in_force(at) else {
            return Judgement::Unknown;
        };
        let said = |rules: &mut RulesInForce| rules.said(who, target);
        match self.ask(current, said) {
            Some(Effect::Allow) => return Judgement::Allowed,
            None => return Judgement::Unknown,
            Some(Effect::Disallow) => {}
        }
        let disallowed = Some(Effect::Disallow);
        // The next version may have been in force since the last observation of this one.
        let mut later = self.versions.iter().skip(current + 1);
        let next = later.position(|version| version.basis == Basis::Observed);
        if self.versions[current].last_seen <= at
            && let Some(next) = next
            && self.ask(current + 1 + next, said) != disallowed
        {
            return Judgement::WithinGrace;
        }
        // An earlier version may have been in force until the first observation of its successor.
        let mut ended = self.versions[current].first_seen;
        for before in (0..current).rev() {
            if ended.after(grace) < at {
                break;
            }
            if self.ask(before, said) != disallowed {
                return Judgement::WithinGrace;
            }
            ended = self.versions[before].first_seen;
        }
        let line = self.ask(current, |rules| rules.line(who, target));
        Judgement::Disallowed(line)
    }

    /// Returns the crawl delay of a crawler in whole seconds, or `None` if there is none or the
    /// rules changed within the grace period before.
    pub fn crawl_delay_seconds(
        &mut self,
        at: Timestamp,
        grace: Duration,
        who: (usize, &KnownCrawler, ReadAs),
    ) -> Option<u64> {
        let current = self.in_force(at)?;
        let version = &self.versions[current];
        let is_settled = current == 0 || version.first_seen.after(grace) < at;
        let is_seen_again = version.basis == Basis::Observed && at <= version.last_seen;
        let is_last = current + 1 == self.versions.len();
        if !is_settled || !(is_seen_again || is_last) {
            return None;
        }
        self.ask(current, |rules| rules.crawl_delay_seconds(who))
    }
}

#[cfg(test)]
mod tests {
    use verger::{Dialect, RobotsTxt};
    use verger_crawlers::Registry;
    use verger_store::BodyHash;

    use super::*;

    const DAY: u64 = 24 * 60 * 60;

    fn at(days: u64) -> Timestamp {
        Timestamp::from_unix_seconds(1_800_000_000 + days * DAY)
    }

    fn rules(body: &str) -> RulesInForce {
        RulesInForce::from_robots(RobotsTxt::parse(body, Dialect::Rfc9309))
    }

    const CLOSED: &str = "User-agent: *\nDisallow: /a\nCrawl-delay: 5";
    const OPEN: &str = "User-agent: *\nDisallow: /b";

    fn judged(history: &mut RulesHistory, time: Timestamp) -> Judgement {
        let crawler = Registry::bundled().by_name("gptbot").unwrap();
        let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
        history.judge(
            time,
            Duration::from_secs(DAY),
            (0, crawler, ReadAs::default()),
            &target,
        )
    }

    fn disallowed() -> Judgement {
        Judgement::Disallowed(RuleLine {
            line: Some(2),
            text: "Disallow: /a".to_owned(),
            robots: Some(BodyHash::new(CLOSED.as_bytes())),
        })
    }

    #[test]
    fn a_change_counts_after_the_grace() {
        let mut history = RulesHistory::default();
        history.push(at(0), rules(OPEN));
        history.seen_until(at(10));
        history.push(at(11), rules(CLOSED));
        history.seen_until(at(20));
        let second = Duration::from_secs(1);
        for (time, expected) in [
            (
                Timestamp::from_unix_seconds(at(0).unix_seconds() - 1),
                Judgement::Unknown,
            ),
            (at(0), Judgement::Allowed),
            (
                Timestamp::from_unix_seconds(at(11).unix_seconds() - 1),
                Judgement::Allowed,
            ),
            (at(11), Judgement::WithinGrace),
            (at(12), Judgement::WithinGrace),
            (at(12).after(second), disallowed()),
            (at(400), disallowed()),
        ] {
            assert_eq!(judged(&mut history, time), expected, "{time}");
        }
    }

    #[test]
    fn between_two_observations_either_may_be_in_force() {
        let mut history = RulesHistory::default();
        history.push(at(0), rules(CLOSED));
        history.seen_until(at(10));
        history.push(at(20), rules(OPEN));
        assert_eq!(judged(&mut history, at(9)), disallowed());
        assert_eq!(judged(&mut history, at(15)), Judgement::WithinGrace);
        assert_eq!(judged(&mut history, at(20)), Judgement::Allowed);
    }

    #[test]
    fn a_failed_fetch_leaves_either_version_in_force() {
        let (crawler, grace) = (
            Registry::bundled().by_name("gptbot").unwrap(),
            Duration::from_secs(1),
        );
        let mut history = RulesHistory::default();
        history.push(at(0), rules(CLOSED));
        history.seen_until(at(3));
        for day in [5, 7] {
            history.push_version(at(day), rules(CLOSED), Basis::CarriedOver);
        }
        let mut open = history.clone();
        open.push(at(10), rules(OPEN));
        let mut closed = history.clone();
        closed.push(at(10), rules(CLOSED));
        for day in [4, 5, 6, 7, 9] {
            assert_eq!(judged(&mut open, at(day)), Judgement::WithinGrace, "{day}");
            assert_eq!(judged(&mut closed, at(day)), disallowed(), "{day}");
            // Nothing else was seen.
            assert_eq!(judged(&mut history, at(day)), disallowed(), "{day}");
            let delay = open.crawl_delay_seconds(at(day), grace, (0, crawler, ReadAs::default()));
            assert_eq!(delay, None, "{day}");
        }
        assert_eq!(judged(&mut open, at(2)), disallowed());
    }

    #[test]
    fn a_version_long_before_gives_no_grace() {
        let mut history = RulesHistory::default();
        let all = "User-agent: *\nDisallow: /";
        for (day, body) in [(0, OPEN), (5, CLOSED), (7, all)] {
            history.push(at(day), rules(body));
            history.seen_until(at(day + 1));
        }
        let line = RuleLine {
            line: Some(2),
            text: "Disallow: /".to_owned(),
            robots: Some(BodyHash::new(all.as_bytes())),
        };
        let second = Duration::from_secs(1);
        assert_eq!(
            judged(&mut history, at(7)),
            Judgement::Disallowed(line.clone())
        );
        // The first version may have been in force until the fifth day.
        assert_eq!(judged(&mut history, at(6)), Judgement::WithinGrace);
        assert_eq!(judged(&mut history, at(6).after(second)), disallowed());
        assert_eq!(judged(&mut history, at(8)), Judgement::Disallowed(line));
    }

    #[test]
    fn what_is_unknown_accuses_no_crawler() {
        let mut history = RulesHistory::default();
        history.push(at(0), RulesInForce::unknown());
        history.push(at(5), rules(CLOSED));
        assert_eq!(judged(&mut history, at(1)), Judgement::Unknown);
        assert_eq!(judged(&mut history, at(5)), Judgement::WithinGrace);
        assert_eq!(judged(&mut history, at(7)), disallowed());
        assert_eq!(
            judged(&mut RulesHistory::default(), at(0)),
            Judgement::Unknown
        );
    }

    #[test]
    fn a_delay_counts_after_the_grace() {
        let crawler = Registry::bundled().by_name("gptbot").unwrap();
        let grace = Duration::from_secs(DAY);
        let mut history = RulesHistory::default();
        history.push(at(0), rules(OPEN));
        history.push(at(5), rules(CLOSED));
        history.seen_until(at(8));
        history.push(at(9), rules(OPEN));
        let later = at(6).after(Duration::from_secs(1));
        for (time, expected) in [
            (at(1), None),
            (at(6), None),
            (later, Some(5)),
            (at(8).after(Duration::from_secs(1)), None),
        ] {
            assert_eq!(
                history.crawl_delay_seconds(time, grace, (0, crawler, ReadAs::default())),
                expected
            );
        }
        let body = format!("{CLOSED}\n{}", "#".repeat(100_000));
        let mut always = RulesHistory::always(rules(&body));
        assert!((100_000..110_000).contains(&always.heap_bytes()));
        assert_eq!(
            always.crawl_delay_seconds(at(0), grace, (0, crawler, ReadAs::default())),
            Some(5)
        );
        assert!(matches!(
            judged(&mut always, at(0)),
            Judgement::Disallowed(_)
        ));
        // Compiled rules are counted once.
        let bytes = always.heap_bytes();
        judged(&mut always, at(0));
        assert_eq!(always.heap_bytes(), bytes);
    }
}
