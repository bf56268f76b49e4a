//! `FileComparison`: what a change of a robots.txt means for each crawler.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use verger::{Policy, RobotsTxt};
use verger_answer::ResolvedCrawler;
use verger_compare::{Budget, Difference, DifferentComparisons, EXAMPLE_SITE, PolicySet};

use crate::file_policies::{FilePolicies, FilePolicy};

/// The meaning of a change of a robots.txt for each crawler.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_compare::Budget;
/// use verger_owner::{FileComparison, crawlers_of};
///
/// let parse = |body| RobotsTxt::parse(body, Dialect::Rfc9309);
/// let old = parse("User-agent: *\nDisallow: /cart\n");
/// let new = parse("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\nDisallow: /cart\n");
/// let crawlers = crawlers_of([&old, &new]);
/// let comparison = FileComparison::of(old, new, &crawlers, Budget::default())?;
/// let [change] = comparison.changes() else { panic!("{comparison:?}") };
/// assert_eq!(change.crawlers()[0].name(), "gptbot");
/// assert_eq!(change.difference().newly_disallowed().witness().unwrap().path(), "/");
/// assert!(change.difference().newly_allowed().is_proven_absent());
/// # Ok::<(), verger_compare::DifferentComparisons>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileComparison<'c> {
    files: [RobotsTxt; 2],
    changes: Vec<PolicyChange<'c>>,
    unchanged: usize,
    not_compared: usize,
    site: String,
}

/// Crawlers for which the same changed.
#[derive(Clone, Debug)]
pub struct PolicyChange<'c> {
    crawlers: Vec<&'c ResolvedCrawler>,
    policies: [Rc<Policy>; 2],
    difference: Difference,
}

impl<'c> FileComparison<'c> {
    /// Compares two files for `crawlers`, each pair of policies within the budget.
    ///
    /// # Errors
    ///
    /// If they were read in dialects that compare in different ways.
    pub fn of(
        old: RobotsTxt,
        new: RobotsTxt,
        crawlers: &'c [ResolvedCrawler],
        budget: Budget,
    ) -> Result<Self, DifferentComparisons> {
        let (mut old, mut new) = (FilePolicies::new(old), FilePolicies::new(new));
        let of_crawlers = crawlers.iter().map(|crawler| {
            let before = old.policy(crawler.crawler())?;
            Some((before, new.policy(crawler.crawler())?))
        });
        let of_crawlers: Vec<Option<(FilePolicy, FilePolicy)>> = of_crawlers.collect();
        let numbers = of_crawlers.iter().flatten();
        let pairs: BTreeSet<_> = numbers.map(|(old, new)| (old.number, new.number)).collect();
        let budget = FilePolicies::share(budget, pairs.len());
        let mut pairs: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        let mut changes: Vec<PolicyChange<'c>> = Vec::new();
        let mut not_compared = 0;
        for (crawler, policies) in crawlers.iter().zip(of_crawlers) {
            let Some((before, after)) = policies else {
                not_compared += 1;
                continue;
            };
            let next = changes.len();
            let change = *pairs.entry((before.number, after.number)).or_insert(next);
            if change == next {
                changes.push(PolicyChange::between(before, after, budget)?);
            }
            changes[change].crawlers.push(crawler);
        }
        changes.retain(|change| change.difference.is_none() != Some(true));
        let of_changes = changes.iter().map(|change| change.crawlers.len());
        let unchanged = crawlers.len() - not_compared - of_changes.sum::<usize>();
        Ok(Self {
            files: [old.into_robots(), new.into_robots()],
            changes,
            unchanged,
            not_compared,
            site: EXAMPLE_SITE.to_owned(),
        })
    }

    /// The same comparison, for files of a site: `https://example.com`.
    #[must_use]
    pub fn of_site(self, site: impl Into<String>) -> Self {
        let site = site.into();
        Self { site, ..self }
    }

    /// The start of the URLs that show a change: `https://example.com` where no site is known.
    #[must_use]
    pub fn site(&self) -> &str {
        &self.site
    }

    /// The two files.
    #[must_use]
    pub fn files(&self) -> [&RobotsTxt; 2] {
        [&self.files[0], &self.files[1]]
    }

    /// The changes, and the undecided policies, in the order of the first crawler of each.
    #[must_use]
    pub fn changes(&self) -> &[PolicyChange<'c>] {
        &self.changes
    }

    /// For how many crawlers it is proven that nothing changed.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.unchanged
    }

    /// For how many crawlers the files were not compared, since the groups of others have a million rules
    /// together.
    #[must_use]
    pub fn not_compared(&self) -> usize {
        self.not_compared
    }

    /// Whether it is proven that nothing changed for any crawler; `None` where a budget was used up
    /// before it was known, or not all were compared.
    #[must_use]
    pub fn is_same(&self) -> Option<bool> {
        let mut differences = self
            .changes
            .iter()
            .map(|change| change.difference.is_none());
        if differences.any(|is_none| is_none == Some(false)) {
            return Some(false);
        }
        (self.changes.is_empty() && self.not_compared == 0).then_some(true)
    }
}

impl<'c> PolicyChange<'c> {
    fn between(
        before: FilePolicy,
        after: FilePolicy,
        budget: Budget,
    ) -> Result<Self, DifferentComparisons> {
        let policies = [before.policy, after.policy];
        let difference = {
            let [before, after] = [0, 1].map(|side: usize| PolicySet::new(&policies[side]));
            Difference::between(&before, &after, budget)?
        };
        Ok(Self {
            crawlers: Vec::new(),
            policies,
            difference,
        })
    }

    /// The crawlers for which it changed so.
    #[must_use]
    pub fn crawlers(&self) -> &[&'c ResolvedCrawler] {
        &self.crawlers
    }

    /// The difference between the policies.
    #[must_use]
    pub fn difference(&self) -> &Difference {
        &self.difference
    }

    /// The policies of the first of the crawlers, before and after; those of the others have the same
    /// rules, perhaps on other lines.
    #[must_use]
    pub fn policies(&self) -> [&Policy; 2] {
        [&self.policies[0], &self.policies[1]]
    }
}
