//! Line and column of diagnostics, and their order.

use verger::{Diagnostic, Line, LineNumber, RobotsTxt, Span};

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

    /// The diagnostics of a file with their places: those about the file as a whole first, then
    /// by position.
    pub(super) fn placed<'r>(
        &self,
        robots: &'r RobotsTxt,
    ) -> Vec<(Option<(LineNumber, u32)>, Diagnostic<'r>)> {
        let diagnostics = robots.diagnostics();
        let mut placed: Vec<_> = diagnostics
            .map(|diagnostic| (self.place(&diagnostic), diagnostic))
            .collect();
        placed.sort_by_key(|(place, _)| *place);
        placed
    }

    /// The line at which a diagnostic starts, and the octet of that line, both counted from 1;
    /// `None` where it is about the file as a whole, or about what was not read.
    fn place(&self, diagnostic: &Diagnostic<'_>) -> Option<(LineNumber, u32)> {
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
