//! The encoding that a page declares: HTML Standard, 13.2.3.2, "Determining the character encoding".

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// The encoding of a page that declares none, for "all other locales" in the table of 13.2.3.2. Chromium also guesses
/// from the text. Directives are ASCII, and ASCII is the same in its guesses.
pub(crate) const UNDECLARED: &Encoding = WINDOWS_1252;

/// Returns the encoding of a byte order mark or, without one, of the header field, with the length of the mark in
/// bytes. These are certain.
pub(crate) fn stated(
    body: &[u8],
    content_type: Option<&str>,
) -> Option<(&'static Encoding, usize)> {
    Encoding::for_bom(body).or_else(|| {
        let mut parameters = content_type?.split(';').skip(1);
        let charset = parameters.find_map(|it| {
            let (name, value) = it.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then_some(value)
        })?;
        let label = charset.trim().trim_matches('"');
        Some((Encoding::for_label(label.as_bytes())?, 0))
    })
}

/// Returns the encoding that a meta declares by its attributes `charset`, or `http-equiv` and `content`.
pub(crate) fn of_meta<'a>(
    charset: Option<&'a str>,
    http_equiv: Option<&str>,
    content: Option<&'a str>,
) -> Option<&'static Encoding> {
    let is_content_type = || {
        http_equiv?
            .eq_ignore_ascii_case("content-type")
            .then_some(())
    };
    let label = charset.or_else(|| is_content_type().and_then(|()| charset_in(content?)))?;
    let encoding = Encoding::for_label(label.as_bytes()).map(not_wide)?;
    // No page may define its own encoding.
    Some(if encoding == X_USER_DEFINED {
        WINDOWS_1252
    } else {
        encoding
    })
}

/// Finds the label in `text/html; charset=…`: 2.6.5, "Extracting character encodings from meta elements".
fn charset_in(content: &str) -> Option<&str> {
    let mut rest = content;
    loop {
        let at = rest
            .as_bytes()
            .windows(7)
            .position(|it| it.eq_ignore_ascii_case(b"charset"))?;
        rest = rest[at + 7..].trim_ascii_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_ascii_start();
            let quote = value.chars().next().filter(|it| matches!(it, '"' | '\''));
            return match quote {
                Some(quote) => Some(value[1..].split_once(quote)?.0),
                None => value
                    .split(|it: char| it.is_ascii_whitespace() || it == ';')
                    .next(),
            };
        }
    }
}

/// Returns the encoding of an XML declaration: "get an XML encoding" in 13.2.3.2. A meta takes precedence.
pub(crate) fn of_xml_declaration(body: &[u8]) -> Option<&'static Encoding> {
    if body.starts_with(b"<\0?\0x\0") {
        return Some(UTF_16LE);
    }
    if body.starts_with(b"\0<\0?\0x") {
        return Some(UTF_16BE);
    }
    let declaration = body.strip_prefix(b"<?xml")?;
    let declaration = &declaration[..memchr::memchr(b'>', declaration)?];
    let at = memchr::memmem::find(declaration, b"encoding")?;
    let value = declaration[at + 8..]
        .trim_ascii_start()
        .strip_prefix(b"=")?
        .trim_ascii_start();
    let (quote, value) = value
        .split_first()
        .filter(|(quote, _)| matches!(quote, b'"' | b'\''))?;
    let label = &value[..memchr::memchr(*quote, value)?];
    Encoding::for_label(label).map(not_wide)
}

/// A declaration that can be read as ASCII is not UTF-16.
fn not_wide(encoding: &'static Encoding) -> &'static Encoding {
    let is_wide = encoding == UTF_16LE || encoding == UTF_16BE;
    if is_wide { UTF_8 } else { encoding }
}
