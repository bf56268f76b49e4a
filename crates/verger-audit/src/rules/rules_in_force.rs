use verger::{Effect, Policy, RobotsTxt, TargetPath, allocated_bytes};
use verger_access::{AccessResult, Answer, Stance};
use verger_answer::ReadAs;
use verger_answer::text::legible;
use verger_crawlers::KnownCrawler;
use verger_extensions::{Pacing, pacing};
use verger_store::BodyHash;

/// The rules of a robots.txt at a point in time, or the effect of its absence. Rules are compiled
/// for a crawler on its first request.
#[derive(Clone, Debug)]
pub struct RulesInForce {
    /// `Defer` if it is unknown which rules were in force.
    stance: Stance,
    robots: Option<RobotsTxt>,
    /// By registry number of the crawler.
    policies: Vec<Option<Box<CrawlerRules>>>,
    compiled_bytes: usize,
    /// The hash of the body, computed on first use.
    hash: Option<BodyHash>,
}

#[derive(Clone, Debug)]
struct CrawlerRules {
    policy: Policy,
    pacing: Pacing,
}

/// The rule that disallows a URL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct RuleLine {
    /// The line number, from 1. `None` if the status of robots.txt disallows everything.
    pub line: Option<u32>,
    /// The rule in canonical form, such as `Disallow: /private`. Printable, at most 200 characters.
    pub text: String,
    /// The SHA-256 of the file, or `None` if there is no file.
    pub robots: Option<BodyHash>,
}

const RULE_CHARACTERS_MAX: usize = 200;

impl RulesInForce {
    /// Returns the rules of a parsed file.
    #[must_use]
    pub fn from_robots(robots: RobotsTxt) -> Self {
        Self::of(Stance::Rules, Some(robots))
    }

    /// Returns the rules that follow from an answer. If the site was unreachable, the rules are
    /// unknown: a failed fetch says nothing about what crawlers read.
    #[must_use]
    pub fn from_answer(answer: &Answer) -> Self {
        let is_unreachable = matches!(answer.access_result(), Some(AccessResult::Unreachable(_)));
        let stance = match answer.stance() {
            Stance::Closed if is_unreachable => Stance::Defer,
            stance => stance,
        };
        Self::of(stance, answer.body().and_then(|_| answer.robots_txt()))
    }

    /// Returns unknown rules.
    #[must_use]
    pub fn unknown() -> Self {
        Self::of(Stance::Defer, None)
    }

    fn of(stance: Stance, robots: Option<RobotsTxt>) -> Self {
        Self {
            stance,
            robots,
            policies: Vec::new(),
            compiled_bytes: 0,
            hash: None,
        }
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.robots.as_ref().map_or(0, RobotsTxt::heap_bytes)
    }

    pub(super) fn compiled_bytes(&self) -> usize {
        self.compiled_bytes
    }

    fn rules(
        &mut self,
        (number, crawler, read_as): (usize, &KnownCrawler, ReadAs),
    ) -> Option<&CrawlerRules> {
        let robots = self.robots.as_ref()?;
        if self.policies.len() <= number {
            let added = number + 1 - self.policies.len();
            self.compiled_bytes += added * size_of::<Option<Box<CrawlerRules>>>();
            self.policies.resize(number + 1, None);
        }
        let place = &mut self.policies[number];
        if place.is_none() {
            let reading = read_as.of_known(crawler);
            let read_anew;
            let robots = if *robots.reading() == reading {
                robots
            } else {
                read_anew = RobotsTxt::parse(robots.body(), reading);
                &read_anew
            };
            let crawler = crawler.crawler();
            let rules = CrawlerRules {
                policy: robots.policy(&crawler),
                pacing: pacing(robots, &crawler),
            };
            self.compiled_bytes += allocated_bytes(size_of::<CrawlerRules>())
                + rules.policy.heap_bytes_max()
                + rules.pacing.heap_bytes();
            *place = Some(Box::new(rules));
        }
        place.as_deref()
    }

    /// Returns the effect on a target, or `None` if it is unknown.
    pub(super) fn said(
        &mut self,
        who: (usize, &KnownCrawler, ReadAs),
        target: &TargetPath<'_>,
    ) -> Option<Effect> {
        match (self.stance, self.rules(who)) {
            (_, Some(rules)) => Some(rules.policy.decide(target).effect()),
            (Stance::Open, None) => Some(Effect::Allow),
            (Stance::Closed, None) => Some(Effect::Disallow),
            (Stance::Rules | Stance::Copy | Stance::Defer, None) => None,
        }
    }

    pub(super) fn line(
        &mut self,
        who: (usize, &KnownCrawler, ReadAs),
        target: &TargetPath<'_>,
    ) -> RuleLine {
        let robots = self.hash();
        let rule = self.rules(who).and_then(|rules| {
            let verdict = rules.policy.decide(target);
            let rule = rules.policy.rule(verdict.rule()?)?;
            let key = match rule.effect {
                Effect::Allow => "Allow",
                Effect::Disallow => "Disallow",
            };
            let text = format!("{key}: {}", legible(rule.pattern));
            let line = verdict.line().map(verger::LineNumber::get);
            let text = text.chars().take(RULE_CHARACTERS_MAX).collect();
            Some(RuleLine { line, text, robots })
        });
        rule.unwrap_or_else(|| RuleLine {
            line: None,
            text: "everything, by the status of robots.txt".to_owned(),
            robots,
        })
    }

    fn hash(&mut self) -> Option<BodyHash> {
        let robots = self.robots.as_ref()?;
        Some(*(self.hash).get_or_insert_with(|| BodyHash::new(robots.body())))
    }

    /// Returns the crawl delay of a crawler in whole seconds, rounded down.
    pub fn crawl_delay_seconds(&mut self, who: (usize, &KnownCrawler, ReadAs)) -> Option<u64> {
        let rules = self.rules(who)?;
        let delay = rules.pacing.crawl_delay()?;
        Some(delay.milliseconds() / 1000)
    }
}
