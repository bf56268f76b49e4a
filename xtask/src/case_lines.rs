//! `cargo xtask cases`: the case files as JSON Lines, for interfaces of the product that are written in
//! other languages. Octets travel as base64, dialects, verdicts and groups as the case files have
//! them; each line says by `kind` which table it is.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};
use verger_testkit::case::{AnswerCase, Ask, Case, Corpus, Listing, Target, Token, Value};
use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::scenario::load_scenarios;
use verger_testkit::subject::DialectName;

use crate::scenario_lines;

/// Prints every table that an interface can be tested with.
///
/// # Errors
///
/// Where a case file is wrong, or the output is closed.
pub(crate) fn print() -> Result<(), String> {
    write(io::stdout().lock())
}

/// Writes them where a binding's tests look for them.
///
/// # Errors
///
/// Where a case file is wrong, or the file cannot be written.
pub(crate) fn write_file(path: &Path) -> Result<(), String> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
    write(file)
}

fn write(out: impl Write) -> Result<(), String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let scenarios = load_scenarios(&testdata_dir()).map_err(|error| error.to_string())?;
    let mut out = BufWriter::new(out);
    for line in lines(&corpus).chain(scenario_lines::lines(&scenarios)) {
        writeln!(out, "{line}").map_err(|error| format!("the cases cannot be printed: {error}"))?;
    }
    out.flush()
        .map_err(|error| format!("the cases cannot be printed: {error}"))
}

fn lines(corpus: &Corpus) -> impl Iterator<Item = Json> {
    let cases = corpus.cases.iter().map(of_case);
    let targets = corpus.targets.iter().map(of_target);
    let tokens = corpus.tokens.iter().map(of_token);
    let listings = corpus.listings.iter().map(of_listing);
    let values = corpus.values.iter().map(of_value);
    let answers = corpus.answers.iter().map(of_answer);
    cases
        .chain(targets)
        .chain(tokens)
        .chain(listings)
        .chain(values)
        .chain(answers)
}

fn of_case(case: &Case) -> Json {
    json!({
        "kind": "case",
        "id": case.id,
        "robots_base64": STANDARD.encode(&case.robots),
        "option": case.option.map(verger_testkit::case::CaseOption::as_str),
        "asks": case.asks.iter().map(of_ask).collect::<Vec<_>>(),
    })
}

fn of_ask(ask: &Ask) -> Json {
    json!({
        "agents": ask.agents,
        "url_base64": STANDARD.encode(&ask.url),
        "verdicts": by_dialect(&ask.verdicts),
        "groups": by_dialect(&ask.groups),
    })
}

fn by_dialect(texts: &BTreeMap<DialectName, impl ToString>) -> BTreeMap<&'static str, String> {
    texts
        .iter()
        .map(|(dialect, text)| (dialect.as_str(), text.to_string()))
        .collect()
}

fn of_target(target: &Target) -> Json {
    json!({
        "kind": "target",
        "id": target.id,
        "url_base64": STANDARD.encode(&target.url),
        "google": target.google,
        "other": target.other,
    })
}

fn of_token(token: &Token) -> Json {
    json!({
        "kind": "token",
        "id": token.id,
        "text": token.text,
        "identifier": token.identifier,
        "accepted": token.accepted,
        "likely": token.likely,
    })
}

fn of_listing(listing: &Listing) -> Json {
    let groups = listing.groups.as_ref().map(|groups| {
        let groups = groups.iter();
        groups
            .map(|group| json!({ "agents": group.agents, "rules": group.rules }))
            .collect::<Vec<_>>()
    });
    let dialects = listing.dialects.iter().map(|dialect| dialect.as_str());
    json!({
        "kind": "listing",
        "id": listing.id,
        "robots_base64": STANDARD.encode(&listing.robots),
        "dialects": dialects.collect::<Vec<_>>(),
        "groups": groups,
        "sitemaps": listing.sitemaps,
    })
}

fn of_value(value: &Value) -> Json {
    json!({
        "kind": "value",
        "id": value.id,
        "robots_base64": STANDARD.encode(&value.robots),
        "agent": value.agent,
        "target": value.target,
        "field": value.field.as_str(),
        "expect": value.expect,
    })
}

fn of_answer(case: &AnswerCase) -> Json {
    json!({
        "kind": "answer",
        "id": case.id,
        "question": case.question.as_str(),
        "robots_base64": STANDARD.encode(&case.robots),
        "new_base64": STANDARD.encode(&case.new),
        "dialect": case.dialect.as_str(),
        "agents": case.agents,
        "max_states": case.max_states,
        "site": case.site,
        "url": case.url,
        "settings": case.settings,
        "export": case.export,
        "since": case.since,
        "until": case.until,
        "with_lines": case.with_lines,
        "expect": case.expect,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_table_that_a_face_can_be_held_to_is_a_line() {
        let corpus = load_all(&testdata_dir()).unwrap();
        for kind in ["case", "target", "token", "listing", "value", "answer"] {
            assert!(lines(&corpus).any(|line| line["kind"] == kind), "{kind}");
        }
        let asks: usize = corpus.cases.iter().map(|case| case.asks.len()).sum();
        let told = lines(&corpus).filter_map(|line| Some(line.get("asks")?.as_array()?.len()));
        assert_eq!(told.sum::<usize>(), asks);
    }

    #[test]
    fn every_line_is_one_line_and_every_scenario_has_one() {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let rows: Vec<Json> = text
            .lines()
            .map(|it| serde_json::from_str(it).unwrap())
            .collect();
        let scenarios = load_scenarios(&testdata_dir()).unwrap();
        let count = |kind: &str| rows.iter().filter(|it| it["kind"] == kind).count();
        assert_eq!(count("scenario"), scenarios.scenarios.len());
        assert_eq!(count("location"), scenarios.locations.len());
    }
}
