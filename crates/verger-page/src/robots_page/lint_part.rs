//! The lint findings.

use std::io::{self, Write};

use verger_answer::CountOf;
use verger_lint::{Finding, Linted, Served, Severity};

use super::line_link::write_line;
use crate::web_page::{Columns, Text};

const FINDINGS: Columns<4> = Columns(["Severity", "Where", "What", "Lint"]);

/// Maximum number of findings listed.
const FINDINGS_MAX: usize = 300;

/// Writes the number of findings of each severity, then the first findings in file order. Lints
/// read the file by RFC 9309.
pub(super) fn write(
    output: &mut impl Write,
    body: &[u8],
    origin: Option<String>,
) -> io::Result<()> {
    let served = Served {
        origin,
        ..Served::default()
    };
    let linted = Linted::new(body, &served);
    let findings = linted.findings();
    if findings.is_empty() {
        return output.write_all(b"<p>\xe2\x9c\x93 No lint findings.</p>\n");
    }
    let severities = Severity::ALL.iter().copied().rev();
    let counts = severities.map(|severity| {
        let of_severity = findings.iter().filter(|it| it.severity == severity);
        let (one, others) = match severity {
            Severity::Note => ("note", "notes"),
            Severity::Warning => ("warning", "warnings"),
            Severity::Error => ("error", "errors"),
        };
        CountOf(of_severity.count(), one, others).to_string()
    });
    writeln!(
        output,
        "<p>{}, by RFC 9309. To read about a lint, run <code>verger lint --explain</code> with its name.</p>",
        counts.collect::<Vec<_>>().join(", ")
    )?;
    FINDINGS.begin(output, "", "")?;
    output.write_all(b"<tbody>\n")?;
    for finding in findings.iter().take(FINDINGS_MAX) {
        write_finding(output, &linted, finding)?;
    }
    output.write_all(b"</tbody></table>\n")?;
    if findings.len() > FINDINGS_MAX {
        let more = findings.len() - FINDINGS_MAX;
        writeln!(
            output,
            "<p class=\"cut\">{} not listed</p>",
            CountOf(more, "more lint finding", "more lint findings")
        )?;
    }
    Ok(())
}

fn write_finding(output: &mut impl Write, linted: &Linted, finding: &Finding) -> io::Result<()> {
    let (class, sign) = match finding.severity {
        Severity::Error => ("disallow", "✕ error"),
        Severity::Warning => ("some", "◐ warning"),
        Severity::Note => ("soft", "note"),
    };
    let (severity, place) = (FINDINGS.cell(0, class), FINDINGS.cell(1, ""));
    write!(output, "<tr>{severity}{sign}</td>{place}")?;
    write_line(output, linted.position(finding.span().start).line)?;
    let what = FINDINGS.cell(2, "wide");
    write!(output, "</td>{what}{}", Text(&finding.message))?;
    if let Some(lines) = linted.further_lines(finding) {
        write!(output, "<span class=\"note\">{}</span>", Text(&lines))?;
    }
    if let Some(help) = &finding.help {
        write!(output, "<span class=\"note\">{}</span>", Text(help))?;
    }
    writeln!(
        output,
        "</td>{}<code>{}</code></td></tr>",
        FINDINGS.cell(3, "wide"),
        Text(finding.code)
    )
}
