//! The same with `html5ever` and a tree.

use html5ever::tendril::TendrilSink;
use html5ever::{ParseOpts, parse_document};
use markup5ever_rcdom::{Handle, NodeData, RcDom};

/// Builds the tree and returns the number of its metas.
pub(crate) fn metas(page: &[u8]) -> usize {
    let dom = parse_document(RcDom::default(), ParseOpts::default())
        .from_utf8()
        .one(page);
    let (mut count, mut left) = (0, vec![dom.document.clone()]);
    while let Some(node) = left.pop() {
        count += usize::from(is_meta(&node));
        left.extend(node.children.borrow().iter().cloned());
    }
    count
}

fn is_meta(node: &Handle) -> bool {
    let NodeData::Element { name, attrs, .. } = &node.data else {
        return false;
    };
    let has = |wanted: &str| attrs.borrow().iter().any(|it| &*it.name.local == wanted);
    &*name.local == "meta" && has("name") && has("content")
}
