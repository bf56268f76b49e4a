//! Findings as annotations of a GitHub workflow: a command for each on standard output.

use std::io::{self, Write};

use verger_answer::workflow_command::{message, property};
use verger_lint::Severity;

use super::file_findings::FileFindings;

/// Writes a command for each finding.
pub(super) fn write(output: &mut impl Write, found: &FileFindings<'_>) -> io::Result<()> {
    let name = found.name();
    let file = property(&name.to_string_lossy());
    for (severity, finding) in found.counted() {
        let command = match severity {
            Severity::Note => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        let region = found.region(finding.span());
        let help = finding.help.as_deref();
        let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
        let text = message(&format!("{}{help}", finding.message));
        write!(output, "::{command} file={file}")?;
        let has_place = !finding.spans.is_empty();
        if has_place {
            write!(output, ",line={},endLine={}", region.line, region.end_line)?;
        }
        // The columns of several lines are not read.
        if has_place && region.line == region.end_line {
            let (column, end) = (region.column, region.end_column);
            write!(output, ",col={column},endColumn={end}")?;
        }
        writeln!(output, ",title={}::{text}", property(finding.code))?;
    }
    Ok(())
}
