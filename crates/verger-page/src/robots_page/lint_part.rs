//! The lint findings, the most severe first.

use std::cmp::Reverse;
use std::io::{self, Write};

use verger_answer::CountOf;
use verger_lint::{Finding, Linted, Severity};

use super::line_link::write_line;
use crate::web_page::{Columns, Message, write_cut, write_folded};

const FINDINGS: Columns<4> = Columns(["Severity", "Where", "What", "Lint"]);

/// Maximum number of findings listed.
const FINDINGS_MAX: usize = 300;
/// Number of findings that are not folded.
const UNFOLDED: usize = 10;

/// Writes the number of findings of each severity, linked to the findings.
pub(super) fn write_counts(output: &mut impl Write, linted: &Linted) -> io::Result<()> {
    if linted.findings().is_empty() {
        return output.write_all("<span>✓ No problems found</span>".as_bytes());
    }
    for severity in Severity::ALL.iter().copied().rev() {
        let of_severity = linted
            .findings()
            .iter()
            .filter(|it| it.severity == severity);
        let [sign, one, others] = words(severity);
        let count = of_severity.count();
        if count > 0 {
            let count = CountOf(count, one, others);
            write!(
                output,
                "<a class=\"badge {one}\" href=\"#lint\">{sign} {count}</a>"
            )?;
        }
    }
    Ok(())
}

/// Writes the first findings. Lints read the file by RFC 9309.
pub(super) fn write(output: &mut impl Write, linted: &Linted) -> io::Result<()> {
    output.write_all(
        b"<p class=\"soft\">By RFC 9309. <code>verger lint --explain NAME</code> explains a lint.</p>\n",
    )?;
    let mut findings: Vec<_> = linted.findings().iter().collect();
    findings.sort_by_key(|finding| Reverse(finding.severity));
    let left_out = findings.len().saturating_sub(FINDINGS_MAX);
    findings.truncate(FINDINGS_MAX);
    let summary = |count| CountOf(count, "more finding", "more findings").to_string();
    write_folded(output, &findings, UNFOLDED, summary, |output, findings| {
        FINDINGS.begin(output, "findings")?;
        for finding in findings {
            write_finding(output, linted, finding)?;
        }
        output.write_all(b"</tbody></table>\n")
    })?;
    let nouns = ["more lint finding", "more lint findings"];
    write_cut(output, left_out as u64, nouns, "not listed")
}

/// Returns the sign, the singular and the plural of a severity.
fn words(severity: Severity) -> [&'static str; 3] {
    match severity {
        Severity::Error => ["✕", "error", "errors"],
        Severity::Warning => ["▲", "warning", "warnings"],
        Severity::Note => ["◇", "note", "notes"],
    }
}

fn write_finding(output: &mut impl Write, linted: &Linted, finding: &Finding) -> io::Result<()> {
    let [sign, class, _] = words(finding.severity);
    let (severity, place) = (FINDINGS.cell(0, ""), FINDINGS.cell(1, ""));
    write!(
        output,
        "<tr>{severity}<span class=\"badge {class}\">{sign} {class}</span></td>{place}"
    )?;
    write_line(output, linted.position(finding.span().start).line)?;
    let (what, message) = (FINDINGS.cell(2, "wide"), Message(&finding.message));
    write!(output, "</td>{what}{message}")?;
    let further = linted.further_lines(finding);
    for more in further.iter().chain(&finding.help) {
        write!(output, "<div class=\"soft\">{}</div>", Message(more))?;
    }
    let cell = FINDINGS.cell(3, "wide");
    writeln!(output, "</td>{cell}<code>{}</code></td></tr>", finding.code)
}
