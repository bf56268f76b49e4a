//! `PageAnswer`: may a crawler index a page, and why.

use std::borrow::Cow;
use std::{fmt, ptr};

use serde::{Serialize, Serializer};
use verger::legible;
use verger_access::Timestamp;
use verger_extensions::{
    AiUse, DirectiveKind, PageConvention, PageDirective, PageReader, PageRules,
};

use super::page_date::page_date;
use super::page_facts::{HtmlGap, PageFacts, PageFetch, RecordedValue, line_or_null};
use super::page_finding::PageFinding;
use super::response_head::ResponseHead;
use crate::text::start_of;

/// Whether a crawler may index a page. It serializes as the key `page` of `docs/json.md`.
///
/// It depends on the answer about robots.txt and never changes it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageAnswer {
    /// The answer.
    pub state: PageState,
    /// The kind of reason.
    pub reason: PageReason,
    /// The reason as a sentence without a full stop, safe to show.
    pub because: String,
    /// The status of the response.
    pub status: Option<u16>,
    /// The target of a redirect, as written. `None` for other responses.
    pub location: Option<String>,
    /// The convention in which directives were read.
    pub convention: PageConvention,
    /// The state under the other convention, if it differs.
    pub otherwise: Option<PageState>,
    /// Maximum length of an excerpt in characters, 0 for none. `None` without a limit, or if the
    /// page was not read.
    pub max_snippet: Option<u32>,
    /// Use as input of AI answers, if a directive limits it.
    pub ai_input: Option<AiUse>,
    /// Use for training, if a directive limits it.
    pub ai_train: Option<AiUse>,
    /// The directives of the page, and whether this crawler sees and obeys each.
    pub directives: Vec<(PageDirective, bool)>,
    /// Statements that are recorded only.
    pub recorded: Vec<RecordedValue>,
    /// Mistakes in the directives, which `verger-lint` adds.
    pub findings: Vec<PageFinding>,
}

/// Whether a page may be indexed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PageState {
    /// The crawler may fetch and index it.
    Indexable,
    /// The crawler may fetch it and does not index it.
    NotIndexed,
    /// The crawler may not fetch it. It does not see directives, and the URL may be listed without text.
    Unseen,
    /// There is not enough information.
    Unknown,
}

impl PageState {
    /// Returns `indexable`, `not-indexed`, `unseen` or `unknown`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Indexable => "indexable",
            Self::NotIndexed => "not-indexed",
            Self::Unseen => "unseen",
            Self::Unknown => "unknown",
        }
    }

    /// Returns whether the page may be indexed, or `None` if that is unknown: an unseen page may be
    /// listed by its URL.
    #[must_use]
    pub const fn is_indexable(self) -> Option<bool> {
        match self {
            Self::Indexable => Some(true),
            Self::NotIndexed => Some(false),
            Self::Unseen | Self::Unknown => None,
        }
    }
}

impl fmt::Display for PageState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Whether robots.txt lets the crawler fetch a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PageAccess {
    /// robots.txt allows the page.
    Allowed,
    /// robots.txt disallows the page, for this reason.
    Disallowed(String),
    /// The answer of robots.txt is unknown, for example because the site is unreachable.
    Unknown(String),
}

/// The kind of reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PageReason {
    /// robots.txt disallows the URL.
    RobotsTxt,
    /// Whether robots.txt allows the URL is not known now.
    RobotsTxtUnknown,
    /// The page was not fetched.
    NotFetched,
    /// The fetch failed.
    FetchFailed,
    /// The status of the response.
    Status,
    /// The response redirects to another URL.
    Redirect,
    /// A directive.
    Directive,
    /// No directive forbids indexing.
    NoDirective,
    /// No directive in the part that was read forbids indexing, but a limit ended the reading.
    PageCut,
    /// No header forbids indexing, but the HTML was not given.
    HtmlNotGiven,
    /// No header forbids indexing, but the HTML was given compressed.
    HtmlCompressed,
}

impl PageReason {
    /// Returns whether the answer depends on directives: no status, redirect or robots.txt decides.
    #[must_use]
    pub const fn is_about_directives(self) -> bool {
        matches!(
            self,
            Self::Directive
                | Self::NoDirective
                | Self::PageCut
                | Self::HtmlNotGiven
                | Self::HtmlCompressed
        )
    }

    /// Returns the reason in JSON, such as `robots-txt`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RobotsTxt => "robots-txt",
            Self::RobotsTxtUnknown => "robots-txt-unknown",
            Self::NotFetched => "not-fetched",
            Self::FetchFailed => "fetch-failed",
            Self::Status => "status",
            Self::Redirect => "redirect",
            Self::Directive => "directive",
            Self::NoDirective => "no-directive",
            Self::PageCut => "page-cut",
            Self::HtmlNotGiven => "html-not-given",
            Self::HtmlCompressed => "html-compressed",
        }
    }
}

type Decided = (PageState, PageReason, String);

impl PageAnswer {
    /// Decides whether a crawler may index the page, from `facts` and the time `at`.
    #[must_use]
    pub fn new(access: &PageAccess, reader: &PageReader, facts: &PageFacts, at: Timestamp) -> Self {
        let gate = decided_by_robots(access);
        let response = facts.head().filter(|_| gate.is_none());
        let read = |reader: &PageReader| match (&gate, facts.fetch()) {
            (Some(decided), _) => decided.clone(),
            (None, PageFetch::NotFetched(why)) => {
                let because = format!("the page was not fetched: {}", legible(why.as_bytes()));
                (PageState::Unknown, PageReason::NotFetched, because)
            }
            (None, PageFetch::Failed(why)) => {
                let because = format!("the page could not be fetched: {}", legible(why.as_bytes()));
                (PageState::Unknown, PageReason::FetchFailed, because)
            }
            (None, PageFetch::Response(head)) => {
                decided_by_status(head).unwrap_or_else(|| decided_by_rules(facts, reader, at))
            }
        };
        let (state, reason, because) = read(reader);
        let convention = reader.convention();
        let other = match convention {
            PageConvention::Google => PageConvention::RepExt,
            PageConvention::RepExt => PageConvention::Google,
        };
        let (otherwise, ..) = read(&reader.clone().in_convention(other));
        let rules = if reason.is_about_directives() {
            facts.directives().rules_for(reader)
        } else {
            PageRules::default()
        };
        let mut applied = rules.applied.iter().peekable();
        let directives = facts.directives().iter().map(|it| {
            let is_obeyed = applied.next_if(|next| ptr::eq(**next, it)).is_some();
            (it.clone(), is_obeyed && has_valid_date(it, at))
        });
        Self {
            state,
            reason,
            because,
            status: response.map(|head| head.status),
            location: response
                .filter(|_| reason == PageReason::Redirect)
                .and_then(location),
            convention,
            otherwise: (otherwise != state).then_some(otherwise),
            max_snippet: rules.snippet.map(|(limit, _)| limit),
            ai_input: rules.ai_input.map(|(limit, _)| limit),
            ai_train: rules.ai_train.map(|(limit, _)| limit),
            directives: directives.collect(),
            recorded: facts.recorded().to_vec(),
            findings: Vec::new(),
        }
    }
}

/// Returns the answer if robots.txt does not let the crawler see the page.
fn decided_by_robots(access: &PageAccess) -> Option<Decided> {
    match access {
        PageAccess::Allowed => None,
        PageAccess::Disallowed(why) => {
            let because = format!("robots.txt disallows it ({why}), so no directive is seen");
            Some((PageState::Unseen, PageReason::RobotsTxt, because))
        }
        PageAccess::Unknown(why) => {
            let because = format!("robots.txt is not known now ({why})");
            Some((PageState::Unknown, PageReason::RobotsTxtUnknown, because))
        }
    }
}

/// Returns the answer if the status decides. Google, "How HTTP status codes affect Google's
/// crawlers".
fn decided_by_status(head: &ResponseHead) -> Option<Decided> {
    let status = head.status;
    let because = format!("status {status}");
    match status {
        200..=203 | 206..=299 => None,
        204 | 205 | 300..=303 | 305..=428 | 430..=499 => Some(match location(head) {
            Some(location) if (300..400).contains(&status) => {
                let because = format!(
                    "{because} redirects to {}",
                    legible(start_of(&location).as_bytes())
                );
                (PageState::NotIndexed, PageReason::Redirect, because)
            }
            _ => (PageState::NotIndexed, PageReason::Status, because),
        }),
        _ => Some((PageState::Unknown, PageReason::Status, because)),
    }
}

fn decided_by_rules(facts: &PageFacts, reader: &PageReader, at: Timestamp) -> Decided {
    let rules = facts.directives().rules_for(reader);
    let mut dated = rules.unavailable_after.iter().copied();
    // "After the specified date/time."                                                GM-23
    let passed = || dated.find(|directive| page_date(directive, at).is_some_and(|date| date < at));
    if let Some(directive) = rules.noindex.or_else(passed) {
        let because = place_of(directive);
        return (PageState::NotIndexed, PageReason::Directive, because);
    }
    let (state, reason, because) = match facts.gap() {
        None => (
            PageState::Indexable,
            PageReason::NoDirective,
            "no directive forbids it",
        ),
        Some(HtmlGap::Cut) => (
            PageState::Unknown,
            PageReason::PageCut,
            "only the start was read, and no directive there forbids it",
        ),
        Some(HtmlGap::NotGiven) => (
            PageState::Unknown,
            PageReason::HtmlNotGiven,
            "the HTML was not given, and no header forbids it",
        ),
        Some(HtmlGap::Compressed) => (
            PageState::Unknown,
            PageReason::HtmlCompressed,
            "the body is compressed: give it decoded, as `curl --compressed` saves it",
        ),
    };
    (state, reason, because.to_owned())
}

/// Returns `false` for an `unavailable_after` without a valid date, which is ignored. GM-23
fn has_valid_date(directive: &PageDirective, at: Timestamp) -> bool {
    directive.kind != DirectiveKind::UnavailableAfter || page_date(directive, at).is_some()
}

/// Describes a directive: `noindex (X-Robots-Tag for googlebot, line 4)`.
fn place_of(directive: &PageDirective) -> String {
    let text = directive.to_string();
    let text = legible(start_of(&text).as_bytes());
    let agent = match directive.agent.as_deref() {
        Some(agent) => format!(" for {}", legible(start_of(agent).as_bytes())),
        None => String::new(),
    };
    let source = directive.source;
    let line = match directive.line {
        0 => String::new(),
        line => format!(", line {line}"),
    };
    format!("{text} ({source}{agent}{line})")
}

fn location(head: &ResponseHead) -> Option<String> {
    let value = head
        .values("location")
        .next()
        .filter(|value| !value.is_empty())?;
    Some(String::from_utf8_lossy(value).into_owned())
}

#[derive(Serialize)]
struct Keys<'a> {
    state: &'static str,
    indexable: Option<bool>,
    reason: &'static str,
    because: &'a str,
    status: Option<u16>,
    location: Option<&'a str>,
    convention: &'static str,
    otherwise: Option<&'static str>,
    max_snippet: Option<u32>,
    ai_input: &'static str,
    ai_train: &'static str,
    directives: Vec<DirectiveKeys<'a>>,
    recorded: &'a [RecordedValue],
    findings: &'a [PageFinding],
}

#[derive(Serialize)]
struct DirectiveKeys<'a> {
    name: Cow<'a, str>,
    value: Option<Cow<'a, str>>,
    agent: Cow<'a, str>,
    source: &'static str,
    #[serde(serialize_with = "line_or_null")]
    line: u32,
    applies: bool,
}

impl Serialize for PageAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ai_use = |limit: Option<AiUse>| limit.map_or("unstated", AiUse::as_str);
        let directives = self.directives.iter().map(|(it, applies)| DirectiveKeys {
            name: start_of(&it.name),
            value: it.value.as_deref().map(start_of),
            agent: start_of(it.agent.as_deref().unwrap_or("*")),
            source: it.source.as_str(),
            line: it.line,
            applies: *applies,
        });
        Keys {
            state: self.state.as_str(),
            indexable: self.state.is_indexable(),
            reason: self.reason.as_str(),
            because: &self.because,
            status: self.status,
            location: self.location.as_deref(),
            convention: self.convention.as_str(),
            otherwise: self.otherwise.map(PageState::as_str),
            max_snippet: self.max_snippet,
            ai_input: ai_use(self.ai_input),
            ai_train: ai_use(self.ai_train),
            directives: directives.collect(),
            recorded: &self.recorded,
            findings: &self.findings,
        }
        .serialize(serializer)
    }
}
