use verger::Clause;
#[cfg(feature = "report")]
use verger_extensions::{DirectiveKind, DirectiveSource, PageDirective};

use crate::example::Example;
use crate::lint::Lint;
use crate::page_example::{PageElement, PageExample};
#[cfg(feature = "report")]
use crate::page_subject::{Page, PageFindings, place, shown};
use crate::severity::Severity;
#[cfg(feature = "report")]
use crate::text::{differ_by_one_letter, letters_of, quoted};

pub(crate) const LINT: Lint = Lint {
    code: "unknown-directive",
    severity: Severity::Warning,
    summary: "a directive is misspelt, unknown or has an invalid value, so crawlers ignore it",
    explanation: "\
Crawlers ignore directives that they do not know, such as `no-index`, and values that they cannot read. Rules are
separated by commas, not by spaces or semicolons, and have no quotation marks. In `X-Robots-Tag`, a word before a colon
that is not a directive is read as the name of a crawler. In `Robots-Tag`, every rule needs a crawler or `*` and a
semicolon before it.",
    wrong: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "no-index nofollow")],
        ..PageExample::PLAIN
    }),
    right: Example::of_page(PageExample {
        head: &[PageElement::Meta("robots", "noindex, nofollow")],
        ..PageExample::PLAIN
    }),
    clauses: &[Clause::new("GM-25"), Clause::new("GM-18"), Clause::new("GM-23"), Clause::new("RX-3.1.1-1")],
    check: |_, _| {},
};

#[cfg(feature = "report")]
pub(crate) fn check(page: &Page<'_>, found: &mut PageFindings) {
    let is_read = page.answer.reason.is_about_directives();
    for (directive, applies) in &page.answer.directives {
        let text = shown(directive);
        if let Some(rule) = directive.agent.as_deref().and_then(likely)
            && directive.source.is_header()
        {
            let agent = quoted(directive.agent.as_deref().unwrap_or_default().as_bytes());
            let message =
                format!("{agent} is read as the name of a crawler, because it is not a directive");
            let rule = match directive.source {
                DirectiveSource::RobotsTag => format!("*;{}", rule.as_str()),
                _ if rule.has_value() => format!("{}: {directive}", rule.as_str()),
                _ => rule.as_str().to_owned(),
            };
            let help = format!("write {}", quoted(rule.as_bytes()));
            found.add(place(directive), message, help);
        } else if is_unknown(directive) && page.is_for_crawlers(directive) {
            let message = format!("{text} is not a known directive, so crawlers ignore it");
            found.add(place(directive), message, meant(&directive.to_string()));
        } else if is_read && !applies && page.reader.obeys(directive) {
            let message = format!("{text} does not have a valid value, so crawlers ignore it");
            found.add(place(directive), message, valid_value(directive.kind));
        }
    }
    for field in page
        .subject
        .facts
        .head()
        .into_iter()
        .flat_map(|it| it.fields_named("robots-tag"))
    {
        let is_of_field = |it: &&PageDirective| place(it) == ("robots-tag", field.line);
        if !field.value.is_empty() && !page.directives().any(|it| is_of_field(&it)) {
            let text = [b"Robots-Tag: ", &*field.value].concat();
            let message = format!("crawlers read no rule in {}", quoted(&text));
            found.add(
                Some(("robots-tag", field.line)),
                message,
                "write a crawler or `*`, a semicolon and the rule, such as `Robots-Tag: *;noindex`",
            );
        }
    }
}

/// Directives that Yandex alone documents ("Robots meta tag and X-Robots-Tag HTTP header").
#[cfg(feature = "report")]
const OF_YANDEX: [&str; 2] = ["archive", "noyaca"];

#[cfg(feature = "report")]
fn is_unknown(directive: &PageDirective) -> bool {
    let mut documented = OF_YANDEX.iter();
    directive.kind == DirectiveKind::Unknown
        && !documented.any(|it| it.eq_ignore_ascii_case(&directive.to_string()))
}

/// Returns the directive that a misspelt name probably means.
#[cfg(feature = "report")]
fn likely(name: &str) -> Option<DirectiveKind> {
    let written = letters_of(name.as_bytes());
    // `dofollow` is the opposite.
    if written.starts_with(b"do") {
        return None;
    }
    let is_near = |known: &DirectiveKind| {
        let known = letters_of(known.as_str().as_bytes());
        known == written || (known.len() > 5 && differ_by_one_letter(&written, &known))
    };
    DirectiveKind::KNOWN.iter().copied().find(is_near)
}

/// Returns advice about text that is not a directive.
#[cfg(feature = "report")]
fn meant(text: &str) -> String {
    const SEPARATORS: [char; 5] = [' ', '\t', ';', '|', ','];
    const QUOTES: [char; 4] = ['"', '\'', '\u{201c}', '\u{201d}'];
    let words = text
        .split(SEPARATORS)
        .map(|it| it.trim_matches(QUOTES))
        .filter(|it| !it.is_empty());
    let rules: Option<Vec<_>> = words.take(8).map(|it| Some(likely(it)?.as_str())).collect();
    match rules.as_deref() {
        Some([rule]) => format!("write `{rule}`"),
        Some([_, ..]) => format!("write `{}`", rules.unwrap_or_default().join(", ")),
        _ => "remove it, or write a documented directive, such as `noindex`, `nofollow` or `nosnippet`".to_owned(),
    }
}

/// Returns advice about a value.
#[cfg(feature = "report")]
fn valid_value(kind: DirectiveKind) -> String {
    match kind {
        DirectiveKind::MaxSnippet | DirectiveKind::MaxVideoPreview => {
            format!("write a whole number, such as `{0}:50`, or `{0}:-1` for no limit", kind.as_str())
        }
        DirectiveKind::MaxImagePreview => {
            "write `max-image-preview:none`, `max-image-preview:standard` or `max-image-preview:large`".to_owned()
        }
        DirectiveKind::UnavailableAfter => {
            "write a date, such as `unavailable_after: 2030-12-31` or `unavailable_after: 31 Dec 2030 23:59:59 GMT`".to_owned()
        }
        _ => format!("write `{}` without a value", kind.as_str()),
    }
}
