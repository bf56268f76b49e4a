//! `Policy`: the rules for one crawler, and an index over them.
//!
//! An index makes decisions fast but costs more to build than a few scans of the rules, and most
//! policies answer few questions. So a policy starts without one and counts what its scans cost.
//! Once the count reaches about two thirds of the cost of an index, it builds the index, once.
//!
//! *Invariant*: rows, planes and index give the same answer. Counters are relaxed atomics, because
//! a lost update only delays the index. The constants below give the figures.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU32, Ordering};

use once_cell::race::OnceBox;

use crate::allocated_bytes::allocated_bytes;
use crate::compare::bytes::ComparedTarget;
use crate::compare::path_pattern::PathPattern;
use crate::compare::plain_bytes::is_plain;
use crate::compare::target_path::{TargetPath, TargetPathError};
use crate::crawler::Crawler;
use crate::dialect::{Comparison, Reading};
use crate::group_match::GroupMatch;
use crate::index::ranking::ranked_rules;
use crate::index::rule_index::RuleIndex;
use crate::read::robots_txt::{Group, RobotsTxt};
use crate::rows::head_planes::HeadPlanes;
use crate::rows::rule_rows::{GatheredRows, RowNumber, RuleRows};
use crate::scan::question::rules_for;
use crate::scan::rows_scan::{FoundRow, deciding_row};
use crate::span::offset;
use crate::verdict::{AppliedGroup, PolicyRule, Reason, RuleId, Verdict};

/// The rules of one robots.txt that apply to one crawler.
///
/// It owns its data, is immutable, and is `Send + Sync`. It leaves out rules that are empty or
/// cannot match anything. The [`RobotsTxt`] still has them.
///
/// The first questions scan the rules, in time linear in their number. Once the scans have cost
/// about as much as an index would, the index is built, once. After that a decision hardly depends
/// on the number of rules, if their texts differ. Any number of threads may call it at once, and
/// earlier questions never affect an answer.
///
/// A decision costs at most O(target bytes × rule bytes), 32 target bytes at a time. The decision
/// that builds the index also pays for it.
#[derive(Debug)]
pub struct Policy {
    group: Option<AppliedGroup>,
    rules: RuleRows,
    reading: Reading,
    /// Counted in comparisons of one rule's first bytes.
    spent: AtomicU32,
    /// The cost plus 1. 0 if not yet computed.
    compiling: AtomicU32,
    /// Created by the second question, if there are enough rules to pay for it.
    planes: OnceBox<HeadPlanes>,
    index: OnceBox<RuleIndex>,
}

/// Cost at which an index is built, in comparisons of one rule's first bytes: a fixed part and a
/// part for each rule. It is about two thirds of the cost of an index, because reading the body has
/// cost as much again. Then no number of questions costs twice the optimum on the corpus. Measured
/// in instructions: with 15 for a rule, 3 questions about a file of 1 to 10 KiB take 22 % more.
/// With 60, and 5 for a compiled rule, 100 questions about a file of 10 to 100 KiB take 17 % more.
/// With no cost at all, 3 questions about a file of 1 to 10 KiB take 15 % more.
const INDEX_COST: u32 = 80;
const INDEX_COST_OF_A_RULE: u32 = 20;
const INDEX_COST_OF_A_COMPILED_RULE: u32 = 30;
const INDEX_COST_OF_A_COMPILED_BYTE: u32 = 2;

/// Factor by which the first question over the cost of an index of plain rules may exceed it. Only
/// then is the cost of compiling rules computed. Measured in instructions: compared with 1 and no
/// cost of compiling, 4 saves 57 % for one question about each file of the corpus, because a few
/// files of compiled rules had taken half. It costs 6 % on the smaller hostile body of J5 and 0.1 %
/// on the larger one. With 8 the larger one takes 2 % more.
const CROSSING_QUESTION: u32 = 4;

fn cost_of_index(rules: usize) -> u32 {
    let of_rules = offset(rules).saturating_mul(INDEX_COST_OF_A_RULE);
    of_rules.saturating_add(INDEX_COST)
}

/// Size in bytes: a fixed part, a part for each rule, and a further part for each compiled rule.
const INDEX_BYTES: usize = 600;
const INDEX_BYTES_OF_A_RULE: usize = 56;
const INDEX_BYTES_OF_A_COMPILED_RULE: usize = 128;

impl RobotsTxt {
    /// Returns the rules that apply to `crawler`. R9309-2.2.1-6 to -11.
    #[must_use]
    pub fn policy(&self, crawler: &Crawler) -> Policy {
        Policy::of(self.groups_for(crawler).as_ref(), self.reading())
    }
}

impl Policy {
    /// Reads the rules of a body that apply to `crawler`, in one pass and without building a tree.
    /// The policy equals that of [`RobotsTxt::policy`], but rules of other crawlers are never
    /// stored.
    ///
    /// ```
    /// use verger::{Crawler, Dialect, Policy, TargetPath};
    ///
    /// let body = "User-agent: *\nDisallow: /private\n";
    /// let policy = Policy::read(body, &Crawler::unnamed(), Dialect::Rfc9309);
    /// let target = TargetPath::new("https://example.com/private/x", Dialect::Rfc9309)?;
    /// assert!(!policy.decide(&target).is_allowed());
    /// # Ok::<(), verger::TargetPathError>(())
    /// ```
    #[must_use]
    pub fn read(
        body: &(impl AsRef<[u8]> + ?Sized),
        crawler: &Crawler,
        reading: impl Into<Reading>,
    ) -> Self {
        let reading = reading.into();
        let (rules, group) = rules_for(body.as_ref(), crawler, &reading);
        Self::new(rules, group, &reading)
    }

    pub(crate) fn of(group_match: Option<&GroupMatch<'_, '_>>, reading: &Reading) -> Self {
        let Some(group_match) = group_match else {
            return Self::new(RuleRows::default(), None, reading);
        };
        let body = group_match.body();
        let records = group_match.groups().iter().map(Group::record_count);
        let mut gathered = GatheredRows::with_room_for(records.sum());
        for rule in group_match.groups().iter().flat_map(Group::rules) {
            let (span, lines_before) = (rule.pattern_span(), rule.line().get() - 1);
            gathered.push(
                rule.effect(),
                (span.start, lines_before),
                span.of(body),
                reading,
            );
        }
        let rules = gathered.to_rows(body, |_, lines_before| lines_before);
        Self::new(rules, Some(group_match.applied()), reading)
    }

    fn new(rules: RuleRows, group: Option<AppliedGroup>, reading: &Reading) -> Self {
        Self {
            group,
            rules,
            reading: *reading,
            spent: AtomicU32::new(0),
            compiling: AtomicU32::new(0),
            planes: OnceBox::new(),
            index: OnceBox::new(),
        }
    }

    /// Decides whether `target` may be accessed.
    ///
    /// Prepare the target in the dialect of the policy. If it was prepared in another dialect, it
    /// is converted, which costs an allocation, but the path remains that of the other dialect (in
    /// `//host/x`, Google's library finds `/x`).
    #[must_use]
    pub fn decide(&self, target: &TargetPath<'_>) -> Verdict {
        let form = target.form(self.reading.comparison);
        if self.reading.robots_txt_itself.exempts(&form) {
            return Verdict::without_rule(Reason::RobotsTxtItself, self.group);
        }
        // "If no matching group exists [...] no rules apply."                  R9309-2.2.1-11
        if self.group.is_none() {
            return Verdict::without_rule(Reason::NoGroup, None);
        }
        match self.deciding(&target.with_form(&form)) {
            Some(row) => {
                let rule = (RuleId::of_row(row), self.rules.line(row));
                Verdict::by_rule(self.rules.effect(row), rule, self.group)
            }
            // "If no match is found amongst the rules [...] the URI is allowed."
            //                                                                  R9309-2.2.2-7
            None => Verdict::without_rule(Reason::NoRuleMatched, self.group),
        }
    }

    /// Decides whether `url` may be accessed: an absolute URL, or a path with its query.
    ///
    /// ```
    /// use verger::{Dialect, Policy};
    ///
    /// let body = "User-agent: *\nDisallow: /private\n";
    /// let policy = Policy::read(body, &"ExampleBot".parse()?, Dialect::Rfc9309);
    /// let verdict = policy.decide_url("https://example.com/private/x")?;
    /// assert_eq!(verdict.to_string(), "disallowed by line 2");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if `url` is neither an absolute URL nor a path ([`TargetPath::new`]).
    pub fn decide_url(
        &self,
        url: &(impl AsRef<[u8]> + ?Sized),
    ) -> Result<Verdict, TargetPathError> {
        Ok(self.decide(&TargetPath::new(url, self.reading)?))
    }

    /// Returns whether `url` may be accessed.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`Policy::decide_url`].
    pub fn allows(&self, url: &(impl AsRef<[u8]> + ?Sized)) -> Result<bool, TargetPathError> {
        Ok(self.decide_url(url)?.is_allowed())
    }

    #[inline]
    fn deciding(&self, target: &ComparedTarget<'_>) -> Option<RowNumber> {
        match self.index.get() {
            Some(index) => index.deciding(&self.rules, self.reading.comparison, target),
            None if self.rules.len() == 0 => None,
            None => self.deciding_without_index(target),
        }
    }

    /// A separate function in WebAssembly because V8 recompiles a hot function whole. With the
    /// kernels inlined that took 32 ms for [`Policy::decide`] in the first lint.
    #[cfg_attr(target_family = "wasm", inline(never))]
    fn deciding_without_index(&self, target: &ComparedTarget<'_>) -> Option<RowNumber> {
        let Self { rules, reading, .. } = self;
        let (comparison, precedence) = (reading.comparison, reading.precedence);
        let spent = self.spent.load(Ordering::Relaxed);
        let least = cost_of_index(rules.len());
        let cost_of_index = if spent < least {
            least.saturating_mul(CROSSING_QUESTION)
        } else {
            least.saturating_add(self.cost_of_compiling())
        };
        let budget = cost_of_index.saturating_sub(spent);
        if budget > 0 {
            // One question without planes costs as much as making them.
            let with_planes = spent > 0 && HeadPlanes::pay_for(rules.len());
            let planes = || Box::new(rules.head_planes());
            let planes = with_planes.then(|| self.planes.get_or_init(planes));
            let answer = deciding_row(rules, planes, target, comparison, precedence, budget);
            // Concurrent threads may overwrite each other's counts. That only delays the index.
            let spent = spent.saturating_add(answer.cost);
            self.spent.store(spent, Ordering::Relaxed);
            match answer.found {
                FoundRow::Row(row) => return Some(row),
                FoundRow::None => return None,
                FoundRow::OverBudget => {}
            }
        }
        let index = || Box::new(RuleIndex::new(rules, comparison, precedence));
        let index = self.index.get_or_init(index);
        index.deciding(rules, comparison, target)
    }

    fn cost_of_compiling(&self) -> u32 {
        if let Some(known) = self.compiling.load(Ordering::Relaxed).checked_sub(1) {
            return known;
        }
        let texts = (0..offset(self.rules.len())).map(|row| self.rules.text(row));
        let compiled = texts.filter(|text| !is_plain(text, self.reading.comparison));
        let costs = compiled.map(|text| {
            INDEX_COST_OF_A_COMPILED_RULE
                + offset(text.len()).saturating_mul(INDEX_COST_OF_A_COMPILED_BYTE)
        });
        let cost = costs.fold(0, u32::saturating_add);
        self.compiling
            .store(cost.saturating_add(1), Ordering::Relaxed);
        cost
    }

    /// Returns a policy with this rule alone, or without a rule, and the same group. Store it with
    /// a decision that outlives the policy. It gives the same verdict as this policy for every
    /// target about which this rule decides (or, without a rule, that no rule matches). The rule
    /// has the first of [`Policy::rule_ids`].
    #[must_use]
    pub fn only(&self, rule: Option<RuleId>) -> Self {
        let rule = rule.filter(|id| id.index() < self.rules.len());
        Self::new(
            self.rules.only(rule.map(RuleId::row)),
            self.group,
            &self.reading,
        )
    }

    /// Returns the group that applies to the crawler, if any.
    #[must_use]
    pub fn group(&self) -> Option<AppliedGroup> {
        self.group
    }

    /// Returns the heap memory in use now, in bytes, including allocator overhead
    /// (`allocated_bytes`). It grows when an index is built ([`Policy::has_index`]). With about 32
    /// rules or more it also grows after the first question, by about 4 bytes a rule.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        let index = self.index.get().map_or(0, |index| {
            allocated_bytes(size_of::<RuleIndex>()) + index.heap_bytes()
        });
        let planes = self.planes.get().map_or(0, |_| self.planes_bytes());
        self.rules.heap_bytes() + planes + index
    }

    /// Returns the heap memory that the policy takes once it has an index, in bytes. Before that it
    /// is an estimate, for caches that weigh an entry once. It reads all rules.
    #[must_use]
    pub fn heap_bytes_max(&self) -> usize {
        let texts = (0..offset(self.rules.len())).map(|row| self.rules.text(row));
        let of_rules = texts.map(|text| {
            let of_compiled = if is_plain(text, self.reading.comparison) {
                0
            } else {
                // Its form, and a text in the index.
                INDEX_BYTES_OF_A_COMPILED_RULE + 2 * text.len()
            };
            INDEX_BYTES_OF_A_RULE + of_compiled
        });
        let index = INDEX_BYTES + of_rules.sum::<usize>();
        let rules = self.rules.heap_bytes() + self.planes_bytes();
        self.heap_bytes().max(rules + index)
    }

    fn planes_bytes(&self) -> usize {
        if !HeadPlanes::pay_for(self.rules.len()) {
            return 0;
        }
        allocated_bytes(size_of::<HeadPlanes>()) + HeadPlanes::heap_bytes(self.rules.len())
    }

    /// Returns whether the index has been built.
    #[must_use]
    pub fn has_index(&self) -> bool {
        self.index.get().is_some()
    }

    /// Returns how many tables questions have built so far. It changes only when
    /// [`Policy::heap_bytes`] does.
    #[doc(hidden)]
    #[must_use]
    pub fn table_count(&self) -> usize {
        usize::from(self.planes.get().is_some()) + usize::from(self.has_index())
    }

    /// Returns the number of rules that can match something.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.rules.len()
    }

    /// Returns the rules that can match something, in order of precedence. Each call sorts them.
    pub fn rules(&self) -> impl ExactSizeIterator<Item = PolicyRule<'_>> + DoubleEndedIterator {
        self.rows_by_rank().map(|row| self.rules.rule(row))
    }

    /// Returns the ids of the rules, in the order of [`Policy::rules`]. Each call sorts them.
    pub fn rule_ids(&self) -> impl ExactSizeIterator<Item = RuleId> + DoubleEndedIterator {
        self.rows_by_rank().map(RuleId::of_row)
    }

    fn rows_by_rank(
        &self,
    ) -> impl ExactSizeIterator<Item = RowNumber> + DoubleEndedIterator + use<> {
        let by_rank = ranked_rules(
            &self.rules,
            self.reading.comparison,
            self.reading.precedence,
        );
        let rows: Vec<RowNumber> = by_rank.iter().map(|rule| rule.row).collect();
        rows.into_iter()
    }

    /// Returns the pattern of a rule as it is compared, or `None` if there is no such rule.
    ///
    /// It allocates. In `google` one line may yield two rules, because an Allow of an index page
    /// also allows its directory.
    #[must_use]
    pub fn path_pattern(&self, id: RuleId) -> Option<PathPattern> {
        self.rule(id)?;
        self.rules.pattern(id.row(), self.reading.comparison)
    }

    /// Returns how rules are compared with targets.
    #[must_use]
    pub fn comparison(&self) -> Comparison {
        self.reading.comparison
    }

    /// Returns the rule that a verdict of this policy refers to, or `None` if there is no such
    /// rule.
    #[must_use]
    pub fn rule(&self, id: RuleId) -> Option<PolicyRule<'_>> {
        (id.index() < self.rules.len()).then(|| self.rules.rule(id.row()))
    }
}

impl Clone for Policy {
    fn clone(&self) -> Self {
        Self {
            group: self.group,
            rules: self.rules.clone(),
            reading: self.reading,
            spent: AtomicU32::new(self.spent.load(Ordering::Relaxed)),
            compiling: AtomicU32::new(self.compiling.load(Ordering::Relaxed)),
            planes: self.planes.clone(),
            index: self.index.clone(),
        }
    }
}

const _: fn() = || {
    fn is_shareable<T: Send + Sync>() {}
    is_shareable::<(RobotsTxt, Policy, TargetPath<'_>)>();
};

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::format;
    use alloc::vec::Vec;

    use super::*;
    use crate::dialect::Dialect;

    fn policy(head: &str, rules: usize, end: &str) -> Policy {
        let lines = (0..rules).map(|number| format!("Disallow: {head}{number:08}{end}\n"));
        let body = ["User-agent: *\n".to_owned()].into_iter().chain(lines);
        let body = body.collect::<Vec<_>>().concat();
        RobotsTxt::parse(&*body, Dialect::Rfc9309).policy(&Crawler::unnamed())
    }

    #[test]
    fn the_heap_grows_with_the_rules_and_an_index_is_part_of_it() {
        let texts = [
            ("/", "/*x", 90),
            ("/", "/xx", 90),
            ("/*", "/x", 90),
            ("/a/", "$", 90),
            ("/%E4", "", 180),
        ];
        let sizes = [(1, 120), (8, 40), (16, 30), (10_000, 26)];
        let policies = texts
            .into_iter()
            .flat_map(|text| sizes.map(|size| (text, size)));
        for ((head, end, most_with_index), (rules, most)) in policies {
            let what = format!("{rules} of {head}…{end}");
            let policy = policy(head, rules, end);
            let (without, with_index) = (policy.heap_bytes(), policy.heap_bytes_max());
            assert!(without > rules * "/00000000".len(), "{what}");
            assert!(without < rules * most, "{what}: {without}");
            let target = TargetPath::new("/x", Dialect::Rfc9309).unwrap();
            while !policy.has_index() {
                let _ = policy.decide(&target);
            }
            let with = policy.heap_bytes();
            assert!(with > without, "{what}");
            assert!(with <= with_index, "{what}: {with} of {with_index}");
            assert!(
                rules < 100 || with < rules * most_with_index,
                "{what}: {with}"
            );
            assert_eq!(policy.clone().heap_bytes(), with);
        }
    }

    #[test]
    fn the_rule_that_decides_decides_alone_as_well() {
        let body =
            "User-agent: *\nDisallow: /a\nAllow: /a/b*c$\nDisallow: /%e4\nAllow: /d/index.html\n";
        for &dialect in Dialect::ALL {
            let policy = RobotsTxt::parse(body, dialect).policy(&Crawler::unnamed());
            for path in [
                "/a",
                "/a/bc",
                "/%E4x",
                "/d/",
                "/d/index.html",
                "/x",
                "/robots.txt",
            ] {
                let Ok(target) = TargetPath::new(path, dialect) else {
                    continue;
                };
                let verdict = policy.decide(&target);
                let alone = policy.only(verdict.rule());
                let again = alone.decide(&target);
                let rule = |policy: &Policy, verdict: Verdict| {
                    let rule = policy.rule(verdict.rule()?)?;
                    Some((rule.effect, rule.line, rule.pattern.to_vec()))
                };
                assert_eq!(
                    rule(&policy, verdict),
                    rule(&alone, again),
                    "{dialect} {path}"
                );
                assert_eq!(verdict.effect(), again.effect(), "{dialect} {path}");
                assert_eq!(alone.group(), policy.group());
                assert!(alone.heap_bytes() <= policy.heap_bytes());
            }
        }
    }
}
