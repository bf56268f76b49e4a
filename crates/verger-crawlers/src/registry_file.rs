//! Reads the registry file, which is TOML, and generates the table.

use serde::Deserialize;
use verger::{ProductToken, Star};

use crate::entry::{Entry, EntryProblem};
use crate::known_crawler::KnownCrawler;
use crate::registry::Registry;
use crate::table::{IGNORED, TRUE};

impl Registry {
    /// Reads a registry from TOML text: an array `crawler` of tables, and the names that come
    /// `first`, as described at the start of `data/crawlers.toml`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not TOML of that shape, or for the first entry with a
    /// missing, unknown or repeated value, an invalid product token, or a name of another entry.
    /// The error names the entry. Also returns an error if `first` has a name twice or a name that
    /// no entry has.
    #[cfg_attr(docsrs, doc(cfg(feature = "toml")))]
    pub fn from_toml(text: &str) -> Result<Self, RegistryError> {
        let file: File = toml::from_str(text).map_err(|error| RegistryError::Syntax {
            message: error.to_string().trim_end().to_owned(),
        })?;
        let mut crawlers = Vec::new();
        for (entry, written) in file.ranked()? {
            let crawler = written.into_crawler();
            let checked = crawler.and_then(|it| check_names(&crawlers, &it).map(|()| it));
            let crawler = checked.map_err(|problem| RegistryError::Entry { entry, problem })?;
            crawlers.push(crawler);
        }
        Ok(Self::of(crawlers))
    }

    /// Returns the registry as the lines of `data/crawlers.tsv`.
    #[doc(hidden)]
    #[must_use]
    pub fn to_table(&self) -> String {
        let flag = |is_set: bool| if is_set { TRUE } else { "" }.to_owned();
        let name = |known: Option<&str>| known.unwrap_or_default().to_owned();
        let line = |it: &KnownCrawler| {
            let tokens: Vec<_> = it.tokens.iter().map(ProductToken::as_str).collect();
            let purposes: Vec<_> = it.purposes.iter().map(ToString::to_string).collect();
            let values = [
                it.name.to_string(),
                it.operator.to_string(),
                tokens.join("|"),
                name(it.user_agent.as_deref()),
                it.header_aliases.join("|"),
                purposes.join("|"),
                if it.star == Star::Ignored {
                    IGNORED
                } else {
                    ""
                }
                .to_owned(),
                it.dialect.to_string(),
                it.obeys.to_string(),
                it.crawl_delay.map_or_else(String::new, |it| it.to_string()),
                flag(it.retired),
                flag(it.control_only),
                name(it.docs.as_deref()),
                it.reverse_dns.join("|"),
                it.ip_ranges.join("|"),
                name(it.note.as_deref()),
                it.source.to_string(),
                it.evidence.to_string(),
                it.read.to_string(),
            ];
            values.join("\t") + "\n"
        };
        self.iter().map(line).collect()
    }
}

/// Returns an error if a name of the crawler finds another one.
fn check_names(others: &[KnownCrawler], crawler: &KnownCrawler) -> Result<(), EntryProblem> {
    if others.iter().any(|other| other.name() == crawler.name()) {
        return Err(EntryProblem::DuplicateName);
    }
    for name in [crawler.name(), crawler.own_token().as_str()] {
        let is_found = |other: &&KnownCrawler| {
            let names = [other.name(), other.own_token().as_str()];
            names.iter().any(|other| other.eq_ignore_ascii_case(name))
        };
        if let Some(other) = others.iter().find(is_found) {
            let (name, by) = (name.to_owned(), other.name().to_owned());
            return Err(EntryProblem::NameTaken { name, by });
        }
    }
    for (index, name) in crawler.header_names().enumerate() {
        let is_same = |other: &str| other.eq_ignore_ascii_case(name);
        if crawler.header_names().take(index).any(is_same) {
            return Err(EntryProblem::Repeated {
                key: "header_aliases",
                value: name.to_owned(),
            });
        }
        let mut others = others.iter();
        if let Some(other) = others.find(|other| other.header_names().any(is_same)) {
            let (name, by) = (name.to_owned(), other.name().to_owned());
            return Err(EntryProblem::HeaderNameTaken { name, by });
        }
    }
    Ok(())
}

/// The registry file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    /// Registry names, the most important one in front.
    #[serde(default)]
    first: Vec<String>,
    crawler: Vec<Entry>,
}

impl File {
    /// Returns the entries in registry order, each with its name in errors.
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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The text is not TOML of the right shape.
    #[error("not a registry file: {message}")]
    Syntax {
        /// The message of the TOML parser, with the line.
        message: String,
    },
    /// An entry is invalid.
    #[error("crawler {entry}: {problem}")]
    Entry {
        /// The entry's registry name, or its number if it has none.
        entry: String,
        /// The problem.
        #[source]
        problem: EntryProblem,
    },
    /// The list `first` has a name that no entry has, or a name twice.
    #[error("first: `{name}` must be the name of exactly one entry and appear once")]
    First {
        /// The name.
        name: String,
    },
}

#[cfg(test)]
mod tests {
    use crate::registry::Registry;
    use crate::table::TABLE;

    #[test]
    fn the_table_has_what_the_file_has() {
        let file = Registry::from_toml(include_str!("../data/crawlers.toml")).unwrap();
        assert_eq!(file.to_table(), TABLE, "run `cargo xtask crawlers`");
        let bundled = Registry::bundled();
        assert_eq!(format!("{bundled:?}"), format!("{file:?}"));
    }
}
