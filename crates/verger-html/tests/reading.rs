//! Lines, encodings, limits and laws of reading.

use proptest::prelude::*;
use verger_answer::{PageFacts, ResponseHead};
use verger_html::{LinkRel, PAGE_BYTES_MAX, PageHead, TAGS_MAX, VALUE_BYTES_MAX, read_page};

const META: &str = "<meta name=robots content=noindex>";

fn read(page: &str) -> PageHead {
    read_page(page.as_bytes(), Some("text/html; charset=utf-8"))
}

/// Returns the content of each meta with its line, and whether it is in the head.
fn metas(head: &PageHead) -> Vec<(&str, u32, bool)> {
    let metas = head.metas.iter();
    metas
        .map(|it| (&*it.content, it.line, it.is_in_head))
        .collect()
}

#[test]
fn a_tag_has_the_line_on_which_it_starts() {
    let page = "<!doctype html\n>\r\n<head\n>\r<!--\n--><meta\nname=robots\nname=x\ncontent=a><title>\n</title>\n\
                <script>\nif (a < b)\n</script><meta name=robots content=b\n></head>\n\n<body>&amp;\n &lt;<meta name=x content=c>";
    assert_eq!(
        metas(&read(page)),
        [("a", 6, true), ("b", 13, true), ("c", 17, false)]
    );
}

#[test]
fn no_directive_is_read_from_text() {
    for hidden in [
        format!("<template><template></template>{META}</template>"),
        format!("<noscript>{META}</noscript>"),
        format!("<!--{META}-->"),
        format!("<script>'{META}'</script>"),
        format!("<style>{META}</style>"),
        format!("<title>{META}</title>"),
        format!("<body><textarea>{META}</textarea><iframe>{META}</iframe><plaintext>{META}"),
        "<meta http-equiv=robots content=noindex><meta name=robots><meta content=noindex>"
            .to_owned(),
    ] {
        assert_eq!(metas(&read(&hidden)), [], "{hidden}");
    }
}

#[test]
fn svg_has_empty_elements_and_sections_of_text() {
    let page =
        format!("<body><svg><title/><![CDATA[ > {META} ]]></svg><title/>{META}</title>{META}");
    assert_eq!(metas(&read(&page)), [("noindex", 1, false)]);
}

#[test]
fn links_have_kinds() {
    let page = "<link rel=stylesheet href=x><link rel='LICENSE canonical' href=' /a '><link rel=canonical>\n\
                <p><link rel=canonical href=/b>";
    let head = read(page);
    let links = head
        .links
        .iter()
        .map(|it| (it.rel, &*it.href, it.line, it.is_in_head));
    assert_eq!(
        links.collect::<Vec<_>>(),
        [
            (LinkRel::Canonical, "/a", 1, true),
            (LinkRel::License, "/a", 1, true),
            (LinkRel::Canonical, "/b", 2, false)
        ]
    );
}

#[test]
fn the_first_base_with_an_address_is_read() {
    for (page, base) in [
        (
            "<base target=x><base href=' /a '><base href=/b>",
            Some(" /a "),
        ),
        ("<link rel=canonical href=c><base href=/a>", Some("/a")),
        (
            "<template><base href=/a></template><!--<base href=/b>-->",
            None,
        ),
    ] {
        assert_eq!(read(page).base.as_deref(), base, "{page}");
    }
}

#[test]
fn facts_have_the_directives_and_links() {
    let page = "<meta name=description content=text><meta name=robots content='noindex, nofollow'>\n\
                <meta name=TDM-Reservation content=1><link rel=canonical href=/a><link rel=license href=/b>\n\
                <p><meta name=googlebot content=none>";
    let mut facts = PageFacts::not_fetched("pasted");
    read(page).add_to(&mut facts);
    let directives = facts.directives().iter();
    assert_eq!(
        directives
            .map(|it| (&*it.name, it.line, it.is_in_head))
            .collect::<Vec<_>>(),
        [
            ("noindex", 1, true),
            ("nofollow", 1, true),
            ("none", 3, false)
        ]
    );
    let links = facts
        .links()
        .iter()
        .map(|it| (&*it.rel, &*it.href, it.line));
    assert_eq!(
        links.collect::<Vec<_>>(),
        [("canonical", "/a", 2), ("license", "/b", 2)]
    );
    let recorded = facts.recorded().iter().map(|it| (it.name, &*it.value));
    assert_eq!(
        recorded.collect::<Vec<_>>(),
        [("tdm-reservation", "1"), ("license", "/b")]
    );
}

#[test]
fn the_encoding_is_that_of_the_strongest_declaration() {
    let meta = "<meta charset=koi8-r>";
    let far = format!("<title>{}</title>{meta}", "x".repeat(20_000));
    let far_in_body = format!("<p>{}{meta}", "x".repeat(1_024));
    let header = Some("text/html;charset=\"Shift_JIS\"");
    for (page, content_type, encoding) in [
        ("\u{feff}<meta charset=koi8-r>", header, "UTF-8"),
        (meta, header, "Shift_JIS"),
        (meta, Some("text/html; charset=unknown"), "KOI8-R"),
        (meta, None, "KOI8-R"),
        (
            "<p><meta http-equiv=Content-Type content='x;charset = \"koi8-r\"'>",
            None,
            "KOI8-R",
        ),
        ("<meta content='charset=koi8-r'>", None, "windows-1252"),
        ("<meta charset=utf-16>", None, "UTF-8"),
        ("<meta charset=x-user-defined>", None, "windows-1252"),
        (&far, None, "KOI8-R"),
        (&far_in_body, None, "windows-1252"),
        ("<?xml version='1.0' encoding='gbk'?><p>", None, "GBK"),
        (
            "<?xml version='1.0' encoding='gbk'?><meta charset=koi8-r>",
            None,
            "KOI8-R",
        ),
        ("<\0?\0x\0m\0l\0", None, "UTF-16LE"),
        ("", None, "windows-1252"),
    ] {
        assert_eq!(
            read_page(page.as_bytes(), content_type).encoding,
            encoding,
            "{page:.90}"
        );
    }
}

#[test]
fn contents_are_decoded() {
    let page = b"<meta charset=shift_jis><meta name=a content='\x93\xfa\x96{\xff'>";
    assert_eq!(
        read_page(page, None).metas[0].content,
        "\u{65e5}\u{672c}\u{fffd}"
    );
}

#[test]
fn the_first_mebibyte_is_read() {
    let page = |padding: usize| format!("<title>{}</title>{META}<p>{META}", "x".repeat(padding));
    let rest = page(0).len();
    let whole = read(&page(PAGE_BYTES_MAX - rest));
    assert_eq!((whole.metas.len(), whole.is_cut), (2, false));
    let body_cut = read(&page(PAGE_BYTES_MAX - rest + 1));
    assert_eq!((body_cut.metas.len(), body_cut.is_cut), (1, false));
    let head_cut = read(&page(PAGE_BYTES_MAX));
    assert_eq!((head_cut.metas.len(), head_cut.is_cut), (0, true));
    // An endless head.
    let endless = read(&"<meta name=a content=b>".repeat(PAGE_BYTES_MAX / 20));
    assert_eq!((endless.metas.len(), endless.is_cut), (TAGS_MAX, true));
}

#[test]
fn tags_are_counted() {
    let cut = |tags: usize| {
        let head = read(&format!("{}<p>{META}", META.repeat(tags)));
        (head.metas.len(), head.is_cut)
    };
    assert_eq!(cut(TAGS_MAX - 1), (TAGS_MAX, false));
    assert_eq!(cut(TAGS_MAX), (TAGS_MAX, false));
    assert_eq!(cut(TAGS_MAX + 1), (TAGS_MAX, true));
}

#[test]
fn directives_say_that_a_long_value_was_cut() {
    let facts = |content: &str| {
        let mut facts = PageFacts::of_response(ResponseHead::new(200, []));
        read(&format!("<meta name=robots content='{content}'>")).add_to(&mut facts);
        let names: Vec<_> = facts.directives().iter().map(|it| it.name.len()).collect();
        (names, facts.is_cut())
    };
    let longest = 64 << 10;
    assert_eq!(facts(&"x".repeat(longest)), (vec![longest], false));
    assert_eq!(facts(&"x".repeat(longest + 1)), (vec![], true));
    let nofollow = format!("noindex, {}nofollow", " ".repeat(longest - 12));
    assert_eq!(facts(&nofollow), (vec![7], true));
    let wide = "\u{65e5}".repeat(longest);
    assert_eq!(facts(&format!("noindex,{wide}")), (vec![7], true));
}

#[test]
fn a_link_that_is_too_long_is_left_out() {
    let links = |bytes: usize| {
        let href = "x".repeat(bytes);
        read(&format!("<link rel=canonical href='{href}'>{META}"))
            .links
            .len()
    };
    assert_eq!((links(VALUE_BYTES_MAX), links(VALUE_BYTES_MAX + 1)), (1, 0));
}

#[test]
fn a_cut_head_is_a_cut_page() {
    let facts = |page: &str| {
        let mut facts = PageFacts::of_response(ResponseHead::new(200, []));
        read(page).add_to(&mut facts);
        facts.is_cut()
    };
    let comment = format!("<!-- {} -->", "x".repeat(PAGE_BYTES_MAX));
    assert!(facts(&format!("{comment}{META}")));
    assert!(!facts(&format!("{META}<p>{comment}")));
}

#[test]
fn an_empty_element_of_xml_has_no_content() {
    for empty in ["<script src='a'/>", "<title/>", "<template/>", "<style/>"] {
        let page = format!("<html><head>{empty}{META}</head></html>");
        let read = |content_type| read_page(page.as_bytes(), Some(content_type)).metas.len();
        assert_eq!(read("application/xhtml+xml; charset=utf-8"), 1, "{empty}");
        assert_eq!(read("text/html"), 0, "{empty}");
    }
}

#[test]
fn a_tag_with_too_many_words_ends_the_reading() {
    let head = |words: usize| read(&format!("<meta {}>{META}", "a ".repeat(words)));
    assert_eq!(metas(&head(8_000)), [("noindex", 1, true)]);
    let long = head(30_000);
    assert_eq!((long.metas.len(), long.is_cut), (0, true));
    // One long attribute has few words.
    let image = format!(
        "<link rel=icon href='data:image/png;base64,{}'>{META}",
        "x".repeat(500_000)
    );
    assert_eq!(metas(&read(&image)), [("noindex", 1, true)]);
}

#[test]
fn elements_may_be_nested_deeply() {
    let (open, close) = ("<template>".repeat(20_000), "</template>".repeat(20_000));
    let page = format!(
        "{open}{META}<div>{close}{META}{}{META}",
        "<div>".repeat(20_000)
    );
    assert_eq!(
        metas(&read(&page)),
        [("noindex", 1, true), ("noindex", 1, false)]
    );
}

/// Parts of a page, in any order.
fn pages() -> impl Strategy<Value = String> {
    let part = prop::sample::select(vec![
        META,
        "<meta name=a content=b>",
        "<p>",
        "</head>",
        "<body>",
        "<title>",
        "</title>",
        "<template>",
        "</template>",
        "<!--",
        "-->",
        "\n",
        "x",
        "&amp;",
        "<script>",
        "</script>",
        "<svg>",
        "</svg>",
        "<noscript>",
        "\u{65e5}",
        "<link rel=canonical href=x>",
        "<meta name='",
        "'",
        "\0",
        "<![CDATA[",
        "]]>",
        "<textarea>",
        "</textarea>",
        "<meta itemprop=name content=x>",
        "<Meta\nitemprop='name'Name=x content=\"",
        "\"",
        "<link/rel=license/href=x>",
        " name",
    ]);
    prop::collection::vec(part, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn the_start_of_a_page_has_the_first_metas(page in pages(), padding in 0..9_000_usize, at in any::<prop::sample::Index>()) {
        let page = format!("<title>{}</title>{page}", "x".repeat(padding));
        let start = &page.as_bytes()[..at.index(page.len())];
        let (whole, start) = (read(&page), read_page(start, Some("text/html; charset=utf-8")));
        prop_assert!(whole.metas.starts_with(&start.metas));
        prop_assert!(whole.links.starts_with(&start.links));
    }

    #[test]
    fn padding_changes_no_meta(page in pages(), padding in 0..9_000_usize) {
        // Blocks end at other bytes.
        let padded = format!("<title>{}</title>{page}", "x".repeat(padding));
        prop_assert_eq!(read(&padded), read(&format!("<title></title>{page}")));
    }

    #[test]
    fn what_follows_changes_no_meta(page in pages(), padding in 7_000..9_000_usize) {
        // The last tag is in another block, and has to be read.
        let tags = "<a>".repeat(padding);
        let page = format!("<p>{tags}{page}{tags}");
        let (head, longer) = (read(&page), read(&format!("{page}<meta name=last content=x>")));
        if longer.metas.last().is_some_and(|it| it.name == "last") {
            let metas = longer.metas.split_last().unwrap().1;
            prop_assert_eq!((metas, longer.links), (&*head.metas, head.links));
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..300), content_type in ".{0,20}") {
        let head = read_page(&bytes, Some(&content_type));
        prop_assert_eq!(&head, &read_page(&bytes, Some(&content_type)));
        prop_assert!(head.metas.len() <= bytes.len());
        prop_assert!(!head.is_cut);
    }
}
