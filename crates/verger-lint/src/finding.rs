//! Findings about places in a body or about how it is served.

use std::borrow::Cow;

use verger::Span;

use crate::fix::{Edit, Fix, Meaning};
use crate::severity::Severity;

/// A mistake at one or more places in a body, or in how the body is served.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The lint ([`crate::Lint::code`]).
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The problem, without a full stop.
    pub message: String,
    /// The first place of the mistake, then places that explain it. Empty if the finding is about
    /// how the file is served.
    pub spans: Vec<LabelledSpan>,
    /// The other places of the same mistake, in order. Message, help and fix are about all of them.
    pub further: Vec<LabelledSpan>,
    /// Advice on how to fix it.
    pub help: Option<String>,
    /// An automatic fix, if there is one.
    pub fix: Option<Fix>,
}

/// A place in a body and a note about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LabelledSpan {
    /// The bytes.
    pub span: Span,
    /// A note about the place, or empty.
    pub label: String,
}

impl Finding {
    /// Returns the first place, or the empty start of the body if the finding is about how it is
    /// served.
    #[must_use]
    pub fn span(&self) -> Span {
        self.spans
            .first()
            .map_or(Span { start: 0, end: 0 }, |it| it.span)
    }

    /// Returns all places of the mistake, in order.
    pub fn places(&self) -> impl Iterator<Item = &LabelledSpan> {
        self.spans.first().into_iter().chain(&self.further)
    }
}

/// A finding about one place. It gets its lint when it is added to [`Findings`].
#[derive(Debug)]
pub(crate) struct Draft {
    pub(crate) finding: Finding,
    /// Overrides the severity of the lint.
    severity: Option<Severity>,
    /// The message of one finding for several such places.
    pub(crate) together: Option<&'static str>,
}

impl Draft {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Self {
        Self::of_serving(message).also(span, "")
    }

    /// Creates a finding about how the file is served.
    pub(crate) fn of_serving(message: impl Into<String>) -> Self {
        Self {
            finding: Finding {
                code: "",
                severity: Severity::Note,
                message: message.into(),
                spans: Vec::new(),
                further: Vec::new(),
                help: None,
                fix: None,
            },
            severity: None,
            together: None,
        }
    }

    /// Sets the message of one finding that stands for several with this text. Each place then has
    /// its own message as its label.
    ///
    /// Findings of a lint become one if their messages or these texts are equal, and also their
    /// severities, helps, and the titles and meanings of their fixes.
    pub(crate) fn together(mut self, message: &'static str) -> Self {
        self.together = Some(message);
        self
    }

    /// Labels the main place.
    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        if let Some(first) = self.finding.spans.first_mut() {
            first.label = label.into();
        }
        self
    }

    /// Adds another place.
    pub(crate) fn also(mut self, span: Span, label: impl Into<String>) -> Self {
        let label = label.into();
        self.finding.spans.push(LabelledSpan { span, label });
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.finding.help = Some(help.into());
        self
    }

    pub(crate) fn fix(mut self, fix: impl Into<Option<Fix>>) -> Self {
        self.finding.fix = fix.into();
        self
    }

    /// Adds a fix, with its title as the help.
    pub(crate) fn fixed_by(self, fix: Fix) -> Self {
        self.help(fix.title.clone()).fix(fix)
    }

    /// Adds a fix that replaces bytes and changes the meaning, with its title as the help.
    pub(crate) fn replace(
        self,
        title: impl Into<String>,
        span: Span,
        text: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        let edits = vec![Edit::new(span, text)];
        self.fixed_by(Fix::new(title, Meaning::Changed, edits))
    }

    /// Adds a fix that writes a word instead of bytes.
    pub(crate) fn write(self, word: &'static str, span: Span) -> Self {
        self.replace(format!("write `{word}`"), span, word.as_bytes())
    }

    /// Overrides the severity of the lint.
    pub(crate) fn severity(mut self, severity: Severity) -> Self {
        self.severity = Some(severity);
        self
    }

    /// Makes the finding a note if a condition is true.
    pub(crate) fn note_if(self, is_note: bool) -> Self {
        if is_note {
            self.severity(Severity::Note)
        } else {
            self
        }
    }
}

/// Collects the findings of one lint after another.
#[derive(Debug)]
pub(crate) struct Findings {
    found: Vec<Draft>,
    code: &'static str,
    severity: Severity,
}

impl Findings {
    pub(crate) fn new() -> Self {
        Self {
            found: Vec::new(),
            code: "",
            severity: Severity::Note,
        }
    }

    /// Sets the lint of the findings that follow.
    pub(crate) fn of_lint(&mut self, code: &'static str, severity: Severity) {
        self.code = code;
        self.severity = severity;
    }

    pub(crate) fn extend(&mut self, drafts: impl IntoIterator<Item = Draft>) {
        for draft in drafts {
            self.add(draft);
        }
    }

    pub(crate) fn add(&mut self, mut draft: Draft) {
        draft.finding.code = self.code;
        draft.finding.severity = draft.severity.unwrap_or(self.severity);
        self.found.push(draft);
    }

    /// Returns the places of findings of some lints.
    pub(crate) fn places_of(&self, codes: &[&str]) -> impl Iterator<Item = u32> {
        let found = self.found.iter().map(|it| &it.finding);
        let found = found.filter(|it| codes.contains(&it.code));
        found.map(|it| it.span().start)
    }

    /// Returns all findings, those without a place first, then by place, then in the order of the
    /// lints.
    pub(crate) fn in_order(mut self) -> Vec<Draft> {
        let place = |it: &Draft| Some(it.finding.spans.first()?.span.start);
        self.found.sort_by_key(place);
        self.found
    }
}
