use std::collections::BTreeMap;

use verger::{Clause, Dialect, Effect, LineNumber, TargetPath};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::quoted;
use crate::witness::witness;

pub(super) const LINT: Lint = Lint {
    code: "parameter-missed",
    severity: Severity::Note,
    summary: "a rule about a parameter misses URLs that have the parameter",
    explanation: "\
A parameter follows the `?` of a URL if it is the first one, and a `&` if it is not. `/*?utm_source=` therefore
misses `/page?id=1&utm_source=news`. Write a second rule with `&`: `/*&utm_source=`. The lint reports such a rule
if no other rule disallows those URLs.

A rule without `?`, such as `/utm_source=`, is only about paths that begin with that text. `/*utm_source=` is
about the parameter at any place. It also matches a longer name that ends in the same way.",
    wrong: Example::of(b"User-agent: *\nDisallow: /*?utm_source=\nDisallow: /sessionid=\n"),
    right: Example::of(b"User-agent: *\nDisallow: /*?utm_source=\nDisallow: /*&utm_source=\nDisallow: /*sessionid=\n"),
    clauses: &[Clause::new("R9309-2.2.2-1"), Clause::new("R9309-2.2.3-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    // With a URL that the rule misses, if it has the parameter.
    let mut missed: BTreeMap<LineNumber, Option<Vec<u8>>> = BTreeMap::new();
    for policy in file.selected().all.iter().map(|it| &it.policy) {
        for rule in policy.rules().filter(|it| it.effect == Effect::Disallow) {
            if is_parameter_as_path(rule.pattern) {
                missed.insert(rule.line, None);
            } else if let Some(path) = with_another_before(rule.pattern) {
                let target = TargetPath::new(&path, Dialect::Rfc9309);
                if target.is_ok_and(|it| policy.decide(&it).is_allowed()) {
                    missed.insert(rule.line, Some(path));
                }
            }
        }
    }
    for (record, path) in file.records_at(missed) {
        let place = record.value_span();
        found.add(if let Some(path) = path {
            let message = format!(
                "the rule matches the parameter only directly after the `?`, not in {}",
                quoted(&path)
            );
            Draft::new(place, message)
                .together("the rules match a parameter only directly after the `?`")
                .help("write the rule a second time, with `&` instead of `?`")
        } else {
            let name = quoted(record.value());
            Draft::new(place, format!("{name} matches only paths, not a parameter"))
                .together("rules such as this match only paths, not a parameter")
                .help("for a parameter, write `/*` before its name")
        });
    }
}

/// Returns whether a pattern is a parameter after the first slash, such as `/name=value`.
fn is_parameter_as_path(pattern: &[u8]) -> bool {
    let Some(text) = pattern.strip_prefix(b"/") else {
        return false;
    };
    let name = text.iter().take_while(|it| is_of_name(**it)).count();
    let value = &text[name..];
    name > 0 && value.first() == Some(&b'=') && !value.iter().any(|it| b"/?.".contains(it))
}

/// Returns a URL with the parameter of `/*?name`, but after another one.
fn with_another_before(pattern: &[u8]) -> Option<Vec<u8>> {
    let pattern = pattern.strip_prefix(b"/").unwrap_or(pattern);
    let text = pattern.strip_prefix(b"*?")?;
    let name = text.iter().take_while(|it| is_of_name(**it)).count();
    let is_one = name > 0 && matches!(&text[name..], [] | [b'=' | b'*', ..]);
    let is_one = is_one && !text.contains(&b'&') && !text.ends_with(b"$");
    witness(&[b"/?x=1&", text].concat()).filter(|_| is_one)
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-[]%".contains(&byte)
}
