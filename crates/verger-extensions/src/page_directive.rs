//! `PageDirective`: one rule of a robots meta element or of an `X-Robots-Tag` header.

use alloc::boxed::Box;
use alloc::sync::Arc;
use core::fmt;

use crate::page_convention::PageConvention;

/// A rule about indexing or showing a page, as written, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageDirective {
    /// The rule, or [`DirectiveKind::Unknown`].
    pub kind: DirectiveKind,
    /// Its name in lower case. An unknown rule is kept as written.
    pub name: Box<str>,
    /// The text after the colon, such as `50` in `max-snippet: 50`.
    pub value: Option<Box<str>>,
    /// The crawler it addresses, in lower case, or `None` for all crawlers.
    pub agent: Option<Arc<str>>,
    /// A header field or a meta element.
    pub source: DirectiveSource,
    /// Line of the response head or of the HTML, counted from 1. 0 if it is not known.
    pub line: u32,
    /// Whether it is in a header or in the head of the HTML. Only Google reads meta elements in the
    /// body. GM-7, RX-4-2
    pub is_in_head: bool,
}

impl fmt::Display for PageDirective {
    /// Writes `max-snippet: 50`, as a site would write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Some(value) => write!(f, "{}: {value}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// A header field or a meta element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DirectiveSource {
    /// The header field `X-Robots-Tag`.
    XRobotsTag,
    /// The header field `Robots-Tag` of draft-illyes-repext-03 3.1.1.
    RobotsTag,
    /// A meta element of an HTML page.
    Meta,
}

impl DirectiveSource {
    /// Returns `x-robots-tag`, `robots-tag` or `meta`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::XRobotsTag => "x-robots-tag",
            Self::RobotsTag => "robots-tag",
            Self::Meta => "meta",
        }
    }

    /// Returns whether it is a header field.
    #[must_use]
    pub const fn is_header(self) -> bool {
        !matches!(self, Self::Meta)
    }
}

impl fmt::Display for DirectiveSource {
    /// Writes `X-Robots-Tag`, `Robots-Tag` or `meta`, as sites write them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::XRobotsTag => "X-Robots-Tag",
            Self::RobotsTag => "Robots-Tag",
            Self::Meta => "meta",
        })
    }
}

macro_rules! kinds {
    ($($name:literal $kind:ident $about:literal [$($reader:ident)*],)*) => {
        /// A known rule. [`DirectiveKind::documents`] lists the operators that document it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DirectiveKind {
            $(#[doc = $about] $kind,)*
            /// Any other text.
            Unknown,
        }

        impl DirectiveKind {
            /// All known rules.
            pub const KNOWN: &'static [Self] = &[$(Self::$kind),*];

            /// Returns the name as operators write it, or an empty string for `Unknown`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $name,)*
                    Self::Unknown => "",
                }
            }

            /// Returns the documents that define it, with their dates.
            #[must_use]
            pub const fn documents(self) -> &'static [DirectiveDocument] {
                match self {
                    $(Self::$kind => &[$(DirectiveDocument::$reader),*],)*
                    Self::Unknown => &[],
                }
            }
        }
    };
}

kinds! {
    "all" All "No restriction. The default." [GOOGLE BING],
    "index" Index "The page may be indexed. The default." [BING],
    "follow" Follow "Links may be followed. The default." [BING],
    "noindex" Noindex "Do not index the page." [REPEXT GOOGLE BING AMAZON],
    "nofollow" Nofollow "Do not follow the links of the page." [GOOGLE BING],
    "none" None "`noindex` and `nofollow`." [GOOGLE AMAZON],
    "nosnippet" Nosnippet "Do not show an excerpt. Google also does not feed the page into its AI answers." [REPEXT GOOGLE BING],
    "max-snippet" MaxSnippet "Maximum length of an excerpt in characters. 0: none. -1: no limit." [GOOGLE BING_PREVIEWS],
    "max-image-preview" MaxImagePreview "`none`, `standard` or `large`." [GOOGLE BING_PREVIEWS],
    "max-video-preview" MaxVideoPreview "Maximum length of a preview in seconds. 0: a still image. -1: no limit." [GOOGLE BING_PREVIEWS],
    "indexifembedded" Indexifembedded "With `noindex`: index the content where other pages embed it." [GOOGLE],
    "notranslate" Notranslate "Do not offer a translation." [GOOGLE],
    "noimageindex" Noimageindex "Do not index the images of the page." [GOOGLE],
    "unavailable_after" UnavailableAfter "Do not show the page after this date." [GOOGLE],
    "noarchive" Noarchive "Do not show a cached copy. For Bing: do not use in chat answers or for training. For Amazon: do not use for training." [BING BING_CHAT AMAZON],
    "nocache" Nocache "Do not show a cached copy. For Bing: use only URL, title and excerpt in chat and training." [BING BING_CHAT],
    "nositelinkssearchbox" Nositelinkssearchbox "Do not show a search box. Google removed the box in November 2024." [GOOGLE_2024],
    "noodp" Noodp "Do not use the description of the Open Directory, which closed in 2017." [BING],
    "noai" Noai "Do not use the page for AI." [DEVIANTART],
    "noimageai" Noimageai "Do not use the images of the page for AI." [DEVIANTART],
}

impl DirectiveKind {
    /// Returns the rule with this name, ignoring ASCII case.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let mut known = Self::KNOWN.iter().copied();
        known.find(|it| it.as_str().eq_ignore_ascii_case(name))
    }

    /// Returns whether crawlers of this convention know the rule. Google ignores `noarchive`, `nocache`
    /// and `nositelinkssearchbox` (GM-24), and its page does not have the rules of other operators. The
    /// draft permits any rule (RX-3.1.3-4).
    #[must_use]
    pub fn is_known_in(self, convention: PageConvention) -> bool {
        match convention {
            PageConvention::Google => {
                let is_default = matches!(self, Self::Index | Self::Follow);
                is_default || self.documents().contains(&DirectiveDocument::GOOGLE)
            }
            PageConvention::RepExt => self != Self::Unknown,
        }
    }

    /// Returns whether Bing obeys the rule: Microsoft documents it, or it is a shorthand of such rules.
    pub(crate) fn is_known_to_bing(self) -> bool {
        let is_shorthand = matches!(self, Self::All | Self::None);
        let mut documents = self.documents().iter();
        is_shorthand || documents.any(|it| it.operator == DirectiveDocument::BING.operator)
    }

    /// Returns whether the rule has a value.
    #[must_use]
    pub const fn has_value(self) -> bool {
        matches!(
            self,
            Self::MaxSnippet
                | Self::MaxImagePreview
                | Self::MaxVideoPreview
                | Self::UnavailableAfter
        )
    }
}

/// A document that defines a directive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DirectiveDocument {
    /// The operator whose crawlers obey the rule, or the author of the document.
    pub operator: &'static str,
    /// The title.
    pub title: &'static str,
    /// Date of the document, or the day it was read if it has none: `2026-04-18`, `2023-09`.
    pub date: &'static str,
}

impl DirectiveDocument {
    const REPEXT: Self = Self::new("G. Illyes", "draft-illyes-repext-03 3.1.3", "2026-04-18");
    const GOOGLE: Self = Self::new("Google", "Robots meta tag specifications", "2026-03-24");
    const GOOGLE_2024: Self = Self::new("Google", "Robots meta tag specifications", "2024-11");
    const BING: Self = Self::new("Microsoft", "Robots Metatags", "2026-11-30");
    const BING_PREVIEWS: Self = Self::new(
        "Microsoft",
        "Bing Webmaster Blog: snippet controls",
        "2020-04",
    );
    const BING_CHAT: Self = Self::new(
        "Microsoft",
        "Bing Webmaster Blog: content in Bing Chat",
        "2023-09",
    );
    const AMAZON: Self = Self::new("Amazon", "Amazonbot", "2026-04-19");
    const DEVIANTART: Self = Self::new(
        "DeviantArt",
        "noai and noimageai, which no search engine documents",
        "2022-11",
    );

    const fn new(operator: &'static str, title: &'static str, date: &'static str) -> Self {
        Self {
            operator,
            title,
            date,
        }
    }
}
