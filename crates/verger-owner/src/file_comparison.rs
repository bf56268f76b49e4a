use std::rc::Rc;

use verger::{Policy, RobotsTxt};
use verger_answer::{ReadIndexes, ResolvedCrawler};
use verger_compare::{Budget, Difference, DifferentComparisons, EXAMPLE_SITE, PolicySet};

use crate::file_policies::{FilePolicies, PolicyPair};

/// The effect of a robots.txt change on each crawler.
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_answer::ReadAs;
/// use verger_compare::Budget;
/// use verger_owner::{FileComparison, crawlers_of};
///
/// let parse = |body| RobotsTxt::parse(body, Dialect::Rfc9309);
/// let old = parse("User-agent: *\nDisallow: /cart\n");
/// let new = parse("User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /cart/\nDisallow: /cart\n");
/// let crawlers = crawlers_of([&old, &new], ReadAs::default());
/// let comparison = FileComparison::new(old, new, &crawlers, Budget::default())?;
/// let [change] = comparison.changes() else { panic!("{comparison:?}") };
/// assert_eq!(change.crawlers()[0].name(), "gptbot");
/// assert_eq!(change.difference().newly_disallowed().witness().unwrap().path(), "/");
/// assert!(change.difference().newly_allowed().is_proven_absent());
/// # Ok::<(), verger_compare::DifferentComparisons>(())
/// ```
#[derive(Clone, Debug)]
pub struct FileComparison<'c> {
    files: [ReadIndexes<'static>; 2],
    crawlers: Vec<&'c ResolvedCrawler>,
    changes: Vec<PolicyChange<'c>>,
    unchanged: usize,
    not_compared: usize,
    site: String,
}

/// A change that is the same for several crawlers.
#[derive(Clone, Debug)]
pub struct PolicyChange<'c> {
    crawlers: Vec<&'c ResolvedCrawler>,
    policies: [Rc<Policy>; 2],
    difference: Difference,
}

impl<'c> FileComparison<'c> {
    /// Compares two files for `crawlers`, each in its own reading ([`ResolvedCrawler::reading`]).
    /// Crawlers that read in different dialects are in different changes. Each pair of policies has its own budget.
    ///
    /// # Errors
    ///
    /// Returns an error if the files were read in dialects that cannot be compared.
    pub fn new(
        old: RobotsTxt,
        new: RobotsTxt,
        crawlers: &'c [ResolvedCrawler],
        budget: Budget,
    ) -> Result<Self, DifferentComparisons> {
        let mut files = [FilePolicies::new(old), FilePolicies::new(new)];
        let (pairs, not_compared) = PolicyPair::all(&mut files, crawlers);
        let budget = FilePolicies::share(budget, pairs.len());
        let changes = pairs
            .into_iter()
            .map(|pair| PolicyChange::of(pair, budget))
            .collect::<Result<Vec<_>, _>>();
        let mut changes = changes?;
        changes.retain(|change| change.difference.is_none() != Some(true));
        let of_changes = changes.iter().map(|change| change.crawlers.len());
        let unchanged = crawlers.len() - not_compared - of_changes.sum::<usize>();
        Ok(Self {
            files: files.map(FilePolicies::into_files),
            crawlers: crawlers.iter().collect(),
            changes,
            unchanged,
            not_compared,
            site: EXAMPLE_SITE.to_owned(),
        })
    }

    /// Sets the origin of example URLs.
    #[must_use]
    pub fn of_site(self, site: impl Into<String>) -> Self {
        let site = site.into();
        Self { site, ..self }
    }

    /// Returns the origin of example URLs, `https://example.com` by default.
    #[must_use]
    pub fn site(&self) -> &str {
        &self.site
    }

    /// Returns the old and the new file in the reading of a crawler.
    #[must_use]
    pub fn files_for(&self, crawler: &ResolvedCrawler) -> [&RobotsTxt; 2] {
        [0, 1].map(|side: usize| self.files[side].index_for(crawler).robots())
    }

    /// Returns the crawlers.
    #[must_use]
    pub fn crawlers(&self) -> &[&'c ResolvedCrawler] {
        &self.crawlers
    }

    /// Returns the changes and undecided comparisons, ordered by the first crawler of each.
    #[must_use]
    pub fn changes(&self) -> &[PolicyChange<'c>] {
        &self.changes
    }

    /// Returns the number of crawlers for which nothing changed, which is proven.
    #[must_use]
    pub fn unchanged(&self) -> usize {
        self.unchanged
    }

    /// Returns the number of crawlers that were not compared because the groups of the others have
    /// a million rules together.
    #[must_use]
    pub fn not_compared(&self) -> usize {
        self.not_compared
    }

    /// Returns whether nothing changed for any crawler, or `None` if a budget ran out first or some
    /// crawlers were not compared.
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
    fn of(pair: PolicyPair<'c>, budget: Budget) -> Result<Self, DifferentComparisons> {
        let PolicyPair { crawlers, policies } = pair;
        let difference = {
            let [before, after] = [0, 1].map(|side: usize| PolicySet::new(&policies[side]));
            Difference::between(&before, &after, budget)?
        };
        Ok(Self {
            crawlers,
            policies,
            difference,
        })
    }

    /// Returns the crawlers that the change affects.
    #[must_use]
    pub fn crawlers(&self) -> &[&'c ResolvedCrawler] {
        &self.crawlers
    }

    /// Returns the difference between the policies.
    #[must_use]
    pub fn difference(&self) -> &Difference {
        &self.difference
    }

    /// Returns the old and new policies of the first crawler. Those of the others have the same
    /// rules, possibly on other lines.
    #[must_use]
    pub fn policies(&self) -> [&Policy; 2] {
        [&self.policies[0], &self.policies[1]]
    }
}
