//! `KeptPages`: pages of an earlier run, in a file of JSON Lines.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use serde::{Deserialize, Serialize};
use verger_access::Timestamp;
use verger_answer::{PageFacts, ResponseHead};
use verger_html::read_page;

/// Pages that were fetched, by URL, up to 10,000 in memory, and all in a file to which each new one is appended. So a run
/// that was interrupted can go on.
#[derive(Debug, Default)]
pub struct KeptPages {
    /// `None` if pages are kept for this run only.
    file: Option<File>,
    pages: BTreeMap<String, PageRecord>,
}

/// Maximum number of pages that a run adds in memory.
const PAGES_MAX: usize = 10_000;

/// A response as far as indexing depends on it: all header fields but cookies, and the metas and links of the HTML.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct PageRecord {
    url: String,
    /// Seconds since 1970.
    at: u64,
    status: u16,
    /// Name, value and line.
    fields: Vec<(String, String, u32)>,
    /// Name, content, line and whether it is in the head.
    metas: Vec<(String, String, u32, bool)>,
    /// Relation, target, line and whether it is in the head.
    links: Vec<(String, String, u32, bool)>,
}

impl PageRecord {
    /// Reads a response. The metas and links of `body` are read if the response is a 2xx and its type is HTML or not
    /// stated.
    #[must_use]
    pub fn new(url: &str, at: Timestamp, head: &ResponseHead, body: &[u8]) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let content_type = head.values("content-type").next().map(text);
        let has_html =
            (200..300).contains(&head.status) && content_type.as_deref().is_none_or(is_html);
        let html = read_page(if has_html { body } else { b"" }, content_type.as_deref());
        let fields = head.fields.iter();
        let fields = fields.filter(|it| !it.name.eq_ignore_ascii_case(b"set-cookie"));
        let metas = html.metas.into_iter();
        let links = html.links.into_iter();
        Self {
            url: url.to_owned(),
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
        facts
    }

    /// Returns whether a later fetch may soon find something else: the server failed, or asked to be asked later.
    fn is_passing(&self) -> bool {
        self.status == 429 || self.status >= 500
    }
}

impl KeptPages {
    /// Opens a file, which need not exist. Pages fetched before `since` are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be read and written, or has other lines than pages.
    pub fn open(path: &Path, since: Timestamp) -> io::Result<Self> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        let mut pages = BTreeMap::new();
        // A run that was killed may leave half a line.
        let (whole, rest) = text.split_at(text.rfind('\n').map_or(0, |end| end + 1));
        for (nth, line) in whole
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.is_empty())
        {
            let page: Result<PageRecord, _> = serde_json::from_str(line);
            let page =
                page.map_err(|_| io::Error::other(format!("line {} is not a page", nth + 1)))?;
            if page.at >= since.unix_seconds() {
                pages.insert(page.url.clone(), page);
            }
        }
        if !rest.is_empty() {
            if whole.is_empty() && !rest.starts_with("{\"url\":") {
                return Err(io::Error::other("line 1 is not a page"));
            }
            file.set_len(u64::try_from(whole.len()).unwrap_or(u64::MAX))?;
        }
        let file = Some(file);
        Ok(Self { file, pages })
    }

    /// Returns the facts of a page, if it is kept.
    #[must_use]
    pub fn facts(&self, url: &str) -> Option<PageFacts> {
        self.pages.get(url).map(PageRecord::facts)
    }

    /// Keeps a page, unless its server failed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn put(&mut self, page: PageRecord) -> io::Result<()> {
        if page.is_passing() {
            return Ok(());
        }
        if let Some(file) = &mut self.file {
            let mut line = serde_json::to_vec(&page)?;
            line.push(b'\n');
            file.write_all(&line)?;
        }
        if self.pages.len() < PAGES_MAX {
            self.pages.insert(page.url.clone(), page);
        }
        Ok(())
    }
}

/// Returns whether this content type is HTML or XHTML.
fn is_html(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    let types = ["text/html", "application/xhtml+xml", ""];
    types.iter().any(|it| essence.eq_ignore_ascii_case(it))
}
