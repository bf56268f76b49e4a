//! Generated histories under several profiles that share a store. The client must agree with the
//! oracle.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use verger_access::{Answer, Authority, Profile, RestOfSite};
use verger_client::{Client, Clock as _};
use verger_store::{MemoryStore, knowledge_under};
use verger_testkit::access_oracle::{
    History, Told, history_of_one_profile, history_of_several_profiles_and_refusals,
    hold_histories, told_by_oracle,
};
use verger_testkit::scenario::{FetchWhen, TIME_ZERO};

use crate::web::{SetClock, Web, client};

async fn play(history: &History) -> Vec<(Told, Vec<String>)> {
    let (web, clock) = (Web::open(), SetClock::at(0));
    let store = Arc::new(MemoryStore::new(64 << 20));
    let mut clients: BTreeMap<&str, Client> = BTreeMap::new();
    let mut outcomes = Vec::new();
    for event in &history.events {
        clock.set(i64::try_from(event.at).unwrap());
        for change in &event.changes {
            web.say(&change.page.to_string(), change.reply.served());
        }
        let name = event.question.profile.as_str();
        let client = clients.entry(name).or_insert_with(|| {
            let profile: Profile = name.parse().unwrap();
            let client = client(&web, &clock).profile(profile);
            client
                .store(Arc::<MemoryStore>::clone(&store))
                .build()
                .unwrap()
        });
        let authority = Authority::from_url(&event.question.site.robots().to_string()).unwrap();
        let before = web.request_count();
        let answer = match event.question.fetch {
            FetchWhen::Always => client.fetch(&authority).await.unwrap().answer,
            FetchWhen::Due => client.answer(&authority).await.unwrap(),
            // `check --offline` answers the same way.
            FetchWhen::Never => {
                let (profile, now) = (client.profile(), clock.now());
                let state = knowledge_under(&*store, &authority, profile, now).unwrap();
                let known = state.map(|it| it.knowledge).unwrap_or_default();
                known.answer(profile, now, RestOfSite::default())
            }
        };
        outcomes.push((in_oracle_words(&answer), web.requests().split_off(before)));
    }
    outcomes
}

/// The answer in the oracle's terms.
fn in_oracle_words(answer: &Answer) -> Told {
    let outcome = answer.access_result().map(|it| it.outcome().code());
    let zero = u64::try_from(TIME_ZERO).unwrap();
    let body = answer.body().map(|body| body.to_vec());
    Told {
        stance: answer.stance().to_string(),
        outcome,
        ask_again: answer.ask_again_at().unix_seconds() - zero,
        body: body.map(|body| String::from_utf8(body).unwrap()),
    }
}

fn runtime() -> Runtime {
    Builder::new_current_thread().enable_all().build().unwrap()
}

#[test]
fn a_client_answers_generated_histories_as_the_oracle_does() {
    let runtime = runtime();
    hold_histories(200, history_of_one_profile, told_by_oracle, |history| {
        runtime.block_on(play(history))
    });
}

#[test]
fn clients_that_share_a_store_answer_generated_histories_as_the_oracle_does() {
    let runtime = runtime();
    let generate = history_of_several_profiles_and_refusals;
    hold_histories(200, generate, told_by_oracle, |history| {
        runtime.block_on(play(history))
    });
}
