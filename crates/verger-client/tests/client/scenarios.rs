//! Every scenario of `testdata/access`, under every profile, through the client.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicI16, Ordering};

use verger_access::{Answer, Authority, Jitter, Knowledge, Profile, RestOfSite};
use verger_client::{Asking, Client, Clock, FetchReport};
use verger_store::{MemoryStore, Store};
use verger_testkit::scenario::{ExpectedAnswer, FetchWhen, Moment, Scenario, load_scenarios};

use crate::web::{SetClock, Web, client, crawler};

struct Stage<'s> {
    scenario: &'s Scenario,
    profile: Profile,
    web: Arc<Web>,
    clock: Arc<SetClock>,
    store: Arc<MemoryStore>,
    client: Client,
    known: RefCell<Knowledge>,
    jitter: Arc<AtomicI16>,
}

impl<'s> Stage<'s> {
    fn new(scenario: &'s Scenario, profile: Profile) -> Self {
        let (web, clock) = (Web::open(), SetClock::at(0));
        let store = Arc::new(MemoryStore::new(64 << 20));
        let jitter = Arc::new(AtomicI16::new(0));
        let thousandths = Arc::clone(&jitter);
        let client = client(&web, &clock)
            .profile(profile.clone())
            .store(Arc::<MemoryStore>::clone(&store))
            .jitter(move || Jitter::from_thousandths(thousandths.load(Ordering::SeqCst)))
            .build()
            .unwrap();
        Self {
            scenario,
            profile,
            web,
            clock,
            store,
            client,
            known: RefCell::default(),
            jitter,
        }
    }

    /// Returns the answer at a moment, and the URLs requested for it.
    async fn moment(&self, moment: &Moment) -> (Answer, Vec<String>) {
        self.clock.set(moment.at);
        self.jitter.store(moment.jitter, Ordering::SeqCst);
        for (url, reply) in &moment.web {
            self.web.say(url, reply.clone());
        }
        let before = self.web.request_count();
        let authority = Authority::from_url(&self.scenario.url).unwrap();
        let asking = match moment.fetch {
            FetchWhen::Due => Some(Asking::WhereDue),
            FetchWhen::Always => Some(Asking::Now),
            FetchWhen::Never => None,
        };
        if let Some(asking) = asking {
            let authorities = [authority.clone()];
            let mut reports = self.client.report_many(&authorities, asking).await;
            let report = reports.remove(0).unwrap();
            self.check_store(&authority, &report);
            self.known.replace(report.knowledge);
        }
        let requests = self.web.requests().split_off(before);
        (self.answer(moment), requests)
    }

    /// Checks that only facts about the site are stored.
    fn check_store(&self, authority: &Authority, report: &FetchReport) {
        let standing = self.store.latest(authority).unwrap();
        let outcome = report.knowledge.last.unwrap().outcome;
        assert_eq!(report.snapshot.is_some(), outcome.is_about_the_site());
        assert_eq!(report.not_kept.is_none(), outcome.is_about_the_site());
        let kept = standing.map(|it| it.knowledge).unwrap_or_default();
        let is_known = kept == report.knowledge;
        assert_eq!(is_known, outcome.is_about_the_site());
    }

    /// Returns the client's answer, given the rest of the site.
    fn answer(&self, moment: &Moment) -> Answer {
        let rest = if moment.rest_is_up {
            RestOfSite::Up
        } else {
            RestOfSite::NotKnownToBeUp
        };
        let known = self.known.borrow();
        known.answer(&self.profile, self.clock.now(), rest)
    }

    async fn check(&self) {
        for moment in &self.scenario.moments {
            let (answer, requests) = self.moment(moment).await;
            let place = format!(
                "{} at {} s, {}",
                self.scenario.id, moment.at, self.profile.name
            );
            if let Some(expected) = moment.answers.get(&*self.profile.name) {
                check_answer(&answer, expected, &place);
            }
            if let Some(expected) = &moment.requests {
                // The robots.txt files of hops are also requested.
                let is_expected = |url: &String| {
                    expected.contains(url) || Authority::from_robots_url(url).is_none()
                };
                let requests: Vec<_> = requests.into_iter().filter(is_expected).collect();
                assert_eq!(&requests, expected, "{place}");
            }
            if moment.fetch == FetchWhen::Never {
                continue;
            }
            for (question, verdict) in &moment.verdicts {
                let (token, url) = question.split_once(' ').unwrap();
                let url = match url.strip_prefix('/') {
                    Some(path) => format!("https://h.example/{path}"),
                    None => url.to_owned(),
                };
                let decision = self.client.decide(&crawler(token), &url).await.unwrap();
                assert_eq!(decision.effect().as_str(), verdict, "{place}: {question}");
                assert_eq!(decision.answer().stance(), answer.stance(), "{place}");
                let is_kept = decision.snapshot().is_some();
                assert_eq!(is_kept, decision.not_kept().is_none(), "{place}");
            }
        }
    }
}

fn check_answer(answer: &Answer, expected: &ExpectedAnswer, place: &str) {
    assert_eq!(answer.stance().as_str(), expected.stance, "{place}");
    let result = answer.access_result();
    let result = result.map(|result| result.as_str().to_owned());
    assert_eq!(result, expected.result, "{place}");
    let ask_again = crate::web::seconds(answer.ask_again_at());
    assert_eq!(ask_again, expected.ask_again, "{place}");
    if let Some(holds_until) = expected.holds_until {
        let holds = crate::web::seconds(answer.holds_until());
        assert_eq!(holds, holds_until, "{place}");
    }
}

#[tokio::test]
async fn every_scenario_has_the_expected_answer_in_every_profile() {
    let testdata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let corpus = load_scenarios(&testdata).unwrap();
    let mut checked = 0;
    for scenario in &corpus.scenarios {
        for profile in Profile::ALL.iter().cloned() {
            Stage::new(scenario, profile).check().await;
            checked += 1;
        }
    }
    assert!(checked > 700, "{checked}");
}
