//! `PageRules`: the meaning of the directives of a response for one crawler.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::page_directive::{DirectiveKind, DirectiveSource, PageDirective};
use crate::page_directives::PageDirectives;
use verger::Dialect;

/// How directives address crawlers and are combined.
///
/// | | `Google` | `RepExt` |
/// |---|---|---|
/// | fields | `X-Robots-Tag` | `X-Robots-Tag`, `Robots-Tag` |
/// | combining | the more restrictive rule applies, a named crawler's add to those for all | the union of all rules |
/// | `indexifembedded` | with `noindex`: index where embedded | unknown, so `noindex` stands |
///
/// Both agree that no directive lifts the restriction of another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum PageConvention {
    /// Google's "Robots meta tag, data-nosnippet, and X-Robots-Tag specifications".
    Google,
    /// draft-illyes-repext-03, the companion of RFC 9309.
    RepExt,
}

impl PageConvention {
    /// Returns `google` or `repext`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::RepExt => "repext",
        }
    }
}

impl From<Dialect> for PageConvention {
    /// Returns the convention of crawlers that read robots.txt in this dialect.
    fn from(dialect: Dialect) -> Self {
        match dialect {
            Dialect::Google => Self::Google,
            _ => Self::RepExt,
        }
    }
}

/// Whose meaning the rules have that operators understand differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageOperator {
    /// `nosnippet` and `max-snippet` also apply to AI Overviews and AI Mode.
    Google,
    /// `nocache` and `noarchive` apply to chat answers and training.
    Bing,
    /// `noai` is read as asking for no AI use at all.
    #[default]
    Other,
}

/// The crawler that reads directives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageReader {
    names: Vec<Box<str>>,
    convention: PageConvention,
    operator: PageOperator,
    obeys_all: bool,
}

impl PageReader {
    /// Creates a crawler with these names that also obeys directives for all crawlers.
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>, convention: PageConvention) -> Self {
        let names = names
            .into_iter()
            .map(|name| name.to_ascii_lowercase().into());
        Self {
            names: names.collect(),
            convention,
            operator: PageOperator::Other,
            obeys_all: true,
        }
    }

    /// Sets the operator.
    #[must_use]
    pub fn of_operator(self, operator: PageOperator) -> Self {
        Self { operator, ..self }
    }

    /// Makes the crawler obey only directives that name it, as `AdsBot-Google` does: "the noindex
    /// rule applies to search engine crawlers" (Google).
    #[must_use]
    pub fn by_name_only(self) -> Self {
        Self {
            obeys_all: false,
            ..self
        }
    }

    /// Returns the same crawler under another convention.
    #[must_use]
    pub fn in_convention(self, convention: PageConvention) -> Self {
        Self { convention, ..self }
    }

    /// Returns the convention.
    #[must_use]
    pub fn convention(&self) -> PageConvention {
        self.convention
    }

    /// Returns whether the crawler reads the directive.
    #[must_use]
    pub fn obeys(&self, directive: &PageDirective) -> bool {
        let is_read = self.convention == PageConvention::RepExt
            || directive.source != DirectiveSource::RobotsTag;
        is_read
            && match &directive.agent {
                None => self.obeys_all,
                Some(agent) => self.names.contains(agent),
            }
    }
}

/// The meaning of directives for one crawler. A restriction has the directive that states it, the
/// first of equal ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageRules<'d> {
    /// All directives that the crawler obeys, without unknown ones.
    pub applied: Vec<&'d PageDirective>,
    /// Forbids to index the page.
    pub noindex: Option<&'d PageDirective>,
    /// Permits to index content that other pages embed, although the page must not be indexed.
    pub where_embedded: Option<&'d PageDirective>,
    /// Forbids to follow links.
    pub nofollow: Option<&'d PageDirective>,
    /// Maximum length of an excerpt in characters, 0 for none.
    pub snippet: Option<(u32, &'d PageDirective)>,
    /// Maximum size of an image preview.
    pub image_preview: Option<(ImagePreview, &'d PageDirective)>,
    /// Maximum length of a video preview in seconds, 0 for a still image.
    pub video_preview: Option<(u32, &'d PageDirective)>,
    /// The dates after which the page is not to be shown, as written.
    pub unavailable_after: Vec<(&'d str, &'d PageDirective)>,
    /// Use as input of AI answers.
    pub ai_input: Option<(AiUse, &'d PageDirective)>,
    /// Use for training of AI models.
    pub ai_train: Option<(AiUse, &'d PageDirective)>,
}

/// The size of an image preview.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ImagePreview {
    /// No image.
    None,
    /// An image of the usual size.
    Standard,
    /// An image as wide as the screen.
    Large,
}

/// How far AI may use a page, if a directive limits that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AiUse {
    /// Not at all.
    No,
    /// URL, title and excerpt.
    Snippet,
}

impl AiUse {
    /// Returns `no` or `snippet`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Snippet => "snippet",
        }
    }
}

impl PageDirectives {
    /// Returns the meaning of the directives for a crawler.
    ///
    /// Their order does not matter. A rule whose value is missing or
    /// invalid is ignored, as if it were unknown (Google: "ignored if no parseable [number] is
    /// specified").
    #[must_use]
    pub fn rules_for(&self, reader: &PageReader) -> PageRules<'_> {
        let mut rules = PageRules::default();
        for directive in self.iter().filter(|it| reader.obeys(it)) {
            rules.add(directive);
        }
        rules.where_embedded = rules
            .where_embedded
            .filter(|_| rules.noindex.is_some() && reader.convention == PageConvention::Google);
        rules.decide_ai_use(reader.operator);
        rules
    }
}

impl<'d> PageRules<'d> {
    fn add(&mut self, directive: &'d PageDirective) {
        match directive.kind {
            DirectiveKind::Unknown => return,
            DirectiveKind::Noindex => first(&mut self.noindex, directive),
            DirectiveKind::Nofollow => first(&mut self.nofollow, directive),
            // "Equivalent to noindex, nofollow" (Google).
            DirectiveKind::None => {
                first(&mut self.noindex, directive);
                first(&mut self.nofollow, directive);
            }
            DirectiveKind::Nosnippet => least(&mut self.snippet, 0, directive),
            // -1 and other negative numbers set no limit.
            DirectiveKind::MaxSnippet => {
                if let Some(limit) = number(directive) {
                    least(&mut self.snippet, limit, directive);
                }
            }
            DirectiveKind::MaxVideoPreview => {
                if let Some(limit) = number(directive) {
                    least(&mut self.video_preview, limit, directive);
                }
            }
            DirectiveKind::MaxImagePreview => {
                if let Some(size) = image_preview(directive) {
                    least(&mut self.image_preview, size, directive);
                }
            }
            DirectiveKind::UnavailableAfter => {
                if let Some(date) = &directive.value {
                    self.unavailable_after.push((date, directive));
                }
            }
            DirectiveKind::Indexifembedded => first(&mut self.where_embedded, directive),
            _ => {}
        }
        self.applied.push(directive);
    }

    fn decide_ai_use(&mut self, operator: PageOperator) {
        let of = |kinds: &[DirectiveKind]| {
            let mut applied = self.applied.iter().copied();
            applied.find(|it| kinds.contains(&it.kind))
        };
        match operator {
            // "Will also prevent the content from being used as a direct input for AI Overviews and
            // AI Mode"; max-snippet "will also limit" it. Google-Extended decides about training.
            PageOperator::Google => {
                self.ai_input = self.snippet.map(|(limit, directive)| match limit {
                    0 => (AiUse::No, directive),
                    _ => (AiUse::Snippet, directive),
                });
            }
            // "If content has both, we will treat it as NOCACHE" (Bing).
            PageOperator::Bing => {
                let nocache = of(&[DirectiveKind::Nocache]).map(|it| (AiUse::Snippet, it));
                let noarchive = of(&[DirectiveKind::Noarchive]).map(|it| (AiUse::No, it));
                self.ai_input = nocache.or(noarchive);
                self.ai_train = self.ai_input;
            }
            PageOperator::Other => {
                self.ai_train = of(&[DirectiveKind::Noai]).map(|it| (AiUse::No, it));
                self.ai_input = self.ai_train;
            }
        }
    }
}

fn first<'d>(found: &mut Option<&'d PageDirective>, directive: &'d PageDirective) {
    found.get_or_insert(directive);
}

fn least<'d, T: Ord + Copy>(
    found: &mut Option<(T, &'d PageDirective)>,
    limit: T,
    directive: &'d PageDirective,
) {
    if found.is_none_or(|(other, _)| limit < other) {
        *found = Some((limit, directive));
    }
}

/// Returns the number of a directive. A number above `u32::MAX` is that maximum.
fn number(directive: &PageDirective) -> Option<u32> {
    let text = directive.value.as_deref()?;
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(u32::MAX))
}

fn image_preview(directive: &PageDirective) -> Option<ImagePreview> {
    let text = directive.value.as_deref()?;
    let sizes = [
        ("none", ImagePreview::None),
        ("standard", ImagePreview::Standard),
        ("large", ImagePreview::Large),
    ];
    let size = sizes
        .into_iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(text));
    size.map(|(_, size)| size)
}
