use std::{fmt, iter};

use verger::{Clause, Diagnostic, DiagnosticKind, LineNumber, Record, RobotsTxt, Span};
use verger_extensions::{ValueProblem, value_problems};

/// A diagnostic: something that a reading ignored, cut or changed, or an unusual value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileDiagnostic<'r> {
    /// The line, or `None` for the whole body.
    pub line: Option<LineNumber>,
    /// The bytes.
    pub span: Span,
    /// The kind.
    pub kind: FileDiagnosticKind<'r>,
}

/// The kind of a [`FileDiagnostic`]. `Display` writes a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileDiagnosticKind<'r> {
    /// A diagnostic of the reading.
    Reading(DiagnosticKind<'r>),
    /// The first problem with the value of an other record. [`value_problems`] returns all.
    /// Protocol E.
    Value(ValueProblem),
}

impl<'r> FileDiagnostic<'r> {
    /// Returns all diagnostics: first those of the body, then line by line.
    pub fn all_of(robots: &'r RobotsTxt) -> impl Iterator<Item = Self> {
        let mut of_reading = robots.diagnostics().peekable();
        let values = robots
            .records()
            .filter_map(|record| Self::of_value(&record));
        let mut of_values = values.peekable();
        iter::from_fn(move || {
            let comes_first = |it: &Diagnostic<'_>| {
                let value = of_values.peek().filter(|_| it.line.is_some());
                value.is_none_or(|value| it.span.start < value.span.start)
            };
            match of_reading.next_if(comes_first) {
                Some(next) => Some(Self {
                    line: next.line,
                    span: next.span,
                    kind: FileDiagnosticKind::Reading(next.kind),
                }),
                None => of_values.next(),
            }
        })
    }

    fn of_value(record: &Record<'_>) -> Option<Self> {
        let first = *value_problems(record).first()?;
        Some(Self {
            line: Some(record.line()),
            span: record.value_span(),
            kind: FileDiagnosticKind::Value(first.problem),
        })
    }
}

impl FileDiagnosticKind<'_> {
    /// Returns the code, such as `rule-outside-group`.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Reading(kind) => kind.as_str(),
            Self::Value(_) => "odd-value",
        }
    }

    /// Returns the clause behind it.
    #[must_use]
    pub const fn clause(&self) -> Clause {
        match self {
            Self::Reading(kind) => kind.clause(),
            Self::Value(problem) => problem.clause(),
        }
    }
}

impl fmt::Display for FileDiagnosticKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reading(kind) => kind.fmt(f),
            Self::Value(problem) => problem.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use verger::Dialect;

    use super::*;

    #[test]
    fn odd_values_and_diagnostics_are_in_file_order() {
        let body =
            "\u{feff}Site-map: x\0y\nUser-agent: Foo/2\nCrawl-delay:\nDisallow: b\nSitemap:\0\n";
        let robots = RobotsTxt::parse(body, Dialect::Google);
        let shown: Vec<String> = FileDiagnostic::all_of(&robots)
            .map(|it| {
                format!(
                    "{} {}",
                    it.line.map_or(0, LineNumber::get),
                    it.kind.as_str()
                )
            })
            .collect();
        let expected = [
            "0 byte-order-mark-skipped",
            "0 looks-binary",
            "1 misspelt-key-read",
            "1 odd-value",
            "1 line-cut",
            "2 agent-cut",
            "3 odd-value",
            "4 pattern-without-slash",
            "5 odd-value",
            "5 line-cut",
        ];
        assert_eq!(shown, expected);
    }
}
