use serde::{Deserialize, Serialize};
use url::Url;
use verger_access::{Timestamp, web_url};
use verger_answer::{PageFacts, ResponseHead};
use verger_html::html_of;

/// A response as far as indexing depends on it: all header fields but cookies, and the metas and links of the HTML.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PageRecord {
    pub(super) url: String,
    /// Seconds since 1970.
    pub(super) at: u64,
    status: u16,
    /// Name, value and line.
    fields: Vec<(String, String, u32)>,
    /// Name, content, line and whether it is in the head.
    metas: Vec<(String, String, u32, bool)>,
    /// Relation, target, line and whether it is in the head.
    links: Vec<(String, String, u32, bool)>,
    #[serde(default)]
    base: Option<String>,
    /// Whether metas and links may be missing.
    is_cut: bool,
}

impl PageRecord {
    /// Reads a response.
    #[must_use]
    pub fn new(url: &str, at: Timestamp, head: &ResponseHead, body: &[u8]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let fields = head.fields.iter();
        let fields = fields.filter(|it| !it.name.eq_ignore_ascii_case(b"set-cookie"));
        let html = html_of(head, body);
        let is_cut = html.as_ref().is_some_and(|html| html.is_cut);
        let base = html.as_ref().and_then(|html| html.base.clone());
        let (metas, links) = html.map_or_else(Default::default, |html| (html.metas, html.links));
        let (metas, links) = (metas.into_iter(), links.into_iter());
        Self {
            url: requested(url),
            at: at.unix_seconds(),
            status: head.status,
            fields: fields
                .map(|it| (text(&it.name), text(&it.value), it.line))
                .collect(),
            metas: metas
                .map(|it| (it.name, it.content, it.line, it.is_in_head))
                .collect(),
            links: links
                .map(|it| (it.rel.as_str().to_owned(), it.href, it.line, it.is_in_head))
                .collect(),
            base,
            is_cut,
        }
    }

    /// Returns the facts of the page.
    #[must_use]
    pub fn facts(&self) -> PageFacts {
        let fields = self.fields.iter();
        let fields = fields.map(|(name, value, _)| (name.clone().into(), value.clone().into()));
        let mut head = ResponseHead::new(self.status, fields);
        for (field, (_, _, line)) in head.fields.iter_mut().zip(&self.fields) {
            field.line = *line;
        }
        let mut facts = PageFacts::of_response(head);
        for (name, content, line, is_in_head) in &self.metas {
            facts.add_meta(name, content, *line, *is_in_head);
        }
        for (rel, href, line, is_in_head) in &self.links {
            facts.add_link(rel, href, *line, *is_in_head);
        }
        if let Some(base) = &self.base {
            facts.set_base(base);
        }
        if self.is_cut {
            facts.set_cut();
        }
        facts
    }

    /// Returns whether a later fetch may soon find something else: the server failed, or asked to be asked later.
    pub(super) fn is_passing(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

/// Returns a URL as it is requested, so that one page has one record.
pub(super) fn requested(url: &str) -> String {
    let requested = Url::parse(url).ok().and_then(web_url);
    requested.map_or_else(|| url.to_owned(), String::from)
}
