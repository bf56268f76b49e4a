use verger::{Clause, DiagnosticKind};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "byte-order-mark",
    severity: Severity::Note,
    summary: "the file begins with a byte order mark",
    explanation: "\
An editor wrote three bytes before the first line. Google's library and every dialect of Verger skip them. Other
parsers read them as part of the first key, and the first group is lost. Save the file as UTF-8 without a byte
order mark.",
    wrong: Example::of(b"\xEF\xBB\xBFUser-agent: *\nDisallow: /private\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-19"), Clause::new("GL-line-2")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    for diagnostic in &file.diagnostics {
        if diagnostic.kind == DiagnosticKind::ByteOrderMarkSkipped {
            let message = "some parsers read the byte order mark as part of the first line";
            let title = "remove the byte order mark";
            let edits = vec![Edit::new(diagnostic.span, &b""[..])];
            let fix = Fix::new(title, file.meaning_kept(), edits);
            let help = "save the file as UTF-8 without a byte order mark";
            found.add(Draft::new(diagnostic.span, message).help(help).fix(fix));
        }
    }
}
