use verger::{Clause, DiagnosticKind, Record, RecordKind, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::{around, part};
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{differ_by_one_letter, differ_by_two_letters, letters_of, quoted};

pub(super) const LINT: Lint = Lint {
    code: "misspelt-key",
    severity: Severity::Warning,
    summary: "a key is misspelt, so its line is ignored",
    explanation: "\
A line with a misspelt key is an unknown record and has no effect. Google's library accepts some misspellings,
such as `Dissallow` and `Useragent`, and every key that begins with a known one, so crawlers disagree about such
a line. A key counts as misspelt if one letter is missing, added or wrong (two in `User-agent` and `Disallow`),
if two neighbouring letters are swapped, or if Google's library accepts it. So do words before a path that other
systems use for Disallow, such as `Deny`. Other unknown keys are not reported, because RFC 9309 lets
implementers define their own lines.",
    wrong: Example::of(b"User-agent: *\nDisalow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nLLM-Policy: /policy\n"),
    clauses: &[Clause::new("V-16"), Clause::new("GL-key-4"), Clause::new("R9309-2.2.4-1")],
    check,
};

/// The keys that a misspelt one may mean, in their usual form.
const KEYS: [(&str, RecordKind); 13] = [
    ("User-agent", RecordKind::UserAgent),
    ("Disallow", RecordKind::Disallow),
    ("Allow", RecordKind::Allow),
    ("Sitemap", RecordKind::Sitemap),
    ("Crawl-delay", RecordKind::CrawlDelay),
    ("Request-rate", RecordKind::RequestRate),
    ("Visit-time", RecordKind::VisitTime),
    ("Host", RecordKind::Host),
    ("Clean-param", RecordKind::CleanParam),
    ("Noindex", RecordKind::Noindex),
    ("Content-Signal", RecordKind::ContentSignal),
    ("Content-Usage", RecordKind::ContentUsage),
    ("License", RecordKind::License),
];

/// Words for Disallow and Allow in other systems, in lower case.
const WORDS: [(&str, RecordKind); 7] = [
    ("deny", RecordKind::Disallow),
    ("block", RecordKind::Disallow),
    ("forbid", RecordKind::Disallow),
    ("reject", RecordKind::Disallow),
    ("exclude", RecordKind::Disallow),
    ("noallow", RecordKind::Disallow),
    ("permit", RecordKind::Allow),
];

fn check(file: &Subject<'_>, found: &mut Findings) {
    for record in file.robots.records_of(RecordKind::Other) {
        if let Some(kind) = meant(file, &record) {
            let key = KEYS.iter().find(|(_, known)| *known == kind);
            let is_read_by_google = google_kind(file, &record).is_some();
            found.extend(key.map(|(key, _)| {
                // An empty path closes and opens nothing.
                let is_empty = kind.is_rule() && record.value().is_empty();
                draft(&record, key, is_read_by_google).note_if(is_empty)
            }));
        }
    }
}

/// Returns whether a key is spelled as documented.
pub(super) fn is_known(key: &[u8]) -> bool {
    KEYS.iter()
        .any(|(known, _)| key.eq_ignore_ascii_case(known.as_bytes()))
}

/// Returns the probable meaning of a line with an unknown key.
pub(super) fn meant(file: &Subject<'_>, record: &Record<'_>) -> Option<RecordKind> {
    let key = record.key();
    // Text before a key is usually a comment sign of another language: `//`, `<!--`, `;`.
    let starts = key
        .first()
        .is_some_and(|it| it.is_ascii_alphabetic() || matches!(it, b'?' | 0x80..));
    if record.kind() != RecordKind::Other || !starts {
        return None;
    }
    let has_path = matches!(record.value(), [b'/' | b'*', ..]);
    let near = |(known, _): &&(&str, RecordKind)| is_near(key, known.as_bytes(), has_path);
    let word = || {
        let letters = letters_of(key);
        WORDS
            .iter()
            .find(|(word, _)| has_path && letters == word.as_bytes())
    };
    google_kind(file, record).or_else(|| Some(KEYS.iter().find(near).or_else(word)?.1))
}

/// Returns how Google's library reads an unknown key.
fn google_kind(file: &Subject<'_>, record: &Record<'_>) -> Option<RecordKind> {
    let line = Some(record.line());
    let at = file.diagnostics.partition_point(|it| it.line < line);
    let of_line = file.diagnostics[at..]
        .iter()
        .take_while(|it| it.line == line);
    of_line.into_iter().find_map(|it| match it.kind {
        DiagnosticKind::MisspeltKeyIgnored(kind) => Some(kind),
        _ => None,
    })
}

fn draft(record: &Record<'_>, key: &'static str, is_read_by_google: bool) -> Draft {
    let name = quoted(record.key());
    let (message, together) = if is_read_by_google {
        (
            format!("Google reads {name} as `{key}`, other crawlers ignore the line"),
            "Google reads these misspelt keys, other crawlers ignore the lines",
        )
    } else {
        (
            format!("{name} is no known key, so crawlers ignore the line"),
            "these are no known keys, so crawlers ignore the lines",
        )
    };
    let draft = Draft::new(record.key_span(), message).together(together);
    match scheme_in_key(record) {
        // `Sitemap;http://h/`: the first colon is that of the URL.
        Some(scheme) => {
            let [before, _] = around(record.key_span(), scheme);
            let text = format!("{key}: ").into_bytes();
            draft.replace(format!("write `{key}:`"), before, text)
        }
        None => draft.write(key, record.key_span()),
    }
}

/// Returns the place of the scheme if a key has swallowed the start of a URL.
fn scheme_in_key(record: &Record<'_>) -> Option<Span> {
    let key = record.key();
    let lower = key.to_ascii_lowercase();
    let schemes = [&b"https"[..], b"http"];
    let mut schemes = schemes.iter().filter(|it| lower.ends_with(it));
    let scheme = schemes.find(|_| record.value().starts_with(b"//"))?;
    Some(part(record.key_span(), key.len() - scheme.len()..key.len()))
}

/// Returns whether two keys differ by one letter, by two swapped neighbours, or only by hyphens,
/// underscores and spaces. In `User-agent`, and in `Disallow` before a path, two letters may
/// differ.
fn is_near(key: &[u8], known: &[u8], has_path: bool) -> bool {
    if key.len().abs_diff(known.len()) > 3 {
        return false;
    }
    let (key, known) = (letters_of(key), letters_of(known));
    let by_two = known == b"useragent" || (known == b"disallow" && has_path);
    // One letter makes a different word of a short key: `Post` and `Cost` do not mean `Host`.
    let by_one = known.len() > 5 || (known.len() == 5 && has_path);
    key == known
        || (by_one && differ_by_one_letter(&key, &known))
        || (by_two && differ_by_two_letters(&key, &known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_letter_or_two_neighbours_are_near() {
        for (key, known) in [
            ("Disallo", "Disallow"),
            ("Disaallow", "Disallow"),
            ("Dysallow", "Disallow"),
            ("Diasllow", "Disallow"),
            ("Disallows", "Disallow"),
            ("Crawl_delay", "Crawl-delay"),
            ("CrawlDelay", "Crawl-delay"),
            ("Usre-agent", "User-agent"),
            ("Sitemaps", "Sitemap"),
            ("Alow", "Allow"),
            ("Alllow", "Allow"),
            ("Dislow", "Disallow"),
            ("er-agent", "User-agent"),
        ] {
            assert!(is_near(key.as_bytes(), known.as_bytes(), true), "{key}");
        }
        for (key, known) in [
            ("Post", "Host"),
            ("Allows", "Allow"),
            ("Dollow", "Disallow"),
            ("Nofollow", "Noindex"),
            ("", "Sitemap"),
            ("Comment", "Content-Usage"),
            ("Content", "Content-Usage"),
        ] {
            assert!(!is_near(key.as_bytes(), known.as_bytes(), false), "{key}");
        }
    }
}
