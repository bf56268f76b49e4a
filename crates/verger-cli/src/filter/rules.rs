//! `Rules`: what a body says to the crawlers of a run, and how it is made of the body.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fmt;

use verger::{
    Crawler, GroupIndex, Policy, Reading, RobotsTxt, TargetPath, Verdict, allocated_octets,
};
use verger_answer::FileWarning;

use crate::notice::WarnedFiles;

/// The rules of a body for the crawlers of a run. Crawlers to which the same groups apply have one
/// policy.
pub(super) struct Rules {
    /// The policy of the first crawler, often the only one: it lies here, so that one memory access
    /// less leads to it.
    first: Policy,
    /// The other policies.
    others: Box<[Policy]>,
    /// The number of each crawler's policy, the first one's being 0; empty where there is one
    /// crawler.
    of_crawlers: Box<[usize]>,
    /// The body, where its lines are shown.
    pub(super) robots: Option<RobotsTxt>,
}

/// Makes rules out of bodies.
pub(super) struct PolicyMaker {
    /// At least one.
    pub(super) crawlers: Vec<Crawler>,
    pub(super) reading: Reading,
    pub(super) keeping: Keeping,
    /// The warnings about files, where they are printed.
    pub(super) warnings: Option<WarnedFiles>,
}

/// What is kept of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keeping {
    /// The rules that apply to the crawlers.
    Rules,
    /// The rules, and the lines as written.
    Lines,
}

/// Whether all crawlers may fetch a URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permission {
    ToAll,
    /// Not to one of them, at least.
    NotToAll,
}

impl Rules {
    /// Whether all crawlers may fetch `target`.
    pub(super) fn permission(&self, target: &TargetPath<'_>) -> Permission {
        let mut policies = std::iter::once(&self.first).chain(&self.others);
        if policies.all(|policy| policy.decide(target).is_allowed()) {
            Permission::ToAll
        } else {
            Permission::NotToAll
        }
    }

    /// Calls `each` with the number of every crawler, its verdict and its policy. Each policy decides
    /// once.
    pub(super) fn verdicts(
        &self,
        target: &TargetPath<'_>,
        mut each: impl FnMut(usize, Verdict, &Policy),
    ) {
        let first = (self.first.decide(target), &self.first);
        if self.of_crawlers.is_empty() {
            return each(0, first.0, first.1);
        }
        let others = self
            .others
            .iter()
            .map(|policy| (policy.decide(target), policy));
        let decided: Vec<_> = std::iter::once(first).chain(others).collect();
        for (nth, &number) in self.of_crawlers.iter().enumerate() {
            let (verdict, policy) = decided[number];
            each(nth, verdict, policy);
        }
    }

    /// How many octets it holds.
    pub(super) fn heap_octets(&self) -> usize {
        let others = self.others.iter().map(Policy::heap_octets);
        self.first.heap_octets()
            + others.sum::<usize>()
            + allocated_octets(size_of_val(&*self.others))
            + allocated_octets(size_of_val(&*self.of_crawlers))
            + self.robots.as_ref().map_or(0, RobotsTxt::heap_octets)
    }
}

impl PolicyMaker {
    /// The rules of a body; `file` names it in warnings.
    pub(super) fn rules(&self, body: Vec<u8>, file: impl fmt::Display) -> Rules {
        let robots = RobotsTxt::parse(body, self.reading);
        if let Some(warnings) = &self.warnings {
            let nothing_before = || Ok::<(), Infallible>(());
            let Ok(()) = warnings.warn(file, &FileWarning::all_of(&robots), nothing_before);
        }
        let unnamed = Crawler::unnamed();
        let (first, others) = self.crawlers.split_first().unwrap_or((&unnamed, &[]));
        if others.is_empty() {
            return Rules {
                first: robots.policy(first),
                others: Box::default(),
                of_crawlers: Box::default(),
                robots: (self.keeping == Keeping::Lines).then_some(robots),
            };
        }
        let index = GroupIndex::new(robots);
        let mut numbers = BTreeMap::from([(index.selection(first), 0)]);
        let mut policies = Vec::new();
        let mut of_crawlers = vec![0];
        for crawler in others {
            let number = numbers.entry(index.selection(crawler)).or_insert_with(|| {
                policies.push(index.policy(crawler));
                policies.len()
            });
            of_crawlers.push(*number);
        }
        Rules {
            first: index.policy(first),
            others: policies.into(),
            of_crawlers: of_crawlers.into(),
            robots: (self.keeping == Keeping::Lines).then(|| index.into_robots()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::Dialect;

    const BODY: &str = "User-agent: *\nDisallow: /a\n\nUser-agent: b\nUser-agent: c\nDisallow: /b\n\n\
                        User-agent: c\nDisallow: /c\n";

    fn rules(names: &[&str], body: &str) -> Rules {
        let crawlers = names
            .iter()
            .map(|name| Crawler::named(name, Dialect::Rfc9309));
        let maker = PolicyMaker {
            crawlers: crawlers.collect::<Result<_, _>>().unwrap(),
            reading: Dialect::Rfc9309.into(),
            keeping: Keeping::Rules,
            warnings: None,
        };
        maker.rules(body.into(), "a file")
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
            let target = TargetPath::new(path, Dialect::Rfc9309).unwrap();
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
