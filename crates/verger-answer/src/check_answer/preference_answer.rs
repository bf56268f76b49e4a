//! `PreferenceAnswer`: preferences about the uses of a URL's content, as JSON and as text.

use core::fmt;

use serde::{Serialize, Serializer};
use verger_extensions::{ContentUse, Signal, StatedValue, TargetPreferences};

/// The preferences that a robots.txt states about the uses of a URL's content. They never change
/// whether the URL may be fetched. It serializes as the key `preferences` of `docs/json.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreferenceAnswer {
    /// The only use that is asked about, or `None` for all.
    pub asked: Option<ContentUse>,
    /// The values of the lines that apply.
    pub stated: TargetPreferences,
}

impl PreferenceAnswer {
    /// Returns the answer about one use or all of them. Returns `None` if all are asked about and
    /// nothing is stated.
    #[must_use]
    pub fn new(asked: Option<ContentUse>, stated: TargetPreferences) -> Option<Self> {
        let is_needed = asked.is_some() || !stated.values().is_empty();
        is_needed.then_some(Self { asked, stated })
    }

    /// Returns `yes`, `no` or `unstated`.
    #[must_use]
    pub fn word(&self, content_use: ContentUse) -> &'static str {
        let signal = self.stated.signal(content_use);
        signal.map_or("unstated", Signal::as_str)
    }

    fn is_asked(&self, content_use: ContentUse) -> bool {
        self.asked.is_none_or(|asked| asked == content_use)
    }
}

impl fmt::Display for PreferenceAnswer {
    /// Writes `search: yes by line 2, ai-train: no by line 3`, without unstated uses unless one is
    /// asked about.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for it in ContentUse::ALL.into_iter().filter(|it| self.is_asked(*it)) {
            match self.stated.deciding_line(it) {
                Some(line) => write!(f, "{separator}{it}: {} by line {line}", self.word(it))?,
                None if self.asked.is_some() => write!(f, "{it}: {}", self.word(it))?,
                None => continue,
            }
            separator = ", ";
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct Keys<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ai_input: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ai_train: Option<&'static str>,
    values: Vec<ValueKeys<'a>>,
}

#[derive(Serialize)]
struct ValueKeys<'a> {
    line: u32,
    kind: Option<&'static str>,
    key: &'a str,
    value: &'a str,
}

impl Serialize for PreferenceAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let word = |it| self.is_asked(it).then(|| self.word(it));
        let is_asked = |value: &&StatedValue| value.about.is_none_or(|(it, _)| self.is_asked(it));
        let values = self.stated.values().iter().filter(is_asked);
        let keys = values.map(|value| ValueKeys {
            line: value.line.get(),
            kind: value.kind.key(),
            key: value.key,
            value: value.value,
        });
        Keys {
            search: word(ContentUse::Search),
            ai_input: word(ContentUse::AiInput),
            ai_train: word(ContentUse::AiTrain),
            values: keys.collect(),
        }
        .serialize(serializer)
    }
}
