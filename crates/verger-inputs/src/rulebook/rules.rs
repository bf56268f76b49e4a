use std::collections::BTreeMap;

use verger::{Crawler, GroupIndex, Policy, Reading, RobotsTxt, Verdict, allocated_bytes};

use verger_answer::CrawlerReadings;
use verger_answer::ReadTargets;
use verger_answer::ResolvedCrawler;
use verger_extensions::{
    StatedPreferences, TargetPreferences, has_preferences, stated_preferences,
};

/// The rules of a body for a fixed list of crawlers. Crawlers with the same groups share a policy.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The policy of the first crawler, often the only one. It is stored inline to save a memory
    /// access.
    first: Policy,
    /// The other policies, each with the index of its reading.
    others: Box<[(Policy, usize)]>,
    /// Index of each crawler's policy, where 0 is `first`. Empty if there is one crawler.
    of_crawlers: Box<[usize]>,
    /// The body in each reading, if it is kept.
    robots: Box<[RobotsTxt]>,
    /// The preferences of the body about the uses of its content, for each crawler. Empty if it
    /// states none or nobody asked.
    preferences: Box<[StatedPreferences]>,
}

/// Builds rules from bodies for a fixed list of crawlers, each in its own reading.
///
/// ```
/// use verger::{Crawler, Dialect, TargetPath};
/// use verger_inputs::rulebook::{Keeping, RulesMaker};
///
/// let crawlers = ["a", "b"].map(|name| Crawler::named(name, Dialect::Rfc9309).unwrap());
/// let maker = RulesMaker::new(crawlers.into(), Dialect::Rfc9309.into(), Keeping::Rules);
/// let rules = maker.rules("User-agent: b\nDisallow: /");
/// let target = TargetPath::new("/page", Dialect::Rfc9309)?;
/// let mut allowed = Vec::new();
/// rules.verdicts(&target.into(), |_, verdict, _| allowed.push(verdict.is_allowed()));
/// assert_eq!(allowed, [true, false]);
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[derive(Clone, Debug)]
pub struct RulesMaker {
    crawlers: Vec<Crawler>,
    readings: CrawlerReadings,
    keeping: Keeping,
    reads_preferences: bool,
}

/// What to keep of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keeping {
    /// The rules that apply to the crawlers.
    Rules,
    /// The rules and the lines as written.
    Lines,
}

/// Whether all crawlers may fetch a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Permission {
    /// All crawlers may fetch it.
    ToAll,
    /// At least one may not.
    NotToAll,
}

impl Rules {
    fn of_one(policy: Policy, robots: Option<RobotsTxt>) -> Self {
        Self {
            first: policy,
            others: Box::default(),
            of_crawlers: Box::default(),
            robots: robots.into_iter().collect(),
            preferences: Box::default(),
        }
    }

    /// Decides whether all crawlers may fetch a URL. `targets` are its targets in
    /// [`RulesMaker::readings`].
    #[must_use]
    pub fn permission(&self, targets: &ReadTargets<'_>) -> Permission {
        let mut others = self.others.iter();
        let is_allowed =
            |(policy, reading): &(Policy, usize)| policy.decide(targets.get(*reading)).is_allowed();
        if self.first.decide(targets.get(0)).is_allowed() && others.all(is_allowed) {
            Permission::ToAll
        } else {
            Permission::NotToAll
        }
    }

    /// Calls `each` with the index, verdict and policy of every crawler. Each policy decides once.
    /// `targets` are those of the URL in [`RulesMaker::readings`].
    pub fn verdicts(
        &self,
        targets: &ReadTargets<'_>,
        mut each: impl FnMut(usize, Verdict, &Policy),
    ) {
        let first = (self.first.decide(targets.get(0)), &self.first);
        if self.of_crawlers.is_empty() {
            return each(0, first.0, first.1);
        }
        let others = self
            .others
            .iter()
            .map(|(policy, reading)| (policy.decide(targets.get(*reading)), policy));
        let decided: Vec<_> = std::iter::once(first).chain(others).collect();
        for (nth, &number) in self.of_crawlers.iter().enumerate() {
            let (verdict, policy) = decided[number];
            each(nth, verdict, policy);
        }
    }

    /// Returns the preferences that the body states to the `nth` crawler about a URL with this
    /// verdict and these targets. Empty without [`RulesMaker::with_preferences`].
    #[must_use]
    pub fn preferences(
        &self,
        nth: usize,
        targets: &ReadTargets<'_>,
        verdict: Verdict,
    ) -> TargetPreferences {
        let Some(stated) = self.preferences.get(nth) else {
            return TargetPreferences::default();
        };
        let number = self.of_crawlers.get(nth).copied().unwrap_or(0);
        let other = number.checked_sub(1).and_then(|it| self.others.get(it));
        let reading = other.map_or(0, |(_, reading)| *reading);
        stated.about(targets.get(reading), verdict.effect())
    }

    /// Returns the body in the reading with this index, if [`Keeping::Lines`] kept it.
    #[must_use]
    pub fn robots(&self, reading: usize) -> Option<&RobotsTxt> {
        self.robots.get(reading)
    }

    /// Returns the maximum size in bytes, including the indexes that policies may build.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let others = self
            .others
            .iter()
            .map(|(policy, _)| policy.heap_bytes_max());
        let robots = self.robots.iter().map(RobotsTxt::heap_bytes);
        let preferences = self.preferences.iter().map(StatedPreferences::heap_bytes);
        self.first.heap_bytes_max()
            + others.sum::<usize>()
            + allocated_bytes(size_of_val(&*self.others))
            + allocated_bytes(size_of_val(&*self.of_crawlers))
            + allocated_bytes(size_of_val(&*self.robots))
            + robots.sum::<usize>()
            + allocated_bytes(size_of_val(&*self.preferences))
            + preferences.sum::<usize>()
    }
}

impl RulesMaker {
    /// Creates a maker for these crawlers in one reading, or for a crawler that no group names if
    /// the list is empty.
    #[must_use]
    pub fn new(crawlers: Vec<Crawler>, reading: Reading, keeping: Keeping) -> Self {
        Self {
            readings: CrawlerReadings::one(reading, crawlers.len()),
            crawlers,
            keeping,
            reads_preferences: false,
        }
    }

    /// Creates a maker for these crawlers, each in its own reading ([`ResolvedCrawler::reading`]),
    /// where `reading` is that of the file.
    #[must_use]
    pub fn judging(crawlers: &[ResolvedCrawler], reading: Reading, keeping: Keeping) -> Self {
        let of_engine = crawlers.iter().map(|it| it.crawler().clone());
        Self {
            crawlers: of_engine.collect(),
            readings: CrawlerReadings::new(reading, crawlers),
            keeping,
            reads_preferences: false,
        }
    }

    /// Also reads the preferences of bodies about the uses of their content, for
    /// [`Rules::preferences`].
    #[must_use]
    pub fn with_preferences(mut self) -> Self {
        self.reads_preferences = true;
        self
    }

    /// Returns how bodies and URLs are read. Never empty.
    #[must_use]
    pub fn readings(&self) -> &[Reading] {
        self.readings.readings()
    }

    /// Parses a body in the first reading.
    #[must_use]
    pub fn parse(&self, body: impl Into<Vec<u8>>) -> RobotsTxt {
        RobotsTxt::parse(body.into(), self.readings()[0])
    }

    /// Builds the rules of a body. For one crawler, reads it in one pass without a tree.
    #[must_use]
    pub fn rules(&self, body: &(impl AsRef<[u8]> + ?Sized)) -> Rules {
        let unnamed = Crawler::unnamed();
        let first = match (self.keeping, &*self.crawlers) {
            (Keeping::Rules, []) => &unnamed,
            (Keeping::Rules, [first]) => first,
            _ => return self.rules_of(self.parse(body.as_ref())),
        };
        let reading = self.readings()[0];
        let stated = self
            .reads_preferences
            .then(|| StatedPreferences::read(body.as_ref(), first, reading));
        Rules {
            preferences: stated.flatten().into_iter().collect(),
            ..Rules::of_one(Policy::read(body, first, reading), None)
        }
    }

    /// Returns the preferences for each crawler. `robots_of` returns the body in a reading.
    fn preferences<'r>(
        &self,
        robots_of: impl Fn(usize) -> &'r RobotsTxt,
    ) -> Box<[StatedPreferences]> {
        if !self.reads_preferences || !has_preferences(robots_of(0)) {
            return Box::default();
        }
        let crawlers = self.crawlers.iter().zip(self.readings.places());
        crawlers
            .map(|(crawler, &reading)| stated_preferences(robots_of(reading), crawler))
            .collect()
    }

    /// Builds the rules of a body parsed by [`RulesMaker::parse`].
    #[must_use]
    pub fn rules_of(&self, robots: RobotsTxt) -> Rules {
        let unnamed = Crawler::unnamed();
        let (first, others) = self.crawlers.split_first().unwrap_or((&unnamed, &[]));
        let keeps_lines = self.keeping == Keeping::Lines;
        if others.is_empty() {
            let preferences = self.preferences(|_| &robots);
            let rules = Rules::of_one(robots.policy(first), keeps_lines.then_some(robots));
            return Rules {
                preferences,
                ..rules
            };
        }
        let further = self.readings()[1..].iter();
        let further = further.map(|reading| RobotsTxt::parse(robots.body(), *reading));
        let further: Vec<_> = further.map(GroupIndex::new).collect();
        let indexes: Vec<_> = std::iter::once(GroupIndex::new(robots))
            .chain(further)
            .collect();
        let mut numbers = BTreeMap::from([((0, indexes[0].selection(first)), 0)]);
        let mut policies = Vec::new();
        let mut of_crawlers = vec![0];
        for (crawler, &reading) in others.iter().zip(&self.readings.places()[1..]) {
            let index = &indexes[reading];
            let selection = (reading, index.selection(crawler));
            let number = numbers.entry(selection).or_insert_with(|| {
                policies.push((index.policy(crawler), reading));
                policies.len()
            });
            of_crawlers.push(*number);
        }
        let first = indexes[0].policy(first);
        let preferences = self.preferences(|reading| indexes[reading].robots());
        let robots = indexes.into_iter().map(GroupIndex::into_robots);
        Rules {
            first,
            others: policies.into(),
            of_crawlers: of_crawlers.into(),
            robots: robots.filter(|_| keeps_lines).collect(),
            preferences,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Dialect, TargetPath};

    const BODY: &str = "User-agent: *\nDisallow: /a\n\nUser-agent: b\nUser-agent: c\nDisallow: /b\n\n\
                        User-agent: c\nDisallow: /c\n";

    fn rules(names: &[&str], body: &str) -> Rules {
        let crawlers = names
            .iter()
            .map(|name| Crawler::named(name, Dialect::Rfc9309));
        let crawlers = crawlers.collect::<Result<_, _>>().unwrap();
        let maker = RulesMaker::new(crawlers, Dialect::Rfc9309.into(), Keeping::Rules);
        maker.rules(body)
    }

    #[test]
    fn crawlers_to_which_the_same_groups_apply_have_one_policy() {
        let rules = rules(&["x", "b", "y", "c", "B"], BODY);
        assert_eq!(*rules.of_crawlers, [0, 1, 0, 2, 1]);
        assert_eq!(rules.others.len(), 2);
        let of_none = super::tests::rules(&["x", "y"], "");
        assert_eq!(
            (of_none.others.len(), &*of_none.of_crawlers),
            (0, &[0, 0][..])
        );
    }

    #[test]
    fn each_crawler_has_the_verdict_that_it_has_alone() {
        let names = ["x", "b", "y", "c", "B"];
        let together = rules(&names, BODY);
        for path in ["/a", "/b", "/c", "/d", "/robots.txt"] {
            let target = TargetPath::new(path, Dialect::Rfc9309).unwrap().into();
            let mut all = Permission::ToAll;
            let mut seen = Vec::new();
            together.verdicts(&target, |nth, verdict, _| {
                seen.push(nth);
                let alone = rules(&names[nth..=nth], BODY);
                alone.verdicts(&target, |_, expected, _| {
                    assert_eq!(verdict, expected, "{nth} {path}");
                });
                if alone.permission(&target) == Permission::NotToAll {
                    all = Permission::NotToAll;
                }
            });
            assert_eq!(seen, [0, 1, 2, 3, 4]);
            assert_eq!(together.permission(&target), all, "{path}");
        }
    }
}
