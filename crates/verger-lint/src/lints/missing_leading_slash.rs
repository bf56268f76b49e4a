use verger::{Clause, DiagnosticKind, RecordKind};
use verger_crawlers::Registry;

use super::regular_expression::regular_expression;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::has_any;

pub(super) const LINT: Lint = Lint {
    code: "missing-leading-slash",
    severity: Severity::Error,
    summary: "a path does not start with `/` or `*`, so it matches nothing",
    explanation: "\
Every URL path starts with a slash, and a rule is compared from its first character. Put a slash before the
path, or `/*` if the text may be anywhere in a path. The fix adds a slash before names of files and directories,
but not before a short word, because `/ne` also closes `/news`, and does not guess the meaning of `?utm=`, `.pdf`, `none`
or a template placeholder. An Allow line in a group that disallows nothing is a note. Full URLs and regular
expressions have their own lints. `./admin` becomes `/admin`.",
    wrong: Example::of(b"User-agent: *\nDisallow: private/\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("V-33"), Clause::new("GL-match-3"), Clause::new("R9309-2.2.2-3")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_one = |kind| kind == DiagnosticKind::PatternWithoutSlash;
    for diagnostic in file.diagnostics.iter().filter(|it| is_one(it.kind)) {
        let pattern = file.bytes(diagnostic.span);
        if regular_expression(pattern).is_some() {
            continue;
        }
        let message = "the path starts with neither `/` nor `*`, so the line has no effect";
        let draft = Draft::new(diagnostic.span, message);
        // `./a` becomes `/a`.
        let (path, replaced, slash) = match pattern.strip_prefix(b"./") {
            Some(path) => (path, 0..1, &b""[..]),
            None => (pattern, 0..0, &b"/"[..]),
        };
        let record = diagnostic.line.and_then(|it| file.robots.record_at(it));
        let has_effect =
            record.is_none_or(|it| it.kind() != RecordKind::Allow || !file.allows_everything(&it));
        let draft = match pattern {
            // A parameter, or its end.
            _ if has_any(pattern, &["="]) && !has_any(pattern, &["/", "?"]) => draft.help(ANYWHERE),
            _ if is_one_of(pattern, &PARAMETERS) => draft.help(ANYWHERE),
            _ if is_path(path) && is_short_word(path) => draft.help(
                "start it with a slash, and end it with `/` for a directory or `$` for a page: \
                     such a short path is the beginning of others",
            ),
            _ if is_path(path) => {
                let place = part(diagnostic.span, replaced);
                draft.replace("start it with a slash", place, slash)
            }
            [b'.', ending @ ..] if is_one_of(word_of(ending), &ENDINGS) => draft
                .help("remove the line, or put `/*` before it if all such files should be closed"),
            [b'?' | b'&' | b'.' | b'-' | b'_' | b'=' | b';', first, ..]
                if first.is_ascii_alphanumeric() =>
            {
                draft.help(ANYWHERE)
            }
            _ => draft.help("write the part of the URL after the host"),
        };
        found.add(draft.note_if(!has_effect));
    }
}

const ANYWHERE: &str = "put `/*` before it, so that it may be anywhere in a path";

/// Returns whether a path is a short word. With a slash, such a rule may match more than was meant.
fn is_short_word(path: &[u8]) -> bool {
    /// Maximum length of a short word.
    const BYTES_MAX: usize = 4;
    path.len() <= BYTES_MAX
        && path
            .iter()
            .all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
}

/// Parameters that many systems add to URLs, in lower case.
const PARAMETERS: [&str; 7] = [
    "fbclid",
    "gclid",
    "jsessionid",
    "phpsessid",
    "replytocom",
    "sessionid",
    "sid",
];

/// Returns the letters and digits at the start.
fn word_of(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|it| !it.is_ascii_alphanumeric());
    &text[..end.unwrap_or(text.len())]
}

fn is_one_of(pattern: &[u8], names: &[&str]) -> bool {
    let is_it = |name: &&str| pattern.eq_ignore_ascii_case(name.as_bytes());
    names.iter().any(is_it)
}

/// Words that people write instead of a path, in lower case.
const WORDS: [&str; 12] = [
    "all",
    "allow",
    "any",
    "disallow",
    "everything",
    "false",
    "no",
    "none",
    "nothing",
    "null",
    "true",
    "yes",
];

/// File extensions. A pattern with another dot may be a host name.
const ENDINGS: [&str; 24] = [
    "ashx", "asp", "aspx", "axd", "cfm", "cgi", "css", "do", "doc", "gif", "htm", "html", "jpg",
    "js", "json", "jsp", "pdf", "php", "pl", "png", "shtml", "txt", "xml", "zip",
];

/// Returns whether a pattern can only be the name of a file or directory without its slash.
fn is_path(pattern: &[u8]) -> bool {
    let is_plain = |it: &u8| it.is_ascii_alphanumeric() || b"_-~./%*=&+,".contains(it);
    let starts = pattern
        .first()
        .is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let written = pattern.strip_suffix(b"$").unwrap_or(pattern);
    let path_end = written.iter().position(|it| *it == b'?');
    let (path, query) = written.split_at(path_end.unwrap_or(written.len()));
    let query = query.strip_prefix(b"?").unwrap_or(query);
    if !starts || is_fragment(path, !query.is_empty()) || !path.iter().chain(query).all(is_plain) {
        return false;
    }
    let end = path.iter().position(|it| *it == b'/').unwrap_or(path.len());
    let first = String::from_utf8_lossy(&path[..end]).to_ascii_lowercase();
    let first = first.trim_end_matches('*');
    match (end < path.len(), first.rsplit_once('.')) {
        (true, dot) => dot.is_none(),
        (false, Some((_, ending))) => ENDINGS.contains(&ending),
        (false, None) => !WORDS.contains(&first) && Registry::bundled().by_name(first).is_none(),
    }
}

/// Returns whether a path may be the end of a longer text: an escape (`3Aprice-`) or an extension
/// (`ashx?w=`).
fn is_fragment(path: &[u8], has_query: bool) -> bool {
    let end = path.iter().position(|it| matches!(it, b'/' | b'*' | b'.'));
    let first = &path[..end.unwrap_or(path.len())];
    let is_number = first.iter().all(u8::is_ascii_digit);
    let is_escape = matches!(first, [high, low, ..]
        if high.is_ascii_hexdigit() && low.is_ascii_hexdigit()
            && (high.is_ascii_digit() || low.is_ascii_digit()));
    let is_ending = ENDINGS
        .iter()
        .any(|it| it.as_bytes().eq_ignore_ascii_case(first));
    (is_escape && !is_number) || (is_ending && (has_query || end.is_none()))
}

#[cfg(test)]
mod tests {
    use super::is_path;

    #[test]
    fn only_a_name_of_a_file_or_directory_gets_a_slash() {
        for pattern in [
            "private/",
            "admin",
            "wp-login.php",
            "a/b.c/d",
            "search?q=",
            "tmp*",
            "x/*.pdf$",
            "_cgi/",
            "2019/",
            "cgi/",
            "feed?a=",
        ] {
            assert!(is_path(pattern.as_bytes()), "{pattern}");
        }
        for pattern in [
            "?utm=",
            ".pdf",
            "\"/a\"",
            "'/a'",
            "none",
            "ALL",
            "$",
            "{{path}}",
            "{% url %}",
            "<path>",
            "${dir}/x",
            "\u{a0}/a",
            "a\u{a0}b",
            "h.example",
            "h.example/a",
            "Googlebot",
            "&a=",
            "%2Fa",
            ": /a",
            "./a",
            "a b",
            "=",
            "#",
            "-",
            "caf\u{e9}",
            "ashx?w=",
            "php",
            "3Aprice-",
            "2Fa/b",
            "C3%A9t",
        ] {
            assert!(!is_path(pattern.as_bytes()), "{pattern}");
        }
    }
}
