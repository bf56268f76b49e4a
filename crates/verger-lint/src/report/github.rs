//! Findings as annotations of a GitHub workflow.

use std::fmt;

use verger_answer::workflow_command::{message, property};

use super::file_findings::FileFindings;
use crate::severity::Severity;

/// The findings of a file as GitHub workflow commands, one per line.
#[derive(Debug)]
pub struct GithubAnnotations<'f>(pub &'f FileFindings);

impl fmt::Display for GithubAnnotations<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(found) = self;
        let file = property(&String::from_utf8_lossy(found.name()));
        for (severity, finding) in found.counted() {
            let command = match severity {
                Severity::Note => "notice",
                Severity::Warning => "warning",
                Severity::Error => "error",
            };
            let region = found.region(finding.span());
            let help = finding.help.as_deref();
            let help = help.map_or_else(String::new, |help| format!("\nhelp: {help}"));
            let further = found.file().further_lines(finding);
            let further = further.map_or_else(String::new, |lines| format!("\n{lines}"));
            let text = message(&format!("{}{further}{help}", finding.message));
            write!(f, "::{command} file={file}")?;
            let has_place = !finding.spans.is_empty();
            if has_place {
                write!(f, ",line={},endLine={}", region.line, region.end_line)?;
            }
            // GitHub ignores columns of ranges over several lines.
            if has_place && region.line == region.end_line {
                let (column, end) = (region.column, region.end_column);
                write!(f, ",col={column},endColumn={end}")?;
            }
            writeln!(f, ",title={}::{text}", property(finding.code))?;
        }
        Ok(())
    }
}
