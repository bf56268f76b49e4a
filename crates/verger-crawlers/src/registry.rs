//! All known crawlers, found by name, by token, by User-Agent header.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use crate::known_crawler::KnownCrawler;
use crate::near_miss::{Nearness, misspelling, nearness};
use crate::purpose::Purpose;
use crate::table;
use crate::user_agent_header::UserAgentHeader;

/// At most so many names are suggested for a mistyped one.
const SUGGESTIONS_MAX: usize = 8;

static BUNDLED: LazyLock<Registry> = LazyLock::new(|| Registry::of(table::crawlers()));

/// The known crawlers: first those that the file ranks, the most important one in front, then the others
/// in the order of the file. Whatever lists crawlers takes them in this order.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    crawlers: Vec<KnownCrawler>,
    /// Registry names and own tokens in lower case, each with its crawler. As the next one it is made at the first need:
    /// a process may have few questions, of which none is about a name.
    by_name: OnceLock<BTreeMap<String, usize>>,
    /// Header names in lower case with their crawlers, the longest first, names
    /// of one length in alphabetical order.
    by_header: OnceLock<Vec<(String, usize)>>,
}

impl Registry {
    /// The registry that comes with this crate.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// A registry of these crawlers in this order, none of whose names finds another.
    pub(crate) fn of(mut crawlers: Vec<KnownCrawler>) -> Self {
        for (place, crawler) in crawlers.iter_mut().enumerate() {
            crawler.place = place;
        }
        Self {
            crawlers,
            ..Self::default()
        }
    }

    fn by_names(&self) -> &BTreeMap<String, usize> {
        self.by_name.get_or_init(|| {
            let mut names = Vec::new();
            for it in self {
                let of_it = [it.name(), it.own_token().as_str()];
                names.extend(of_it.map(|name| (name.to_ascii_lowercase(), it.place)));
            }
            // Of all at once, which takes a fourth of the time that they take one by one.
            names.into_iter().collect()
        })
    }

    fn by_headers(&self) -> &[(String, usize)] {
        self.by_header.get_or_init(|| {
            let mut names = Vec::new();
            for it in self {
                let of_it = it.header_names().map(str::to_ascii_lowercase);
                names.extend(of_it.map(|name| (name, it.place)));
            }
            names.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
            names
        })
    }

    /// The crawlers, the most important ones first.
    pub fn iter(&self) -> std::slice::Iter<'_, KnownCrawler> {
        self.crawlers.iter()
    }

    /// How many crawlers there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.crawlers.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crawlers.is_empty()
    }

    /// The crawler whose registry name or own product token is `name`, compared
    /// without regard to ASCII case. No name finds two.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&KnownCrawler> {
        self.by_names()
            .get(&name.to_ascii_lowercase())
            .map(|&index| &self.crawlers[index])
    }

    /// The registry names that `name` may have been meant for, the nearest first,
    /// at most eight: up to two letters off, or beginning alike.
    #[must_use]
    pub fn suggest(&self, name: &str) -> Vec<&str> {
        nearest(self.crawlers.iter().filter_map(|crawler| {
            let keys = [crawler.name(), crawler.own_token().as_str()].into_iter();
            let nearness = keys.filter_map(|key| nearness(name, key)).min()?;
            Some((nearness, crawler.name()))
        }))
    }

    /// The crawler of whose registry name or own product token `name` is probably a [`misspelling`].
    #[must_use]
    pub fn misspelt(&self, name: &str) -> Option<&KnownCrawler> {
        let distance = |crawler: &KnownCrawler| {
            let keys = [crawler.name(), crawler.own_token().as_str()].into_iter();
            keys.filter_map(|key| misspelling(name, key)).min()
        };
        let near = self.iter().filter_map(|it| Some((distance(it)?, it)));
        near.min_by_key(|(distance, _)| *distance).map(|(_, it)| it)
    }

    /// The crawlers that fetch for a purpose, the most important ones first, retired ones among them.
    pub fn by_purpose(&self, purpose: Purpose) -> impl Iterator<Item = &KnownCrawler> {
        let fetches_for = move |it: &&KnownCrawler| it.purposes().contains(&purpose);
        self.iter().filter(fetches_for)
    }

    /// The crawlers of an operator, the most important ones first, retired ones among them; upper and
    /// lower case of its name are equal.
    pub fn by_operator(&self, name: &str) -> impl Iterator<Item = &KnownCrawler> {
        let runs = move |it: &&KnownCrawler| it.operator().eq_ignore_ascii_case(name);
        self.iter().filter(runs)
    }

    /// The operators, each once, in alphabetical order.
    #[must_use]
    pub fn operators(&self) -> Vec<&str> {
        let mut operators: Vec<_> = self.iter().map(KnownCrawler::operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// The operators that `name` may have been meant for, as [`Registry::suggest`] compares names.
    #[must_use]
    pub fn suggest_operators(&self, name: &str) -> Vec<&str> {
        let operators = self.operators().into_iter();
        nearest(operators.filter_map(|operator| Some((nearness(name, operator)?, operator))))
    }

    /// The crawler that a User-Agent header names. If it names several, the one with the longest name; among equally
    /// long names, the alphabetically first.
    ///
    /// A header is a claim: any program can send it. One may even name a token under
    /// which no request is sent ([`KnownCrawler::is_control_only`]).
    #[must_use]
    pub fn named_by(&self, header: &UserAgentHeader) -> Option<&KnownCrawler> {
        let (_, index) = self
            .by_headers()
            .iter()
            .find(|(name, _)| header.names(name))?;
        Some(&self.crawlers[*index])
    }
}

/// The names that are nearest, the nearest first.
fn nearest<'n>(names: impl Iterator<Item = (Nearness, &'n str)>) -> Vec<&'n str> {
    let mut near: Vec<_> = names.collect();
    near.sort_unstable();
    let near = near.into_iter().take(SUGGESTIONS_MAX);
    near.map(|(_, name)| name).collect()
}

impl<'r> IntoIterator for &'r Registry {
    type Item = &'r KnownCrawler;
    type IntoIter = std::slice::Iter<'r, KnownCrawler>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
