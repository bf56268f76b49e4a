//! Pages with mistakes, and their metas and links in Chromium. `browser/run --write` generated them.

use serde::Deserialize;
use verger_html::{PageHead, read_page};

#[derive(Deserialize)]
struct Pages {
    page: Vec<Page>,
}

/// A page with one character a byte, and the browser's answers as names or kinds with values: metas, then links.
#[derive(Deserialize)]
struct Page {
    body: String,
    content_type: String,
    encoding: String,
    in_head: Vec<(String, String)>,
    after_head: Vec<(String, String)>,
}

fn values(head: &PageHead, is_in_head: bool) -> Vec<(String, String)> {
    let metas = head.metas.iter().filter(|it| it.is_in_head == is_in_head);
    let links = head.links.iter().filter(|it| it.is_in_head == is_in_head);
    let metas = metas.map(|it| (it.name.clone(), it.content.clone()));
    let links = links.map(|it| (it.rel.as_str().to_owned(), it.href.clone()));
    metas.chain(links).collect()
}

#[test]
fn pages_are_read_as_chromium_reads_them() {
    let pages: Pages = toml::from_str(include_str!("pages.toml")).unwrap();
    assert_eq!(pages.page.len(), 150);
    for page in pages.page {
        let body: Vec<u8> = page
            .body
            .chars()
            .map(|it| u8::try_from(it).unwrap())
            .collect();
        let head = read_page(&body, Some(&page.content_type));
        let shown = String::from_utf8_lossy(&body);
        assert_eq!(head.encoding, page.encoding, "{shown}");
        assert_eq!(values(&head, true), page.in_head, "{shown}");
        assert_eq!(values(&head, false), page.after_head, "{shown}");
        assert!(!head.is_cut, "{shown}");
    }
}
