//! TOML input: claims about a file, and lint settings.

use std::path::Path;

use verger::RobotsTxt;
use verger_answer::json;
use verger_lint::report::LintSettings;
use verger_owner::{ClaimFile, ClaimLine, ClaimReport, check_claims, claims_of_file};

use crate::argument::{Argument, Bytes, unknown};
use crate::failure::Failure;
use crate::owner::lint;

pub(crate) fn answer(name: &[u8], of: &Argument, bytes: Bytes<'_>) -> Result<String, Failure> {
    match (name, bytes) {
        (b"lint-by-settings", [name, body]) => {
            let settings = LintSettings::from_toml(&of.settings).map_err(Failure::argument)?;
            lint(of, name, body, &settings)
        }
        (b"test", [claims, body]) => test(of, claims, body),
        (b"claims", [body]) => {
            let read_as = of.read_as();
            let robots = RobotsTxt::parse(*body, read_as.reading());
            let (site, budget) = (of.site()?, of.budget());
            Ok(claims_of_file(
                robots,
                read_as,
                ("robots.txt", &site),
                budget,
            ))
        }
        _ => Err(unknown(name)),
    }
}

/// Returns a line of `verger.test/1` for each claim about crawlers.
fn test(of: &Argument, claims: &[u8], body: &[u8]) -> Result<String, Failure> {
    let claims = std::str::from_utf8(claims).map_err(Failure::argument)?;
    let file = ClaimFile::parse(claims, None).map_err(Failure::argument)?;
    if let Some(pages) = file.pages().first() {
        let why = "claims about pages need the command. Run `verger test`";
        let line = pages.line.unwrap_or(0);
        return Err(Failure::argument(format_args!("line {line}: {why}")));
    }
    if let Some(sitemap) = file.sitemaps().first() {
        let why = "claims about sitemaps need the command. Run `verger test`";
        return Err(Failure::argument(format_args!(
            "line {}: {why}",
            sitemap.line
        )));
    }
    let robots = RobotsTxt::parse(body, file.read_as().reading());
    let name = file.robots().unwrap_or("robots.txt");
    let report = ClaimReport {
        file: Path::new("robots.test.toml"),
        robots: name.to_owned(),
        robots_file: None,
        beside: None,
        claims: check_claims(file.claims(), robots, &of.site()?, of.budget()),
        comparison: None,
        sitemaps: Vec::new(),
        pages: Vec::new(),
        warnings: Vec::new(),
    };
    let mut lines = Vec::new();
    for answer in report.answers() {
        json::write_line(&mut lines, &ClaimLine::new(answer, name)).map_err(Failure::internal)?;
    }
    json::text_of(lines).map_err(Failure::internal)
}
