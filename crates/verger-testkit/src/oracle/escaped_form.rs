//! Google's library: compares byte by byte, with slightly escaped rules and unmodified targets.

use super::percent_bytes::encoded_byte;
use super::wildcard::{End, Step, equal, matches};

/// Escapes a rule's value: bytes from 0x80 become `%XX`, and the hex digits of `%xx` upper case.
/// The specificity is the length, including `*` and `$`.
pub(super) fn escaped(value: &[u8]) -> Vec<u8> {
    let mut pattern = Vec::new();
    let mut at = 0;
    while at < value.len() {
        let byte = value[at];
        if encoded_byte(&value[at..]).is_some() {
            pattern.extend(value[at..at + 3].to_ascii_uppercase());
            at += 3;
        } else if byte >= 0x80 {
            pattern.extend(format!("%{byte:02X}").bytes());
            at += 1;
        } else {
            pattern.push(byte);
            at += 1;
        }
    }
    pattern
}

/// Returns `true` if an escaped pattern matches. `$` ends the pattern only as its last byte.
pub(super) fn is_match(pattern: &[u8], target: &[u8]) -> bool {
    let (pattern, end) = match pattern.strip_suffix(b"$") {
        Some(pattern) => (pattern, End::AtTargetEnd),
        None => (pattern, End::Anywhere),
    };
    let steps: Vec<Step<u8>> = pattern
        .iter()
        .map(|&byte| match byte {
            b'*' => Step::AnyRun,
            byte => Step::One(byte),
        })
        .collect();
    matches(&steps, end, target, equal)
}

/// Returns the pattern of the directory, `…/$`, if the text after the last `/` starts with
/// `index.htm`. An allow rule that does not match is tried again with it.
pub(super) fn directory_of_index_page(pattern: &[u8]) -> Option<Vec<u8>> {
    let last_slash = pattern.iter().rposition(|&byte| byte == b'/')?;
    if !pattern[last_slash + 1..].starts_with(b"index.htm") {
        return None;
    }
    let mut directory = pattern[..=last_slash].to_vec();
    directory.push(b'$');
    Some(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specificity_is_the_length_of_the_escaped_rule() {
        let vectors: [(&[u8], usize); 14] = [
            (b"/fish", 5),
            (b"/fish*", 6),
            (b"/$", 2),
            (b"/*.htm", 6),
            (b"/*.ph", 5),
            (b"*.gif$", 6),
            ("/ツ".as_bytes(), 10),
            (b"/%e3%83%84", 10),
            (b"/%62%61%7A", 10),
            (b"/a:b", 4),
            (b"/a%3Ab", 6),
            (b"/den/cat?owl=http://den.cat", 27),
            (b"/caf\xE9", 7),
            (b"/**", 3),
        ];
        for (value, specificity) in vectors {
            assert_eq!(escaped(value).len(), specificity, "{value:?}");
        }
    }

    #[test]
    fn hex_digits_turn_upper_case_and_nothing_is_decoded() {
        assert_eq!(escaped(b"/%7euser%4%zz%"), b"/%7Euser%4%zz%");
        assert_eq!(escaped(b"/\xC3\xA9"), b"/%C3%A9");
        assert_eq!(escaped(b"/%\xC3"), b"/%%C3");
    }

    #[test]
    fn dollar_is_an_operator_at_the_end_alone() {
        assert!(is_match(b"/a$b", b"/a$bc"));
        assert!(is_match(b"/$$", b"/$"));
        assert!(!is_match(b"/$$", b"/$$"));
        assert!(is_match(b"/a$*", b"/a$"));
        assert!(!is_match(b"$", b"/"));
        assert!(is_match(b"*$", b"/x"));
        assert!(!is_match(b"admin", b"/admin"));
    }

    #[test]
    fn index_pages_stand_for_their_directory() {
        let directory = |pattern: &[u8]| directory_of_index_page(pattern);
        assert_eq!(directory(b"/d/index.html").as_deref(), Some(&b"/d/$"[..]));
        assert_eq!(directory(b"/*/index.htm*").as_deref(), Some(&b"/*/$"[..]));
        assert_eq!(directory(b"/index.htmlfoo").as_deref(), Some(&b"/$"[..]));
        assert_eq!(directory(b"/index.php"), None);
        assert_eq!(directory(b"/index.html/x"), None);
        assert_eq!(directory(b"index.html"), None);
    }
}
