use verger::{Clause, DiagnosticKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;
use crate::text::find_ignoring_case;

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

pub(super) const LINT: Lint = Lint {
    code: "html-page",
    severity: Severity::Error,
    summary: "the file is an HTML page",
    explanation: "\
A crawler finds no rule in a page, and may fetch everything. Some still search it for lines. The cause is an
application that answers every path, an error page with status 200, or a bot challenge of a CDN. Serve
`/robots.txt` as `text/plain`, without a challenge, or answer 404.",
    wrong: Example::of(b"<!doctype html>\n<title>Welcome</title>\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("G-fmt-3"), Clause::new("V-45"), Clause::new("R9309-2.3-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let is_page = |kind| kind == DiagnosticKind::LooksLikeHtml;
    let is_template = file.template_line().is_some();
    if is_template || !file.diagnostics.iter().any(|it| is_page(it.kind)) {
        return;
    }
    let body = file.robots.body();
    let start = &body[..body.len().min(PAGE_BYTES_MAX)];
    let mut marks = CHALLENGES.iter();
    let message = if marks.any(|mark| find_ignoring_case(start, mark.as_bytes()).is_some()) {
        "the file looks like a bot challenge, which crawlers cannot solve"
    } else {
        "the file looks like an HTML page"
    };
    let help = "serve `/robots.txt` as text, or answer 404 if there is none";
    found.add(Draft::new(file.first_line(), message).help(help));
}
