//! All known crawlers, by name, token and User-Agent header.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use crate::known_crawler::KnownCrawler;
use crate::near_miss::{misspelling, nearest, nearness};
use crate::purpose::Purpose;
use crate::table;
use crate::user_agent_header::UserAgentHeader;

static BUNDLED: LazyLock<Registry> = LazyLock::new(|| Registry::of(table::crawlers()));

/// The known crawlers in order of importance: ranked ones first, then the others in
/// file order. All lists of crawlers use this order.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    crawlers: Vec<KnownCrawler>,
    /// Registry names and own tokens in lower case, with the position of the crawler. Like
    /// `by_header`, it is built on first use, because some processes never look up a name.
    by_name: OnceLock<BTreeMap<String, usize>>,
    /// Header names in lower case with the position of the crawler, the longest first, and in
    /// alphabetical order among equals.
    by_header: OnceLock<Vec<(String, usize)>>,
}

impl Registry {
    /// Returns the registry that comes with this crate.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Creates a registry of these crawlers in this order. No name may find two of them.
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
            // Collecting all at once takes a fourth of the time of inserting one by one.
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

    /// Returns the crawlers, the most important ones first.
    pub fn iter(&self) -> std::slice::Iter<'_, KnownCrawler> {
        self.crawlers.iter()
    }

    /// Returns the number of crawlers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.crawlers.len()
    }

    /// Returns whether the registry is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.crawlers.is_empty()
    }

    /// Returns the crawler whose registry name or own product token is `name`, ignoring ASCII case.
    /// At most one matches.
    #[must_use]
    pub fn by_name(&self, name: &str) -> Option<&KnownCrawler> {
        self.by_names()
            .get(&name.to_ascii_lowercase())
            .map(|&index| &self.crawlers[index])
    }

    /// Returns the registry names that `name` may stand for, the closest first and at most eight:
    /// names that differ in up to two letters or start alike.
    #[must_use]
    pub fn suggest(&self, name: &str) -> Vec<&str> {
        let near = self.crawlers.iter().filter_map(|crawler| {
            let keys = [crawler.name(), crawler.own_token().as_str()].into_iter();
            let nearness = keys.filter_map(|key| nearness(name, key)).min()?;
            Some((nearness, crawler.name()))
        });
        nearest(near.collect())
    }

    /// Returns the crawler whose registry name or own product token `name` probably misspells
    /// ([`misspelling`]).
    #[must_use]
    pub fn misspelt(&self, name: &str) -> Option<&KnownCrawler> {
        let distance = |crawler: &KnownCrawler| {
            let keys = [crawler.name(), crawler.own_token().as_str()].into_iter();
            keys.filter_map(|key| misspelling(name, key)).min()
        };
        let near = self.iter().filter_map(|it| Some((distance(it)?, it)));
        near.min_by_key(|(distance, _)| *distance).map(|(_, it)| it)
    }

    /// Returns the crawlers that fetch for a purpose, the most important ones first, including
    /// retired ones.
    pub fn by_purpose(&self, purpose: Purpose) -> impl Iterator<Item = &KnownCrawler> {
        let fetches_for = move |it: &&KnownCrawler| it.purposes().contains(&purpose);
        self.iter().filter(fetches_for)
    }

    /// Returns the crawlers of an operator, the most important ones first, including retired ones.
    /// The name ignores case.
    pub fn by_operator(&self, name: &str) -> impl Iterator<Item = &KnownCrawler> {
        let runs = move |it: &&KnownCrawler| it.operator().eq_ignore_ascii_case(name);
        self.iter().filter(runs)
    }

    /// Returns the operators, each once, in alphabetical order.
    #[must_use]
    pub fn operators(&self) -> Vec<&str> {
        let mut operators: Vec<_> = self.iter().map(KnownCrawler::operator).collect();
        operators.sort_unstable();
        operators.dedup();
        operators
    }

    /// Returns the operators that `name` may stand for, compared as in [`Registry::suggest`].
    #[must_use]
    pub fn suggest_operators(&self, name: &str) -> Vec<&str> {
        let operators = self.operators().into_iter();
        let near = operators.filter_map(|operator| Some((nearness(name, operator)?, operator)));
        nearest(near.collect())
    }

    /// Returns the crawler that a User-Agent header names. If it names several, returns the one
    /// with the longest name, and the first in the header among equals.
    ///
    /// A header is a claim that any program can send. It may even name a token under which no
    /// request is sent ([`KnownCrawler::is_control_only`]).
    #[must_use]
    pub fn named_by(&self, header: &UserAgentHeader) -> Option<&KnownCrawler> {
        let mut names = self.by_headers().iter();
        let place =
            |(name, index): &(String, usize)| Some((header.place_of(name)?, name.len(), *index));
        let (first, length, index) = names.find_map(place)?;
        // "Claude-User (claude-code/2.1)": both names have eleven letters.
        let equals = names.take_while(|(name, _)| name.len() == length);
        let earlier = equals.filter_map(place).filter(|(at, ..)| *at < first);
        let index = earlier.min().map_or(index, |(.., index)| index);
        Some(&self.crawlers[index])
    }
}

impl<'r> IntoIterator for &'r Registry {
    type Item = &'r KnownCrawler;
    type IntoIter = std::slice::Iter<'r, KnownCrawler>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
