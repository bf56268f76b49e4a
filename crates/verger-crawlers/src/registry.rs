//! All known crawlers, found by name, by token, by User-Agent header.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::entry::{Entry, EntryProblem};
use crate::known_crawler::KnownCrawler;
use crate::near_miss::{Nearness, misspelling, nearness};
use crate::purpose::Purpose;
use crate::user_agent_header::UserAgentHeader;

/// At most so many names are suggested for a mistyped one.
const SUGGESTIONS_MAX: usize = 8;

static BUNDLED: LazyLock<Registry> = LazyLock::new(|| {
    Registry::from_toml(include_str!("../data/crawlers.toml"))
        .expect("the bundled file is a registry, as a test of this crate checks")
});

/// The known crawlers: first those that the file ranks, the most important one in front, then the others
/// in the order of the file. Whatever lists crawlers takes them in this order.
#[derive(Clone, Debug, Default)]
pub struct Registry {
    crawlers: Vec<KnownCrawler>,
    /// Registry names and own tokens in lower case, each with its crawler.
    by_name: BTreeMap<String, usize>,
    /// Header names in lower case with their crawlers, the longest first, names
    /// of one length in alphabetical order.
    by_header: Vec<(String, usize)>,
}

impl Registry {
    /// The registry that comes with this crate.
    #[must_use]
    pub fn bundled() -> &'static Self {
        &BUNDLED
    }

    /// Reads a registry from TOML text: an array `crawler` of tables and the names that come `first`, as
    /// the head of the bundled file describes them.
    ///
    /// # Errors
    ///
    /// Fails if the text is not TOML of that shape, and at the first entry with a
    /// missing, unknown or repeated value, with a token that is not a product
    /// token, or with a name that another entry has; the error names the entry. Fails also if `first` has
    /// a name twice, or one that no entry has.
    pub fn from_toml(text: &str) -> Result<Self, RegistryError> {
        let file: File = toml::from_str(text).map_err(|error| RegistryError::Syntax {
            message: error.to_string().trim_end().to_owned(),
        })?;
        let mut registry = Self::default();
        for (label, entry) in file.ranked()? {
            entry
                .into_crawler()
                .and_then(|crawler| registry.add(crawler))
                .map_err(|problem| RegistryError::Entry {
                    entry: label,
                    problem,
                })?;
        }
        registry
            .by_header
            .sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        Ok(registry)
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
        self.by_name
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
        let (_, index) = self.by_header.iter().find(|(name, _)| header.names(name))?;
        Some(&self.crawlers[*index])
    }

    /// Adds a crawler unless one of its names finds another one.
    fn add(&mut self, mut crawler: KnownCrawler) -> Result<(), EntryProblem> {
        let index = self.crawlers.len();
        crawler.place = index;
        if self
            .crawlers
            .iter()
            .any(|other| other.name() == crawler.name())
        {
            return Err(EntryProblem::DuplicateName);
        }
        for name in [crawler.name(), crawler.own_token().as_str()] {
            let other = *self
                .by_name
                .entry(name.to_ascii_lowercase())
                .or_insert(index);
            if other != index {
                let by = self.crawlers[other].name().to_owned();
                return Err(EntryProblem::NameTaken {
                    name: name.to_owned(),
                    by,
                });
            }
        }
        for name in crawler.header_names() {
            let lower = name.to_ascii_lowercase();
            match self.by_header.iter().find(|(known, _)| *known == lower) {
                None => self.by_header.push((lower, index)),
                Some(&(_, other)) if other == index => {
                    return Err(EntryProblem::Repeated {
                        key: "header_aliases",
                        value: name.to_owned(),
                    });
                }
                Some(&(_, other)) => {
                    let by = self.crawlers[other].name().to_owned();
                    return Err(EntryProblem::HeaderNameTaken {
                        name: name.to_owned(),
                        by,
                    });
                }
            }
        }
        self.crawlers.push(crawler);
        Ok(())
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

/// The registry file as a whole.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Registry names, the most important one in front.
    #[serde(default)]
    first: Vec<String>,
    crawler: Vec<Entry>,
}

impl File {
    /// The entries in the order of the registry, each with its name in errors.
    fn ranked(self) -> Result<Vec<(String, Entry)>, RegistryError> {
        let label = |(index, entry): (usize, Entry)| (entry.label(index + 1), entry);
        let mut others: Vec<_> = self.crawler.into_iter().enumerate().map(label).collect();
        let mut ranked = Vec::with_capacity(others.len());
        for name in self.first {
            match others.iter().position(|(_, entry)| entry.name == name) {
                Some(at) => ranked.push(others.remove(at)),
                None => return Err(RegistryError::First { name }),
            }
        }
        ranked.append(&mut others);
        Ok(ranked)
    }
}

/// Why a text is not a registry.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RegistryError {
    /// It is not TOML of the right shape.
    Syntax {
        /// What the TOML reader says, with the line.
        message: String,
    },
    /// An entry is wrong.
    Entry {
        /// The entry's registry name, or its number if it has none.
        entry: String,
        /// What is wrong with it.
        problem: EntryProblem,
    },
    /// The list `first` has a name that no entry has, or has it twice.
    First {
        /// The name.
        name: String,
    },
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { message } => write!(f, "not a registry file: {message}"),
            Self::Entry { entry, problem } => write!(f, "crawler {entry}: {problem}"),
            Self::First { name } => {
                write!(
                    f,
                    "first: no entry has the name `{name}`, or it is there twice"
                )
            }
        }
    }
}

impl std::error::Error for RegistryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Syntax { .. } | Self::First { .. } => None,
            Self::Entry { problem, .. } => Some(problem),
        }
    }
}
