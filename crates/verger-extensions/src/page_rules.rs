//! `PageRules`: the meaning of the directives of a response for one crawler.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::page_convention::PageConvention;
use crate::page_directive::{DirectiveKind, DirectiveSource, PageDirective};
use crate::page_directives::PageDirectives;

/// The operator whose interpretation applies if operators differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PageOperator {
    /// `nosnippet` and `max-snippet` also apply to AI Overviews and AI Mode.
    Google,
    /// `nocache` and `noarchive` apply to chat answers and training. Rules that Microsoft does not
    /// document are ignored.
    Bing,
    /// `noarchive` applies to training.
    Amazon,
    /// `noai` forbids AI answers and training.
    #[default]
    Other,
}

/// The crawler for which directives are interpreted.
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

    /// Makes the crawler obey only directives that name it, as `AdsBot-Google` does in Google's
    /// convention: "the noindex rule applies to search engine crawlers" (GM-2). In the draft, rules
    /// for all apply to everybody (RX-3.1.1-5).
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

    /// Returns whether the directive names the crawler.
    #[must_use]
    pub fn names(&self, directive: &PageDirective) -> bool {
        let agent = directive.agent.as_ref();
        agent.is_some_and(|agent| self.has_name(agent))
    }

    fn has_name(&self, agent: &str) -> bool {
        self.names.iter().any(|name| **name == *agent)
    }

    /// Returns whether the crawler reads the directive and knows it.
    #[must_use]
    pub fn obeys(&self, directive: &PageDirective) -> bool {
        let is_of_draft = self.convention == PageConvention::RepExt;
        let is_read = if is_of_draft {
            directive.is_in_head
        } else {
            directive.source != DirectiveSource::RobotsTag
        };
        let is_addressed = match &directive.agent {
            None => self.obeys_all || is_of_draft,
            // "Google supports two user agent tokens [...]; other values are ignored."    GM-5
            Some(agent) if !is_of_draft && self.operator == PageOperator::Google => {
                ["googlebot", "googlebot-news"].contains(&&**agent) && self.has_name(agent)
            }
            Some(agent) => self.has_name(agent),
        };
        is_read && is_addressed && self.knows(directive.kind)
    }

    fn knows(&self, kind: DirectiveKind) -> bool {
        // "Robots Metatags" of Bing lists the rules that it obeys. The draft permits any (RX-3.1.3-4).
        let is_of_bing =
            self.convention == PageConvention::RepExt && self.operator == PageOperator::Bing;
        kind.is_known_in(self.convention) && (!is_of_bing || kind.is_known_to_bing())
    }
}

/// The meaning of directives for one crawler. Each restriction is stored with its directive. If several
/// are equally strict, the first one is stored.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageRules<'d> {
    /// All directives that the crawler obeys. Unknown directives and invalid values are excluded. Dates
    /// are not checked.
    pub applied: Vec<&'d PageDirective>,
    /// Forbids indexing the page.
    pub noindex: Option<&'d PageDirective>,
    /// Permits indexing content that other pages embed, although the page must not be indexed.
    pub where_embedded: Option<&'d PageDirective>,
    /// Forbids following links.
    pub nofollow: Option<&'d PageDirective>,
    /// Maximum length of an excerpt in characters, 0 for none.
    pub snippet: Option<(u32, &'d PageDirective)>,
    /// Maximum size of an image preview.
    pub image_preview: Option<(ImagePreview, &'d PageDirective)>,
    /// Maximum length of a video preview in seconds, 0 for a still image.
    pub video_preview: Option<(u32, &'d PageDirective)>,
    /// The directives with a date after which the page is not to be shown, as written.
    pub unavailable_after: Vec<&'d PageDirective>,
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

/// How much of a page AI may use.
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
    /// Their order does not matter. A rule whose value is missing or invalid is ignored, as if it
    /// were unknown (Google: ignored without a parseable number).
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
        let kind = directive.kind;
        let is_applied = match kind {
            DirectiveKind::MaxSnippet => restrict(&mut self.snippet, limit(directive), directive),
            DirectiveKind::MaxVideoPreview => {
                restrict(&mut self.video_preview, limit(directive), directive)
            }
            DirectiveKind::MaxImagePreview => {
                let size = image_preview(directive).map(Some).ok_or(Invalid);
                restrict(&mut self.image_preview, size, directive)
            }
            DirectiveKind::UnavailableAfter => {
                let dated = directive.value.is_some().then_some(directive);
                self.unavailable_after.extend(dated);
                dated.is_some()
            }
            DirectiveKind::Nosnippet if directive.value.is_none() => {
                restrict(&mut self.snippet, Ok(Some(0)), directive)
            }
            DirectiveKind::Unknown => false,
            // `noindex: yes` is not a documented rule.
            _ => directive.value.is_none(),
        };
        if !is_applied {
            return;
        }
        self.applied.push(directive);
        // "Equivalent to noindex, nofollow."                                              GM-15
        if matches!(kind, DirectiveKind::Noindex | DirectiveKind::None) {
            self.noindex.get_or_insert(directive);
        }
        if matches!(kind, DirectiveKind::Nofollow | DirectiveKind::None) {
            self.nofollow.get_or_insert(directive);
        }
        if kind == DirectiveKind::Indexifembedded {
            self.where_embedded.get_or_insert(directive);
        }
    }

    fn decide_ai_use(&mut self, operator: PageOperator) {
        let of = |kind| self.applied.iter().copied().find(|it| it.kind == kind);
        match operator {
            // "Will also prevent the content from being used as a direct input for AI Overviews and
            // AI Mode". And max-snippet "will also limit" it. Google-Extended decides about training.
            PageOperator::Google => {
                self.ai_input = self.snippet.map(|(limit, directive)| match limit {
                    0 => (AiUse::No, directive),
                    _ => (AiUse::Snippet, directive),
                });
            }
            // "If content has both, we will treat it as NOCACHE" (Bing).
            PageOperator::Bing => {
                let nocache = of(DirectiveKind::Nocache).map(|it| (AiUse::Snippet, it));
                let noarchive = of(DirectiveKind::Noarchive).map(|it| (AiUse::No, it));
                self.ai_input = nocache.or(noarchive);
                self.ai_train = self.ai_input;
            }
            // "noarchive (do not use the page for model training)" (Amazonbot).
            PageOperator::Amazon => {
                self.ai_input = of(DirectiveKind::Noai).map(|it| (AiUse::No, it));
                let noarchive = of(DirectiveKind::Noarchive).map(|it| (AiUse::No, it));
                self.ai_train = self.ai_input.or(noarchive);
            }
            PageOperator::Other => {
                self.ai_train = of(DirectiveKind::Noai).map(|it| (AiUse::No, it));
                self.ai_input = self.ai_train;
            }
        }
    }
}

/// A value that cannot be read.
#[derive(Clone, Copy)]
struct Invalid;

/// Applies a limit if it is lower than the current one. `Ok(None)` is a valid value without a limit.
/// Returns whether the value is valid.
fn restrict<'d, T: Ord + Copy>(
    found: &mut Option<(T, &'d PageDirective)>,
    limit: Result<Option<T>, Invalid>,
    directive: &'d PageDirective,
) -> bool {
    if let Ok(Some(limit)) = limit
        && found.is_none_or(|(other, _)| limit < other)
    {
        *found = Some((limit, directive));
    }
    limit.is_ok()
}

/// Returns the limit of a directive, `Ok(None)` for -1: no limit.                    GM-18, GM-20
fn limit(directive: &PageDirective) -> Result<Option<u32>, Invalid> {
    let text = directive.value.as_deref().unwrap_or_default();
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text {
        "-1" => Ok(None),
        _ if is_number => text.parse().map(Some).map_err(|_| Invalid),
        _ => Err(Invalid),
    }
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
