//! Runs the state machine through a generated history, over storage for the observations.

use std::collections::BTreeMap;

use http::HeaderMap;
use url::Url;
use verger::Crawler;
use verger_access::{
    Action, Answer, Attempt, Authority, HopVerdict, Jitter, Knowledge, Profile, RestOfSite,
    Timestamp, begin,
};
use verger_testkit::access_oracle::{History, Told};
use verger_testkit::scenario::{FetchWhen, ServerReply, TIME_ZERO};

use crate::replay::{hand_in, header_map, time};

/// Stores observations, and returns the knowledge of a profile.
pub trait Keeper {
    /// Returns the knowledge of `profile` at `now`, from all observations.
    fn known(&self, authority: &Authority, profile: &Profile, now: Timestamp) -> Knowledge;

    /// Returns the knowledge of `profile` from observations until a time, without refusals.
    fn known_until(&self, authority: &Authority, profile: &Profile, until: Timestamp) -> Knowledge;

    fn keep(&mut self, profile: &Profile, seen: &Seen, known: &Knowledge);
}

/// An attempt with the headers of its last response.
pub struct Seen {
    pub authority: Authority,
    pub attempt: Attempt,
    pub headers: HeaderMap,
}

struct Machine<'k, K> {
    keeper: &'k mut K,
    web: BTreeMap<String, ServerReply>,
    requests: Vec<String>,
}

/// What a fetch does if the machine asks about a hop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hops {
    AskedAbout,
    Followed,
}

/// Returns the answer to each event, and the URLs that were requested for it.
pub fn play<K: Keeper>(history: &History, keeper: &mut K) -> Vec<(Told, Vec<String>)> {
    let mut machine = Machine {
        keeper,
        web: BTreeMap::new(),
        requests: Vec::new(),
    };
    let events = history.events.iter().map(|event| {
        for change in &event.changes {
            let (url, reply) = (change.page.to_string(), change.reply.served());
            machine.web.insert(url, reply);
        }
        let profile: Profile = event.question.profile.as_str().parse().unwrap();
        let authority = Authority::from_url(&event.question.site.robots().to_string()).unwrap();
        let now = time(i64::try_from(event.at).unwrap());
        let known = machine.keeper.known(&authority, &profile, now);
        let known = match event.question.fetch {
            FetchWhen::Never => machine.keeper.known_until(&authority, &profile, now),
            FetchWhen::Due if !answer(&known, &profile, now).is_due(now) => known,
            FetchWhen::Due | FetchWhen::Always => {
                machine.fetch(&authority, &profile, now, Hops::AskedAbout);
                machine.keeper.known(&authority, &profile, now)
            }
        };
        let answered = in_oracle_words(&answer(&known, &profile, now));
        (answered, std::mem::take(&mut machine.requests))
    });
    events.collect()
}

pub fn answer(known: &Knowledge, profile: &Profile, now: Timestamp) -> Answer {
    known.answer(profile, now, RestOfSite::default())
}

/// Converts the answer to the terms of the oracle.
pub fn in_oracle_words(answer: &Answer) -> Told {
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

impl<K: Keeper> Machine<'_, K> {
    /// Fetches and stores the observation, unless a hop was followed without the check.
    fn fetch(
        &mut self,
        authority: &Authority,
        profile: &Profile,
        now: Timestamp,
        hops: Hops,
    ) -> Knowledge {
        let mut known = self.keeper.known(authority, profile, now);
        let mut headers = HeaderMap::new();
        let mut is_followed_unasked = false;
        let mut action = begin(authority, profile, known.copy.as_ref());
        let attempt = loop {
            action = match action {
                Action::Send(pending) => {
                    let url = pending.request().url.to_string();
                    let reply = self.web.get(&url);
                    self.requests.push(url);
                    headers = reply.map(header_map).unwrap_or_default();
                    hand_in(reply, pending, now)
                }
                Action::AskAboutHop(question) if hops == Hops::Followed => {
                    is_followed_unasked = true;
                    question.answer(HopVerdict::Unknown)
                }
                Action::AskAboutHop(question) => {
                    let verdict = self.hop_verdict(question.url(), profile, now);
                    question.answer(verdict)
                }
                Action::Done(attempt) => break attempt,
            };
        };
        known.record(&attempt, profile, Jitter::NONE);
        if !is_followed_unasked {
            let seen = Seen {
                authority: authority.clone(),
                attempt,
                headers,
            };
            self.keeper.keep(profile, &seen, &known);
        }
        known
    }

    fn hop_verdict(&mut self, url: &Url, profile: &Profile, now: Timestamp) -> HopVerdict {
        let authority = Authority::from_parsed_url(url).unwrap();
        let mut known = self.keeper.known(&authority, profile, now);
        if answer(&known, profile, now).is_due(now) {
            known = self.fetch(&authority, profile, now, Hops::Followed);
        }
        HopVerdict::new(&answer(&known, profile, now), &Crawler::unnamed(), url)
    }
}
