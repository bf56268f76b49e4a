//! `GroupIndex`: the names on the user-agent lines of a tree, sorted.
//!
//! [`RobotsTxt::groups_for`] walks over all user-agent lines, which is best for a few crawlers but
//! quadratic for many. With the index, each lookup costs O(log names), and building it costs
//! O(user-agent lines × log).

use alloc::vec::Vec;

use crate::crawler::Crawler;
use crate::dialect::SeveralGroups;
use crate::group_match::{GroupMatch, agent_values, is_star, named_texts};
use crate::policy::Policy;
use crate::read::robots_txt::{Group, RobotsTxt};
use crate::span::offset;

/// A tree with an index of the names on its user-agent lines, for questions about many crawlers.
///
/// ```
/// use verger::{Crawler, Dialect, GroupIndex, RobotsTxt};
///
/// let body = "User-agent: a\nUser-agent: b\nDisallow: /\nUser-agent: *\nAllow: /\n";
/// let index = GroupIndex::new(RobotsTxt::parse(body, Dialect::Rfc9309));
/// let selection = |name| Ok(index.selection(&Crawler::named(name, Dialect::Rfc9309)?));
/// assert_eq!(selection("a")?, selection("B")?);
/// assert_ne!(selection("a")?, selection("c")?);
/// # Ok::<(), verger::ProductTokenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GroupIndex {
    robots: RobotsTxt,
    names: Vec<IndexedName>,
    /// The groups of each selection, in file order.
    groups: Vec<Vec<u32>>,
    star: Option<u32>,
}

#[derive(Clone, Debug)]
struct IndexedName {
    /// The name in lower case, which is the sort key.
    text: Vec<u8>,
    selection: u32,
    record: u32,
}

/// The groups that apply to a crawler, and whether they name it. Crawlers with equal selections
/// have equal policies. Compare selections of one index only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupSelection(Selected);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Selected {
    Nothing,
    /// The groups of one name, or of `*`.
    Numbered(u32),
    /// The groups in file order. GL-group-2.
    Merged(Vec<u32>),
}

impl GroupIndex {
    /// Builds the index of a tree.
    #[must_use]
    pub fn new(robots: RobotsTxt) -> Self {
        let reading = robots.reading();
        let mut by_text: Vec<(Vec<u8>, u32, u32)> = Vec::new();
        let mut for_star = Vec::new();
        for group in robots.groups().filter(Group::is_record) {
            let number = offset(group.index());
            for line in group.user_agents() {
                let record = offset(line.index());
                for value in agent_values(line.value(), reading) {
                    if is_star(value, reading.agent_value) {
                        for_star.push(number);
                    }
                    let texts = named_texts(value, reading.agent_value);
                    by_text.extend(texts.map(|text| (text.to_ascii_lowercase(), number, record)));
                }
            }
        }
        by_text.sort_unstable();
        for_star.dedup();
        let mut names: Vec<(Vec<u8>, Vec<u32>, u32)> = Vec::new();
        for same_name in by_text.chunk_by_mut(|(left, ..), (right, ..)| left == right) {
            let mut groups: Vec<u32> = same_name.iter().map(|(_, group, _)| *group).collect();
            groups.dedup();
            keep(&mut groups, reading.several_named_groups);
            let (text, _, record) = &mut same_name[0];
            names.push((core::mem::take(text), groups, *record));
        }
        let mut groups: Vec<Vec<u32>> = names.iter().map(|(_, groups, _)| groups.clone()).collect();
        groups.sort_unstable();
        groups.dedup();
        let number = |list: &Vec<u32>| offset(groups.partition_point(|groups| groups < list));
        let names = names.into_iter().map(|(text, list, record)| IndexedName {
            text,
            selection: number(&list),
            record,
        });
        let names = names.collect();
        keep(&mut for_star, reading.several_star_groups);
        let star = (!for_star.is_empty()).then(|| offset(groups.len()));
        groups.push(for_star);
        Self {
            robots,
            names,
            groups,
            star,
        }
    }

    /// Returns the tree.
    #[must_use]
    pub fn robots(&self) -> &RobotsTxt {
        &self.robots
    }

    /// Returns the tree and drops the index.
    #[must_use]
    pub fn into_robots(self) -> RobotsTxt {
        self.robots
    }

    /// Returns which groups apply to `crawler`, in O(tokens × log names).
    #[must_use]
    pub fn selection(&self, crawler: &Crawler) -> GroupSelection {
        let named = if crawler.merges_names(self.robots.reading()) {
            self.union_for(crawler)
        } else {
            let named = self.named(crawler).next();
            named.map(|(_, name)| Selected::Numbered(name.selection))
        };
        let star = || self.star.filter(|_| crawler.honours_star());
        let selected = named.or_else(|| star().map(Selected::Numbered));
        GroupSelection(selected.unwrap_or(Selected::Nothing))
    }

    fn union_for(&self, crawler: &Crawler) -> Option<Selected> {
        let mut selections: Vec<u32> = self.named(crawler).map(|(_, it)| it.selection).collect();
        selections.sort_unstable();
        selections.dedup();
        let groups_of = |selection: &u32| self.groups.get(*selection as usize);
        match *selections {
            [] => None,
            [selection] => Some(Selected::Numbered(selection)),
            _ => {
                let groups = selections.iter().filter_map(groups_of).flatten();
                let mut groups: Vec<u32> = groups.copied().collect();
                groups.sort_unstable();
                groups.dedup();
                Some(Selected::Merged(groups))
            }
        }
    }

    /// Returns the same groups as [`RobotsTxt::groups_for`].
    #[must_use]
    pub fn groups_for<'c>(&self, crawler: &'c Crawler) -> Option<GroupMatch<'_, 'c>> {
        let selection = self.selection(crawler);
        let numbers = match &selection.0 {
            Selected::Nothing => return None,
            Selected::Numbered(number) => self.groups.get(*number as usize)?,
            Selected::Merged(groups) => groups,
        };
        let groups = numbers.iter();
        let groups = groups.filter_map(|&group| self.robots.group(group as usize));
        let (groups, reading) = (groups.collect(), self.robots.reading());
        let Some((nth, name)) = self.named(crawler).next() else {
            return GroupMatch::of(groups, None);
        };
        if crawler.merges_names(reading) {
            return GroupMatch::from_union(groups, crawler.tokens(), reading);
        }
        let found = GroupMatch::of(groups, Some((nth, crawler.tokens().get(nth)?)))?;
        Some(found.by_line(self.robots.record(name.record as usize)))
    }

    /// Returns the same policy as [`RobotsTxt::policy`].
    #[must_use]
    pub fn policy(&self, crawler: &Crawler) -> Policy {
        Policy::of(self.groups_for(crawler).as_ref(), self.robots.reading())
    }

    /// Returns each token by its number, with its entry.
    fn named(&self, crawler: &Crawler) -> impl Iterator<Item = (usize, &IndexedName)> {
        let tokens = crawler.tokens().iter().enumerate();
        tokens.filter_map(|(nth, token)| {
            let token = token.as_str().to_ascii_lowercase();
            let compare = |name: &IndexedName| name.text.as_slice().cmp(token.as_bytes());
            let at = self.names.binary_search_by(compare).ok()?;
            Some((nth, &self.names[at]))
        })
    }
}

fn keep(groups: &mut Vec<u32>, several: SeveralGroups) {
    match several {
        SeveralGroups::Merged => {}
        SeveralGroups::First => groups.truncate(1),
    }
}
