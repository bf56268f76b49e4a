//! `PageFinding`: a mistake in the directives of a page, as `verger-lint` finds it.

use serde::Serialize;

/// A mistake in the directives of a page. It serializes as an element of `page.findings` of
/// `docs/json.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PageFinding {
    /// The lint.
    pub code: &'static str,
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// The problem, without a full stop.
    pub message: String,
    /// How to fix it.
    pub help: String,
    /// The kind of place: `x-robots-tag`, `robots-tag`, `meta`, `link`, `header`, or `None` if the
    /// finding is about the page as a whole.
    pub source: Option<&'static str>,
    /// The line of the response head or of the HTML, counted from 1.
    pub line: Option<u32>,
}
