//! `ValueProblem`: a problem with the value of an extension record.

use alloc::vec::Vec;
use core::fmt;

use crate::absolute_url::is_absolute;
use crate::clean_param;
use crate::content_signal;
use crate::content_usage::split_path;
use crate::content_use::{ContentUse, FORMER_LABELS};
use crate::crawl_delay::{CrawlDelay, milliseconds_of};
use crate::day_window::DayWindow;
use crate::dictionary::{Dictionary, Member};
use crate::host;
use crate::preferences::Preference;
use crate::request_rate::{self, InvalidPart};
use verger::{Clause, Record, RecordKind, Span};

/// A problem with the value of a record other than user-agent, allow and disallow.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueProblem {
    /// The line has no value, so it has no effect.
    Empty,
    /// The URL of a Sitemap is not absolute. It is listed anyway. SM-1.
    RelativeSitemap,
    /// The Crawl-delay is not a number of seconds. It is ignored. V-75.
    InvalidCrawlDelay,
    /// The Crawl-delay is longer than [`CrawlDelay::REASONABLE_MAX`]. It applies anyway. V-75.
    AbsurdCrawlDelay,
    /// The Request-rate is not a number of requests per time. It is ignored. V-76.
    InvalidRequestRate,
    /// The window of the day is not two times of day. Its line is ignored. V-76, V-77.
    InvalidTimeWindow,
    /// The Host is not a host name with an optional scheme and port. It is ignored. V-78.
    UnusableHost,
    /// The Clean-param names no parameter. It is ignored. V-79.
    CleanParamWithoutParameter,
    /// The Clean-param is longer than the 500 characters that Yandex reads. It is listed anyway.
    /// V-79.
    CleanParamTooLong,
    /// The path of the Clean-param cannot match anything. The line is listed anyway. V-79.
    CleanParamPathWithoutSlash,
    /// No crawler reads Noindex lines. V-80.
    UnusedNoindex,
    /// The preferences of the Content-Usage line are not an RFC 9651 Dictionary, so all are
    /// unknown. AA-1.
    UnreadableContentUsage,
    /// The Content-Usage line has a path but no preferences, so those for the path are unknown.
    /// AA-1.
    ContentUsageWithoutPreference,
    /// The Content-Usage line has a label of a former vocabulary, which is ignored. AA-1.
    FormerContentUsageLabel {
        /// The last draft with the label, and its date.
        last: &'static str,
    },
    /// The Content-Usage line has a label that is not in the vocabulary, which is ignored. AA-1.
    UnknownContentUsageLabel,
    /// The preference is neither `y` nor `n`, so it is unknown. AA-1.
    UnknownContentUsageValue,
    /// A part of the Content-Signal is not `key=value`. It is ignored. CS-1.
    UnreadableContentSignal,
    /// A key of the Content-Signal is not in the policy. The pair is kept. CS-1.
    UnknownContentSignalKey,
    /// A value of the Content-Signal is not valid for its key. The pair has no effect. CS-1.
    UnknownContentSignalValue,
    /// The URL of a License is not absolute. It is listed anyway. RSL-1.
    RelativeLicense,
}

/// A problem with a value, and the bytes that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpannedProblem {
    /// The problem.
    pub problem: ValueProblem,
    /// The affected part of the value, as a span in the body ([`verger::RobotsTxt::body`]).
    pub span: Span,
}

/// Returns all problems with the value of a record, in file order. Allow, disallow, user-agent and
/// unknown records have none.
///
/// Problems never affect a verdict. Each span lies within [`Record::value_span`].
///
/// ```
/// use verger::{Dialect, RobotsTxt};
/// use verger_extensions::value_problems;
///
/// let body = "Content-Signal: search=maybe, training=no";
/// let robots = RobotsTxt::parse(body, Dialect::Rfc9309);
/// let problems = value_problems(&robots.record(0).unwrap());
/// let parts: Vec<&[u8]> = problems.iter().map(|it| it.span.of(robots.body())).collect();
/// assert_eq!(parts, [&b"maybe"[..], b"training"]);
/// ```
#[must_use]
pub fn value_problems(record: &Record<'_>) -> Vec<SpannedProblem> {
    let (value, value_span) = (record.value(), record.value_span());
    let mut found = Vec::new();
    for_each_problem(record, |problem, part| {
        let before = part.as_ptr().addr().wrapping_sub(value.as_ptr().addr());
        let bytes = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let start = value_span.start + bytes(before).min(value_span.len());
        let end = value_span.end.min(start + bytes(part.len()));
        let span = Span { start, end };
        found.push(SpannedProblem { problem, span });
    });
    found
}

/// Calls `found` with each problem and the affected part of the value.
fn for_each_problem(record: &Record<'_>, mut found: impl FnMut(ValueProblem, &[u8])) {
    use ValueProblem as P;

    let value = record.value();
    let mut whole = |problem: Option<P>| {
        if let Some(problem) = problem {
            found(problem, value);
        }
    };
    match record.kind() {
        RecordKind::UserAgent | RecordKind::Allow | RecordKind::Disallow | RecordKind::Other => {}
        RecordKind::Noindex => whole(Some(P::UnusedNoindex)),
        _ if value.is_empty() => whole(Some(P::Empty)),
        RecordKind::Sitemap => whole((!is_absolute(value)).then_some(P::RelativeSitemap)),
        RecordKind::License => whole((!is_absolute(value)).then_some(P::RelativeLicense)),
        RecordKind::Host => whole((!host::is_usable(value)).then_some(P::UnusableHost)),
        RecordKind::CrawlDelay => whole(of_crawl_delay(value)),
        RecordKind::VisitTime => {
            let is_window = DayWindow::parse(value).is_some();
            whole((!is_window).then_some(P::InvalidTimeWindow));
        }
        RecordKind::RequestRate => {
            for (part, bytes) in request_rate::invalid_parts(value) {
                let problem = match part {
                    InvalidPart::Rate => P::InvalidRequestRate,
                    InvalidPart::Window => P::InvalidTimeWindow,
                };
                found(problem, bytes);
            }
        }
        RecordKind::CleanParam => {
            for (oddity, bytes) in clean_param::oddities(record) {
                let problem = match oddity {
                    clean_param::Oddity::NoParameter => P::CleanParamWithoutParameter,
                    clean_param::Oddity::TooLong => P::CleanParamTooLong,
                    clean_param::Oddity::Path => P::CleanParamPathWithoutSlash,
                };
                found(problem, bytes);
            }
        }
        RecordKind::ContentSignal => {
            for (oddity, bytes) in content_signal::oddities(value) {
                let problem = match oddity {
                    content_signal::Oddity::NoPair => P::UnreadableContentSignal,
                    content_signal::Oddity::UnknownKey => P::UnknownContentSignalKey,
                    content_signal::Oddity::UnknownValue => P::UnknownContentSignalValue,
                };
                found(problem, bytes);
            }
        }
        RecordKind::ContentUsage => in_content_usage(value, found),
        _ => {}
    }
}

impl ValueProblem {
    /// Returns the clause behind this problem.
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
            Self::FormerContentUsageLabel { .. } | Self::UnknownContentUsageLabel => "AV-1",
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

fn in_content_usage(value: &[u8], mut found: impl FnMut(ValueProblem, &[u8])) {
    let (_, preferences) = split_path(value);
    if preferences.is_empty() {
        return found(ValueProblem::ContentUsageWithoutPreference, value);
    }
    let Ok(dictionary) = Dictionary::parse(preferences) else {
        return found(ValueProblem::UnreadableContentUsage, preferences);
    };
    for (label, member) in dictionary.members() {
        if ContentUse::from_label(label).is_none() {
            let mut former = FORMER_LABELS.iter();
            let former = former.find(|(name, _)| name.as_bytes() == *label);
            let problem = match former {
                Some((_, last)) => ValueProblem::FormerContentUsageLabel { last },
                None => ValueProblem::UnknownContentUsageLabel,
            };
            found(problem, label);
        } else if Preference::of(Some(*member)) == Preference::Unknown {
            let part = match member {
                Member::Token(token) => token,
                Member::Other => label,
            };
            found(ValueProblem::UnknownContentUsageValue, part);
        }
    }
}

impl fmt::Display for ValueProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the line has no value and has no effect",
            Self::RelativeSitemap => "the sitemap is not an absolute URL (https://host/path)",
            Self::InvalidCrawlDelay => {
                "the delay is not a number of seconds such as `10` or `0.5` and is ignored"
            }
            Self::AbsurdCrawlDelay => "the delay is longer than a day, so crawlers may shorten it",
            Self::InvalidRequestRate => {
                "the rate is not requests per time such as `1/10s` and is ignored"
            }
            Self::InvalidTimeWindow => {
                "the window is not two times of day such as `0600-0845`, so the line is ignored"
            }
            Self::UnusableHost => {
                "the value is ignored because it is not a host such as `www.example.com`, with or \
                 without a scheme and a port"
            }
            Self::CleanParamWithoutParameter => "the line has no parameter and has no effect",
            Self::CleanParamTooLong => "the value is longer than the limit of 500 characters",
            Self::CleanParamPathWithoutSlash => {
                "the path starts with neither `/` nor `*` and matches nothing"
            }
            Self::UnusedNoindex => {
                "crawlers ignore Noindex in a robots.txt: use an `X-Robots-Tag: noindex` header \
                 or a meta element"
            }
            Self::UnreadableContentUsage => {
                "the preferences are not an RFC 9651 dictionary such as `train-ai=n, search=y`, \
                 so all of them are unknown"
            }
            Self::ContentUsageWithoutPreference => {
                "no preference follows the path, so the preference for that path is unknown"
            }
            Self::FormerContentUsageLabel { last } => {
                return write!(
                    f,
                    "the label was last in draft {last} and is ignored: use `train-ai`, `ai-use` or \
                     `search`"
                );
            }
            Self::UnknownContentUsageLabel => {
                "the label is not in the vocabulary and is ignored: use `train-ai`, `ai-use` or \
                 `search`"
            }
            Self::UnknownContentUsageValue => {
                "the preference is neither `y` nor `n`, so it is unknown"
            }
            Self::UnreadableContentSignal => {
                "a part of the signal is not `key=yes` or `key=no` and is ignored"
            }
            Self::UnknownContentSignalKey => {
                "the key is unknown: use `search`, `ai-input`, `ai-train` or `use`"
            }
            Self::UnknownContentSignalValue => "the key does not allow this value",
            Self::RelativeLicense => "the licence is not an absolute URL (https://host/path)",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ValueProblem as P;
    use alloc::string::ToString;
    use verger::{Dialect, RobotsTxt};

    const DRAFT_01: P = P::FormerContentUsageLabel {
        last: "01 of June 2025",
    };

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
            ("Content-Usage: genai=n", Some(DRAFT_01)),
            ("Content-Usage: ai-use=n, search=y", None),
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
            let problems = value_problems(&record);
            let first = problems.first().map(|found| found.problem);
            assert_eq!(first, problem, "{line}");
            assert!(
                problem.is_none_or(|it| !it.to_string().is_empty() && !it.clause().id().is_empty())
            );
        }
    }

    #[test]
    fn all_problems_are_found_each_where_it_stands() {
        for (line, expected) in [
            (
                "Content-Usage: /a ai-train=n, train-ai=x, search=y, genai=y, search",
                &[
                    (P::UnknownContentUsageLabel, "ai-train"),
                    (P::UnknownContentUsageValue, "x"),
                    (DRAFT_01, "genai"),
                    (P::UnknownContentUsageValue, "search"),
                ][..],
            ),
            (
                "Content-Usage: /a Ai=n",
                &[(P::UnreadableContentUsage, "Ai=n")],
            ),
            (
                "Request-rate: x 1 # comment",
                &[(P::InvalidRequestRate, "x"), (P::InvalidTimeWindow, "1")],
            ),
            (
                "Content-Signal: a, b=c , use=x",
                &[
                    (P::UnreadableContentSignal, "a"),
                    (P::UnknownContentSignalKey, "b"),
                    (P::UnknownContentSignalValue, "x"),
                ],
            ),
            (
                "Clean-param: a  b/c",
                &[(P::CleanParamPathWithoutSlash, "b/c")],
            ),
            ("Sitemap: s.xml ", &[(P::RelativeSitemap, "s.xml")]),
        ] {
            let robots = RobotsTxt::parse(line, Dialect::Rfc9309);
            let problems = value_problems(&robots.record(0).unwrap());
            let found: Vec<_> = problems
                .iter()
                .map(|it| {
                    (
                        it.problem,
                        str::from_utf8(it.span.of(robots.body())).unwrap(),
                    )
                })
                .collect();
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn what_is_too_long_begins_after_the_last_character_that_is_read() {
        let value = "é".repeat(500) + "xyz b";
        let robots = RobotsTxt::parse(["Clean-param:", &value].concat(), Dialect::Rfc9309);
        let problems = value_problems(&robots.record(0).unwrap());
        let parts: Vec<_> = problems
            .iter()
            .map(|it| it.span.of(robots.body()))
            .collect();
        assert_eq!(parts, [&b"xyz b"[..], b"b"]);
    }
}
