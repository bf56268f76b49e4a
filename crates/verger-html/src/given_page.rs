//! The facts about a page from its response as it came.

use verger_answer::{PageFacts, ResponseHead, ResponseHeadError};

use crate::page_head::PageHead;
use crate::page_reading::read_page;

/// Returns the facts about a page from the head of its response, as `curl --include` prints it, and its HTML, which may
/// also follow the head. Without a head, the status is 200. Without both, the page counts as not fetched.
///
/// The HTML is read if the status is 2xx and the type is HTML or not stated.
///
/// ```
/// let head = b"HTTP/1.1 200 OK\nContent-Type: text/html\n";
/// let facts = verger_html::page_facts(Some(head), Some(b"<meta name=robots content=noindex>"))?;
/// assert_eq!(facts.directives().iter().count(), 1);
/// # Ok::<(), verger_answer::ResponseHeadError>(())
/// ```
///
/// # Errors
///
/// Returns an error if `head` is not the head of a response.
pub fn page_facts(
    head: Option<&[u8]>,
    html: Option<&[u8]>,
) -> Result<PageFacts, ResponseHeadError> {
    let (head, rest) = match (head, html) {
        (Some(head), _) => ResponseHead::parse(head)?,
        (None, Some(_)) => (ResponseHead::new(200, []), &[][..]),
        (None, None) => return Ok(PageFacts::not_fetched("no response was given")),
    };
    let html = html_of(&head, html.unwrap_or(rest));
    let mut facts = PageFacts::of_response(head);
    if let Some(html) = html {
        html.add_to(&mut facts);
    }
    Ok(facts)
}

/// Returns the metas and links in the body of a response, or `None` if the status is not 2xx or the type is neither HTML
/// nor missing.
#[must_use]
pub fn html_of(head: &ResponseHead, body: &[u8]) -> Option<PageHead> {
    let content_type = head.values("content-type").next();
    let content_type = content_type.map(|it| String::from_utf8_lossy(it).into_owned());
    let has_html = (200..300).contains(&head.status) && content_type.as_deref().is_none_or(is_html);
    has_html.then(|| read_page(body, content_type.as_deref()))
}

fn is_html(content_type: &str) -> bool {
    let name = content_type.split(';').next().unwrap_or_default().trim();
    ["text/html", "application/xhtml+xml", ""]
        .iter()
        .any(|it| name.eq_ignore_ascii_case(it))
}
