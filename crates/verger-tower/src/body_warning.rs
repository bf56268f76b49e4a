//! Selects the engine's diagnostics about a file as a whole.

use verger::{DiagnosticKind, Dialect, RobotsTxt};

pub(crate) fn body_warnings(bytes: &[u8]) -> Vec<DiagnosticKind<'static>> {
    let robots_txt = RobotsTxt::parse(bytes, Dialect::Rfc9309);
    robots_txt
        .body_diagnostics()
        .filter_map(|diagnostic| of_server(&diagnostic.kind))
        .collect()
}

/// Selects the diagnostics that matter to the owner of a service. A byte order mark does not.
fn of_server(kind: &DiagnosticKind<'_>) -> Option<DiagnosticKind<'static>> {
    match kind {
        DiagnosticKind::NotUtf8(how) => Some(DiagnosticKind::NotUtf8(*how)),
        DiagnosticKind::Compressed => Some(DiagnosticKind::Compressed),
        DiagnosticKind::LooksBinary => Some(DiagnosticKind::LooksBinary),
        DiagnosticKind::LooksLikeHtml => Some(DiagnosticKind::LooksLikeHtml),
        DiagnosticKind::BodyCut => Some(DiagnosticKind::BodyCut),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn warnings(bytes: &[u8]) -> Vec<&'static str> {
        body_warnings(bytes)
            .iter()
            .map(DiagnosticKind::as_str)
            .collect()
    }

    #[test]
    fn a_good_file_has_no_warnings() {
        assert!(warnings(b"").is_empty());
        assert!(
            warnings("\u{FEFF}User-agent: *\nDisallow: /caf\u{E9}\nnonsense\n".as_bytes())
                .is_empty()
        );
    }

    #[test]
    fn other_encodings_html_and_compressed_data_are_warned_about() {
        assert_eq!(warnings(b"Disallow: /caf\xE9\n"), ["not-utf8"]);
        assert_eq!(warnings(b"<html>\n"), ["looks-like-html"]);
        assert_eq!(warnings(b"Allow: /\0"), ["looks-binary"]);
        assert_eq!(warnings(b"\x1F\x8B\x08\0"), ["compressed", "not-utf8"]);
    }

    #[test]
    fn a_file_of_more_than_512000_bytes_is_warned_about() {
        let line = "# forty bytes with the line end at last\n";
        let mut file = line.repeat(12_800).into_bytes();
        assert_eq!((line.len(), file.len()), (40, 512_000));
        assert!(warnings(&file).is_empty());
        file.push(b'#');
        assert_eq!(warnings(&file), ["body-cut"]);
    }
}
