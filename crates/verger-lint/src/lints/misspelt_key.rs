//! `misspelt-key`: a key that is nearly a known one.

use verger::{Clause, DiagnosticKind, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Fix, Meaning};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{differ_by_one_letter, letters_of, quoted};

pub(super) const LINT: Lint = Lint {
    code: "misspelt-key",
    severity: Severity::Warning,
    summary: "a key is nearly a known one, and its line is ignored",
    explanation: "\
A line whose key is not spelled as documented is an unknown record, which has no effect. Google's library
accepts some misspellings, such as `Dissallow` and `Useragent`, and every key that begins with a known one, so
that crawlers disagree about such a line. A key counts as misspelt where one letter is missing, added or
wrong, where two neighbours are exchanged, or where Google's library reads it. Other unknown keys are not
reported: RFC 9309 lets implementors define lines of their own.",
    wrong: Example::of(b"User-agent: *\nDisalow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nLLM-Policy: /policy\n"),
    clauses: &[Clause::new("V-16"), Clause::new("GL-key-4"), Clause::new("R9309-2.2.4-1")],
    check,
};

/// The keys that a misspelt one may stand for, as they are mostly written.
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

fn check(file: &Subject<'_>, found: &mut Findings) {
    let read_by_google = file.diagnostics.iter().filter_map(|it| match it.kind {
        DiagnosticKind::MisspeltKeyIgnored(kind) => Some((it.span.start, kind)),
        _ => None,
    });
    let mut read_by_google = read_by_google.peekable();
    for record in file.robots.records_of(RecordKind::Other) {
        let start = record.key_span().start;
        while read_by_google.next_if(|(at, _)| *at < start).is_some() {}
        let google = read_by_google.peek().filter(|(at, _)| *at == start);
        let meant = match google {
            Some((_, kind)) => KEYS.iter().find(|(_, known)| known == kind),
            None => KEYS
                .iter()
                .find(|(key, _)| is_near(record.key(), key.as_bytes())),
        };
        if let Some((key, _)) = meant {
            found.add(draft(&record, key, google.is_some()));
        }
    }
}

fn draft(record: &Record<'_>, key: &'static str, is_read_by_google: bool) -> Draft {
    let reader = if is_read_by_google {
        "; Google reads it as that"
    } else {
        ""
    };
    let name = quoted(record.key());
    let message =
        format!("the key {name} is unknown and the line ignored; `{key}` is known{reader}");
    let title = format!("write `{key}`");
    let fix = Fix::new(
        title.clone(),
        Meaning::Changed,
        record.key_span(),
        key.as_bytes(),
    );
    Draft::new(record.key_span(), message).help(title).fix(fix)
}

/// Whether two keys differ by one letter, or by the order of two neighbours; or by nothing but hyphens,
/// underscores and spaces.
fn is_near(key: &[u8], known: &[u8]) -> bool {
    if key.len() + 2 < known.len() || key.len() > known.len() + 2 {
        return false;
    }
    let (key, known) = (letters_of(key), letters_of(known));
    // One letter of a short key makes another word: `Post`, `Cost` and `Allows` are no `Host`, `Allow`.
    if known.len() <= 5 {
        return key == known;
    }
    key == known || differ_by_one_letter(&key, &known)
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
        ] {
            assert!(is_near(key.as_bytes(), known.as_bytes()), "{key}");
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
            assert!(!is_near(key.as_bytes(), known.as_bytes()), "{key}");
        }
    }
}
