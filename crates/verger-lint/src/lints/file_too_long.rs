use verger::limits::BODY_BYTES_MAX;
use verger::{Clause, Span};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

/// Size from which a file is near the limit, in bytes.
const NEAR_BYTES: usize = BODY_BYTES_MAX / 10 * 9;

pub(super) const LINT: Lint = Lint {
    code: "file-too-long",
    severity: Severity::Error,
    summary: "the file is longer than the 512,000 bytes that crawlers read",
    explanation: "\
RFC 9309 requires crawlers to read at least 500 KiB, and Google ignores the rest, so later rules have no effect.
To shorten the file, use wildcards, and rules for directories instead of pages. From 460,800 bytes on, the
finding is a note.",
    wrong: Example::repeated(b'\n', BODY_BYTES_MAX + 1),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("R9309-2.5-2"), Clause::new("G-fmt-5"), Clause::new("V-23")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    let bytes = file.robots.body().len();
    if bytes < NEAR_BYTES {
        return;
    }
    let read = file.robots.bytes_read();
    let draft = if read < bytes {
        let start = Span { start: 0, end: 0 };
        let message = format!(
            "the file is too long: crawlers ignore all of its {bytes} bytes after byte {read}"
        );
        Draft::new(part(start, read..read + 1), message)
    } else {
        let message = format!(
            "the file is almost too long: it has {bytes} bytes, and crawlers read {BODY_BYTES_MAX}"
        );
        Draft::new(file.first_line(), message).severity(Severity::Note)
    };
    found.add(draft.help("write rules for directories, or with wildcards"));
}
