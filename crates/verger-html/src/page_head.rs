//! The metas and links of a page.

use verger_answer::PageFacts;

/// Maximum number of metas, and of links.
pub const TAGS_MAX: usize = 1_000;

/// Maximum length of an attribute in bytes. It is longer than all directives that are read of one element, so
/// [`PageFacts`] notes a cut. A longer link is left out.
pub const VALUE_BYTES_MAX: usize = (64 << 10) + 4;

/// The metas and links of a page, in the order of the HTML.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageHead {
    /// Every `<meta>` with a name and a content, except those in a template, script, style, noscript or comment.
    /// A browser sees those as text, or does not see them at all.
    pub metas: Vec<MetaElement>,
    /// Every `<link>` to a canonical URL or a license, with the same exceptions.
    pub links: Vec<LinkElement>,
    /// The `href` of the first `<base href=…>` as written, with the same exceptions. Links are relative to it.
    pub base: Option<String>,
    /// Name of the encoding that was used, as in the Encoding Standard: `UTF-8`, `windows-1252`.
    pub encoding: &'static str,
    /// Whether a limit ended the reading within the head, so metas and links of the head may be missing. Later ones of
    /// a page over a limit may be missing in any case.
    pub is_cut: bool,
}

impl PageHead {
    /// Adds the metas and links to the facts about the page, and whether some may be missing.
    pub fn add_to(&self, facts: &mut PageFacts) {
        if self.is_cut {
            facts.set_cut();
        }
        if let Some(base) = &self.base {
            facts.set_base(base);
        }
        for meta in &self.metas {
            facts.add_meta(&meta.name, &meta.content, meta.line, meta.is_in_head);
        }
        for link in &self.links {
            facts.add_link(link.rel.as_str(), &link.href, link.line, link.is_in_head);
        }
    }
}

/// A `<meta name=… content=…>`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MetaElement {
    /// The name as written, with character references replaced. Names ignore ASCII case.
    pub name: String,
    /// The content as written, with character references replaced.
    pub content: String,
    /// Line at which the tag starts, from 1.
    pub line: u32,
    /// Whether a browser puts it into the head. Google reads directives there.
    pub is_in_head: bool,
}

/// A `<link>`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LinkElement {
    /// The kind of link. A tag with several kinds is several links.
    pub rel: LinkRel,
    /// The target as written, without white space around it. It may be relative.
    pub href: String,
    /// Line at which the tag starts, from 1.
    pub line: u32,
    /// Whether a browser puts it into the head.
    pub is_in_head: bool,
}

/// Kinds of links that are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkRel {
    /// The preferred URL of the page (RFC 6596).
    Canonical,
    /// The license of the page (HTML Standard, 4.6.7.8, Link type "license").
    License,
}

impl LinkRel {
    /// All kinds.
    pub const ALL: [Self; 2] = [Self::Canonical, Self::License];

    /// Returns the keyword in HTML.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Canonical => "canonical",
            Self::License => "license",
        }
    }
}

/// Copies an attribute, up to its limit.
pub(crate) fn bounded(value: &str) -> String {
    let mut end = value.len().min(VALUE_BYTES_MAX);
    while !value.is_char_boundary(end) {
        end -= 1;
    }
    value[..end].to_owned()
}
