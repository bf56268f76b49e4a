//! Pages: any bytes are read, within the limits, with the same result each time. The start of a page has the first
//! metas of the page. In UTF-8, the metas of the head are those of `html5ever`'s tree.
#![no_main]

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use libfuzzer_sys::fuzz_target;
use markup5ever_rcdom::{Handle, NodeData, RcDom};
use verger_html::{PageHead, TAGS_MAX, read_page};

const UTF_8: Option<&str> = Some("text/html; charset=utf-8");

type Meta = (String, String);

fn metas(head: &PageHead) -> Vec<Meta> {
    let metas = head.metas.iter().filter(|it| it.is_in_head);
    metas
        .map(|it| (it.name.clone(), it.content.clone()))
        .collect()
}

/// Returns the metas of the head in the tree of a page.
fn in_tree(text: &str) -> Vec<Meta> {
    let dom = parse_document(RcDom::default(), ParseOpts::default()).one(text);
    let child = |of: &Handle, name: &str| {
        let children = of.children.borrow();
        children
            .iter()
            .find(|it| matches!(&it.data, NodeData::Element { name: it, .. } if &*it.local == name))
            .cloned()
    };
    let Some(head) = child(&dom.document, "html").and_then(|it| child(&it, "head")) else {
        return Vec::new();
    };
    let children = head.children.borrow();
    children.iter().filter_map(meta).collect()
}

fn meta(node: &Handle) -> Option<Meta> {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return None;
    };
    let attrs = attrs.borrow();
    let value = |wanted: &str| {
        attrs
            .iter()
            .find(|it| &*it.name.local == wanted)
            .map(|it| it.value.to_string())
    };
    (&*name.local == "meta").then_some(())?;
    Some((value("name")?, value("content")?))
}

/// Whether a known difference may apply: NUL does not start the body, the encoding is declared by a mark, or a template
/// has elements whose content is not HTML or is ignored.
fn differs(bytes: &[u8]) -> bool {
    let text = bytes.to_ascii_lowercase();
    let has = |word: &[u8]| text.windows(word.len()).any(|it| it == word);
    bytes.contains(&0)
        || [&b"\xef\xbb\xbf"[..], b"\xfe\xff", b"\xff\xfe"]
            .iter()
            .any(|mark| bytes.starts_with(mark))
        || has(b"<template") && [&b"<svg"[..], b"<math", b"<col"].into_iter().any(has)
}

fuzz_target!(|bytes: &[u8]| {
    let head = read_page(bytes, None);
    assert_eq!(head, read_page(bytes, None));
    assert!(head.metas.len() <= TAGS_MAX && head.links.len() <= TAGS_MAX);
    let head = read_page(bytes, UTF_8);
    let start = read_page(&bytes[..bytes.len() / 2], UTF_8);
    if !bytes.starts_with(b"\xef\xbb\xbf") {
        assert!(head.metas.starts_with(&start.metas) && head.links.starts_with(&start.links));
    }
    if !differs(bytes) {
        assert_eq!(metas(&head), in_tree(&String::from_utf8_lossy(bytes)));
    }
});
