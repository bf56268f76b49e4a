use verger::{
    Crawler, Dialect, LineNumber, Policy, ProductToken, Reading, RobotsTxt, TargetPath, Verdict,
    allocated_bytes,
};

use verger_access::Timestamp;
use verger_access::{BodyEnd, Stance};
use verger_extensions::{
    ContentUse, Pacing, StatedPreferences, TargetPreferences, has_preferences, pacing,
    stated_preferences,
};

use crate::access::authority_lookup::AuthorityLookup;
use crate::check_answer::preference_answer::PreferenceAnswer;
use crate::delay::{Delay, PacingBounds};
use crate::explanation::dialect_view::DialectView;
use crate::explanation::{Explanation, OtherReading};
use crate::file_warning::FileWarning;
use crate::other_limit::{OtherLimit, OtherLimitAnswer};
use verger_crawlers::ResolvedCrawler;

/// A parsed body and the crawlers to answer for.
#[derive(Debug)]
pub struct CheckedFile {
    robots: RobotsTxt,
    crawlers: Vec<CheckedCrawler>,
    /// The body in the other dialects, for explanations.
    others: Option<Vec<OtherReading>>,
    warnings: Vec<FileWarning>,
    /// The body under the other size limit, if it is longer than the limit.
    other_limit: Option<OtherLimit>,
    is_in_force: bool,
    /// The only use of content that answers state preferences about, or `None` for all.
    asked_use: Option<ContentUse>,
}

/// A crawler and the rules that apply to it.
#[derive(Clone, Debug)]
pub struct CheckedCrawler {
    resolved: ResolvedCrawler,
    policy: Policy,
    group_name: String,
    ignored_star: Option<LineNumber>,
    delay: Option<Delay>,
    /// `None` in most files, which state no preference.
    preferences: Option<StatedPreferences>,
}

/// How to read bodies.
#[derive(Clone, Debug)]
pub struct Readings {
    own: Reading,
    /// The other dialects, for explanations.
    others: Option<Vec<Reading>>,
}

/// Whether to explain answers. Explaining requires three more parses of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Explaining {
    /// Answers have an explanation.
    Yes,
    /// Answers have no explanation.
    No,
}

impl Readings {
    /// Creates readings: `own` for answers and, for explanations, the other dialects with the same
    /// options.
    #[must_use]
    pub fn new(own: Reading, explaining: Explaining) -> Self {
        let others = Dialect::ALL.iter().copied();
        let others = others.filter(|&dialect| dialect != own.dialect());
        let others = match explaining {
            Explaining::Yes => Some(others.map(|it| own.in_dialect(it)).collect()),
            Explaining::No => None,
        };
        Self { own, others }
    }

    /// Returns the reading for answers.
    #[must_use]
    pub fn own(&self) -> Reading {
        self.own
    }
}

impl CheckedFile {
    /// Parses `body` and selects the rules for each crawler.
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
        let mut crawlers: Vec<_> = crawlers.collect();
        if has_preferences(&robots) {
            for crawler in &mut crawlers {
                let stated = stated_preferences(&robots, crawler.resolved.crawler());
                crawler.preferences = Some(stated).filter(|stated| !stated.is_empty());
            }
        }
        Self {
            crawlers,
            warnings: FileWarning::all_of(&robots),
            other_limit,
            robots,
            others,
            is_in_force: true,
            asked_use: None,
        }
    }

    /// Parses the body of an authority, which is empty if there is none.
    #[must_use]
    pub fn from_authority(
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
        let stance = lookup.state.as_ref().map(|state| state.answer.stance());
        file.is_in_force = matches!(stance, Some(Stance::Rules | Stance::Copy));
        file
    }

    /// Adds to each crawler, and so to its answers, the delay that applies `at` this time, if any.
    #[must_use]
    pub fn with_delays(mut self, bounds: PacingBounds, at: Timestamp) -> Self {
        for nth in 0..self.crawlers.len() {
            self.crawlers[nth].delay = bounds.delay(&self.pacing(nth), at);
        }
        self
    }

    /// Answers state whether this use of the content is permitted, and nothing about other uses.
    /// Otherwise they have the preferences about all uses, if the file states any.
    #[must_use]
    pub fn with_use(mut self, asked: Option<ContentUse>) -> Self {
        self.asked_use = asked;
        self
    }

    /// Returns the preferences that the file states to the `nth` crawler, counted from 0, about a
    /// target with this verdict by its rules. Without a verdict, it states none.
    pub(crate) fn preferences(
        &self,
        nth: usize,
        target: &TargetPath<'_>,
        verdict: Option<Verdict>,
    ) -> Option<PreferenceAnswer> {
        let stated = self.crawlers[nth].preferences.as_ref();
        let stated = stated.zip(verdict).filter(|_| self.is_in_force);
        let stated = stated.map_or_else(TargetPreferences::default, |(stated, verdict)| {
            stated.about(target, verdict.effect())
        });
        PreferenceAnswer::new(self.asked_use, stated)
    }

    /// Returns the pacing that the file asks of the `nth` crawler, counted from 0. The pacing
    /// is empty if the rules of the file are not in force.
    ///
    /// # Panics
    ///
    /// Panics if `nth` is not less than the number of crawlers.
    #[must_use]
    pub fn pacing(&self, nth: usize) -> Pacing {
        let crawler = self.crawlers[nth].resolved.crawler();
        if self.is_in_force {
            pacing(&self.robots, crawler)
        } else {
            Pacing::NONE
        }
    }

    /// Returns the parsed body.
    #[must_use]
    pub fn robots(&self) -> &RobotsTxt {
        &self.robots
    }

    /// Returns the warnings about the whole file, at most one of each kind.
    #[must_use]
    pub fn warnings(&self) -> &[FileWarning] {
        &self.warnings
    }

    /// Returns the crawlers in the given order.
    #[must_use]
    pub fn crawlers(&self) -> &[CheckedCrawler] {
        &self.crawlers
    }

    /// Returns the approximate heap size in bytes, for caches.
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

    pub(crate) fn at_other_limit(
        &self,
        nth: usize,
        view: &DialectView<'_>,
    ) -> Option<OtherLimitAnswer<'_>> {
        let other = self.other_limit.as_ref()?;
        other.answer(nth, view.target, view.verdict)
    }

    pub(crate) fn explanation<'s>(
        &'s self,
        nth: usize,
        url: &[u8],
        view: &DialectView<'s>,
    ) -> Option<Explanation<'s>> {
        let others = self.others.as_deref()?;
        Some(Explanation::of(view, others, nth, url))
    }

    /// Returns the question as the dialect of the answers sees it.
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
            delay: None,
            preferences: None,
            resolved,
        }
    }

    fn bytes(&self) -> usize {
        let names = [self.resolved.name().len(), self.group_name.len()];
        let names = names.map(allocated_bytes).into_iter().sum::<usize>();
        let preferences = self.preferences.as_ref();
        size_of::<Self>()
            + names
            + preferences.map_or(0, StatedPreferences::heap_bytes)
            + self.resolved.crawler().heap_bytes()
            + self.policy.heap_bytes_max()
    }

    /// Returns the crawler.
    #[must_use]
    pub fn resolved(&self) -> &ResolvedCrawler {
        &self.resolved
    }

    /// Returns the rules that apply to it.
    #[must_use]
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Returns the line of the first `*` group, if no group applies only because the crawler
    /// ignores `*`.
    #[must_use]
    pub fn ignored_star(&self) -> Option<LineNumber> {
        self.ignored_star
    }

    /// Returns the delay between two requests, if there is one ([`CheckedFile::with_delays`]).
    #[must_use]
    pub fn delay(&self) -> Option<Delay> {
        self.delay
    }

    /// Returns the token or `*` that selects its groups, or an empty text if no group applies.
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
