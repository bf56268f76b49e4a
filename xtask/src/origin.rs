//! `cargo xtask origin`: the table of `docs/origin.md`, generated from the behaviours of the hostile origin.

use std::fmt::Write;

use verger_testkit::origin_file::{Behaviour, Expectation, bundled_behaviours};
use verger_testkit::scenario::PROFILES;

use crate::generated::Generated;

pub(crate) fn files() -> Result<Vec<Generated>, String> {
    let behaviours = bundled_behaviours().map_err(|error| error.to_string())?;
    Ok(vec![Generated::part("docs/origin.md", render(&behaviours))])
}

/// Renders a row for each behaviour, ordered by port.
fn render(behaviours: &[Behaviour]) -> String {
    let profiles = PROFILES.map(|profile| format!("`{profile}`")).join(" | ");
    let mut table = format!(
        "| port | behaviour | what it does | outcome | {profiles} |\n|{}\n",
        "---|".repeat(PROFILES.len() + 4)
    );
    for (offset, behaviour) in behaviours.iter().enumerate() {
        let outcomes = behaviour.expected.get(PROFILES[0]).map(outcomes);
        let answers = PROFILES.map(|profile| {
            let expectation = behaviour.expected.get(profile);
            expectation.map_or_else(String::new, |it| answer(it, outcomes.as_deref()))
        });
        let note = behaviour.note.as_ref();
        let note = note.map_or_else(String::new, |note| format!(". {note}"));
        let _ = writeln!(
            table,
            "| +{offset} | `{}` | {}: {}{note} | {} | {} |",
            behaviour.name,
            behaviour.scheme.as_str().to_uppercase(),
            behaviour.does,
            outcomes.as_deref().unwrap_or_default(),
            answers.join(" | "),
        );
    }
    table
}

fn outcomes(expectation: &Expectation) -> String {
    let codes = expectation.outcomes.iter().map(|code| format!("`{code}`"));
    codes.collect::<Vec<_>>().join(" or ")
}

/// Renders the stance and expiry, and the outcome if it is not the usual one.
fn answer(expectation: &Expectation, usual: Option<&str>) -> String {
    let (stance, rest) = expectation
        .answer_in_short
        .split_once(' ')
        .unwrap_or_default();
    let ask = rest.split_once("; ask ").map_or("", |(_, ask)| ask);
    let own = outcomes(expectation);
    if Some(own.as_str()) == usual {
        format!("{stance}, {ask}")
    } else {
        format!("{stance}, {ask} ({own})")
    }
}

#[cfg(test)]
mod tests {
    use verger_testkit::origin_file::read_behaviours;

    use super::*;

    #[test]
    fn a_row_tells_what_differs() {
        let text = r#"
            [[behaviour]]
            name = "one"
            scheme = "https"
            does = "Serves"
            clauses = ["X-1"]
            wire = "answers"
            note = "Once"
            outcomes = ["successful http 200"]
            other_outcomes = { cautious = ["redirect other-host", "redirect loop"] }
            all = "rules successful; ask 24h"
            cautious = "closed unreachable; ask 1m"
        "#;
        let behaviours = read_behaviours(text).unwrap_or_else(|error| panic!("{error}"));
        let table = render(&behaviours);
        assert_eq!(
            table.lines().last().unwrap_or_default(),
            "| +0 | `one` | HTTPS: Serves. Once | `successful http 200` | rules, 24h | rules, 24h | \
             rules, 24h | rules, 24h | rules, 24h | closed, 1m (`redirect other-host` or \
             `redirect loop`) |"
        );
    }
}
