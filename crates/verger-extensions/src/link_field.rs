//! The header `Link` (RFC 8288).

/// Returns the targets of a `Link` field with this relation, as written, in the order of the field
/// (RFC 8288 3). A link may have several relations, and only its first parameter `rel` counts. Links
/// that are not well-formed are left out.
///
/// ```
/// let field = b"</a>; rel=next, </l>; title=\"a, b\"; rel=\"license copyright\"";
/// assert!(verger_extensions::link_targets(field, "license").eq([b"/l"]));
/// ```
pub fn link_targets<'v>(
    field: &'v [u8],
    relation: &'v str,
) -> impl Iterator<Item = &'v [u8]> + use<'v> {
    split(field, b',').filter_map(move |link| {
        let mut parts = split(link, b';');
        let target = parts.next()?.trim_ascii();
        let target = target.strip_prefix(b"<")?.strip_suffix(b">")?;
        let relations = parts.find_map(relations_in)?;
        let mut relations = relations.split(u8::is_ascii_whitespace);
        let has_relation = relations.any(|it| it.eq_ignore_ascii_case(relation.as_bytes()));
        has_relation.then_some(target)
    })
}

/// Returns the value of a parameter `rel`, without quotes.
fn relations_in(parameter: &[u8]) -> Option<&[u8]> {
    let mut parts = parameter.splitn(2, |byte| *byte == b'=');
    let name = parts.next().unwrap_or_default().trim_ascii();
    let value = parts.next().unwrap_or_default().trim_ascii();
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let value = value.strip_suffix(b"\"").unwrap_or(value);
    name.eq_ignore_ascii_case(b"rel").then_some(value)
}

/// Splits at a separator outside quotes and angle brackets.
fn split(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let (mut in_quotes, mut in_brackets, mut is_escaped) = (false, false, false);
    value.split(move |&byte| {
        let separates = byte == separator && !in_quotes && !in_brackets;
        match byte {
            b'"' if !is_escaped && !in_brackets => in_quotes = !in_quotes,
            b'<' if !in_quotes => in_brackets = true,
            b'>' if !in_quotes => in_brackets = false,
            _ => {}
        }
        is_escaped = in_quotes && byte == b'\\' && !is_escaped;
        separates
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    #[test]
    fn links_to_licences_are_found_among_others() {
        let of = |value: &str| {
            let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
            let targets = link_targets(value.as_bytes(), "license");
            targets.map(text).collect::<Vec<_>>()
        };
        assert_eq!(of("<https://h/l,1;a>; rel=license"), ["https://h/l,1;a"]);
        assert_eq!(
            of("</a>; rel=next, </l>; type=\"a;b,c\"; REL=\"Next License\", </m>;rel=licence"),
            ["/l"]
        );
        for value in [
            "",
            "<",
            "</a>; title=\"rel=license",
            "a; rel=license",
            "</a>;rel",
            "</a>; rel=next; rel=license",
            ",;,",
        ] {
            assert_eq!(of(value), [""; 0], "{value}");
        }
    }
}
