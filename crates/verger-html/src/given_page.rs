//! The facts about a page from its response as it came.

use std::borrow::Cow;

use verger_answer::{PageFacts, ResponseHead, ResponseHeadError};

use crate::page_encoding::stated;
use crate::page_head::PageHead;
use crate::page_reading::read_page;

/// A head or HTML that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given<'g> {
    /// Bytes as they came. The head or the HTML may declare their encoding.
    Bytes(&'g [u8]),
    /// Text in UTF-8, such as a string in JSON. It is decoded, so no declaration of an encoding applies.
    Text(&'g [u8]),
}

impl<'g> Given<'g> {
    fn bytes(self) -> &'g [u8] {
        match self {
            Self::Bytes(bytes) | Self::Text(bytes) => bytes,
        }
    }

    /// Returns some of its bytes, to be read in the same way.
    fn part(self, bytes: &'g [u8]) -> Self {
        match self {
            Self::Bytes(_) => Self::Bytes(bytes),
            Self::Text(_) => Self::Text(bytes),
        }
    }
}

/// Returns the facts about a page from the head of its response, as `curl --include` prints it, and its HTML, which may
/// also follow the head. Without a head, the status is 200. Without both, the page counts as not fetched.
///
/// The HTML is read if the status is 2xx and the type is HTML or not stated. If it is missing then, or compressed, its
/// directives are unknown.
///
/// ```
/// use verger_html::{Given, page_facts};
///
/// let head = b"HTTP/1.1 200 OK\nContent-Type: text/html\n";
/// let html = b"<meta name=robots content=noindex>";
/// let facts = page_facts(Some(Given::Bytes(head)), Some(Given::Bytes(html)))?;
/// assert_eq!(facts.directives().iter().count(), 1);
/// # Ok::<(), verger_answer::ResponseHeadError>(())
/// ```
///
/// # Errors
///
/// Returns an error if `head` is not the head of a response.
pub fn page_facts(
    head: Option<Given<'_>>,
    html: Option<Given<'_>>,
) -> Result<PageFacts, ResponseHeadError> {
    let (head, html) = match (head, html) {
        (Some(given), html) => {
            let (head, rest) = ResponseHead::parse(given.bytes())?;
            let after_head = (!rest.is_empty()).then(|| given.part(rest));
            (head, html.or(after_head))
        }
        (None, Some(html)) => (ResponseHead::new(200, []), Some(html)),
        (None, None) => return Ok(PageFacts::not_fetched("no response was given")),
    };
    let read = html.and_then(|html| read_given(&head, html));
    let mut facts = PageFacts::of_response(head);
    match (html, read) {
        (None, _) => facts.set_html_not_given(),
        (_, Some(Read::Html(html))) => html.add_to(&mut facts),
        (_, Some(Read::Compressed)) => facts.set_html_compressed(),
        (_, None) => {}
    }
    Ok(facts)
}

/// Returns the metas and links in the body of a response, or `None` if the status is not 2xx or the type is neither HTML
/// nor missing.
#[must_use]
pub fn html_of(head: &ResponseHead, body: &[u8]) -> Option<PageHead> {
    head.has_html()
        .then(|| read_page(body, content_type(head).as_deref()))
}

enum Read {
    Html(PageHead),
    Compressed,
}

/// Reads a given body, if the response has HTML.
fn read_given(head: &ResponseHead, html: Given<'_>) -> Option<Read> {
    match html {
        Given::Bytes(body) if head.has_html() && is_compressed(head, body) => {
            Some(Read::Compressed)
        }
        Given::Bytes(body) => html_of(head, body).map(Read::Html),
        Given::Text(text) => head.has_html().then(|| {
            let content_type = content_type(head).unwrap_or_default();
            let name = content_type.split(';').next().unwrap_or_default();
            Read::Html(read_page(text, Some(&format!("{name}; charset=utf-8"))))
        }),
    }
}

fn content_type(head: &ResponseHead) -> Option<Cow<'_, str>> {
    let value = head.values("content-type").next();
    value.map(String::from_utf8_lossy)
}

/// Bytes that are searched for a NUL, which compressed bodies have, and no HTML but that in UTF-16.
const START_BYTES: usize = 1_024;

/// Returns whether a body is still compressed, as `curl` without `--compressed` saves it. With `--compressed`, the field
/// `Content-Encoding` remains in the head, so the field alone does not decide.
fn is_compressed(head: &ResponseHead, body: &[u8]) -> bool {
    // RFC 1952 2.3.1, RFC 8878 3.1.1. Brotli and deflate have no magic number.
    const MAGIC: [&[u8]; 2] = [b"\x1f\x8b", b"\x28\xb5\x2f\xfd"];
    let is_coded = head.values("content-encoding").next().is_some();
    let start = &body[..body.len().min(START_BYTES)];
    let stated = stated(body, content_type(head).as_deref());
    let is_wide = stated.is_some_and(|(encoding, _)| !encoding.is_ascii_compatible());
    MAGIC.iter().any(|magic| body.starts_with(magic))
        || (is_coded && !is_wide && start.contains(&0))
}
