//! Results as GitHub workflow commands: one for each line of the robots.txt that contradicts
//! claims, and one for each other failed claim.

use std::io::{self, Write};
use std::path::Path;

use verger_answer::workflow_command::{message, property};

use crate::claims::claim_report::{ClaimAnswer, ClaimEnd, ClaimReport};

/// Maximum number of claims in one annotation.
const CLAIMS_MAX: usize = 5;

struct Annotation<'t> {
    file: &'t Path,
    line: Option<usize>,
    claims: Vec<String>,
}

/// Writes the commands in the order of the claims.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_github(output: &mut impl Write, report: &ClaimReport<'_>) -> io::Result<()> {
    let file = property(&report.file.to_string_lossy());
    for (line, said) in &report.warnings {
        let message = message(said);
        writeln!(
            output,
            "::warning file={file},line={line},title=robots.txt::{message}"
        )?;
    }
    let mut annotations: Vec<Annotation<'_>> = Vec::new();
    for shown in report.by_result() {
        let what = match &shown.result {
            ClaimEnd::Holds => continue,
            ClaimEnd::Fails(what) | ClaimEnd::NotDecided(what) => what,
        };
        let in_line = shown.line.map(|line| format!(" (claim in line {line})"));
        let (claim, because) = (shown.claim(), shown.because());
        let in_line = in_line.unwrap_or_default();
        let text = format!("{claim}, but {what}{because}{in_line}");
        let (file, line) = place(report, &shown);
        let same = annotations
            .iter()
            .position(|it| it.file == file && it.line == line);
        let at = same.unwrap_or_else(|| {
            let claims = Vec::new();
            annotations.push(Annotation { file, line, claims });
            annotations.len() - 1
        });
        annotations[at].claims.push(text);
    }
    for annotation in annotations {
        annotation.write(output)?;
    }
    Ok(())
}

/// Returns the line that decides, the claim, or the start of the local robots.txt, in that order.
fn place<'t>(report: &ClaimReport<'t>, shown: &ClaimAnswer) -> (&'t Path, Option<usize>) {
    match (report.robots_file, shown.robots_line, shown.line) {
        (Some(file), Some(line), _) => (file, usize::try_from(line.get()).ok()),
        (_, _, Some(line)) => (report.file, Some(line)),
        (_, _, None) => (report.beside.unwrap_or(report.file), None),
    }
}

impl Annotation<'_> {
    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let mut texts = self.claims[..self.claims.len().min(CLAIMS_MAX)].to_vec();
        if self.claims.len() > CLAIMS_MAX {
            texts.push(format!("and {} more", self.claims.len() - CLAIMS_MAX));
        }
        let file = property(&self.file.to_string_lossy());
        let line = self.line.map(|line| format!(",line={line}"));
        let line = line.unwrap_or_default();
        let text = message(&texts.join("\n"));
        writeln!(output, "::error file={file}{line},title=robots.txt::{text}")
    }
}
