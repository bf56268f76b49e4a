//! The page that lints about pages look at, and their findings.

use verger::legible;
use verger_access::Timestamp;
use verger_answer::{CheckAnswer, PageAnswer, PageFacts, PageFinding};
use verger_crawlers::Registry;
use verger_extensions::{DirectiveKind, PageDirective, PageReader};

use crate::lint::Lint;
use crate::text::quoted;

/// Maximum number of findings about a page.
const FINDINGS_MAX: usize = 50;

/// A page and the answer about it for one crawler.
#[derive(Clone, Copy, Debug)]
pub struct PageSubject<'s> {
    /// The answer, after [`CheckAnswer::with_page`]. Without a page, nothing is found.
    pub answer: &'s CheckAnswer<'s>,
    /// The facts about the page.
    pub facts: &'s PageFacts,
    /// The time of the answer.
    pub at: Timestamp,
    /// The URL of a sitemap that lists the page, if one does.
    pub sitemap: Option<&'s str>,
}

/// The parts of a subject that several lints need.
#[derive(Debug)]
pub(crate) struct Page<'s> {
    pub(crate) subject: &'s PageSubject<'s>,
    pub(crate) answer: &'s PageAnswer,
    pub(crate) reader: PageReader,
    /// The crawler, safe to show.
    pub(crate) crawler: String,
}

impl<'s> Page<'s> {
    pub(crate) fn new(subject: &'s PageSubject<'s>) -> Option<Self> {
        let crawler = subject.answer.crawler.resolved().label();
        Some(Self {
            subject,
            answer: subject.answer.page.as_ref()?,
            reader: subject.answer.page_reader(None),
            crawler: legible(crawler.as_bytes()),
        })
    }

    /// Returns all directives of the response.
    pub(crate) fn directives(&self) -> impl Iterator<Item = &'s PageDirective> {
        self.subject.facts.directives().iter()
    }

    /// Returns the directives that the crawler obeys, in the order of the response.
    pub(crate) fn applied(&self) -> impl Iterator<Item = &'s PageDirective> {
        let directives = self.answer.directives.iter();
        directives.filter(|(_, applies)| *applies).map(|(it, _)| it)
    }

    /// Returns whether a directive is for this crawler, for all, or for one in the registry.
    pub(crate) fn is_for_crawlers(&self, directive: &PageDirective) -> bool {
        let is_known = |agent: &str| Registry::bundled().by_name(agent).is_some();
        self.reader.names(directive) || directive.agent.as_deref().is_none_or(is_known)
    }
}

/// Returns whether a directive asks for less than the default.
pub(crate) fn restricts(directive: &PageDirective) -> bool {
    use DirectiveKind as Kind;
    let is_default = matches!(
        directive.kind,
        Kind::Unknown | Kind::All | Kind::Index | Kind::Follow | Kind::Indexifembedded
    );
    let value = directive.value.as_deref().unwrap_or_default();
    !is_default && value != "-1" && !value.eq_ignore_ascii_case("large")
}

/// Returns the directive as written, in backticks.
pub(crate) fn shown(directive: &PageDirective) -> String {
    quoted(directive.to_string().as_bytes())
}

/// Returns the place of a directive.
pub(crate) fn place(directive: &PageDirective) -> Place {
    (directive.source.as_str(), directive.line)
}

/// The kind of place and the line.
pub(crate) type Place = (&'static str, u32);

/// The findings so far, and the lint that runs.
#[derive(Debug)]
pub(crate) struct PageFindings {
    pub(crate) all: Vec<PageFinding>,
    pub(crate) lint: &'static Lint,
}

impl PageFindings {
    /// Adds a finding, unless the same one exists or there are too many.
    pub(crate) fn add(
        &mut self,
        place: impl Into<Option<Place>>,
        message: String,
        help: impl Into<String>,
    ) {
        let place = place.into();
        let is_there = |it: &PageFinding| it.code == self.lint.code && it.message == message;
        if self.all.len() < FINDINGS_MAX && !self.all.iter().any(is_there) {
            self.all.push(PageFinding {
                code: self.lint.code,
                severity: self.lint.severity.as_str(),
                message,
                help: help.into(),
                source: place.map(|(source, _)| source),
                // A browser does not tell lines.
                line: place.map(|(_, line)| line).filter(|line| *line > 0),
            });
        }
    }
}
