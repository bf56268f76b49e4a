//! The bundled registry as a table. Nothing reads TOML at run time. `cargo xtask
//! crawlers` generates `data/crawlers.tsv` from `data/crawlers.toml`, in registry order.
//!
//! Each line is a crawler. Its values are in the order of the fields of [`KnownCrawler`], separated
//! by tabs. `|` separates the values of a list. Unknown values are empty.

use std::borrow::Cow;
use std::str::FromStr;

use verger::{ProductToken, Star};

use crate::known_crawler::KnownCrawler;
use crate::unknown_name::UnknownName;

/// The table.
pub(crate) const TABLE: &str = include_str!("../data/crawlers.tsv");

/// Returns the crawlers of the table. A test compares them with those of the file.
pub(crate) fn crawlers() -> Vec<KnownCrawler> {
    TABLE.lines().map(crawler).collect()
}

fn crawler(line: &'static str) -> KnownCrawler {
    let mut values = line.split('\t');
    let mut next = || values.next().unwrap_or_default();
    KnownCrawler {
        name: next().into(),
        operator: next().into(),
        tokens: list(next()).map(ProductToken::verbatim).collect(),
        user_agent: text(next()),
        header_aliases: texts(next()),
        purposes: list(next()).map(known).collect(),
        star: if next() == IGNORED {
            Star::Ignored
        } else {
            Star::Honoured
        },
        dialect: next().parse().unwrap_or_default(),
        obeys: known(next()),
        crawl_delay: text(next()).map(|value| known(&value)),
        retired: next() == TRUE,
        control_only: next() == TRUE,
        docs: text(next()),
        reverse_dns: texts(next()),
        ip_ranges: texts(next()),
        note: text(next()),
        source: next().into(),
        evidence: known(next()),
        read: next().parse().expect("the table has days"),
        place: 0,
    }
}

/// Markers for an ignored star and for a set flag.
pub(crate) const IGNORED: &str = "ignored";
pub(crate) const TRUE: &str = "true";

fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split('|').filter(|it| !it.is_empty())
}

fn texts(value: &str) -> Vec<String> {
    list(value).map(str::to_owned).collect()
}

fn text(value: &'static str) -> Option<Cow<'static, str>> {
    (!value.is_empty()).then_some(Cow::Borrowed(value))
}

fn known<T: FromStr<Err = UnknownName>>(value: &str) -> T {
    value.parse().expect("the table has known values")
}
