//! Pages that are given as files, strings or heads alone.
#![allow(clippy::unwrap_used)]

use verger_answer::{HtmlGap, PageFacts};
use verger_html::{Given, page_facts};

const META: &[u8] = b"<meta name=robots content=noindex>";

fn facts(head: &str, html: Option<&[u8]>) -> PageFacts {
    page_facts(Some(Given::Bytes(head.as_bytes())), html.map(Given::Bytes)).unwrap()
}

/// Returns whether directives may be missing, and the number of directives that were read.
fn read(facts: &PageFacts) -> (Option<HtmlGap>, usize) {
    (facts.gap(), facts.directives().iter().count())
}

#[test]
fn a_head_alone_leaves_the_directives_of_html_unknown() {
    for (head, gap) in [
        ("HTTP/2 200\n", Some(HtmlGap::NotGiven)),
        (
            "HTTP/2 200\ncontent-type: Text/HTML;charset=x\n\n",
            Some(HtmlGap::NotGiven),
        ),
        (
            "HTTP/2 206\ncontent-type: application/xhtml+xml\ncontent-length: 10\n\n",
            Some(HtmlGap::NotGiven),
        ),
        (
            "HTTP/2 200\ncontent-type: text/html\ncontent-length: 0\n\n",
            None,
        ),
        ("HTTP/2 200\ncontent-type: application/pdf\n\n", None),
        ("HTTP/2 404\ncontent-type: text/html\n\n", None),
    ] {
        assert_eq!(read(&facts(head, None)), (gap, 0), "{head}");
    }
    // An empty page is given.
    assert_eq!(read(&facts("HTTP/2 200\n\n", Some(b""))), (None, 0));
    assert_eq!(read(&facts("HTTP/2 200\n\n\n", None)), (None, 0));
}

#[test]
fn html_is_read_from_html_responses() {
    for (head, directives) in [
        ("HTTP/2 200\n\n", 1),
        ("HTTP/2 203\ncontent-type: text/html\n\n", 1),
        ("HTTP/2 200\ncontent-type: text/plain\n\n", 0),
        ("HTTP/2 500\ncontent-type: text/html\n\n", 0),
    ] {
        assert_eq!(read(&facts(head, Some(META))), (None, directives), "{head}");
        let whole = [head.as_bytes(), META].concat();
        let facts = page_facts(Some(Given::Bytes(&whole)), None).unwrap();
        assert_eq!(read(&facts), (None, directives), "{head}");
    }
    let facts = page_facts(None, Some(Given::Bytes(META))).unwrap();
    assert_eq!(read(&facts), (None, 1));
}

#[test]
fn a_compressed_body_is_not_read() {
    let compressed = Some(HtmlGap::Compressed);
    let coded = "HTTP/2 200\ncontent-encoding: br\n\n";
    let brotli = b"\x1b\x24\x00\xf8\x1d";
    for (head, body, gap) in [
        ("HTTP/2 200\n\n", &b"\x1f\x8b\x08\x00"[..], compressed),
        ("HTTP/2 200\n\n", b"\x28\xb5\x2f\xfd", compressed),
        (coded, brotli, compressed),
        ("HTTP/2 200\n\n", brotli, None),
        // `curl --compressed` decodes the body and keeps the field.
        (coded, b"<p>", None),
        ("HTTP/2 200\ncontent-type: image/png\n\n", b"\x1f\x8b", None),
    ] {
        assert_eq!(read(&facts(head, Some(body))), (gap, 0), "{head}");
    }
    // Half of the bytes of UTF-16 are NUL.
    let wide: Vec<u8> = META.iter().flat_map(|byte| [*byte, 0]).collect();
    let head = "HTTP/2 200\ncontent-encoding: br\ncontent-type: text/html; charset=utf-16le\n\n";
    assert_eq!(read(&facts(head, Some(&wide))), (None, 1));
}

#[test]
fn text_is_not_decoded_again() {
    let head = b"HTTP/2 200\ncontent-type: text/html; charset=utf-16\n\n";
    let head_and_html = [&head[..], META].concat();
    for (given, count) in [
        ((Given::Text(head), Some(Given::Text(META))), 1),
        ((Given::Bytes(head), Some(Given::Text(META))), 1),
        ((Given::Text(&head_and_html), None), 1),
        ((Given::Bytes(head), Some(Given::Bytes(META))), 0),
    ] {
        let facts = page_facts(Some(given.0), given.1).unwrap();
        assert_eq!(read(&facts), (None, count), "{given:?}");
    }
    let html = "<meta charset=utf-16><meta name=robots content='noindex, é'>";
    let facts = page_facts(None, Some(Given::Text(html.as_bytes()))).unwrap();
    let last = facts.directives().iter().last().unwrap();
    assert_eq!(&*last.name, "é");
}
