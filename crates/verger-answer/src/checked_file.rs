//! `CheckedFile`: a body, and the crawlers that questions about it name.

use verger::{
    Crawler, Dialect, Policy, ProductToken, Reading, RobotsTxt, TargetPath, allocated_octets,
};

use crate::crawler_octets::octets_of;
use crate::crawler_query::ResolvedCrawler;
use crate::dialect_view::DialectView;
use crate::explanation::{Explanation, OtherReading};

/// A body, and the crawlers that questions about it name.
#[derive(Debug)]
pub struct CheckedFile {
    robots: RobotsTxt,
    crawlers: Vec<CheckedCrawler>,
    /// The same body in the other dialects, where answers are explained.
    others: Option<Vec<OtherReading>>,
}

/// A crawler, and the rules of the body that apply to it.
#[derive(Clone, Debug)]
pub struct CheckedCrawler {
    resolved: ResolvedCrawler,
    policy: Policy,
    group_name: String,
}

/// How bodies are read.
#[derive(Clone, Debug)]
pub struct Readings {
    own: Reading,
    /// The other dialects, where answers are explained.
    others: Option<Vec<Reading>>,
}

/// Whether answers are explained. That takes the time of three more readings of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explaining {
    /// They have an explanation.
    Yes,
    /// They have none.
    No,
}

impl Readings {
    /// The reading `own` for answers; for explanations the other dialects, each as `reading_of`
    /// gives it.
    #[must_use]
    pub fn new(
        own: Reading,
        explaining: Explaining,
        reading_of: impl Fn(Dialect) -> Reading,
    ) -> Self {
        let others = Dialect::ALL.into_iter();
        let others = others.filter(|&dialect| dialect != own.dialect());
        let others = match explaining {
            Explaining::Yes => Some(others.map(reading_of).collect()),
            Explaining::No => None,
        };
        Self { own, others }
    }

    /// The reading of the answers.
    #[must_use]
    pub fn own(&self) -> Reading {
        self.own
    }
}

impl CheckedFile {
    /// Parses `body` and selects the rules of each crawler.
    #[must_use]
    pub fn new(body: Vec<u8>, readings: &Readings, crawlers: &[ResolvedCrawler]) -> Self {
        let others = readings.others.as_ref().map(|others| {
            let others = others.iter();
            let read = |&reading| OtherReading::new(&body, reading, crawlers);
            others.map(read).collect()
        });
        let robots = RobotsTxt::parse(body, readings.own);
        let crawlers = crawlers.iter();
        let crawlers = crawlers.map(|resolved| CheckedCrawler::of(resolved.clone(), &robots));
        Self {
            crawlers: crawlers.collect(),
            robots,
            others,
        }
    }

    /// The body, parsed.
    #[must_use]
    pub fn robots(&self) -> &RobotsTxt {
        &self.robots
    }

    /// The crawlers, in the order given.
    #[must_use]
    pub fn crawlers(&self) -> &[CheckedCrawler] {
        &self.crawlers
    }

    /// How many octets of the heap it takes, beside its own size, about: what a cache counts.
    #[must_use]
    pub fn heap_octets(&self) -> usize {
        let crawlers = self.crawlers.iter().map(CheckedCrawler::octets);
        let others = self.others.iter().flatten().map(OtherReading::octets);
        self.robots.heap_octets() + crawlers.sum::<usize>() + others.sum::<usize>()
    }

    /// The explanation of what `view` says about `url`, where answers are explained.
    pub(crate) fn explanation<'s>(
        &'s self,
        nth: usize,
        url: &[u8],
        view: &DialectView<'s>,
    ) -> Option<Explanation<'s>> {
        let others = self.others.as_deref()?;
        Some(Explanation::of(view, others, nth, url))
    }

    /// The question as the dialect of the answers sees it; `nth` is the number of its crawler.
    pub(crate) fn view<'s>(&'s self, nth: usize, target: &'s TargetPath<'s>) -> DialectView<'s> {
        let CheckedCrawler {
            resolved, policy, ..
        } = &self.crawlers[nth];
        DialectView {
            robots: &self.robots,
            crawler: resolved.crawler(),
            target,
            verdict: policy.decide(target),
        }
    }
}

impl CheckedCrawler {
    fn of(resolved: ResolvedCrawler, robots: &RobotsTxt) -> Self {
        Self {
            policy: robots.policy(resolved.crawler()),
            group_name: group_name(resolved.crawler(), robots),
            resolved,
        }
    }

    fn octets(&self) -> usize {
        let names = [self.resolved.name().len(), self.group_name.len()];
        let names = names.map(allocated_octets).into_iter().sum::<usize>();
        size_of::<Self>() + names + octets_of(self.resolved.crawler(), &self.policy)
    }

    /// The crawler.
    #[must_use]
    pub fn resolved(&self) -> &ResolvedCrawler {
        &self.resolved
    }

    /// The rules of the body that apply to it.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// The name that selects its groups: one of its tokens, or `*`; empty where no group applies.
    #[must_use]
    pub fn group_name(&self) -> &str {
        &self.group_name
    }
}

fn group_name(crawler: &Crawler, robots: &RobotsTxt) -> String {
    let found = robots.groups_for(crawler);
    let name = found.map(|found| found.token().map_or("*", ProductToken::as_str).to_owned());
    name.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_the_caller_says_and_explained_in_the_other_dialects() {
        let own = Reading::of(Dialect::Google);
        let readings = Readings::new(own, Explaining::Yes, Reading::of);
        assert_eq!(readings.own(), own);
        let others = readings.others.unwrap();
        let others: Vec<_> = others.iter().map(Reading::dialect).collect();
        let expected = [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Koster1996];
        assert_eq!(others, expected);
        let readings = Readings::new(own, Explaining::No, Reading::of);
        assert!(readings.others.is_none());
    }
}
