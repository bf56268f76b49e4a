//! Text after the token on a user-agent line.

use verger::{Diagnostic, DiagnosticKind, Span};

use crate::agent::{leading_token, of_company};
use crate::part::part;
use crate::subject::Subject;
use crate::text::quoted;

/// Text in addition to a token on a user-agent line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgentValue {
    /// A whole `User-Agent` header.
    Header,
    /// A version: `/2.1`.
    Version,
    /// A `*` in or after a name.
    Wildcard,
    /// A comma and more names.
    List,
    /// White space and more words.
    Words,
    /// Anything else.
    Other,
}

/// Returns the values of user-agent lines of one kind, with their places. Names of companies have a
/// lint of their own.
pub(crate) fn values_of<'s>(
    file: &'s Subject<'_>,
    kind: AgentValue,
) -> impl Iterator<Item = &'s Diagnostic<'s>> {
    let is_of_kind = move |it: &&Diagnostic<'_>| match it.kind {
        DiagnosticKind::AgentCut { .. }
        | DiagnosticKind::AgentListNotRead
        | DiagnosticKind::AgentNamesNoCrawler => {
            let value = file.bytes(it.span);
            of(value) == kind && of_company(value).is_none()
        }
        _ => false,
    };
    file.diagnostics.iter().filter(is_of_kind)
}

/// Returns whether a user-agent line has a header instead of a name.
pub(crate) fn is_header(value: &[u8]) -> bool {
    of(value) == AgentValue::Header
}

/// Classifies a value.
fn of(value: &[u8]) -> AgentValue {
    let rest = &value[leading_token(value).len()..];
    let has = |byte: u8| value.contains(&byte);
    if value.starts_with(b"Mozilla/") || has(b'(') {
        return AgentValue::Header;
    }
    match rest {
        [b',', ..] => AgentValue::List,
        [b'/', version @ ..] if version.iter().copied().all(is_of_version) => AgentValue::Version,
        _ if has(b'*') => AgentValue::Wildcard,
        [b' ' | b'\t', ..] if has_separator(value) => AgentValue::List,
        _ if rest.len() < value.len() && rest.iter().any(|it| b" \t".contains(it)) => {
            AgentValue::Words
        }
        _ => AgentValue::Other,
    }
}

/// Returns whether a comma separates words. In `Spider/2,01` it is part of a number.
fn has_separator(value: &[u8]) -> bool {
    let mut parts = value.split(|it| *it == b',').peekable();
    std::iter::from_fn(|| Some((parts.next()?, *parts.peek()?))).any(|(before, after)| {
        let is_digit = |it: Option<&u8>| it.is_some_and(u8::is_ascii_digit);
        !(is_digit(before.last()) && is_digit(after.first()))
    })
}

fn is_of_version(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'+' | b'_')
}

/// Returns how much of a value crawlers read, in words.
pub(crate) fn read_part(value: &[u8]) -> String {
    match leading_token(value) {
        b"" => "the line names no crawler".to_owned(),
        token => format!("only {} is read", quoted(token)),
    }
}

/// Returns the text after the token.
pub(crate) fn after_token(file: &Subject<'_>, value: Span) -> Span {
    let text = file.bytes(value);
    part(value, leading_token(text).len()..text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_told_apart() {
        for (value, kind) in [
            ("FooBot/2.1", AgentValue::Version),
            ("FooBot/", AgentValue::Version),
            ("FooBot/2.1 (+http://h/)", AgentValue::Header),
            ("Mozilla/5.0", AgentValue::Header),
            ("FooBot*", AgentValue::Wildcard),
            ("*bot", AgentValue::Wildcard),
            ("* ", AgentValue::Wildcard),
            ("a, b", AgentValue::List),
            ("a b, c", AgentValue::List),
            ("a b 2, c", AgentValue::List),
            ("Screaming Frog SEO Spider/2,01", AgentValue::Words),
            ("Clever Spider", AgentValue::Words),
            ("Yahoo! Slurp", AgentValue::Words),
            ("\"FooBot\"", AgentValue::Other),
            ("", AgentValue::Other),
            ("FooBot:", AgentValue::Other),
        ] {
            assert_eq!(of(value.as_bytes()), kind, "{value}");
        }
    }
}
