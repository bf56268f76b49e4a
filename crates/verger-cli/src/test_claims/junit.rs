//! Results as the XML of `JUnit`, which CI systems show.

use std::io::{self, Write};

use super::tested::{Shows, Tested};
use crate::octet_text::legible;

pub(super) fn write(output: &mut impl Write, tested: &Tested<'_>) -> io::Result<()> {
    let shown: Vec<_> = tested.shown().collect();
    let of = |wanted: fn(&Shows) -> bool| shown.iter().filter(|it| wanted(&it.result)).count();
    let failures = of(|result| matches!(result, Shows::Fails(_)));
    let errors = of(|result| matches!(result, Shows::NotDecided(_)));
    let (suite, tests) = (escaped(&tested.robots), shown.len());
    writeln!(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        output,
        "<testsuite name=\"{suite}\" tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\">"
    )?;
    let file = escaped(&tested.file.to_string_lossy());
    for shown in &shown {
        let name = escaped(&shown.claim());
        write!(
            output,
            "  <testcase classname=\"{suite}\" name=\"{name}\" file=\"{file}\""
        )?;
        if let Some(line) = shown.line {
            write!(output, " line=\"{line}\"")?;
        }
        match &shown.result {
            Shows::Holds => writeln!(output, "/>")?,
            Shows::Fails(message) => {
                let message = escaped(message);
                writeln!(output, "><failure message=\"{message}\"/></testcase>")?;
            }
            Shows::NotDecided(message) => {
                let message = escaped(message);
                writeln!(output, "><error message=\"{message}\"/></testcase>")?;
            }
        }
    }
    writeln!(output, "</testsuite>")
}

/// Text in an attribute. XML has no control characters.
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
