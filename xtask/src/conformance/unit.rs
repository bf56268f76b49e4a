//! Facts about Google's library other than verdicts, checked through the public API.

use verger::{Dialect, ProductToken, RecordKind, RobotsTxt, TargetPath};

use super::case::{UnitCase, bytes};
use crate::question::{Answer, ask};

/// Returns the difference as a sentence, or `None` if there is none.
pub(super) fn difference(case: &UnitCase) -> Result<Option<String>, String> {
    Ok(match case {
        UnitCase::UrlToPath { input, expected } => path_difference(input, expected),
        UnitCase::PatternEscape { input, expected } => escape_difference(input, expected),
        UnitCase::ValidUserAgent { input, expected } => {
            let is_identifier = ProductToken::verbatim(input).is_identifier();
            (is_identifier != *expected).then(|| {
                format!("`{input}`: expected valid user agent {expected}, Verger: {is_identifier}")
            })
        }
        UnitCase::ParseStats {
            input_b64,
            valid_directives,
            unknown_directives,
            last_line_with_directive,
        } => {
            let (known, others, last) = statistics(bytes(None, Some(input_b64))?);
            let found = format!("{known} known records, {others} others, last line {last}");
            let expected = format!(
                "{valid_directives} known records, {unknown_directives} others, last line \
                 {last_line_with_directive}"
            );
            (found != expected)
                .then(|| format!("{input_b64}: expected {expected}, Verger: {found}"))
        }
    })
}

fn path_difference(url: &str, expected: &str) -> Option<String> {
    let path = match TargetPath::new(url, Dialect::Google) {
        Ok(path) => String::from_utf8_lossy(path.as_bytes()).into_owned(),
        Err(error) => error.to_string(),
    };
    (path != expected).then(|| format!("path of `{url}`: expected `{expected}`, Verger: `{path}`"))
}

/// Checks the escaped form of a pattern. It is internal, so this checks the only target that it matches.
fn escape_difference(pattern: &str, escaped: &str) -> Option<String> {
    let body = format!("User-agent: *\nDisallow: /{pattern}$\n");
    let robots = RobotsTxt::parse(body, Dialect::Google);
    let answer = ask(&robots, &[], format!("http://h/{escaped}").as_bytes());
    let decided = Answer::Decided {
        allowed: false,
        line: Some(2),
    };
    (answer != decided).then(|| format!("`/{pattern}$` does not match `/{escaped}`"))
}

/// Returns the number of records that Google's library knows, the number of others, and the last line with a record.
fn statistics(body: Vec<u8>) -> (usize, usize, u32) {
    let robots = RobotsTxt::parse(body, Dialect::Google);
    let is_known = |kind| {
        matches!(
            kind,
            RecordKind::UserAgent | RecordKind::Allow | RecordKind::Disallow | RecordKind::Sitemap
        )
    };
    let known = robots
        .records()
        .filter(|record| is_known(record.kind()))
        .count();
    let last_line = robots.records().next_back();
    (
        known,
        robots.records().len() - known,
        last_line.map_or(0, |record| record.line().get()),
    )
}
