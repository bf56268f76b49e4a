//! `Content-Signal`: permitted uses of the content, by key (Cloudflare's Content Signals Policy,
//! CS-1).

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::content_use::ContentUse;
use crate::records_for::records_for;
use verger::{Crawler, LineNumber, RecordKind, RobotsTxt};

/// Whether a use is permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Signal {
    /// `yes`: the use is permitted.
    Yes,
    /// `no`: the use is refused.
    No,
}

impl Signal {
    /// Returns `yes` or `no`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
        }
    }

    fn of(value: &[u8]) -> Option<Self> {
        [Self::Yes, Self::No]
            .into_iter()
            .find(|signal| value.eq_ignore_ascii_case(signal.as_str().as_bytes()))
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A `key=value` pair, known or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SignalPair<'r> {
    key: &'r [u8],
    value: &'r [u8],
    line: LineNumber,
}

impl<'r> SignalPair<'r> {
    /// Returns the key as written, never empty. Keys are compared ignoring ASCII case.
    #[must_use]
    pub fn key(&self) -> &'r [u8] {
        self.key
    }

    /// Returns the value as written.
    #[must_use]
    pub fn value(&self) -> &'r [u8] {
        self.value
    }

    /// Returns the value as a signal, or `None` if it is neither `yes` nor `no`, in any case.
    #[must_use]
    pub fn signal(&self) -> Option<Signal> {
        Signal::of(self.value)
    }

    /// Returns the use of content that the key is about, or `None` for `use` and unknown keys.
    #[must_use]
    pub fn content_use(&self) -> Option<ContentUse> {
        ContentUse::from_key(self.key)
    }

    /// Returns the value in lower case if the key is `use` and the policy defines the value:
    /// `immediate`, `reference` or `full`.
    #[must_use]
    pub fn reuse(&self) -> Option<&'static str> {
        known_reuse(self.value).filter(|_| is_use(self.key))
    }

    /// Returns the line number.
    #[must_use]
    pub fn line(&self) -> LineNumber {
        self.line
    }
}

/// The Content-Signal pairs of all groups that apply to one crawler. They have no effect on what
/// may be crawled.
///
/// A use that is not mentioned is neither permitted nor refused. If lines contradict each other,
/// the refusal applies, wherever it is written: merged groups have no defined order, and merging
/// must not lose a reserved right. CS-1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContentSignal<'r> {
    pairs: Vec<SignalPair<'r>>,
}

impl<'r> ContentSignal<'r> {
    /// Returns the signal for `search`: building an index and showing links and short excerpts.
    #[must_use]
    pub fn search(&self) -> Option<Signal> {
        self.said(ContentUse::Search)
    }

    /// Returns the signal for `ai-input`: feeding content into a model that answers, for example
    /// for grounding.
    #[must_use]
    pub fn ai_input(&self) -> Option<Signal> {
        self.said(ContentUse::AiInput)
    }

    /// Returns the signal for `ai-train`: training or tuning models.
    #[must_use]
    pub fn ai_train(&self) -> Option<Signal> {
        self.said(ContentUse::AiTrain)
    }

    /// Returns the values of `use`, in file order: `immediate`, `reference`, `full` or others.
    pub fn uses(&self) -> impl Iterator<Item = &'r [u8]> {
        let of_use = |pair: &&SignalPair<'r>| is_use(pair.key);
        self.pairs.iter().filter(of_use).map(|pair| pair.value)
    }

    /// Returns all pairs as written, including unknown and contradictory ones, in file order.
    #[must_use]
    pub fn pairs(&self) -> &[SignalPair<'r>] {
        &self.pairs
    }

    fn said(&self, key: ContentUse) -> Option<Signal> {
        self.pairs
            .iter()
            .filter(|pair| ContentUse::from_key(pair.key) == Some(key))
            .filter_map(SignalPair::signal)
            .reduce(|said, next| match (said, next) {
                (Signal::Yes, Signal::Yes) => Signal::Yes,
                (Signal::No, _) | (_, Signal::No) => Signal::No,
            })
    }
}

impl fmt::Display for ContentSignal<'_> {
    /// Writes the signals in file order, as in `search=yes, ai-train=no`. `search`, `ai-input` and
    /// `ai-train` occur once, with the signal that applies. Other pairs are written unchanged.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut said = ContentUse::ALL.map(|key| (key, self.said(key)));
        for pair in &self.pairs {
            let known = ContentUse::from_key(pair.key);
            if let Some((key, said)) = said.iter_mut().find(|(key, _)| Some(*key) == known) {
                let Some(signal) = said.take() else {
                    continue;
                };
                write!(f, "{separator}{}={signal}", key.as_str())?;
            } else {
                let [key, value] = [pair.key, pair.value].map(String::from_utf8_lossy);
                write!(f, "{separator}{key}={value}")?;
            }
            separator = ", ";
        }
        Ok(())
    }
}

/// Returns the signals of the groups that apply to `crawler`. They are empty if no group does.
/// CS-1.
#[must_use]
pub fn content_signal<'r>(robots: &'r RobotsTxt, crawler: &Crawler) -> ContentSignal<'r> {
    let records = records_for(robots, crawler, RecordKind::ContentSignal);
    ContentSignal {
        pairs: records
            .flat_map(|record| {
                let line = record.line();
                parts(record.value())
                    .filter_map(pair)
                    .map(move |(key, value)| SignalPair { key, value, line })
            })
            .collect(),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    NoPair,
    UnknownKey,
    UnknownValue,
}

/// Returns the problems with the value of a Content-Signal record, and the bytes that each is
/// about.
pub(crate) fn oddities(value: &[u8]) -> impl Iterator<Item = (Oddity, &[u8])> {
    parts(value).filter_map(|part| {
        let Some((key, value)) = pair(part) else {
            return Some((Oddity::NoPair, part));
        };
        let known_value = match ContentUse::from_key(key) {
            Some(_) => Signal::of(value).is_some(),
            None if is_use(key) => known_reuse(value).is_some(),
            None => return Some((Oddity::UnknownKey, key)),
        };
        (!known_value).then_some((Oddity::UnknownValue, value))
    })
}

fn is_use(key: &[u8]) -> bool {
    key.eq_ignore_ascii_case(b"use")
}

/// Returns a value of `use` that the policy defines, in lower case.
fn known_reuse(value: &[u8]) -> Option<&'static str> {
    ["immediate", "reference", "full"]
        .into_iter()
        .find(|known| value.eq_ignore_ascii_case(known.as_bytes()))
}

/// Iterates over the non-empty texts between commas.
fn parts(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value
        .split(|&byte| byte == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|part| !part.is_empty())
}

fn pair(part: &[u8]) -> Option<(&[u8], &[u8])> {
    let equals = part.iter().position(|&byte| byte == b'=')?;
    let (key, value) = (part[..equals].trim_ascii(), part[equals + 1..].trim_ascii());
    (!key.is_empty()).then_some((key, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::ToString;
    use verger::Dialect;

    fn read(lines: &[&str]) -> RobotsTxt {
        let lines = lines.join("\nContent-Signal: ");
        let body = format!("User-agent: *\nContent-Signal: {lines}\n");
        RobotsTxt::parse(body, Dialect::Rfc9309)
    }

    fn text(lines: &[&str]) -> String {
        let robots = read(lines);
        content_signal(&robots, &Crawler::unnamed()).to_string()
    }

    #[test]
    fn signals_are_pairs_between_commas() {
        let robots = read(&["Search = YES,ai-train=no , use=reference"]);
        let signal = content_signal(&robots, &Crawler::unnamed());
        assert_eq!(signal.search(), Some(Signal::Yes));
        assert_eq!(signal.ai_input(), None);
        assert_eq!(signal.ai_train(), Some(Signal::No));
        assert_eq!(signal.uses().collect::<Vec<_>>(), [b"reference"]);
        assert_eq!(signal.to_string(), "search=yes, ai-train=no, use=reference");
        assert_eq!(signal.pairs()[0].key(), b"Search");
        assert_eq!(signal.pairs()[0].line().get(), 2);
    }

    #[test]
    fn unknown_pairs_are_kept_and_what_is_no_pair_is_not() {
        assert_eq!(
            text(&["X=1, search, =no, ,ai-input=no"]),
            "X=1, ai-input=no"
        );
        assert_eq!(text(&["search=maybe"]), "");
        assert_eq!(
            text(&["search=maybe, ai-train=no, search=yes"]),
            "search=yes, ai-train=no"
        );
        assert_eq!(text(&["k=a=b"]), "k=a=b");
        assert_eq!(text(&[""]), "");
    }

    #[test]
    fn a_refusal_stands() {
        for lines in [["search=no", "search=yes"], ["search=yes", "search=no"]] {
            assert_eq!(text(&lines), "search=no");
        }
        assert_eq!(read(&["search=no,search=yes"]).records().count(), 2);
    }

    #[test]
    fn signals_belong_to_a_group() {
        let body = "User-agent: a\nContent-Signal: search=no\nDisallow: /\n\
                    User-agent: *\nContent-Signal: ai-train=no\nAllow: /\n";
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let named = Crawler::named("a", Dialect::Rfc9309).unwrap();
        assert_eq!(content_signal(&robots, &named).to_string(), "search=no");
        let unnamed = Crawler::unnamed();
        assert_eq!(content_signal(&robots, &unnamed).to_string(), "ai-train=no");
    }

    #[test]
    fn the_first_oddity_is_told() {
        for (value, expected) in [
            ("search=yes, ai-input=no,ai-train=NO,use=full", None),
            ("search=yes,", None),
            ("search", Some(Oddity::NoPair)),
            ("=no", Some(Oddity::NoPair)),
            ("train=no", Some(Oddity::UnknownKey)),
            ("search=y", Some(Oddity::UnknownValue)),
            ("use=all", Some(Oddity::UnknownValue)),
        ] {
            let first = oddities(value.as_bytes()).next();
            assert_eq!(first.map(|(oddity, _)| oddity), expected, "{value}");
        }
    }
}
