//! Who may fetch what, as JSON Lines: `verger.who/1` in `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;
use verger::{LineNumber, ProductToken};
use verger_compare::{ExtentClass, Found};
use verger_crawlers::KnownCrawler;
use verger_owner::WhoRow;

const SCHEMA: &str = "verger.who/1";

#[derive(Serialize)]
struct WhoLine<'r> {
    schema: &'static str,
    crawler: &'r str,
    tokens: Vec<&'r str>,
    operator: Option<&'r str>,
    purposes: Vec<&'static str>,
    /// `everything`, `some` or `nothing`.
    disallowed: Option<&'static str>,
    group: Option<Group<'r>>,
    rule_line: Option<u32>,
    allowed_url: Option<String>,
    disallowed_url: Option<String>,
    states: Option<u64>,
}

#[derive(Serialize)]
struct Group<'r> {
    line: u32,
    token: Option<&'r str>,
    own: bool,
}

pub(super) fn write(output: &mut impl Write, rows: &[WhoRow<'_>], site: &str) -> io::Result<()> {
    for row in rows {
        verger_answer::json::to_writer(&mut *output, &line(row, site))?;
        output.write_all(b"\n")?;
    }
    Ok(())
}

fn line<'r>(row: &'r WhoRow<'_>, site: &str) -> WhoLine<'r> {
    let known = row.crawler.known();
    let tokens = row.crawler.crawler().tokens().iter();
    let url = |found: &Found| found.witness().map(|it| it.url(site));
    let states = |found: &Found| match found {
        Found::NotDecided { states } => Some(*states),
        Found::Witness(_) | Found::NoTarget => None,
    };
    let (allowed, disallowed) = (row.extent.allowed(), row.extent.disallowed());
    WhoLine {
        schema: SCHEMA,
        crawler: row.crawler.name(),
        tokens: tokens.map(ProductToken::as_str).collect(),
        operator: known.map(KnownCrawler::operator),
        purposes: known.map_or_else(Vec::new, |known| {
            known.purposes().iter().map(|it| it.as_str()).collect()
        }),
        disallowed: row.extent.class().map(ExtentClass::as_str),
        group: row.group.as_ref().map(|group| Group {
            line: group.line.get(),
            token: group.token.as_deref(),
            own: group.is_own,
        }),
        rule_line: row.disallowed_by.map(LineNumber::get),
        allowed_url: url(allowed),
        disallowed_url: url(disallowed),
        states: states(allowed).or_else(|| states(disallowed)),
    }
}
