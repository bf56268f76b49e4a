//! Preferences about the use of content, in lines and response headers.

use verger::{Crawler, Dialect, Group, Record, RecordKind, RobotsTxt};
use verger_extensions::{
    ContentSignal, ContentUsage, Preference, Preferences, Signal, content_signal,
};

use crate::extent::Selected;
use crate::served::ServedFetch;
use crate::subject::Subject;

/// A granted or refused use of content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// `Content-Signal` or `Content-Usage`.
    pub(crate) field: &'static str,
    /// The preference, such as `ai-train=no`.
    pub(crate) text: String,
    pub(crate) of: Use,
    pub(crate) is_granted: bool,
}

/// A use that one or both vocabularies name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Use {
    Training,
    Search,
    /// Content as the input of a model.
    Input,
}

impl Statement {
    /// Returns whether the other preference is the opposite.
    pub(crate) fn contradicts(&self, other: &Self) -> bool {
        self.of == other.of && self.is_granted != other.is_granted
    }

    /// Returns the preferences in the headers of the last response, in line order.
    pub(crate) fn of_headers(fetch: &ServedFetch) -> Vec<Self> {
        let mut statements = Vec::new();
        for value in fetch.header("content-signal") {
            // The header value has the form of a line's value.
            let body = [&b"User-agent: *\nContent-Signal: "[..], value, b"\n"].concat();
            let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
            statements.extend(Self::of_signal(&content_signal(
                &robots,
                &Crawler::unnamed(),
            )));
        }
        let lines: Vec<&[u8]> = fetch.header("content-usage").collect();
        // The lines of a field form one list (RFC 9651 4.2).
        let usage = Preferences::parse(lines.join(&b", "[..]));
        statements.extend(Self::of_usage(usage));
        statements
    }

    /// Returns the preferences of a crawler's groups that apply to every URL.
    pub(crate) fn of_lines(signal: &ContentSignal<'_>, usage: &ContentUsage) -> Vec<Self> {
        let mut statements = Self::of_signal(signal);
        statements.extend(Self::of_usage(whole_site(usage)));
        statements
    }

    fn of_signal(signal: &ContentSignal<'_>) -> Vec<Self> {
        const KEYS: [(&str, Use); 3] = [
            ("ai-train", Use::Training),
            ("search", Use::Search),
            ("ai-input", Use::Input),
        ];
        let statement = |(key, of): &(&str, Use), signal: Signal| Self {
            field: "Content-Signal",
            text: format!("{key}={signal}"),
            of: *of,
            is_granted: signal == Signal::Yes,
        };
        let of_pair = |(key, signal): (&[u8], Option<Signal>)| {
            let known = |(it, _): &&(&str, Use)| key.eq_ignore_ascii_case(it.as_bytes());
            Some(statement(KEYS.iter().find(known)?, signal?))
        };
        let pairs = signal.pairs().iter();
        let pairs = pairs.map(|pair| (pair.key(), pair.signal()));
        pairs.filter_map(of_pair).collect()
    }

    fn of_usage(usage: Preferences) -> Vec<Self> {
        let known = [
            ("train-ai", Use::Training, usage.train_ai()),
            ("search", Use::Search, usage.search()),
            ("ai-use", Use::Input, usage.ai_use()),
        ];
        let stated = known.into_iter().filter_map(|(label, of, preference)| {
            let is_granted = match preference {
                Preference::Yes => true,
                Preference::No => false,
                Preference::Unknown => return None,
            };
            Some(Self {
                field: "Content-Usage",
                text: format!("{label}={preference}"),
                of,
                is_granted,
            })
        });
        stated.collect()
    }
}

/// Returns preferences for every path.
pub(crate) fn whole_site(usage: &ContentUsage) -> Preferences {
    let whole = usage.rules().iter().filter(|rule| rule.path().is_none());
    whole.fold(Preferences::default(), |all, rule| {
        all.most_restrictive(rule.preferences())
    })
}

/// Returns the crawlers whose groups state a preference, each with the first such line.
pub(crate) fn stating<'f>(
    file: &'f Subject<'f>,
) -> impl Iterator<Item = (Record<'f>, &'f Selected)> {
    let is_one = |kind| matches!(kind, RecordKind::ContentSignal | RecordKind::ContentUsage);
    let is_stated = file.robots.records().any(|it| is_one(it.kind()));
    let selected = is_stated.then(|| file.selected()).into_iter();
    selected.flat_map(|it| &it.all).filter_map(move |it| {
        let groups = file.index.groups_for(&it.crawler)?;
        let mut records = groups.groups().iter().flat_map(Group::records);
        Some((records.find(|it| is_one(it.kind()))?, it))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_access::{Hop, Outcome, Reply};

    fn fetch(headers: &[(&str, &str)]) -> ServedFetch {
        let header = |(name, value): &(&str, &str)| ((*name).to_owned(), value.as_bytes().to_vec());
        ServedFetch {
            hops: Hop::from_reply("https://h.example/robots.txt", Some(Reply::Http(200)))
                .into_iter()
                .collect(),
            outcome: Outcome::Successful(Reply::Http(200)),
            headers: headers.iter().map(header).collect(),
            stated_lifetime: None,
        }
    }

    #[test]
    fn headers_state_what_lines_state() {
        let fetch = fetch(&[
            ("content-signal", "search=yes, AI-train=no"),
            ("content-usage", "train-ai=n"),
            ("content-usage", "search=y;x, train-ai=y"),
        ]);
        let statements = Statement::of_headers(&fetch);
        let texts: Vec<&str> = statements.iter().map(|it| it.text.as_str()).collect();
        // The last occurrence of a Content-Usage label is used.
        assert_eq!(
            texts,
            ["search=yes", "ai-train=no", "train-ai=y", "search=y"]
        );
        assert!(statements[1].contradicts(&statements[2]));
        assert!(!statements[0].contradicts(&statements[3]));
    }
}
