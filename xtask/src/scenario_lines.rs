//! The scenarios of `testdata/access` as JSON, for `cargo xtask cases`: times in seconds after time zero,
//! octets as base64, replies as servers send them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value as Json, json};
use verger_testkit::scenario::{
    ExpectedAnswer, FetchWhen, Location, Moment, Scenario, ScenarioCorpus, ServerReply, TIME_ZERO,
};

pub(crate) fn lines(corpus: &ScenarioCorpus) -> impl Iterator<Item = Json> {
    let scenarios = corpus.scenarios.iter().map(of_scenario);
    scenarios.chain(corpus.locations.iter().map(of_location))
}

fn of_scenario(scenario: &Scenario) -> Json {
    json!({
        "kind": "scenario",
        "id": scenario.id,
        "time_zero": TIME_ZERO,
        "url": scenario.url,
        "moments": scenario.moments.iter().map(of_moment).collect::<Vec<_>>(),
    })
}

fn of_moment(moment: &Moment) -> Json {
    let web = moment.web.iter();
    let web: Map<String, Json> = web.map(|(url, it)| (url.clone(), of_reply(it))).collect();
    let answers = moment.answers.iter();
    let answers: Map<String, Json> = answers
        .map(|(profile, it)| ((*profile).to_owned(), of_answer(it)))
        .collect();
    json!({
        "at": moment.at,
        "web": web,
        "fetch": match moment.fetch {
            FetchWhen::Due => "due",
            FetchWhen::Always => "always",
            FetchWhen::Never => "never",
        },
        "jitter": moment.jitter,
        "rest_is_up": moment.rest_is_up,
        "requests": moment.requests,
        "warnings": moment.warnings,
        "verdicts": moment.verdicts,
        "answers": answers,
    })
}

fn of_reply(reply: &ServerReply) -> Json {
    match reply {
        ServerReply::Http { status, body, .. } => json!({
            "status": status,
            "headers": reply.header_fields().collect::<Vec<_>>(),
            "body_base64": STANDARD.encode(body),
        }),
        ServerReply::FtpFile { body } => json!({ "ftp_file_base64": STANDARD.encode(body) }),
        ServerReply::Ftp { code } => json!({ "ftp": code }),
        ServerReply::Failure { name } => json!({ "failure": name }),
    }
}

/// The result is null where nothing is known yet; other keys are null where the scenario says nothing.
fn of_answer(answer: &ExpectedAnswer) -> Json {
    json!({
        "stance": answer.stance,
        "result": answer.result,
        "ask_again": answer.ask_again,
        "holds_until": answer.holds_until,
        "outcome": answer.outcome,
        "clause": answer.clause,
        "result_clause": answer.result_clause,
    })
}

fn of_location(location: &Location) -> Json {
    json!({
        "kind": "location",
        "id": location.id,
        "url": location.url,
        "robots": location.robots.as_ref().ok(),
        "error": location.robots.as_ref().err(),
        "applies_to": location.applies_to,
        "not_applied_to": location.not_applied_to,
    })
}
