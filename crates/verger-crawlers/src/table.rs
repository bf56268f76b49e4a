//! The bundled registry as a table, so that nothing reads TOML at run time: `cargo xtask crawlers` makes
//! `data/crawlers.tsv` of `data/crawlers.toml`, in the order of the registry.
//!
//! A line is a crawler. Its values are in the order of the fields of [`KnownCrawler`], a tab between them and `|`
//! between those of a list; what is not known is empty.

use std::str::FromStr;

use verger::{ProductToken, Star};

use crate::known_crawler::KnownCrawler;
use crate::unknown_name::UnknownName;

const TABLE: &str = include_str!("../data/crawlers.tsv");

/// The crawlers of the table. A test holds them to those of the file.
pub(crate) fn crawlers() -> Vec<KnownCrawler> {
    TABLE.lines().map(crawler).collect()
}

fn crawler(line: &str) -> KnownCrawler {
    let mut values = line.split('\t');
    let mut next = || values.next().unwrap_or_default();
    KnownCrawler {
        name: next().to_owned(),
        operator: next().to_owned(),
        tokens: list(next()).map(ProductToken::verbatim).collect(),
        user_agent: text(next()),
        header_aliases: texts(next()),
        purposes: list(next()).map(known).collect(),
        star: if next() == IGNORED {
            Star::Ignored
        } else {
            Star::Honoured
        },
        obeys: known(next()),
        crawl_delay: text(next()).map(|value| known(&value)),
        retired: next() == TRUE,
        control_only: next() == TRUE,
        docs: text(next()),
        reverse_dns: texts(next()),
        ip_ranges: texts(next()),
        note: text(next()),
        source: next().to_owned(),
        evidence: known(next()),
        read: next().parse().expect("the table has days"),
        place: 0,
    }
}

const IGNORED: &str = "ignored";
const TRUE: &str = "true";

fn list(value: &str) -> impl Iterator<Item = &str> {
    value.split('|').filter(|it| !it.is_empty())
}

fn texts(value: &str) -> Vec<String> {
    list(value).map(str::to_owned).collect()
}

fn text(value: &str) -> Option<String> {
    (!value.is_empty()).then(|| value.to_owned())
}

fn known<T: FromStr<Err = UnknownName>>(value: &str) -> T {
    value.parse().expect("the table has known values")
}

#[cfg(feature = "toml")]
impl crate::registry::Registry {
    /// The registry as lines of `data/crawlers.tsv`.
    #[doc(hidden)]
    #[must_use]
    pub fn to_table(&self) -> String {
        let flag = |is_set: bool| if is_set { TRUE } else { "" }.to_owned();
        let name = |known: Option<&str>| known.unwrap_or_default().to_owned();
        let line = |it: &KnownCrawler| {
            let tokens: Vec<_> = it.tokens.iter().map(ProductToken::as_str).collect();
            let purposes: Vec<_> = it.purposes.iter().map(ToString::to_string).collect();
            let values = [
                it.name.clone(),
                it.operator.clone(),
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
                it.obeys.to_string(),
                it.crawl_delay.map_or_else(String::new, |it| it.to_string()),
                flag(it.retired),
                flag(it.control_only),
                name(it.docs.as_deref()),
                it.reverse_dns.join("|"),
                it.ip_ranges.join("|"),
                name(it.note.as_deref()),
                it.source.clone(),
                it.evidence.to_string(),
                it.read.to_string(),
            ];
            values.join("\t") + "\n"
        };
        self.iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::registry::Registry;

    #[test]
    fn the_table_has_what_the_file_has() {
        let file = Registry::from_toml(include_str!("../data/crawlers.toml")).unwrap();
        assert_eq!(file.to_table(), super::TABLE, "run `cargo xtask crawlers`");
        let bundled = Registry::bundled();
        assert_eq!(format!("{bundled:?}"), format!("{file:?}"));
    }
}
