//! The directives of a page and the answer about it.

/// The place of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagSource {
    /// The header `X-Robots-Tag`.
    XRobotsTag,
    /// The header `Robots-Tag`.
    RobotsTag,
    /// A meta element.
    Meta,
}

impl TagSource {
    /// Returns the name in answers.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::XRobotsTag => "x-robots-tag",
            Self::RobotsTag => "robots-tag",
            Self::Meta => "meta",
        }
    }
}

/// A rule of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageTag {
    /// Its name in lower case.
    pub name: String,
    /// The text after the colon, or the value of the parameter.
    pub value: Option<String>,
    /// `*`, or a product token in lower case.
    pub agent: String,
    /// Its place.
    pub source: TagSource,
    /// The line of the head or of the page.
    pub line: usize,
    /// Whether it is a rule for the crawler: it names the crawler, and the crawler knows it and its value.
    pub applies: bool,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReading {
    /// `indexable`, `not-indexed`, `unseen` or `unknown`.
    pub state: &'static str,
    /// Why.
    pub reason: &'static str,
    /// All rules.
    pub tags: Vec<PageTag>,
    /// Whether a rule keeps the page out of the index.
    pub noindex: bool,
    /// Whether a rule asks not to follow links.
    pub nofollow: bool,
    /// Maximum number of characters of a snippet.
    pub max_snippet: Option<i64>,
    /// `none`, `standard` or `large`.
    pub image_preview: Option<&'static str>,
    /// The second after which the page is not shown.
    pub unavailable_after: Option<i64>,
    /// `no`, `snippet` or `unstated`.
    pub ai_input: &'static str,
    /// `no`, `snippet` or `unstated`.
    pub ai_train: &'static str,
}
