//! Results as JSON Lines: `verger.test/1` in `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;

use super::tested::{Shows, Tested};

const SCHEMA: &str = "verger.test/1";

#[derive(Serialize)]
struct ResultLine<'t> {
    schema: &'static str,
    robots: &'t str,
    claim: String,
    why: Option<String>,
    line: Option<usize>,
    /// `null` where it is not decided.
    holds: Option<bool>,
    message: Option<String>,
    /// Of a claim about a sitemap.
    #[serde(skip_serializing_if = "Option::is_none")]
    urls: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    disallowed: Option<u64>,
}

pub(super) fn write(output: &mut impl Write, tested: &Tested<'_>) -> io::Result<()> {
    for shown in tested.shown() {
        let claim = shown.claim();
        let (holds, message) = match shown.result {
            Shows::Holds => (Some(true), None),
            Shows::Fails(message) => (Some(false), Some(message)),
            Shows::NotDecided(message) => (None, Some(message)),
        };
        let line = ResultLine {
            schema: SCHEMA,
            robots: &tested.robots,
            claim,
            why: shown.why,
            line: shown.line,
            holds,
            message,
            urls: shown.urls.map(|[urls, _]| urls),
            disallowed: shown.urls.map(|[_, disallowed]| disallowed),
        };
        verger_answer::json::to_writer(&mut *output, &line)?;
        output.write_all(b"\n")?;
    }
    Ok(())
}
