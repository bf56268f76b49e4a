//! Describes the origin as text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::server::{Origin, OriginError};
use super::settings::{OriginSettings, robots_url};
use verger_testkit::origin_file::{Behaviour, Expectation, bundled_behaviours};
use verger_testkit::scenario::PROFILES;

/// Describes a running origin for a terminal, one paragraph per behaviour.
#[must_use]
pub fn listing(origin: &Origin) -> String {
    let behaviours = origin.behaviours();
    let paragraphs = behaviours.map(|it| paragraph(it, &origin.url(&it.name)));
    paragraphs.collect::<Vec<_>>().join("\n")
}

/// Describes the origin that these settings would start.
///
/// # Errors
///
/// Returns an error if there are not enough ports.
pub fn planned_listing(settings: &OriginSettings) -> Result<String, OriginError> {
    let behaviours = bundled_behaviours().map_err(OriginError::File)?;
    let mut paragraphs = Vec::new();
    for (behaviour, offset) in behaviours.iter().zip(0..) {
        let port = settings.port(offset).ok_or(OriginError::PortsExhausted)?;
        let url = robots_url(behaviour.scheme, &settings.host, port);
        paragraphs.push(paragraph(behaviour, &url));
    }
    Ok(paragraphs.join("\n"))
}

fn paragraph(behaviour: &Behaviour, url: &str) -> String {
    let mut text = format!("{:<28} {url}\n    {}.\n", behaviour.name, behaviour.does);
    if let Some(note) = &behaviour.note {
        let _ = writeln!(text, "    {note}.");
    }
    for (expectation, profiles) in grouped(&behaviour.expected) {
        let profiles = if profiles.len() == PROFILES.len() {
            "all".to_owned()
        } else {
            profiles.join(", ")
        };
        let outcomes = expectation.outcomes.join(" | ");
        let answer = &expectation.answer_in_short;
        let _ = writeln!(text, "    {profiles}: {answer} ({outcomes})");
    }
    text
}

/// Groups profiles with the same expectation.
fn grouped<'b>(
    expected: &'b BTreeMap<&'static str, Expectation>,
) -> Vec<(&'b Expectation, Vec<&'static str>)> {
    let mut groups: Vec<(&Expectation, Vec<&'static str>)> = Vec::new();
    for profile in PROFILES {
        let Some(expectation) = expected.get(profile) else {
            continue;
        };
        match groups.iter_mut().find(|(of, _)| *of == expectation) {
            Some((_, profiles)) => profiles.push(profile),
            None => groups.push((expectation, vec![profile])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger_testkit::origin_file::read_behaviours;

    #[test]
    fn profiles_that_agree_share_a_line() {
        let text = r#"
            [[behaviour]]
            name = "status-404"
            scheme = "http"
            does = "Answers 404"
            clauses = ["X-1"]
            wire = "answers"
            outcomes = ["error http 404"]
            all = "open unavailable; ask 24h"
            koster1996 = "open unavailable; ask 7d"
        "#;
        let behaviours = read_behaviours(text).unwrap();
        assert_eq!(
            paragraph(&behaviours[0], "http://h.example/robots.txt"),
            "status-404                   http://h.example/robots.txt\n    \
             Answers 404.\n    \
             rfc9309, google, google-2023, draft2019, cautious: open unavailable; ask 24h \
             (error http 404)\n    \
             koster1996: open unavailable; ask 7d (error http 404)\n"
        );
    }
}
