//! A body, and the crawlers that all questions of a run are about.

use verger::{Crawler, Dialect, NamedBy, Policy, Reading, RobotsTxt, TargetPath};

use super::explanation::{Explanation, OtherReading};
use super::question::Question;
use super::side::Side;
use crate::asked_crawler::AskedCrawler;

/// A body, and who is asked about.
pub(super) struct Subject {
    pub(super) robots: RobotsTxt,
    pub(super) crawlers: Vec<Asked>,
    /// The same body in the other dialects, where answers are explained.
    others: Option<Vec<OtherReading>>,
}

/// A crawler, and the rules that it has to obey.
pub(super) struct Asked {
    pub(super) crawler: AskedCrawler,
    pub(super) policy: Policy,
    /// The name by which it came to its group: a token of its own, or `*`; empty where no group
    /// speaks to it.
    pub(super) group_name: String,
}

/// How bodies are read.
pub(super) struct Readings {
    /// The reading that is asked in.
    pub(super) own: Reading,
    /// The other dialects, where answers are explained.
    others: Option<Vec<Reading>>,
}

/// Whether answers are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Explaining {
    Yes,
    No,
}

impl Readings {
    /// The reading `own`; explained in the other dialects, each as `reading_of` reads it.
    pub(super) fn new(
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
}

impl Subject {
    pub(super) fn new(body: Vec<u8>, readings: &Readings, crawlers: &[AskedCrawler]) -> Self {
        let others = readings.others.as_ref().map(|others| {
            let others = others.iter();
            let read = |&reading| OtherReading::new(&body, reading, crawlers);
            others.map(read).collect()
        });
        let robots = RobotsTxt::parse(body, readings.own);
        let crawlers = crawlers.iter().cloned();
        let crawlers = crawlers
            .map(|crawler| Asked::of(crawler, &robots))
            .collect();
        Self {
            robots,
            crawlers,
            others,
        }
    }

    /// The explanation of what `side` says about a question, where answers are explained; `nth` is
    /// the number of its crawler.
    pub(super) fn explanation<'s>(
        &'s self,
        nth: usize,
        question: &Question<'_>,
        side: &Side<'s>,
    ) -> Option<Explanation<'s>> {
        let others = self.others.as_deref()?;
        Some(Explanation::of(side, others, nth, question))
    }

    /// The view of a question that the dialect asked in has.
    pub(super) fn side<'s>(&'s self, nth: usize, target: &'s TargetPath<'s>) -> Side<'s> {
        let Asked {
            crawler, policy, ..
        } = &self.crawlers[nth];
        Side {
            robots: &self.robots,
            crawler: &crawler.crawler,
            target,
            verdict: policy.decide(target),
        }
    }
}

impl Asked {
    fn of(crawler: AskedCrawler, robots: &RobotsTxt) -> Self {
        let policy = robots.policy(&crawler.crawler);
        let group_name = group_name(&crawler.crawler, robots);
        Self {
            crawler,
            policy,
            group_name,
        }
    }
}

fn group_name(crawler: &Crawler, robots: &RobotsTxt) -> String {
    let Some(found) = robots.groups_for(crawler) else {
        return String::new();
    };
    match found.named_by() {
        NamedBy::Star => "*".to_owned(),
        NamedBy::Token => {
            let mut tokens = crawler.tokens().iter();
            let token = tokens.find(|token| found.groups()[0].names(token));
            token.map(ToString::to_string).unwrap_or_default()
        }
    }
}
