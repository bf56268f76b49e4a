use verger::Clause;
use verger::limits::GOOGLE_LINE_BYTES_MAX;

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "line-too-long",
    severity: Severity::Warning,
    summary: "a line has more than the 16,663 bytes that Google's library keeps",
    explanation: "\
Google's library drops the rest of the line. A shortened path makes the rule match more URLs. Such a line is
usually not part of a robots.txt: it is an image encoded as text, or a file without line ends.",
    wrong: Example::repeated(b'#', GOOGLE_LINE_BYTES_MAX + 1),
    right: Example::of(b"User-agent: *\nDisallow: /private/\n"),
    clauses: &[Clause::new("GL-line-3"), Clause::new("V-24")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() || file.places.longest_line() <= GOOGLE_LINE_BYTES_MAX {
        return;
    }
    for line in file.robots.lines() {
        let bytes = line.bytes().len();
        if bytes > GOOGLE_LINE_BYTES_MAX {
            let dropped = GOOGLE_LINE_BYTES_MAX..GOOGLE_LINE_BYTES_MAX + 1;
            let message = format!(
                "the line is too long: it has {bytes} bytes, and Google's library drops the rest from here"
            );
            found.add(Draft::new(part(line.span(), dropped), message));
        }
    }
}
