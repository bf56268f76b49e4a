//! Decodes a page and feeds the tokenizer, within limits.

use encoding_rs::Encoding;
use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};

use crate::collector::{Collector, Declares};
use crate::head_region::HeadRegion;
use crate::page_encoding::{UNDECLARED, of_xml_declaration, stated};
use crate::page_head::PageHead;

/// Maximum number of bytes of a page that are read, and of its text in UTF-8. A caller need not fetch more than one
/// byte more, which says that the page is longer.
pub const PAGE_BYTES_MAX: usize = 1 << 20;

/// Bytes in which a meta outside of the head may declare the encoding: "prescan a byte stream" in 13.2.3.2.
const PRESCAN_BYTES: usize = 1_024;

/// Bytes that are decoded at once.
const BLOCK_BYTES: usize = 8_192;

/// Maximum number of words in a tag or comment. The tokenizer compares each attribute of a tag with all before it.
const TAG_WORDS_MAX: usize = 8_192;

/// Reads the start of a page, given the value of its `Content-Type` field.
///
/// The head is a browser's (HTML Standard, 13.2.6.4): it ends with the first element or text that does not
/// belong there, with or without `</head>`. Google describes the same: "Once Google detects one of these invalid
/// elements, it assumes the end of the `<head>` element and stops reading any further elements in the `<head>`
/// element" (<https://developers.google.com/search/docs/crawling-indexing/valid-page-metadata>, 2025-12-31). Later
/// metas and links have `is_in_head: false`.
///
/// The encoding is that of the byte order mark, else of `content_type`, else of a meta in the first 1,024 bytes or in
/// the head, else of an XML declaration, else windows-1252.
#[must_use]
pub fn read_page(body: &[u8], content_type: Option<&str>) -> PageHead {
    let is_xml = content_type.is_some_and(is_xml);
    let stated = stated(body, content_type);
    let (mut encoding, mark_bytes) =
        stated.unwrap_or_else(|| (of_xml_declaration(body).unwrap_or(UNDECLARED), 0));
    let mut declares = if stated.is_some() {
        Declares::Nowhere
    } else {
        Declares::Anywhere
    };
    loop {
        match read_as(
            encoding,
            Collector::new(declares, is_xml),
            &body[mark_bytes..],
        ) {
            Ok(head) => return head,
            // 13.2.3.5, "Changing the encoding while parsing": once, from the start.
            Err(other) => (encoding, declares) = (other, Declares::Nowhere),
        }
    }
}

/// Reads a page in this encoding, or returns the encoding that a meta declares instead.
fn read_as(
    encoding: &'static Encoding,
    collector: Collector,
    body: &[u8],
) -> Result<PageHead, &'static Encoding> {
    let options = TokenizerOpts {
        // Decoding has removed the mark. A second one is text.
        discard_bom: false,
        ..TokenizerOpts::default()
    };
    let tokenizer = Tokenizer::new(collector, options);
    let collected = || tokenizer.sink.0.borrow_mut();
    let bytes = &body[..body.len().min(PAGE_BYTES_MAX)];
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let (queue, mut text) = (BufferQueue::default(), String::new());
    let (mut start, mut text_bytes, mut words) = (0, 0, 0);
    let mut last_tag = None;
    while start < bytes.len() {
        let end = bytes.len().min(if start == 0 {
            PRESCAN_BYTES
        } else {
            start + BLOCK_BYTES
        });
        let tokens = collected().tokens;
        text.clear();
        text.reserve(decoder.max_utf8_buffer_length(end - start).unwrap_or(0));
        // Malformed bytes become U+FFFD. There is space for all of them.
        let _ = decoder.decode_to_string(&bytes[start..end], &mut text, false);
        queue.push_back(StrTendril::from_slice(&text));
        while tokenizer.feed(&queue) != TokenizerResult::Done {
            if let Some(declared) = collected().declared.filter(|it| *it != encoding) {
                return Err(declared);
            }
        }
        let is_in_tag = collected().tokens == tokens;
        words = if is_in_tag {
            words + words_in(&text)
        } else {
            0
        };
        text_bytes += text.len();
        if words > TAG_WORDS_MAX || text_bytes > PAGE_BYTES_MAX {
            break;
        }
        if collected().region == HeadRegion::Body && !is_in_tag {
            let last_tag = *last_tag.get_or_insert_with(|| last_tag_in(bytes, encoding));
            // A tag before this block has been read, unless it goes on.
            if start > last_tag {
                break;
            }
        }
        if collected().declares == Declares::Anywhere {
            collected().declares = Declares::InHead;
        }
        start = end;
    }
    let collected = tokenizer.sink.0.into_inner();
    let ended_in_head = collected.region != HeadRegion::Body;
    Ok(PageHead {
        is_cut: collected.is_full || ended_in_head && start < body.len(),
        metas: collected.metas,
        links: collected.links,
        base: collected.base,
        encoding: encoding.name(),
    })
}

fn is_xml(content_type: &str) -> bool {
    let name = content_type.split(';').next().unwrap_or_default();
    name.trim().eq_ignore_ascii_case("application/xhtml+xml")
}

/// Counts the words in a text, which are at least as many as its attributes.
fn words_in(text: &str) -> usize {
    let pairs = text.as_bytes().windows(2);
    pairs
        .filter(|it| separates(it[0]) && !separates(it[1]))
        .count()
}

/// Whether the name of an attribute may follow this byte.
fn separates(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'/' | b'"' | b'\'')
}

/// Returns the position of the last `<meta` or `<link` that may be kept, or 0. Reading ends after it. If the encoding
/// hides it, the whole page is read.
fn last_tag_in(bytes: &[u8], encoding: &'static Encoding) -> usize {
    if !encoding.is_ascii_compatible() {
        return bytes.len();
    }
    let is_tag = |at: &usize| {
        let name = bytes.get(at + 1..at + 5).unwrap_or_default();
        name.eq_ignore_ascii_case(b"meta") || name.eq_ignore_ascii_case(b"link")
    };
    let mut end = bytes.len();
    // Pages with microdata have hundreds of metas without a name. The bytes from a tag to the next one have its
    // attributes, unless the next one is inside of them.
    memchr::memrchr_iter(b'<', bytes)
        .filter(is_tag)
        .find(|at| may_be_kept(&bytes[*at..core::mem::replace(&mut end, *at)]))
        .unwrap_or(0)
}

/// Whether a tag may have an attribute without which it is not kept.
fn may_be_kept(tag: &[u8]) -> bool {
    let is_name = |at: usize, name: &[u8]| {
        let (text, after) = (tag.get(at..at + name.len()), tag.get(at + name.len()));
        text.is_some_and(|text| text.eq_ignore_ascii_case(name))
            && after.is_none_or(|it| it.is_ascii_whitespace() || b"/>=".contains(it))
    };
    (1..tag.len())
        .filter(|at| separates(tag[at - 1]))
        .any(|at| is_name(at, b"name") || is_name(at, b"rel"))
}
