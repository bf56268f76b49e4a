//! Pages of 100 kB as sites have them, and pages that try to cost much.

const HEAD: &str = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Chairs &amp; tables</title>\n\
    <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"robots\" content=\"index, max-snippet:-1\">\n\
    <meta name=\"description\" content=\"Chairs, tables and lamps.\">\n<meta property=\"og:title\" content=\"Chairs\">\n\
    <link rel=\"canonical\" href=\"https://example.com/chairs\">\n<link rel=\"stylesheet\" href=\"/main.css\">\n\
    <script type=\"application/ld+json\">{\"@context\": \"https://schema.org\"}</script>\n";
const ITEM: &str = "<div class=\"item\"><a href=\"/chairs/17?colour=red&amp;size=2\" title=\"A chair\"><img src=\"/c/17.jpg\" alt=\"\" \
    width=\"200\" height=\"150\" loading=\"lazy\"></a>\n<p class=\"name\">A chair of oak, with a seat of wool.</p></div>\n";
const MICRODATA: &str = "<meta itemprop=\"priceCurrency\" content=\"EUR\">\n";

const BYTES: usize = 100_000;
const MIB: usize = 1 << 20;

fn filled(start: String, part: &str, bytes: usize) -> Vec<u8> {
    let parts = (bytes - start.len()) / part.len();
    (start + &part.repeat(parts)).into_bytes()
}

/// Pages of 100 kB.
pub(crate) fn usual() -> [(&'static str, Vec<u8>); 4] {
    let style = format!(
        "<style>{}</style>\n",
        "a { color: #123456; margin: 0 }\n".repeat(2_600)
    );
    let microdata = filled(
        format!("{HEAD}</head>\n<body>\n"),
        &format!("{ITEM}{MICRODATA}"),
        BYTES,
    );
    let read_whole = [&*microdata, b"<meta name=a content=b>"].concat();
    [
        (
            "a page",
            filled(format!("{HEAD}</head>\n<body>\n"), ITEM, BYTES),
        ),
        ("with microdata until the end", microdata),
        ("the same, and a named meta at the end", read_whole),
        (
            "with 83 kB of styles in the head",
            filled(format!("{HEAD}{style}</head>\n<body>\n"), ITEM, BYTES),
        ),
    ]
}

/// Pages of a mebibyte or more.
pub(crate) fn hostile() -> Vec<(&'static str, Vec<u8>)> {
    let distinct: String = (0..220_000).map(|at| format!(" {at:x}")).collect();
    vec![
        (
            "endless metas",
            filled(HEAD.to_owned(), "<meta name=a content=b>", 2 * MIB),
        ),
        (
            "endless templates",
            filled(HEAD.to_owned(), "<template><div>", 2 * MIB),
        ),
        (
            "endless elements, then metas",
            filled(HEAD.to_owned(), "<div><b a=1><p><meta>", 2 * MIB),
        ),
        (
            "a tag with 220,000 attributes",
            format!("{HEAD}<meta{distinct}>").into_bytes(),
        ),
        (
            "tags with 4,000 attributes",
            format!(
                "{HEAD}{}",
                format!("<meta{}>", &distinct[..24_000]).repeat(60)
            )
            .into_bytes(),
        ),
        (
            "an attribute of a mebibyte",
            format!("{HEAD}<meta content='{}'>", "x".repeat(MIB)).into_bytes(),
        ),
        (
            "the same in windows-1252",
            [
                b"<meta charset=windows-1252><meta content='".as_slice(),
                &vec![0x80; MIB],
                b"'>",
            ]
            .concat(),
        ),
        (
            "references",
            filled(HEAD.to_owned(), "&notin&#x41", 2 * MIB),
        ),
        ("a page of a gibibyte", vec![b' '; 1 << 30]),
    ]
}
