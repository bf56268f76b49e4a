use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix};
use crate::lint::Lint;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "carriage-return-line-ends",
    severity: Severity::Note,
    summary: "lines end with only CR",
    explanation: "\
The grammar permits CR, and crawlers that follow it read the file. Many programs read it as one line. Save the
file with LF or CR LF.",
    wrong: Example::of(b"User-agent: *\rDisallow: /private\r"),
    right: Example::of(b"User-agent: *\r\nDisallow: /private\r\n"),
    clauses: &[Clause::new("GL-line-1"), Clause::new("G-fmt-1")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let body = file.robots.body();
    if body.contains(&b'\n') || file.is_page() {
        return;
    }
    let is_end = |(_, byte): &(usize, &u8)| **byte == b'\r';
    let ends = body.iter().enumerate().filter(is_end);
    let edits: Vec<Edit> = ends
        .filter_map(|(at, _)| {
            let start = u32::try_from(at).ok()?;
            let span = Span {
                start,
                end: start + 1,
            };
            Some(Edit {
                span,
                text: (&b"\n"[..]).into(),
            })
        })
        .collect();
    if edits.is_empty() {
        return;
    }
    let fix = Fix {
        title: "end the lines with LF".to_owned(),
        edits,
        meaning: file.meaning_kept(),
    };
    let message = "the lines end with only CR: many programs read the file as one line";
    found.add(
        Draft::new(file.first_line(), message)
            .help("end the lines with LF")
            .fix(fix),
    );
}
