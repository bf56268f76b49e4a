//! `StatedPreferences`: the preferences of a site about the uses of its content, for one crawler and
//! any number of targets (CS-1, AA-1).

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::content_signal::{Signal, SignalPair, content_signal};
use crate::content_usage::{ContentUsage, UsageRule, content_usage};
use crate::content_use::ContentUse;
use crate::key_search::may_have_key;
use crate::preferences::Preference;
use verger::{
    Crawler, Effect, LineNumber, Reading, RecordKind, RobotsTxt, TargetPath, allocated_bytes,
};
use verger_simd::FirstByteSet;

/// Maximum number of Content-Usage lines that count for a crawler, because each is compared with every target.
pub const USAGE_LINES_MAX: usize = 500;

const KEYS: [&str; 2] = ["content-signal", "content-usage"];

/// The first bytes of a line with such a key: the key, or white space.
const FIRST_BYTES: FirstByteSet = FirstByteSet::new(b"c \t\x0B\x0C");

/// The preferences of the groups that apply to a crawler, from both kinds of records.
///
/// They never change a verdict. All values are words of the vocabularies, never other text of the
/// file.
///
/// ```
/// use verger::{Crawler, Dialect, RobotsTxt, TargetPath};
/// use verger_extensions::{ContentUse, Signal, stated_preferences};
///
/// let body = "User-agent: *\nContent-Signal: ai-train=yes\nContent-Usage: /art/ train-ai=n\n";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// let crawler = Crawler::unnamed();
/// let (stated, policy) = (stated_preferences(&robots, &crawler), robots.policy(&crawler));
/// let target = TargetPath::new("https://example.com/art/1", Dialect::Rfc9309)?;
/// let stated = stated.about(&target, policy.decide(&target).effect());
/// assert_eq!(stated.signal(ContentUse::AiTrain), Some(Signal::No));
/// assert_eq!(stated.deciding_line(ContentUse::AiTrain).unwrap().get(), 3);
/// # Ok::<(), verger::TargetPathError>(())
/// ```
#[derive(Clone, Debug)]
pub struct StatedPreferences {
    signals: Box<[StatedValue]>,
    usage: ContentUsage,
}

/// A preference in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StatedValue {
    /// The line.
    pub line: LineNumber,
    /// [`RecordKind::ContentSignal`] or [`RecordKind::ContentUsage`].
    pub kind: RecordKind,
    /// The key or label: `search`, `ai-input`, `ai-train`, `use`, `ai-use` or `train-ai`.
    pub key: &'static str,
    /// The value: `yes`, `no`, `immediate`, `reference`, `full`, `y` or `n`.
    pub value: &'static str,
    /// The use, and whether it is permitted. `None` for the key `use`.
    pub about: Option<(ContentUse, Signal)>,
}

/// The preferences about one target, in file order. Each value is listed once, with its first line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TargetPreferences {
    values: Vec<StatedValue>,
}

impl StatedPreferences {
    /// Reads the preferences of a body for one crawler, like [`stated_preferences()`]. It only
    /// parses bodies in which some line may state one, and returns `None` for the others.
    #[must_use]
    pub fn read(body: &[u8], crawler: &Crawler, reading: impl Into<Reading>) -> Option<Self> {
        let reading = reading.into();
        may_have_key(body, &reading, &FIRST_BYTES, &KEYS)
            .then(|| stated_preferences(&RobotsTxt::parse(body, reading), crawler))
            .filter(|stated| !stated.is_empty())
    }

    /// Returns the number of signals and Content-Usage lines that apply to the crawler.
    #[must_use]
    pub fn len(&self) -> usize {
        self.signals.len() + self.usage.rules().len()
    }

    /// Returns whether no line applies to the crawler.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the preferences about `target`, given the effect of the verdict about it.
    ///
    /// Content-Signal is about the whole site. Content-Usage lines apply if they have the longest
    /// matching path, unless the target is disallowed. AA-2, AA-3. Only the first [`USAGE_LINES_MAX`] of them count.
    #[must_use]
    pub fn about(&self, target: &TargetPath<'_>, effect: Effect) -> TargetPreferences {
        let mut stated = TargetPreferences {
            values: self.signals.to_vec(),
        };
        if effect == Effect::Allow {
            for value in self.usage.deciding_rules(target).flat_map(values_of_rule) {
                stated.add(value);
            }
            stated.values.sort_by_key(|value| value.line);
        }
        stated
    }

    /// Returns the heap memory in use, in bytes, including allocator overhead.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        allocated_bytes(size_of_val(&*self.signals)) + self.usage.heap_bytes()
    }
}

impl StatedValue {
    fn says_the_same(&self, other: &Self) -> bool {
        (self.kind, self.key, self.value) == (other.kind, other.key, other.value)
    }
}

impl TargetPreferences {
    /// Returns the values of the lines that apply, in file order. There are at most 15.
    #[must_use]
    pub fn values(&self) -> &[StatedValue] {
        &self.values
    }

    /// Returns whether a use is permitted, or `None` if no line says. If lines contradict each
    /// other, the refusal applies, whichever record states it. CS-1, AA-4.
    #[must_use]
    pub fn signal(&self, content_use: ContentUse) -> Option<Signal> {
        Some(self.deciding(content_use)?.0)
    }

    /// Returns the first line that states [`TargetPreferences::signal`].
    #[must_use]
    pub fn deciding_line(&self, content_use: ContentUse) -> Option<LineNumber> {
        Some(self.deciding(content_use)?.1)
    }

    fn deciding(&self, content_use: ContentUse) -> Option<(Signal, LineNumber)> {
        [Signal::No, Signal::Yes].into_iter().find_map(|signal| {
            let mut values = self.values.iter();
            let found = values.find(|value| value.about == Some((content_use, signal)))?;
            Some((signal, found.line))
        })
    }

    fn add(&mut self, value: StatedValue) {
        if !self.values.iter().any(|it| it.says_the_same(&value)) {
            self.values.push(value);
        }
    }
}

/// Returns whether a file has Content-Signal or Content-Usage lines. Most have none.
#[must_use]
pub fn has_preferences(robots: &RobotsTxt) -> bool {
    let is_preference = |kind| matches!(kind, RecordKind::ContentSignal | RecordKind::ContentUsage);
    robots.records().any(|record| is_preference(record.kind()))
}

/// Returns the preferences that the file states to `crawler` about the uses of its content.
#[must_use]
pub fn stated_preferences(robots: &RobotsTxt, crawler: &Crawler) -> StatedPreferences {
    let mut signals = TargetPreferences::default();
    for pair in content_signal(robots, crawler).pairs() {
        if let Some(value) = value_of_pair(pair) {
            signals.add(value);
        }
    }
    StatedPreferences {
        signals: signals.values.into(),
        usage: content_usage(robots, crawler).first(USAGE_LINES_MAX),
    }
}

/// Returns the value of a pair that the policy defines.
fn value_of_pair(pair: &SignalPair<'_>) -> Option<StatedValue> {
    let (key, value, about) = match pair.content_use() {
        Some(it) => {
            let signal = pair.signal()?;
            (it.as_str(), signal.as_str(), Some((it, signal)))
        }
        None => ("use", pair.reuse()?, None),
    };
    Some(StatedValue {
        line: pair.line(),
        kind: RecordKind::ContentSignal,
        key,
        value,
        about,
    })
}

fn values_of_rule(rule: &UsageRule) -> impl Iterator<Item = StatedValue> {
    let (line, preferences) = (rule.line(), rule.preferences());
    ContentUse::ALL.into_iter().filter_map(move |it| {
        let preference = preferences.about(it);
        let signal = match preference {
            Preference::Yes => Signal::Yes,
            Preference::No => Signal::No,
            Preference::Unknown => return None,
        };
        Some(StatedValue {
            line,
            kind: RecordKind::ContentUsage,
            key: it.label(),
            value: preference.as_str(),
            about: Some((it, signal)),
        })
    })
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::String;

    use verger::Dialect;

    use super::*;

    #[test]
    fn only_the_first_lines_count() {
        let line = |n| format!("Content-Usage: /{n}/ search=n\n");
        let lines: String = (0..=USAGE_LINES_MAX).map(line).collect();
        let body = format!("User-agent: *\n{lines}");
        let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
        let stated = stated_preferences(&robots, &Crawler::unnamed());
        for (n, signal) in [
            (USAGE_LINES_MAX - 1, Some(Signal::No)),
            (USAGE_LINES_MAX, None),
        ] {
            let path = format!("/{n}/");
            let target = TargetPath::new(&path, Dialect::Rfc9309).unwrap();
            let about = stated.about(&target, Effect::Allow);
            assert_eq!(about.signal(ContentUse::Search), signal, "{path}");
        }
    }
}
