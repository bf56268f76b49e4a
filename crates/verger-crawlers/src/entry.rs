//! An entry of the registry file, and the problems that it can have.

use std::str::FromStr;

use serde::Deserialize;
use verger::{Dialect, ProductToken, ProductTokenError, Star};

use crate::crawl_delay::CrawlDelay;
use crate::day::Day;
use crate::evidence::Evidence;
use crate::known_crawler::KnownCrawler;
use crate::obeys::Obeys;
use crate::purpose::Purpose;
use crate::unknown_name::UnknownName;

/// A problem with an entry of the registry file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EntryProblem {
    /// A required key is missing or its value is empty.
    #[error("`{key}` is missing or empty")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// The registry name has characters other than `a` to `z`, `0` to `9` and `-`, or starts or
    /// ends with `-`.
    #[error("`name` may contain only lower-case letters, digits and inner hyphens")]
    BadName,
    /// A token is not a product token.
    #[error("in `tokens`, {0}")]
    BadToken(ProductTokenError),
    /// A value is not valid for its key.
    #[error("`{key}` cannot be `{value}`: use one of {}", expected.join(", "))]
    UnknownValue {
        /// The key.
        key: &'static str,
        /// The value in the file.
        value: String,
        /// The valid values.
        expected: Vec<&'static str>,
    },
    /// A list has the same value twice.
    #[error("`{key}` has `{value}` twice")]
    Repeated {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
    },
    /// A value is not an `http` or `https` URL.
    #[error("`{key}` must be an http or https URL, not `{value}`")]
    NotUrl {
        /// The key.
        key: &'static str,
        /// The value in the file.
        value: String,
    },
    /// A host name suffix is invalid. It must consist of lower-case labels, without a leading dot.
    #[error("`reverse_dns` must be lower-case host names without a leading dot, not `{suffix}`")]
    BadSuffix {
        /// The suffix in the file.
        suffix: String,
    },
    /// A value is not a day such as `2026-11-22`.
    #[error("`{key}` must be a day such as 2026-11-22, not `{value}`")]
    NotADay {
        /// The key.
        key: &'static str,
        /// The value in the file.
        value: String,
    },
    /// Another entry has this registry name.
    #[error("another entry has this name")]
    DuplicateName,
    /// The registry name or own token of the entry already finds another entry.
    #[error("`{name}` already belongs to the entry `{by}`")]
    NameTaken {
        /// The name.
        name: String,
        /// The registry name of the other entry.
        by: String,
    },
    /// Another entry has this header name.
    #[error("the header name `{name}` already belongs to the entry `{by}`")]
    HeaderNameTaken {
        /// The name in the header.
        name: String,
        /// The registry name of the other entry.
        by: String,
    },
}

impl EntryProblem {
    fn unknown_value(key: &'static str, unknown: &UnknownName) -> Self {
        Self::UnknownValue {
            key,
            value: unknown.text().to_owned(),
            expected: unknown.expected().to_vec(),
        }
    }
}

/// A `[[crawler]]` table before its values are checked.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Entry {
    pub(crate) name: String,
    operator: String,
    tokens: Vec<String>,
    user_agent: Option<String>,
    header_aliases: Vec<String>,
    purposes: Vec<String>,
    star: String,
    dialect: Option<String>,
    obeys: String,
    crawl_delay: Option<String>,
    retired: bool,
    control_only: bool,
    docs: Option<String>,
    reverse_dns: Vec<String>,
    ip_ranges: Vec<String>,
    note: Option<String>,
    source: String,
    evidence: String,
    read: String,
}

impl Entry {
    /// Returns the name of the entry in messages. `number` is its position in the file, counted
    /// from 1.
    pub(crate) fn label(&self, number: usize) -> String {
        if self.name.is_empty() {
            format!("number {number}")
        } else {
            self.name.clone()
        }
    }

    /// Checks the values in the order of the description at the start of the file.
    pub(crate) fn into_crawler(self) -> Result<KnownCrawler, EntryProblem> {
        if !is_registry_name(required("name", &self.name)?) {
            return Err(EntryProblem::BadName);
        }
        required("operator", &self.operator)?;
        required("source", &self.source)?;
        let tokens = product_tokens(&self.tokens)?;
        let purposes = purposes(&self.purposes)?;
        let star = star(&self.star)?;
        let dialect = match &self.dialect {
            Some(value) => dialect(value)?,
            None => Dialect::default(),
        };
        let obeys: Obeys = one_of("obeys", &self.obeys)?;
        let crawl_delay: Option<CrawlDelay> = match &self.crawl_delay {
            Some(value) => Some(one_of("crawl_delay", value)?),
            None => None,
        };
        let evidence: Evidence = one_of("evidence", &self.evidence)?;
        let read = day("read", &self.read)?;
        if let Some(name) = &self.user_agent {
            required("user_agent", name)?;
        }
        for name in &self.header_aliases {
            required("header_aliases", name)?;
        }
        urls("docs", self.docs.as_slice())?;
        urls("ip_ranges", &self.ip_ranges)?;
        if let Some(suffix) = self
            .reverse_dns
            .iter()
            .find(|suffix| !is_host_suffix(suffix))
        {
            return Err(EntryProblem::BadSuffix {
                suffix: suffix.clone(),
            });
        }
        Ok(KnownCrawler {
            name: self.name.into(),
            operator: self.operator.into(),
            tokens,
            user_agent: self.user_agent.map(Into::into),
            header_aliases: self.header_aliases,
            purposes,
            star,
            dialect,
            obeys,
            crawl_delay,
            retired: self.retired,
            control_only: self.control_only,
            docs: self.docs.map(Into::into),
            reverse_dns: self.reverse_dns,
            ip_ranges: self.ip_ranges,
            note: self.note.map(Into::into),
            source: self.source.into(),
            evidence,
            read,
            place: 0,
        })
    }
}

fn required<'v>(key: &'static str, value: &'v str) -> Result<&'v str, EntryProblem> {
    if value.trim().is_empty() {
        Err(EntryProblem::Missing { key })
    } else {
        Ok(value)
    }
}

fn is_registry_name(name: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.bytes().all(is_inner) && !name.starts_with('-') && !name.ends_with('-')
}

fn is_host_suffix(suffix: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    suffix.contains('.') && suffix.split('.').all(is_label)
}

fn product_tokens(written: &[String]) -> Result<Vec<ProductToken>, EntryProblem> {
    if written.is_empty() {
        return Err(EntryProblem::Missing { key: "tokens" });
    }
    let mut tokens: Vec<ProductToken> = Vec::with_capacity(written.len());
    for token in written {
        let parsed = ProductToken::new(token).map_err(EntryProblem::BadToken)?;
        if tokens.contains(&parsed) {
            return Err(EntryProblem::Repeated {
                key: "tokens",
                value: token.clone(),
            });
        }
        tokens.push(parsed);
    }
    Ok(tokens)
}

fn purposes(written: &[String]) -> Result<Vec<Purpose>, EntryProblem> {
    if written.is_empty() {
        return Err(EntryProblem::Missing { key: "purposes" });
    }
    let mut purposes = Vec::with_capacity(written.len());
    for name in written {
        let purpose: Purpose = one_of("purposes", name)?;
        if purposes.contains(&purpose) {
            return Err(EntryProblem::Repeated {
                key: "purposes",
                value: name.clone(),
            });
        }
        purposes.push(purpose);
    }
    Ok(purposes)
}

fn star(written: &str) -> Result<Star, EntryProblem> {
    let name = |star| match star {
        Star::Honoured => "honoured",
        Star::Ignored => "ignored",
    };
    let written = required("star", written)?;
    let found = UnknownName::find(written, &[Star::Honoured, Star::Ignored], name);
    found.map_err(|unknown| EntryProblem::unknown_value("star", &unknown))
}

fn dialect(written: &str) -> Result<Dialect, EntryProblem> {
    let found = UnknownName::find(written, Dialect::ALL, Dialect::as_str);
    found.map_err(|unknown| EntryProblem::unknown_value("dialect", &unknown))
}

fn one_of<T: FromStr<Err = UnknownName>>(
    key: &'static str,
    written: &str,
) -> Result<T, EntryProblem> {
    let found = required(key, written)?.parse();
    found.map_err(|unknown| EntryProblem::unknown_value(key, &unknown))
}

fn day(key: &'static str, written: &str) -> Result<Day, EntryProblem> {
    let parsed = required(key, written)?.parse();
    parsed.map_err(|_| EntryProblem::NotADay {
        key,
        value: written.to_owned(),
    })
}

fn urls(key: &'static str, written: &[String]) -> Result<(), EntryProblem> {
    let is_url = |url: &&String| url.starts_with("https://") || url.starts_with("http://");
    match written.iter().find(|url| !is_url(url)) {
        Some(value) => Err(EntryProblem::NotUrl {
            key,
            value: value.clone(),
        }),
        None => Ok(()),
    }
}
