//! Runs every scenario under every profile, and checks properties of every answer.

use verger::{Crawler, Dialect, Effect};
use verger_access::{AccessPolicy, Answer, Profile, Stance};
use verger_testkit::case::testdata_dir;
use verger_testkit::scenario::{
    ExpectedAnswer, Moment, PROFILES, Scenario, ScenarioCorpus, TIME_ZERO, load_scenarios,
};

use crate::replay::{Replay, Replayed};

pub fn corpus() -> ScenarioCorpus {
    load_scenarios(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_profile_answers_every_scenario() {
    let mut faults = Vec::new();
    let (mut scenarios, mut answers) = (0, 0);
    for scenario in &corpus().scenarios {
        scenarios += 1;
        for name in PROFILES {
            let profile: Profile = name.parse().unwrap();
            let mut replay = Replay::new(scenario, &profile);
            for moment in &scenario.moments {
                let replayed = replay.moment(moment);
                answers += usize::from(moment.answers.contains_key(name));
                for fault in faults_of(scenario, moment, name, &replayed) {
                    faults.push(format!(
                        "{}: {} at {} s under {name}: {fault}",
                        scenario.file, scenario.id, moment.at
                    ));
                }
            }
        }
    }
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
    println!("{scenarios} scenarios, {answers} answers");
}

fn faults_of(
    scenario: &Scenario,
    moment: &Moment,
    profile: &str,
    replayed: &Replayed,
) -> Vec<String> {
    let answer = &replayed.answer;
    let mut faults = faults_of_any(answer);
    if let Some(expected) = moment.answers.get(profile) {
        let got = as_text(answer, expected);
        let wanted = wanted(expected);
        if got != wanted {
            faults.push(format!("expected `{wanted}`, got `{got}`"));
        }
    }
    if let Some(requests) = &moment.requests {
        let hops = replayed.attempt.iter().flat_map(|attempt| &attempt.hops);
        let got: Vec<&str> = hops.map(|hop| hop.url.as_str()).collect();
        if got != *requests {
            faults.push(format!("requested {got:?}"));
        }
    }
    if let Some(warnings) = &moment.warnings {
        let of_attempt = replayed
            .attempt
            .iter()
            .flat_map(|attempt| &attempt.warnings);
        let got: Vec<&str> = of_attempt.map(verger_access::Warning::as_str).collect();
        if got != *warnings {
            faults.push(format!("warned {got:?}"));
        }
    }
    for (question, verdict) in &moment.verdicts {
        let (agent, url) = question.split_once(' ').unwrap();
        let effect = effect(answer, agent, url);
        if effect.as_str() != verdict {
            faults.push(format!(
                "{question} on {}: {}",
                scenario.url,
                effect.as_str()
            ));
        }
    }
    faults
}

fn effect(answer: &Answer, agent: &str, url: &str) -> Effect {
    let crawler = Crawler::named(agent, answer.dialect()).unwrap();
    let policy = AccessPolicy::new(answer, &crawler);
    policy.decide_url(url).unwrap().effect()
}

/// Returns the violated properties of an answer.
fn faults_of_any(answer: &Answer) -> Vec<String> {
    let mut faults = Vec::new();
    let has_rules = matches!(answer.stance(), Stance::Rules | Stance::Copy);
    if has_rules != answer.body().is_some() {
        faults.push("has rules without a body, or a body without rules".to_owned());
    }
    let of_all = match answer.stance() {
        Stance::Rules | Stance::Copy => return faults,
        Stance::Open => Effect::Allow,
        Stance::Closed | Stance::Defer => Effect::Disallow,
    };
    for url in ["/", "/private", "/robots.txt?", "/Robots.txt"] {
        if effect(answer, "FooBot", url) != of_all {
            faults.push(format!("{url} is an exception"));
        }
    }
    let of_file = match answer.dialect() {
        Dialect::Google => of_all,
        _ => Effect::Allow,
    };
    if effect(answer, "FooBot", "/robots.txt") != of_file {
        faults.push("/robots.txt has the wrong effect".to_owned());
    }
    faults
}

/// Formats the answer in the terms of scenarios, limited to the parts that `expected` states.
fn as_text(answer: &Answer, expected: &ExpectedAnswer) -> String {
    let after_zero =
        |time: verger_access::Timestamp| i64::try_from(time.unix_seconds()).unwrap() - TIME_ZERO;
    let result = answer.access_result();
    wanted(&ExpectedAnswer {
        stance: answer.stance().to_string(),
        result: result.map(|result| result.as_str().to_owned()),
        ask_again: after_zero(answer.ask_again_at()),
        holds_until: expected
            .holds_until
            .map(|_| after_zero(answer.holds_until())),
        outcome: expected
            .outcome
            .as_ref()
            .map(|_| result.map_or(String::new(), |result| result.outcome().to_string())),
        clause: expected
            .clause
            .as_ref()
            .map(|_| answer.clause().id().to_owned()),
        result_clause: expected
            .result_clause
            .as_ref()
            .map(|_| answer.access_result_clause().id().to_owned()),
    })
}

fn wanted(answer: &ExpectedAnswer) -> String {
    let result = answer.result.as_deref().unwrap_or("-");
    let mut text = format!("{} {result}; ask {}s", answer.stance, answer.ask_again);
    let holds = answer.holds_until.map(|until| format!("holds {until}s"));
    let outcome = answer
        .outcome
        .as_ref()
        .map(|outcome| format!("as {outcome}"));
    let clause = answer.clause.as_ref().map(|clause| format!("by {clause}"));
    let result_clause = answer.result_clause.as_ref();
    let result_clause = result_clause.map(|clause| format!("result by {clause}"));
    for part in [holds, outcome, clause, result_clause]
        .into_iter()
        .flatten()
    {
        text.push_str("; ");
        text.push_str(&part);
    }
    text
}
