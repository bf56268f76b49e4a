//! `CheckedFile`: a body, and the crawlers that questions about it name.

use verger::{
    Crawler, Dialect, LineNumber, Policy, ProductToken, Reading, RobotsTxt, TargetPath,
    allocated_bytes,
};

#[cfg(feature = "access")]
use verger_access::BodyEnd;

#[cfg(feature = "access")]
use crate::access::authority_lookup::AuthorityLookup;
use crate::crawlers::resolved::ResolvedCrawler;
use crate::explanation::dialect_view::DialectView;
use crate::explanation::{Explanation, OtherReading};
use crate::file_warning::FileWarning;
use crate::other_limit::{OtherLimit, OtherLimitAnswer};

/// A body, and the crawlers that questions about it name.
#[derive(Debug)]
pub struct CheckedFile {
    robots: RobotsTxt,
    crawlers: Vec<CheckedCrawler>,
    /// The same body in the other dialects, where answers are explained.
    others: Option<Vec<OtherReading>>,
    warnings: Vec<FileWarning>,
    /// The same body as the other limit reads it, where it is longer than the one limit.
    other_limit: Option<OtherLimit>,
}

/// A crawler, and the rules of the body that apply to it.
#[derive(Clone, Debug)]
pub struct CheckedCrawler {
    resolved: ResolvedCrawler,
    policy: Policy,
    group_name: String,
    ignored_star: Option<LineNumber>,
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
    /// The reading `own` for answers, and for explanations the other dialects with the same options.
    #[must_use]
    pub fn new(own: Reading, explaining: Explaining) -> Self {
        let of_other = |dialect| {
            Reading::new(dialect)
                .with_other_records(own.other_records())
                .with_lenient_lines(own.lenient_lines())
                .with_allow_lines(own.allow_lines())
                .with_encoding_mismatch(own.encoding_mismatch())
                .with_agent_list(own.agent_list())
        };
        let others = Dialect::ALL.iter().copied();
        let others = others.filter(|&dialect| dialect != own.dialect());
        let others = match explaining {
            Explaining::Yes => Some(others.map(of_other).collect()),
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
        let other_limit = OtherLimit::of(&robots, crawlers.iter().map(ResolvedCrawler::crawler));
        let crawlers = crawlers.iter();
        let crawlers = crawlers.map(|resolved| CheckedCrawler::of(resolved.clone(), &robots));
        Self {
            crawlers: crawlers.collect(),
            warnings: FileWarning::all_of(&robots),
            other_limit,
            robots,
            others,
        }
    }

    /// Parses the body that was found for an authority, which is empty where there is none.
    #[cfg(feature = "access")]
    #[must_use]
    pub fn of_authority(
        lookup: &AuthorityLookup,
        readings: &Readings,
        crawlers: &[ResolvedCrawler],
    ) -> Self {
        let mut file = Self::new(lookup.body(), readings, crawlers);
        let cut = lookup
            .state
            .iter()
            .filter(|state| state.body_end == BodyEnd::CutAtLimit && state.body().is_some());
        file.warnings
            .extend(cut.map(|_| FileWarning::cut_by_the_client()));
        file
    }

    /// The body, parsed.
    #[must_use]
    pub fn robots(&self) -> &RobotsTxt {
        &self.robots
    }

    /// Warnings about the file as a whole, at most one of each kind.
    #[must_use]
    pub fn warnings(&self) -> &[FileWarning] {
        &self.warnings
    }

    /// The crawlers, in the order given.
    #[must_use]
    pub fn crawlers(&self) -> &[CheckedCrawler] {
        &self.crawlers
    }

    /// About how many bytes of the heap it takes, beside its own size; caches count them.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let crawlers = self.crawlers.iter().map(CheckedCrawler::bytes);
        let others = self.others.iter().flatten().map(OtherReading::bytes);
        let other_limit = self.other_limit.as_ref().map_or(0, OtherLimit::bytes);
        let warnings = allocated_bytes(size_of_val(&*self.warnings));
        self.robots.heap_bytes()
            + crawlers.sum::<usize>()
            + others.sum::<usize>()
            + other_limit
            + warnings
    }

    /// The answer under the other limit, where it is not that of `view`.
    pub(crate) fn at_other_limit(
        &self,
        nth: usize,
        view: &DialectView<'_>,
    ) -> Option<OtherLimitAnswer<'_>> {
        let other = self.other_limit.as_ref()?;
        other.answer(nth, view.target, view.verdict)
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
            ignored_star: ignored_star(resolved.crawler(), robots),
            resolved,
        }
    }

    fn bytes(&self) -> usize {
        let names = [self.resolved.name().len(), self.group_name.len()];
        let names = names.map(allocated_bytes).into_iter().sum::<usize>();
        size_of::<Self>()
            + names
            + self.resolved.crawler().heap_bytes()
            + self.policy.heap_bytes_max()
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

    /// The line of the first `*` group, where no group applies to the crawler because it ignores `*`:
    /// else that one would.
    #[must_use]
    pub fn ignored_star(&self) -> Option<LineNumber> {
        self.ignored_star
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

fn ignored_star(crawler: &Crawler, robots: &RobotsTxt) -> Option<LineNumber> {
    if crawler.honours_star() || robots.groups_for(crawler).is_some() {
        return None;
    }
    let star = Crawler::unnamed();
    let for_star = robots.groups_for(&star)?;
    Some(for_star.applied().line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_read_as_the_caller_says_and_explained_in_the_other_dialects() {
        let own = Reading::new(Dialect::Google);
        let readings = Readings::new(own, Explaining::Yes);
        assert_eq!(readings.own(), own);
        let others = readings.others.unwrap();
        let others: Vec<_> = others.iter().map(Reading::dialect).collect();
        let expected = [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Koster1996];
        assert_eq!(others, expected);
        let readings = Readings::new(own, Explaining::No);
        assert!(readings.others.is_none());
    }
}
