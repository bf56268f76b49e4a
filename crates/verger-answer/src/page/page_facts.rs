//! `PageFacts`: the known facts about a page, for any crawler.

use std::num::NonZeroU32;

use serde::{Serialize, Serializer};
use url::Url;
use verger_crawlers::Registry;
use verger_extensions::{PageDirectives, link_targets};

use super::response_head::ResponseHead;
use crate::text::start_of;

/// Maximum number of links and recorded values of a page. Later ones are left out.
const KEPT_MAX: usize = 100;

/// The known facts about a page, for any crawler.
///
/// ```
/// use verger_answer::{PageFacts, ResponseHead};
///
/// let head = b"HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\n\r\n";
/// let (head, _body) = ResponseHead::parse(head)?;
/// let mut facts = PageFacts::of_response(head);
/// facts.add_meta("robots", "max-snippet: 50", 3, true);
/// assert_eq!(facts.directives().iter().count(), 2);
/// # Ok::<(), verger_answer::ResponseHeadError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFacts {
    fetch: PageFetch,
    directives: PageDirectives,
    links: Vec<PageLink>,
    base: Option<String>,
    recorded: Vec<RecordedValue>,
    has_elements: bool,
    gap: Option<HtmlGap>,
}

/// Why directives of the HTML may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum HtmlGap {
    /// A limit ended the reading.
    Cut,
    /// Only the head of the response was given.
    NotGiven,
    /// The body was given compressed.
    Compressed,
}

/// How the page was fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageFetch {
    /// It was not fetched, for this reason.
    NotFetched(String),
    /// The fetch failed, for this reason.
    Failed(String),
    /// There was a response.
    Response(ResponseHead),
}

/// A link of a page, from a `link` element or a `Link` header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PageLink {
    /// The relation in lower case, such as `canonical`.
    pub rel: String,
    /// The target as written.
    pub href: String,
    /// `link` or `header`.
    pub source: &'static str,
    /// Line of the response head or of the HTML, counted from 1.
    pub line: u32,
    /// Whether it is in a header or in the head of the HTML.
    pub is_in_head: bool,
}

/// A statement about uses of the page that is recorded and has no effect on the answer. It
/// serializes as an element of `page.recorded` of `docs/json.md`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RecordedValue {
    /// `tdm-reservation`, `tdm-policy` (TDM Reservation Protocol), `content-usage` (AIPREF) or
    /// `license` (RFC 8288, RSL 1.0).
    pub name: &'static str,
    /// The value, at most 200 bytes.
    pub value: String,
    /// `header`, `meta` or `link`.
    pub source: &'static str,
    /// Line of the response head or of the HTML, counted from 1, or 0 if it is not known.
    #[serde(serialize_with = "line_or_null")]
    pub line: u32,
}

/// Serializes the line of an element, 0 as `null`.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
pub(super) fn line_or_null<S: Serializer>(line: &u32, serializer: S) -> Result<S::Ok, S::Error> {
    NonZeroU32::new(*line).serialize(serializer)
}

/// The header fields and meta elements that are recorded.
const RECORDED: [&str; 3] = ["tdm-reservation", "tdm-policy", "content-usage"];

impl PageFacts {
    /// Creates the facts of a page that was not fetched, with the reason: `nobody asked for it`.
    #[must_use]
    pub fn not_fetched(why: impl Into<String>) -> Self {
        Self::new(PageFetch::NotFetched(why.into()))
    }

    /// Creates the facts of a page whose fetch failed, with the reason.
    #[must_use]
    pub fn failed(why: impl Into<String>) -> Self {
        Self::new(PageFetch::Failed(why.into()))
    }

    /// Creates the facts of a response from its head.
    #[must_use]
    pub fn of_response(head: ResponseHead) -> Self {
        let mut facts = Self::new(PageFetch::NotFetched(String::new()));
        for field in &head.fields {
            facts
                .directives
                .add_field(&field.name, &field.value, field.line);
            let recorded = RECORDED.into_iter();
            let name = recorded.filter(|it| field.name.eq_ignore_ascii_case(it.as_bytes()));
            for name in name {
                let value = String::from_utf8_lossy(&field.value);
                facts.record(name, &value, "header", field.line);
            }
            if field.name.eq_ignore_ascii_case(b"link") {
                for rel in ["canonical", "license"] {
                    for href in link_targets(&field.value, rel) {
                        let href = String::from_utf8_lossy(href);
                        facts.keep_link(rel, &href, ("header", field.line, true));
                    }
                }
            }
        }
        facts.fetch = PageFetch::Response(head);
        facts
    }

    /// Adds a meta element of the HTML. It is a directive if its name is `robots` or a known crawler, or
    /// if its content has a known rule. `line` is 0 if it is not known, as in a page that a
    /// browser has parsed.
    pub fn add_meta(&mut self, name: &str, content: &str, line: u32, is_in_head: bool) {
        self.has_elements = true;
        let name = name.trim();
        if let Some(name) = RECORDED
            .into_iter()
            .find(|it| name.eq_ignore_ascii_case(it))
        {
            self.record(name, content, "meta", line);
        } else if addresses_crawlers(name, content) {
            if is_in_head {
                self.directives.add_meta(name, content, line);
            } else {
                self.directives.add_meta_in_body(name, content, line);
            }
        }
    }

    /// Adds a link element of the HTML. `line` is as in [`PageFacts::add_meta`].
    pub fn add_link(&mut self, rel: &str, href: &str, line: u32, is_in_head: bool) {
        self.has_elements = true;
        self.keep_link(rel, href, ("link", line, is_in_head));
    }

    /// Sets the `href` of the first `base` element, against which `link` elements are resolved.
    pub fn set_base(&mut self, href: impl Into<String>) {
        self.base = Some(href.into());
    }

    /// Marks the page as read in part only, because a limit ended the reading.
    pub fn set_cut(&mut self) {
        self.gap = Some(HtmlGap::Cut);
    }

    /// Notes that only the head of the response was given. The HTML may have directives, unless the
    /// response is not HTML or its length is 0.
    pub fn set_html_not_given(&mut self) {
        let has_html = self.head().is_some_and(|head| {
            head.has_html() && !head.values("content-length").any(|length| length == b"0")
        });
        if has_html {
            self.gap = Some(HtmlGap::NotGiven);
        }
    }

    /// Notes that the body was given compressed, so its directives were not read.
    pub fn set_html_compressed(&mut self) {
        self.gap = Some(HtmlGap::Compressed);
    }

    /// Returns whether a limit ended the reading, so directives may be missing.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.gap() == Some(HtmlGap::Cut)
    }

    /// Returns why directives may be missing, or `None` if all were read.
    #[must_use]
    pub fn gap(&self) -> Option<HtmlGap> {
        let is_cut = self.directives.is_cut();
        self.gap.or(is_cut.then_some(HtmlGap::Cut))
    }

    /// Returns how the page was fetched.
    #[must_use]
    pub fn fetch(&self) -> &PageFetch {
        &self.fetch
    }

    /// Returns the head of the response, if there was one.
    #[must_use]
    pub fn head(&self) -> Option<&ResponseHead> {
        match &self.fetch {
            PageFetch::Response(head) => Some(head),
            PageFetch::NotFetched(_) | PageFetch::Failed(_) => None,
        }
    }

    /// Returns the directives of the header fields and of all meta elements.
    #[must_use]
    pub fn directives(&self) -> &PageDirectives {
        &self.directives
    }

    /// Returns whether any meta or link element was added, which means that the HTML was read.
    #[must_use]
    pub fn has_elements(&self) -> bool {
        self.has_elements
    }

    /// Returns the links with the relations `canonical` and `license`, at most 100.
    #[must_use]
    pub fn links(&self) -> &[PageLink] {
        &self.links
    }

    /// Returns the target of a link as a URL, if it is on the same site as `page`, the URL of this page.
    #[must_use]
    pub fn url_on_site(&self, link: &PageLink, page: &[u8]) -> Option<String> {
        let page = Url::parse(str::from_utf8(page).ok()?).ok()?;
        let base = self.base.as_ref().filter(|_| link.source == "link");
        let base = base.and_then(|base| page.join(base).ok());
        let target = base.as_ref().unwrap_or(&page).join(&link.href).ok()?;
        (target.origin() == page.origin()).then(|| target.into())
    }

    /// Returns the statements that are recorded only, at most 100.
    #[must_use]
    pub fn recorded(&self) -> &[RecordedValue] {
        &self.recorded
    }

    fn new(fetch: PageFetch) -> Self {
        Self {
            fetch,
            directives: PageDirectives::default(),
            links: Vec::new(),
            base: None,
            recorded: Vec::new(),
            has_elements: false,
            gap: None,
        }
    }

    fn record(&mut self, name: &'static str, value: &str, source: &'static str, line: u32) {
        if self.recorded.len() < KEPT_MAX {
            let value = start_of(value.trim()).into_owned();
            self.recorded.push(RecordedValue {
                name,
                value,
                source,
                line,
            });
        }
    }

    fn keep_link(&mut self, rel: &str, href: &str, place: (&'static str, u32, bool)) {
        let (rel, (source, line, is_in_head)) = (rel.to_ascii_lowercase(), place);
        if !matches!(&*rel, "canonical" | "license") || self.links.len() == KEPT_MAX {
            return;
        }
        let href = href.trim();
        if rel == "license" {
            self.record("license", href, source, line);
        }
        let href = href.to_owned();
        self.links.push(PageLink {
            rel,
            href,
            source,
            line,
            is_in_head,
        });
    }
}

fn addresses_crawlers(name: &str, content: &str) -> bool {
    name.eq_ignore_ascii_case("robots")
        || Registry::bundled().by_name(name).is_some()
        || !(matches!(name, "" | "*") || is_other_metadata(name))
            && PageDirectives::has_rule(content)
}

/// Names with other values that may contain words such as `index` or `none` (HTML, "Standard metadata
/// names" and extensions).
fn is_other_metadata(name: &str) -> bool {
    const NAMES: [&str; 12] = [
        "application-name",
        "author",
        "description",
        "generator",
        "keywords",
        "color-scheme",
        "format-detection",
        "msapplication-config",
        "rating",
        "referrer",
        "theme-color",
        "viewport",
    ];
    NAMES.iter().any(|it| name.eq_ignore_ascii_case(it)) || name.contains(':')
}
