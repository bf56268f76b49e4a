//! Results as `JUnit` XML, which CI systems show.

use std::io::{self, Write};

use verger::legible;

use crate::claims::claim_report::{ClaimAnswer, ClaimEnd, ClaimReport};
use crate::crawler_list::first_names;

/// One claim about one or several crawlers.
struct Test {
    name: String,
    line: Option<usize>,
    /// What fails, for which crawlers.
    failures: Vec<String>,
    /// What is not decided, for which crawlers.
    errors: Vec<String>,
}

impl Test {
    /// Creates the test of a claim from its different results.
    fn of(results: &[ClaimAnswer]) -> Option<Self> {
        let first = results.first()?;
        let count: usize = results.iter().map(|it| it.crawlers.len()).sum();
        let mut test = Self {
            name: match count {
                0 | 1 => first.claim(),
                _ => format!("{count} crawlers: {}", first.statement),
            },
            line: first.line,
            failures: Vec::new(),
            errors: Vec::new(),
        };
        for result in results {
            let (what, list) = match &result.result {
                ClaimEnd::Holds => continue,
                ClaimEnd::Fails(what) => (what, &mut test.failures),
                ClaimEnd::NotDecided(what) => (what, &mut test.errors),
            };
            let because = result.because();
            list.push(match count {
                0 | 1 => format!("{what}{because}"),
                _ => format!("{}: {what}{because}", first_names(&result.crawlers)),
            });
        }
        Some(test)
    }
}

/// Writes a test suite with one test per claim.
///
/// # Errors
///
/// Returns an error if writing fails.
pub fn write_junit(output: &mut impl Write, report: &ClaimReport<'_>) -> io::Result<()> {
    let results = report.by_result();
    let of_claims = results.chunk_by(|a, b| (a.line, &a.statement) == (b.line, &b.statement));
    let tests: Vec<Test> = of_claims.filter_map(Test::of).collect();
    let failures = tests.iter().filter(|it| !it.failures.is_empty()).count();
    let errors = tests.iter().filter(|it| !it.errors.is_empty());
    let errors = errors.filter(|it| it.failures.is_empty()).count();
    let (suite, count) = (escaped(&report.robots), tests.len());
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        output,
        "<testsuite name=\"{suite}\" tests=\"{count}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    let file = escaped(&report.file.to_string_lossy());
    for test in &tests {
        let name = escaped(&test.name);
        write!(
            output,
            "  <testcase classname=\"{suite}\" name=\"{name}\" file=\"{file}\""
        )?;
        if let Some(line) = test.line {
            write!(output, " line=\"{line}\"")?;
        }
        let (element, messages) = match (&test.failures[..], &test.errors[..]) {
            ([], []) => {
                writeln!(output, "/>")?;
                continue;
            }
            ([], errors) => ("error", errors),
            (failures, _) => ("failure", failures),
        };
        let message = escaped(&messages.join("; "));
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
