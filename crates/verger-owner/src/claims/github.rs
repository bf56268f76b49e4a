//! Results as GitHub workflow commands: one for each line of the robots.txt that contradicts
//! claims, and one for each other failed claim.

use std::io::{self, Write};
use std::path::Path;

use verger_answer::workflow_command::{message, property};

use crate::claims::claim_report::{ClaimAnswer, ClaimEnd, ClaimReport};

/// Maximum number of crawlers, and of claims, in one annotation.
const NAMED_MAX: usize = 5;

struct Annotation<'t> {
    file: &'t Path,
    line: Option<usize>,
    claims: Vec<FailedClaim>,
}

/// A claim that several crawlers fail in the same way.
struct FailedClaim {
    crawlers: Vec<String>,
    statement: String,
    what: String,
    /// Line in the claim file.
    line: Option<usize>,
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
    for shown in report.answers() {
        let what = match &shown.result {
            ClaimEnd::Holds => continue,
            ClaimEnd::Fails(what) | ClaimEnd::NotDecided(what) => what.clone(),
        };
        let (file, line) = place(report, &shown);
        let same = annotations
            .iter()
            .position(|it| it.file == file && it.line == line);
        let at = same.unwrap_or_else(|| {
            let claims = Vec::new();
            annotations.push(Annotation { file, line, claims });
            annotations.len() - 1
        });
        annotations[at].add(shown, what);
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
    fn add(&mut self, shown: ClaimAnswer, what: String) {
        let same = self
            .claims
            .iter_mut()
            .find(|it| it.line == shown.line && it.statement == shown.statement && it.what == what);
        match same {
            Some(claim) => claim.crawlers.extend(shown.crawler),
            None => self.claims.push(FailedClaim {
                crawlers: shown.crawler.into_iter().collect(),
                statement: shown.statement,
                what,
                line: shown.line,
            }),
        }
    }

    fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let texts = self.claims.iter().take(NAMED_MAX).map(FailedClaim::text);
        let mut texts: Vec<String> = texts.collect();
        if self.claims.len() > NAMED_MAX {
            texts.push(format!("and {} more", self.claims.len() - NAMED_MAX));
        }
        let file = property(&self.file.to_string_lossy());
        let line = self.line.map(|line| format!(",line={line}"));
        let line = line.unwrap_or_default();
        let text = message(&texts.join("\n"));
        writeln!(output, "::error file={file}{line},title=robots.txt::{text}")
    }
}

impl FailedClaim {
    /// Example:
    /// `googlebot, bingbot and 3 more: / is allowed, but / is disallowed by line 2 (claim in line 4)`.
    fn text(&self) -> String {
        let names = self.crawlers[..self.crawlers.len().min(NAMED_MAX)].join(", ");
        let names = match self.crawlers.len().saturating_sub(NAMED_MAX) {
            0 => names,
            more => format!("{names} and {more} more"),
        };
        let colon = if names.is_empty() { "" } else { ": " };
        let line = self.line.map(|line| format!(" (claim in line {line})"));
        let (statement, what, line) = (&self.statement, &self.what, line.unwrap_or_default());
        format!("{names}{colon}{statement}, but {what}{line}")
    }
}
