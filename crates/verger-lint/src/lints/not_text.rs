use verger::Clause;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "not-text",
    severity: Severity::Error,
    summary: "the file is compressed, binary or UTF-16, so crawlers cannot read it",
    explanation: "\
A crawler finds no rule in such a file, and may fetch everything. A compressed body was served without its
Content-Encoding header. UTF-16 comes from an editor that saved the file as \"Unicode\". Serve UTF-8 text.",
    wrong: Example::of(b"\xFF\xFEU\0s\0e\0r\0-\0a\0g\0e\0n\0t\0:\0 \0*\0\n\0"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("R9309-2.3-2"), Clause::new("V-22")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if let Some(diagnostic) = file.why_no_text() {
        let draft = Draft::new(file.first_line(), diagnostic.kind.to_string());
        found.add(draft.help("serve text in UTF-8"));
    }
}
