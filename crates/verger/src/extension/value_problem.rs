//! `ValueProblem`: what is odd about the value of an extension record.

use core::fmt;

use super::absolute_url::is_absolute;
use super::clean_param;
use super::content_signal;
use super::content_usage::split_path;
use super::crawl_delay::{CrawlDelay, milliseconds_of};
use super::day_window::DayWindow;
use super::dictionary::{Dictionary, NotADictionary};
use super::host;
use super::preferences::{FORMER_LABELS, Preference, SEARCH, TRAIN_AI};
use super::request_rate::{self, InvalidPart};
use crate::clause::Clause;
use crate::read::record::RecordKind;
use crate::read::robots_txt::Record;

/// What is odd about the value of a record that the protocol's documents do not define.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueProblem {
    /// There is no value, so the line says nothing.
    Empty,
    /// A Sitemap is not an absolute URL; it is listed all the same. SM-1.
    RelativeSitemap,
    /// A Crawl-delay is no number of seconds; it is left out. V-75.
    InvalidCrawlDelay,
    /// A Crawl-delay is longer than [`CrawlDelay::REASONABLE_MAX`]; it counts. V-75.
    AbsurdCrawlDelay,
    /// A Request-rate has no number of requests per time; it is left out. V-76.
    InvalidRequestRate,
    /// A window of the day is not two times of day; its line is left out. V-76, V-77.
    InvalidTimeWindow,
    /// A Host is not a host's name with scheme and port at most; it is left out. V-78.
    UnusableHost,
    /// A Clean-param names no parameter; it is left out. V-79.
    CleanParamWithoutParameter,
    /// A Clean-param is longer than the 500 characters that are read of one; it is listed all the
    /// same. V-79.
    CleanParamTooLong,
    /// The path of a Clean-param can match nothing; it is listed all the same. V-79.
    CleanParamPathWithoutSlash,
    /// A Noindex line, which nobody reads. V-80.
    UnusedNoindex,
    /// A part of a Content-Usage line's preferences is not RFC 9651; all are unknown.
    /// AA-1.
    UnreadableContentUsage,
    /// A Content-Usage line has a path and no preferences: about that path nothing is known.
    /// AA-1.
    ContentUsageWithoutPreference,
    /// A Content-Usage line has a label that a former vocabulary had; it is ignored.
    /// AA-1.
    FormerContentUsageLabel,
    /// A Content-Usage line has a label that no vocabulary had; it is ignored. AA-1.
    UnknownContentUsageLabel,
    /// A preference is neither `y` nor `n`; it is unknown. AA-1.
    UnknownContentUsageValue,
    /// A part of a Content-Signal is not `key=value`; it is ignored. CS-1.
    UnreadableContentSignal,
    /// A Content-Signal has a key that the policy has not; it is kept. CS-1.
    UnknownContentSignalKey,
    /// A Content-Signal has a value that its key has not; it says nothing. CS-1.
    UnknownContentSignalValue,
    /// A License is not an absolute URL; it is listed all the same. RSL-1.
    RelativeLicense,
}

impl ValueProblem {
    /// The first problem with a record's value; `None` where there is none, and for allow,
    /// disallow, user-agent and unknown records.
    ///
    /// Such a problem is nobody's error but the value's: it has no effect on any verdict.
    #[must_use]
    pub fn of(record: &Record<'_>) -> Option<Self> {
        let value = record.value();
        match record.kind() {
            RecordKind::UserAgent
            | RecordKind::Allow
            | RecordKind::Disallow
            | RecordKind::Other => None,
            RecordKind::Noindex => Some(Self::UnusedNoindex),
            _ if value.is_empty() => Some(Self::Empty),
            RecordKind::Sitemap => (!is_absolute(value)).then_some(Self::RelativeSitemap),
            RecordKind::License => (!is_absolute(value)).then_some(Self::RelativeLicense),
            RecordKind::Host => (!host::is_usable(value)).then_some(Self::UnusableHost),
            RecordKind::CrawlDelay => of_crawl_delay(value),
            RecordKind::RequestRate => request_rate::invalid_part(value).map(|part| match part {
                InvalidPart::Rate => Self::InvalidRequestRate,
                InvalidPart::Window => Self::InvalidTimeWindow,
            }),
            RecordKind::VisitTime => match DayWindow::parse(value) {
                Some(_) => None,
                None => Some(Self::InvalidTimeWindow),
            },
            RecordKind::CleanParam => clean_param::oddity(record).map(|oddity| match oddity {
                clean_param::Oddity::NoParameter => Self::CleanParamWithoutParameter,
                clean_param::Oddity::TooLong => Self::CleanParamTooLong,
                clean_param::Oddity::Path => Self::CleanParamPathWithoutSlash,
            }),
            RecordKind::ContentSignal => content_signal::oddity(value).map(|oddity| match oddity {
                content_signal::Oddity::NoPair => Self::UnreadableContentSignal,
                content_signal::Oddity::UnknownKey => Self::UnknownContentSignalKey,
                content_signal::Oddity::UnknownValue => Self::UnknownContentSignalValue,
            }),
            RecordKind::ContentUsage => of_content_usage(value),
        }
    }

    /// The clause that it rests on.
    #[must_use]
    pub const fn clause(self) -> Clause {
        Clause::new(match self {
            Self::Empty => "R9309-2.2.4-1",
            Self::RelativeSitemap => "SM-1",
            Self::InvalidCrawlDelay | Self::AbsurdCrawlDelay => "V-75",
            Self::InvalidRequestRate => "V-76",
            Self::InvalidTimeWindow => "V-77",
            Self::UnusableHost => "V-78",
            Self::CleanParamWithoutParameter
            | Self::CleanParamTooLong
            | Self::CleanParamPathWithoutSlash => "V-79",
            Self::UnusedNoindex => "V-80",
            Self::UnreadableContentUsage | Self::ContentUsageWithoutPreference => "AA-1",
            Self::FormerContentUsageLabel | Self::UnknownContentUsageLabel => "AV-1",
            Self::UnknownContentUsageValue => "AV-2",
            Self::UnreadableContentSignal
            | Self::UnknownContentSignalKey
            | Self::UnknownContentSignalValue => "CS-1",
            Self::RelativeLicense => "RSL-1",
        })
    }
}

fn of_crawl_delay(value: &[u8]) -> Option<ValueProblem> {
    let Some(milliseconds) = milliseconds_of(value) else {
        return Some(ValueProblem::InvalidCrawlDelay);
    };
    let is_absurd = u128::from(milliseconds) > CrawlDelay::REASONABLE_MAX.as_millis();
    is_absurd.then_some(ValueProblem::AbsurdCrawlDelay)
}

fn of_content_usage(value: &[u8]) -> Option<ValueProblem> {
    let (_, preferences) = split_path(value);
    if preferences.is_empty() {
        return Some(ValueProblem::ContentUsageWithoutPreference);
    }
    let dictionary = match Dictionary::parse(preferences) {
        Ok(dictionary) => dictionary,
        Err(NotADictionary) => return Some(ValueProblem::UnreadableContentUsage),
    };
    let is_one_of =
        |labels: &[&str], label: &[u8]| labels.iter().any(|known| known.as_bytes() == label);
    dictionary.members().iter().find_map(|(label, member)| {
        if is_one_of(&[TRAIN_AI, SEARCH], label) {
            let is_unknown = Preference::of(Some(*member)) == Preference::Unknown;
            is_unknown.then_some(ValueProblem::UnknownContentUsageValue)
        } else if is_one_of(&FORMER_LABELS, label) {
            Some(ValueProblem::FormerContentUsageLabel)
        } else {
            Some(ValueProblem::UnknownContentUsageLabel)
        }
    })
}

impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the line has no value and says nothing",
            Self::RelativeSitemap => "a sitemap is named by an absolute URL (https://host/path)",
            Self::InvalidCrawlDelay => {
                "the delay is not a number of seconds such as `10` or `0.5` and is ignored"
            }
            Self::AbsurdCrawlDelay => "the delay is longer than a day; crawlers may bound it",
            Self::InvalidRequestRate => {
                "the rate is not requests per time such as `1/10s` and is ignored"
            }
            Self::InvalidTimeWindow => {
                "the window is not two times of day such as `0600-0845`; the line is ignored"
            }
            Self::UnusableHost => {
                "the value is not a host such as `www.example.com`, with a scheme and a port at \
                 most, and is ignored"
            }
            Self::CleanParamWithoutParameter => "the line names no parameter and says nothing",
            Self::CleanParamTooLong => "the value is longer than the 500 characters that are read",
            Self::CleanParamPathWithoutSlash => {
                "the path starts with neither `/` nor `*` and matches nothing"
            }
            Self::UnusedNoindex => {
                "nobody reads Noindex here; use an `X-Robots-Tag: noindex` header or a meta element"
            }
            Self::UnreadableContentUsage => {
                "the preferences are not an RFC 9651 dictionary such as `train-ai=n, search=y`, \
                 so all of them are unknown"
            }
            Self::ContentUsageWithoutPreference => {
                "no preference stands behind the path, so about that path nothing is known"
            }
            Self::FormerContentUsageLabel => {
                "the label comes from a former draft and is ignored; `train-ai` and `search` are \
                 known"
            }
            Self::UnknownContentUsageLabel => {
                "the label is unknown and ignored; `train-ai` and `search` are known"
            }
            Self::UnknownContentUsageValue => {
                "the preference is neither `y` nor `n`, so it is unknown"
            }
            Self::UnreadableContentSignal => {
                "a part of the signal is not `key=yes` or `key=no` and is ignored"
            }
            Self::UnknownContentSignalKey => {
                "the key is unknown; `search`, `ai-input`, `ai-train` and `use` are known"
            }
            Self::UnknownContentSignalValue => "the value is not one that its key has",
            Self::RelativeLicense => "a licence is named by an absolute URL (https://host/path)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use crate::read::robots_txt::RobotsTxt;
    use ValueProblem as P;
    use alloc::string::ToString;

    #[test]
    fn each_oddity_has_its_problem() {
        for (line, problem) in [
            ("Sitemap: https://h.example/s.xml", None),
            ("Sitemap: /s.xml", Some(P::RelativeSitemap)),
            ("Sitemap:", Some(P::Empty)),
            ("Crawl-delay: 86400", None),
            ("Crawl-delay: 86400.001", Some(P::AbsurdCrawlDelay)),
            ("Crawl-delay: ten", Some(P::InvalidCrawlDelay)),
            ("Request-rate: 1/10s 1300-1659", None),
            ("Request-rate: 10", Some(P::InvalidRequestRate)),
            ("Request-rate: 1/10 2700-0800", Some(P::InvalidTimeWindow)),
            ("Visit-time: 0600-0845", None),
            ("Visit-time: 0600", Some(P::InvalidTimeWindow)),
            ("Host: h.example", None),
            ("Host: h.example/", Some(P::UnusableHost)),
            ("Clean-param: a&b /c", None),
            ("Clean-param: &", Some(P::CleanParamWithoutParameter)),
            ("Clean-param: a c", Some(P::CleanParamPathWithoutSlash)),
            ("Noindex: /a", Some(P::UnusedNoindex)),
            ("Noindex:", Some(P::UnusedNoindex)),
            ("Content-Usage: /a train-ai=n;p", None),
            ("Content-Usage: Train-ai=n", Some(P::UnreadableContentUsage)),
            ("Content-Usage: /a", Some(P::ContentUsageWithoutPreference)),
            ("Content-Usage: genai=n", Some(P::FormerContentUsageLabel)),
            (
                "Content-Usage: ai-train=n",
                Some(P::UnknownContentUsageLabel),
            ),
            ("Content-Usage: search", Some(P::UnknownContentUsageValue)),
            ("Content-Usage:", Some(P::Empty)),
            ("Content-Signal: search=yes", None),
            ("Content-Signal: search", Some(P::UnreadableContentSignal)),
            ("Content-Signal: a=no", Some(P::UnknownContentSignalKey)),
            (
                "Content-Signal: search=n",
                Some(P::UnknownContentSignalValue),
            ),
            ("License: https://h.example/l.xml", None),
            ("License: l.xml", Some(P::RelativeLicense)),
            ("Disallow: x", None),
            ("User-agent:", None),
            ("Llm-policy: x", None),
        ] {
            let robots = RobotsTxt::parse(line, Dialect::Rfc9309);
            let record = robots.records().next().unwrap();
            assert_eq!(ValueProblem::of(&record), problem, "{line}");
            assert!(
                problem.is_none_or(|it| !it.to_string().is_empty() && !it.clause().id().is_empty())
            );
        }
    }
}
