//! `WildcardIndex`: which of many rules with `*` may match a target, without asking each.
//!
//! A rule can only match where all its fragments occur. So each rule is listed under one *gram*,
//! four octets of one of its fragments (or two of a shorter one), and only the lists whose grams
//! occur in the target are looked at. The gram is the one that the fewest rules of the policy
//! share: what many of them share (`.php`, `?sor`) tells little. A rule without any gram is asked
//! every time.
//!
//! Lists are sorted by rank and left at the first rule that cannot improve the answer, and each is
//! visited once a question. The rules of a longer list are first held against the set of the
//! target's pairs of octets, which is made when it is first needed: a rule names two pairs that it
//! needs.
//!
//! A fragment that has a form for the path and another for the query gives no gram and no pair, so
//! that only octets are sought that the target must have wherever the fragment matches.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::gram::{Gram, GramCensus, GramLength, GramTable, Pair, PairSet, Visits};
use crate::literal_index::Rank;
use crate::path_pattern::PathPattern;
use crate::span::offset;

/// A list so short that its rules are asked at once.
const SHORT_LIST: usize = 4;

/// A rule with wildcards.
#[derive(Clone, Debug)]
pub(crate) struct WildcardRule {
    pub(crate) pattern: PathPattern,
    pub(crate) rank: Rank,
}

/// A rule in a list, with the two pairs of octets without which it cannot match.
#[derive(Clone, Debug)]
struct ListedRule {
    rule: WildcardRule,
    needs: [Pair; 2],
}

/// A run of listed rules, sorted by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct List {
    start: u32,
    end: u32,
}

/// Rules with wildcards, listed.
#[derive(Clone, Debug, Default)]
pub(crate) struct WildcardIndex {
    rules: Box<[ListedRule]>,
    /// Asked every time.
    always: List,
    long: GramTable<List>,
    short: GramTable<List>,
}

impl WildcardIndex {
    /// Lists the rules, and the groups of rules that the caller visits by their lists.
    pub(crate) fn new(
        rules: Vec<WildcardRule>,
        groups: impl Iterator<Item = Vec<WildcardRule>>,
    ) -> (Self, Vec<List>) {
        let census = GramCensus::of(rules.iter().map(|rule| &rule.pattern));
        let mut keyed: Vec<(Option<Gram>, WildcardRule)> = rules
            .into_iter()
            .map(|rule| (census.rarest_gram(&rule.pattern), rule))
            .collect();
        keyed.sort_by_key(|(gram, rule)| (*gram, rule.rank));
        let mut listed = Vec::new();
        let mut lists: Vec<(Option<Gram>, List)> = Vec::new();
        for (gram, rule) in keyed {
            let start = offset(listed.len());
            let end = start + 1;
            match lists.last_mut() {
                Some((of_list, list)) if *of_list == gram => list.end = end,
                _ => lists.push((gram, List { start, end })),
            }
            listed.push(ListedRule::of(rule));
        }
        let of_groups = groups.map(|group| list_group(group, &mut listed)).collect();
        let of_grams = |length| {
            let with_gram = lists.iter().filter_map(|&(gram, list)| Some((gram?, list)));
            GramTable::new(
                with_gram
                    .filter(|(gram, _)| gram.length() == length)
                    .collect(),
            )
        };
        let index = Self {
            always: lists
                .first()
                .filter(|(gram, _)| gram.is_none())
                .map_or(List::default(), |&(_, list)| list),
            long: of_grams(GramLength::Four),
            short: of_grams(GramLength::Two),
            rules: listed.into_boxed_slice(),
        };
        (index, of_groups)
    }

    /// The best rank among `best` and the rules that match; those in groups are not asked.
    #[inline]
    pub(crate) fn best(&self, target: &[u8], pairs: &mut PairSet, best: Rank) -> Rank {
        let mut best = self.best_of(self.always, target, pairs, best);
        if !self.long.is_empty() {
            best = self.best_of_grams(&self.long, GramLength::Four, target, pairs, best);
        }
        if !self.short.is_empty() {
            best = self.best_of_grams(&self.short, GramLength::Two, target, pairs, best);
        }
        best
    }

    /// The same for the rules of one list.
    #[inline]
    pub(crate) fn best_of(
        &self,
        list: List,
        target: &[u8],
        pairs: &mut PairSet,
        best: Rank,
    ) -> Rank {
        let rules = &self.rules[list.start as usize..list.end as usize];
        for ListedRule { rule, needs } in rules {
            if rule.rank >= best {
                break;
            }
            let may_match = rules.len() <= SHORT_LIST || pairs.of(target).has_both(*needs);
            if may_match && rule.pattern.matches(target) {
                return rule.rank;
            }
        }
        best
    }

    fn best_of_grams(
        &self,
        table: &GramTable<List>,
        length: GramLength,
        target: &[u8],
        pairs: &mut PairSet,
        mut best: Rank,
    ) -> Rank {
        let mut visits = Visits::default();
        table.for_each_in(target, length, |list| {
            if visits.is_first(list.start) {
                best = self.best_of(list, target, pairs, best);
            }
        });
        best
    }
}

impl ListedRule {
    /// The rule, which needs the first pair of its first fragment and the last of its last one.
    fn of(rule: WildcardRule) -> Self {
        let mut needs = [Pair::ANY; 2];
        for fragment in rule.pattern.fragments_of_one_form() {
            if let [first, second, ..] = *fragment
                && needs[0] == Pair::ANY
            {
                needs[0] = Pair::of(first, second);
            }
            if let [.., last_but_one, last] = *fragment {
                needs[1] = Pair::of(last_but_one, last);
            }
        }
        Self { rule, needs }
    }
}

fn list_group(mut group: Vec<WildcardRule>, listed: &mut Vec<ListedRule>) -> List {
    group.sort_by_key(|rule| rule.rank);
    let start = offset(listed.len());
    listed.extend(group.into_iter().map(ListedRule::of));
    let end = offset(listed.len());
    List { start, end }
}
