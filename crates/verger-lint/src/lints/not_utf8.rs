use verger::{Clause, DiagnosticKind, LineKind, NotUtf8, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "not-utf8",
    severity: Severity::Warning,
    summary: "the file is not UTF-8, and the encoding is guessed",
    explanation: "\
A robots.txt must be UTF-8. In another encoding, a path with letters beyond ASCII matches no URL, because URLs
contain percent-encoded UTF-8. Google may ignore the whole rule. Save the file as UTF-8. Verger guesses the
encoding from the bytes. The finding is a note if no rule, user-agent or Sitemap line has such bytes.",
    wrong: Example::of(b"User-agent: *\nDisallow: /caf\xE9\n"),
    right: Example::of(b"User-agent: *\nDisallow: /caf\xC3\xA9\n"),
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("G-fmt-4"), Clause::new("V-21")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() {
        return;
    }
    for diagnostic in &file.diagnostics {
        let DiagnosticKind::NotUtf8(NotUtf8::Bytes { .. }) = diagnostic.kind else {
            continue;
        };
        let is_bad = |bytes: &[u8]| std::str::from_utf8(bytes).is_err();
        let in_records = file.robots.lines().any(|line| match line.kind() {
            LineKind::Record(record) => {
                let counts = record.kind().is_rule()
                    || matches!(record.kind(), RecordKind::UserAgent | RecordKind::Sitemap);
                counts && is_bad(record.text())
            }
            _ => false,
        });
        let bytes = file.bytes(diagnostic.span);
        let (message, help) = match stray(bytes) {
            Some(name) => (
                format!("the file has {name} of Latin-1, which is no part of a path or name"),
                "remove it",
            ),
            None => (
                format!("the file is not UTF-8: it looks like {}", guessed(bytes)),
                "save the file as UTF-8, and write paths as they are in addresses",
            ),
        };
        let draft = Draft::new(part(diagnostic.span, 0..1), message)
            .label("the first byte that is not UTF-8");
        found.add(draft.help(help).note_if(!in_records));
    }
}

/// Returns the name of a character that slips into text unnoticed, if no other is encoded so.
fn stray(bytes: &[u8]) -> Option<&'static str> {
    let mut high = bytes.iter().filter(|it| **it >= 0x80);
    let first = high.next()?;
    let name = match first {
        0xA0 => "a no-break space",
        0xAD => "a soft hyphen",
        0xB4 => "an acute accent",
        _ => return None,
    };
    high.all(|it| it == first).then_some(name)
}

/// Guesses the encoding from the first odd bytes.
fn guessed(bytes: &[u8]) -> &'static str {
    // A few are enough.
    let bytes = &bytes[..bytes.len().min(10_000)];
    let is_letter = |byte: &u8| *byte >= 0xC0;
    let is_high = |byte: &u8| *byte >= 0x80;
    let high = bytes.iter().filter(|byte| is_high(byte)).count();
    let in_words = bytes
        .windows(3)
        .filter(|three| three.iter().all(is_letter))
        .count();
    // In these encodings a character has two bytes, of which the second may be low, while letters of
    // other alphabets are high.
    let mut runs = bytes.chunk_by(|one, other| is_high(one) == is_high(other));
    let are_pairs = high >= 4
        && bytes.iter().any(|it| (0xA1..=0xBF).contains(it))
        && runs.all(|run| {
            let is_of_pairs = run.len() % 2 == 0 && run.iter().all(|it| (0xA1..=0xFE).contains(it));
            run.first().is_some_and(|it| !is_high(it)) || is_of_pairs
        });
    let has_controls = bytes.iter().any(|byte| matches!(byte, 0x80..=0x9F));
    match (in_words * 2 > high, has_controls) {
        _ if are_pairs => "GBK, EUC-KR or another encoding of East Asian letters",
        (true, false) => "Windows-1251 or another encoding of Cyrillic or Greek letters",
        (_, true) => "Windows-1252 or a similar encoding",
        (false, false) => "ISO 8859-1 (Latin-1)",
    }
}

#[cfg(test)]
mod tests {
    use super::guessed;

    #[test]
    fn encodings_are_guessed_from_their_bytes() {
        assert!(guessed(b"\xEF\xF0\xE8\xE2\xE5\xF2 \xEC\xE8\xF0").starts_with("Windows-1251"));
        assert!(guessed(b"\xC6\xC7\xB7\xCA").starts_with("GBK"));
        assert!(guessed(b"\xEF\xF0\xE8\xE2\xE5\xF2").starts_with("Windows-1251"));
        assert!(guessed(b"\xE9\xE9").starts_with("ISO 8859-1"));
        assert!(guessed(b"\xE9t\xE9").starts_with("ISO 8859-1"));
        assert!(guessed(b"\x93quoted\x94").starts_with("Windows-1252"));
    }
}
