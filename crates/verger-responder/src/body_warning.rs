//! What the engine says of a file as a whole.

use verger::{DiagnosticKind, Dialect, RobotsTxt};

/// What is odd about `octets` as a whole.
pub(crate) fn body_warnings(octets: &[u8]) -> Vec<DiagnosticKind<'static>> {
    let robots_txt = RobotsTxt::parse(octets, Dialect::Rfc9309);
    let of_body = robots_txt
        .diagnostics()
        .take_while(|diagnostic| diagnostic.line.is_none());
    of_body
        .filter_map(|diagnostic| of_server(&diagnostic.kind))
        .collect()
}

/// What who serves a file should know about it; a byte order mark does no harm.
fn of_server(kind: &DiagnosticKind<'_>) -> Option<DiagnosticKind<'static>> {
    match kind {
        DiagnosticKind::NotUtf8(how) => Some(DiagnosticKind::NotUtf8(*how)),
        DiagnosticKind::Compressed => Some(DiagnosticKind::Compressed),
        DiagnosticKind::LooksLikeHtml => Some(DiagnosticKind::LooksLikeHtml),
        DiagnosticKind::BodyCut => Some(DiagnosticKind::BodyCut),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(octets: &[u8]) -> Vec<&'static str> {
        body_warnings(octets)
            .iter()
            .map(DiagnosticKind::as_str)
            .collect()
    }

    #[test]
    fn a_good_file_has_no_warnings() {
        assert!(told(b"").is_empty());
        assert!(
            told("\u{FEFF}User-agent: *\nDisallow: /caf\u{E9}\nnonsense\n".as_bytes()).is_empty()
        );
    }

    #[test]
    fn what_crawlers_would_read_otherwise_is_told() {
        assert_eq!(told(b"Disallow: /caf\xE9\n"), ["not-utf8"]);
        assert_eq!(told(b"<html>\n"), ["looks-like-html"]);
        assert_eq!(told(b"\x1F\x8B\x08\0"), ["compressed", "not-utf8"]);
    }

    #[test]
    fn a_file_of_512000_octets_is_whole_and_one_more_is_not() {
        let line = "# forty octets, the line end among them\n";
        let mut file = line.repeat(12_800).into_bytes();
        assert_eq!((line.len(), file.len()), (40, 512_000));
        assert!(told(&file).is_empty());
        file.push(b'#');
        assert_eq!(told(&file), ["body-cut"]);
    }
}
