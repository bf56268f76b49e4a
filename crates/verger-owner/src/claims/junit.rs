//! Results as `JUnit` XML, which CI systems show.

use std::io::{self, Write};

use verger::legible;

use crate::claims::claim_report::{ClaimEnd, ClaimReport};
use crate::crawler_list::first_names;

/// Writes a test suite. Crawlers with the same result of a claim are one test.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_junit(output: &mut impl Write, report: &ClaimReport<'_>) -> io::Result<()> {
    let shown = report.by_result();
    let of = |wanted: fn(&ClaimEnd) -> bool| shown.iter().filter(|it| wanted(&it.result)).count();
    let failures = of(|result| matches!(result, ClaimEnd::Fails(_)));
    let errors = of(|result| matches!(result, ClaimEnd::NotDecided(_)));
    let (suite, tests) = (escaped(&report.robots), shown.len());
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        output,
        "<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    let file = escaped(&report.file.to_string_lossy());
    for shown in &shown {
        let (name, crawlers) = match &shown.crawlers[..] {
            [] | [_] => (shown.claim(), String::new()),
            many => (
                format!("{} crawlers: {}", many.len(), shown.statement),
                format!("{}: ", first_names(many)),
            ),
        };
        let name = escaped(&name);
        write!(
            output,
            "  <testcase classname=\"{suite}\" name=\"{name}\" file=\"{file}\""
        )?;
        if let Some(line) = shown.line {
            write!(output, " line=\"{line}\"")?;
        }
        let (element, message) = match &shown.result {
            ClaimEnd::Holds => {
                writeln!(output, "/>")?;
                continue;
            }
            ClaimEnd::Fails(message) => ("failure", message),
            ClaimEnd::NotDecided(message) => ("error", message),
        };
        let message = escaped(&format!("{crawlers}{message}{}", shown.because()));
        writeln!(output, "><{element} message=\"{message}\"/></testcase>")?;
    }
    writeln!(output, "</testsuite>")
}

/// Escapes text for an attribute. XML does not allow control characters.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in legible(text.as_bytes()).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}
