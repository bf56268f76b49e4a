use verger::{Clause, DiagnosticKind, InvalidLine};

use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::lint::Lint;
use crate::part::part;
use crate::severity::Severity;
use crate::subject::Subject;

/// Maximum number of lines to report in a file.
const LINES_MAX: usize = 20;

pub(super) const LINT: Lint = Lint {
    code: "control-character",
    severity: Severity::Warning,
    summary: "a control character, such as NUL, makes a line invalid",
    explanation: "\
The grammar permits no control characters except TAB and the line ends. Crawlers ignore a line with any other.
Google's library reads such a line up to a NUL. Remove the character. The lint reports the first 20 such lines
of a file.",
    wrong: Example::of(b"User-agent: *\nDisallow: /private\x00\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\n"),
    clauses: &[Clause::new("V-20"), Clause::new("R9309-3-3"), Clause::new("GL-line-4")],
    check,
};

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() {
        return;
    }
    let is_control = |kind| kind == DiagnosticKind::InvalidLine(InvalidLine::ControlByte);
    let lines = file.diagnostics.iter().filter(|it| is_control(it.kind));
    for diagnostic in lines.take(LINES_MAX) {
        let line = file.bytes(diagnostic.span);
        let is_odd = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | 0x7F);
        let nul = line.iter().position(|byte| *byte == 0);
        let Some(at) = nul.or_else(|| line.iter().position(is_odd)) else {
            continue;
        };
        let span = part(diagnostic.span, at..at + 1);
        let message = match line[at] {
            0 => {
                "Google reads the line up to its NUL byte, and other crawlers ignore it".to_owned()
            }
            byte => format!("the line is ignored: it contains the control character 0x{byte:02X}"),
        };
        found.add(Draft::new(span, message).help("remove the character"));
    }
}
