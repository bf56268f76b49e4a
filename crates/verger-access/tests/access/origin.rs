//! The outcomes in `testdata/origin.toml` lead to the answers that it expects.

use std::time::Duration;

use url::Url;
use verger_access::{
    Attempt, GoodCopy, Jitter, Knowledge, LastAttempt, Outcome, Profile, RestOfSite, Timestamp,
};
use verger_testkit::origin_file::{Behaviour, bundled_behaviours};
use verger_testkit::scenario::{ExpectedAnswer, PROFILES};

use crate::replay::time;

#[test]
fn the_origins_answers_follow_from_its_outcomes() {
    let behaviours = bundled_behaviours().unwrap_or_else(|error| panic!("{error}"));
    let mut faults = Vec::new();
    for behaviour in &behaviours {
        for name in PROFILES {
            let profile: Profile = name.parse().unwrap();
            let expected = &behaviour.expected[name];
            for code in &expected.outcomes {
                let Ok(outcome) = code.parse::<Outcome>() else {
                    faults.push(format!("{}: `{code}` is no outcome", behaviour.name));
                    continue;
                };
                let got = answer(behaviour, &profile, outcome);
                if got != as_text(&expected.answer) {
                    faults.push(format!(
                        "{} under {name}, {code}: expected `{}`, got `{got}`",
                        behaviour.name, expected.answer_in_short
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
}

/// Returns the answer of a profile after one attempt at time zero, without earlier knowledge.
fn answer(behaviour: &Behaviour, profile: &Profile, outcome: Outcome) -> String {
    let now = time(0);
    let duration = |seconds: i64| Duration::from_secs(seconds.try_into().unwrap());
    let stated_lifetime = behaviour.lifetime_seconds.map(duration);
    let is_successful = matches!(outcome, Outcome::Successful(_) | Outcome::Illegible(..));
    let attempt = Attempt {
        last: LastAttempt {
            at: now,
            outcome,
            stated_lifetime,
            retry_after: behaviour.retry_after_seconds.map(duration),
        },
        hops: Vec::new(),
        copy: is_successful.then(|| copy(now, stated_lifetime)),
        warnings: Vec::new(),
    };
    let mut knowledge = Knowledge::default();
    knowledge.record(&attempt, profile, Jitter::NONE);
    let answer = knowledge.answer(profile, now, RestOfSite::default());
    let result = answer
        .access_result()
        .map(verger_access::AccessResult::as_str);
    format!(
        "{} {}; ask {}s",
        answer.stance(),
        result.unwrap_or("-"),
        answer.ask_again_at().since(now).as_secs()
    )
}

fn as_text(answer: &ExpectedAnswer) -> String {
    let result = answer.result.as_deref().unwrap_or("-");
    format!("{} {result}; ask {}s", answer.stance, answer.ask_again)
}

fn copy(now: Timestamp, stated_lifetime: Option<Duration>) -> GoodCopy {
    GoodCopy {
        body: b"User-agent: *\n".as_slice().into(),
        url: Url::parse("http://h.example/robots.txt").unwrap(),
        entity_tag: None,
        last_modified: None,
        validated_at: now,
        stated_lifetime,
    }
}
