use verger::{Clause, DiagnosticKind, LineNumber, Record, RecordKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::{find_ignoring_case, has_any};

/// Number of bytes to search for signs of a challenge.
const PAGE_BYTES_MAX: usize = 20_000;

/// Signs of challenge pages, in lower case.
const CHALLENGES: [&str; 9] = [
    "just a moment",
    // Pages with a form also contain its captcha.
    "captcha-delivery",
    "distil_r_captcha",
    "px-captcha",
    "_incapsula_resource",
    "cf-challenge",
    "challenge-platform",
    "anubis",
    "checking your browser",
];

/// How a conflict begins that Git could not resolve.
const MERGE_MARKER: &[u8] = b"<<<<<<< ";

pub(super) const LINT: Lint = Lint {
    code: "html-page",
    severity: Severity::Error,
    summary: "the file is an HTML page",
    explanation: "\
A crawler finds no rule in a page, and may fetch everything. Some still search it for lines. The cause is an
application that answers every path, an error page with status 200, or a bot challenge of a CDN. Serve
`/robots.txt` as `text/plain`, without a challenge, or answer 404.

If rules follow, such as below a warning of PHP, remove the lines above them. A file that starts with the conflict
marker of a merge is a warning: crawlers read the rules of both versions.",
    wrong: Example::of(b"<!doctype html>\n<title>Welcome</title>\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("G-fmt-3"), Clause::new("V-45"), Clause::new("R9309-2.3-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_page = |kind| kind == DiagnosticKind::LooksLikeHtml;
    let is_html = file.diagnostics.iter().any(|it| is_page(it.kind));
    if !is_html || file.template_line().is_some() {
        return;
    }
    if file.robots.body().starts_with(MERGE_MARKER) {
        let message = "the file has the conflict markers of a merge, and perhaps two versions";
        let help = "keep the lines of one version, and remove the others and the markers";
        let draft = Draft::new(file.first_line(), message).help(help);
        found.add(draft.severity(Severity::Warning));
        return;
    }
    if let Some(line) = first_line_below(file) {
        let message = "the file starts like an HTML page, and rules follow";
        let help =
            format!("remove the lines above line {line}, and all other text that is not a rule");
        found.add(Draft::new(file.first_line(), message).help(help));
        return;
    }
    let body = file.robots.body();
    let start = &body[..body.len().min(PAGE_BYTES_MAX)];
    let message = if has_any(start, &CHALLENGES) {
        "the file looks like a bot challenge, which crawlers cannot solve"
    } else {
        "the file looks like an HTML page"
    };
    let help = "serve `/robots.txt` as text, or answer 404 if there is none";
    found.add(Draft::new(file.first_line(), message).help(help));
}

/// Returns the first line of a robots.txt that is not part of a page: it has a group with rules, and
/// no tag ends after it.
fn first_line_below(file: &Subject<'_>) -> Option<LineNumber> {
    let mut groups = file.robots.groups();
    groups.find(|group| group.rules().next().is_some())?;
    let belongs = |it: &Record<'_>| {
        matches!(it.kind(), RecordKind::UserAgent | RecordKind::Sitemap) || it.kind().is_rule()
    };
    let first = file.robots.records().find(belongs)?;
    let below = file.robots.body().get(first.span().start as usize..)?;
    (find_ignoring_case(below, b"</").is_none()).then(|| first.line())
}
