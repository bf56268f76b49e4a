//! Line and column of a diagnostic, and the name of its kind.

use verger::{Diagnostic, DiagnosticKind, InvalidLine, Line, LineNumber, RobotsTxt, Span};

/// Where the lines of a file start.
pub(super) struct LineStarts(Vec<(LineNumber, Span)>);

impl LineStarts {
    pub(super) fn of(robots: &RobotsTxt) -> Self {
        let line = |line: Line<'_>| (line.number(), line.span());
        Self(robots.lines().map(line).collect())
    }

    /// How many lines there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The line at which a diagnostic starts, and the octet of that line, both counted from 1;
    /// `None` where it is about the file as a whole, or about what was not read.
    pub(super) fn place(&self, diagnostic: &Diagnostic<'_>) -> Option<(LineNumber, u32)> {
        let start = diagnostic.span.start;
        if diagnostic.line.is_none() && start == 0 {
            return None;
        }
        let after = self.0.partition_point(|(_, span)| span.start <= start);
        let (line, span) = self.0[after.checked_sub(1)?];
        // The octet behind the line is its end, at which something may be missing.
        (start <= span.end).then_some((line, start - span.start + 1))
    }
}

/// The name of a diagnostic's kind in JSON.
pub(super) fn name_of(kind: &DiagnosticKind<'_>) -> &'static str {
    match kind {
        DiagnosticKind::NotUtf8(_) => "not-utf8",
        DiagnosticKind::ByteOrderMarkSkipped => "byte-order-mark-skipped",
        DiagnosticKind::Compressed => "compressed",
        DiagnosticKind::LooksLikeHtml => "looks-like-html",
        DiagnosticKind::BodyCut => "body-cut",
        DiagnosticKind::InvalidLine(InvalidLine::NoSeparator) => "no-separator",
        DiagnosticKind::InvalidLine(InvalidLine::EmptyKey) => "empty-key",
        DiagnosticKind::InvalidLine(InvalidLine::ControlOctet) => "control-octet",
        DiagnosticKind::LineCut => "line-cut",
        DiagnosticKind::MisspeltKeyRead(_) => "misspelt-key-read",
        DiagnosticKind::MisspeltKeyIgnored(_) => "misspelt-key-ignored",
        DiagnosticKind::MissingColonRead => "missing-colon-read",
        DiagnosticKind::RuleOutsideGroup => "rule-outside-group",
        DiagnosticKind::PatternWithoutSlash => "pattern-without-slash",
        DiagnosticKind::AgentCut { .. } => "agent-cut",
        DiagnosticKind::AgentNamesNobody => "agent-names-nobody",
        DiagnosticKind::AgentListNotRead => "agent-list-not-read",
        DiagnosticKind::NotARecord => "not-a-record",
        DiagnosticKind::Value(_) => "odd-value",
    }
}
