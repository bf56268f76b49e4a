//! Replays a scenario under one profile against the web that it describes.

use std::collections::BTreeMap;

use http::{HeaderMap, HeaderName};
use url::Url;
use verger::Crawler;
use verger_access::{
    Action, Answer, Attempt, Authority, BodyEnd, HopVerdict, Jitter, Knowledge, PendingRequest,
    Profile, Response, RestOfSite, Timestamp, TransportFailure, begin,
};
use verger_testkit::scenario::{FetchWhen, Moment, Scenario, ServerReply, TIME_ZERO};

/// More requests than any profile sends for one file.
const REQUESTS_MAX: usize = 30;

pub struct Replay<'s> {
    scenario: &'s Scenario,
    profile: &'s Profile,
    authority: Authority,
    knowledge: Knowledge,
    /// The knowledge about the authorities of hops.
    of_hops: BTreeMap<Authority, Knowledge>,
    web: BTreeMap<&'s str, &'s ServerReply>,
}

/// The result of one moment.
pub struct Replayed {
    pub answer: Answer,
    /// The attempt, if there was one.
    pub attempt: Option<Attempt>,
}

impl<'s> Replay<'s> {
    pub fn new(scenario: &'s Scenario, profile: &'s Profile) -> Self {
        Self {
            scenario,
            profile,
            authority: Authority::from_url(&scenario.url).unwrap(),
            knowledge: Knowledge::default(),
            of_hops: BTreeMap::new(),
            web: BTreeMap::new(),
        }
    }

    pub fn moment(&mut self, moment: &'s Moment) -> Replayed {
        let now = time(moment.at);
        let web = moment.web.iter();
        self.web
            .extend(web.map(|(url, reply)| (url.as_str(), reply)));
        let rest_of_site = if moment.rest_is_up {
            RestOfSite::Up
        } else {
            RestOfSite::NotKnownToBeUp
        };
        let fetches = match moment.fetch {
            FetchWhen::Due => self
                .knowledge
                .answer(self.profile, now, rest_of_site)
                .is_due(now),
            FetchWhen::Always => true,
            FetchWhen::Never => false,
        };
        let attempt = fetches.then(|| self.fetch(now));
        if let Some(attempt) = &attempt {
            let jitter = Jitter::from_thousandths(moment.jitter);
            self.knowledge.record(attempt, self.profile, jitter);
        }
        Replayed {
            answer: self.knowledge.answer(self.profile, now, rest_of_site),
            attempt,
        }
    }

    fn fetch(&mut self, now: Timestamp) -> Attempt {
        let profile = self.profile;
        let mut action = begin(&self.authority, profile, self.knowledge.copy.as_ref());
        for _ in 0..2 * REQUESTS_MAX {
            action = match action {
                Action::Send(pending) => self.reply(pending, now),
                Action::AskAboutHop(question) => {
                    let verdict = self.hop_verdict(question.url(), now);
                    question.answer(verdict)
                }
                Action::Done(attempt) => return attempt,
            };
        }
        panic!("{}: the fetch does not end", self.scenario.id);
    }

    /// Returns the verdict of the robots.txt of the URL's own authority, which is fetched if it is due.
    fn hop_verdict(&mut self, url: &Url, now: Timestamp) -> HopVerdict {
        let authority = Authority::from_parsed_url(url).unwrap();
        let mut known = self.of_hops.remove(&authority).unwrap_or_default();
        let answer = known.answer(self.profile, now, RestOfSite::default());
        if answer.is_due(now) {
            let mut action = begin(&authority, self.profile, known.copy.as_ref());
            let attempt = loop {
                action = match action {
                    Action::Send(pending) => self.reply(pending, now),
                    Action::AskAboutHop(question) => question.answer(HopVerdict::Unknown),
                    Action::Done(attempt) => break attempt,
                };
            };
            known.record(&attempt, self.profile, Jitter::NONE);
        }
        let answer = known.answer(self.profile, now, RestOfSite::default());
        self.of_hops.insert(authority, known);
        HopVerdict::new(&answer, &Crawler::unnamed(), url)
    }

    fn reply(&self, pending: PendingRequest, now: Timestamp) -> Action {
        let reply = self.web.get(pending.request().url.as_str()).copied();
        hand_in(reply, pending, now)
    }
}

/// Passes the reply of a server. A server without a reply does not resolve in the DNS.
pub fn hand_in(reply: Option<&ServerReply>, pending: PendingRequest, now: Timestamp) -> Action {
    match reply {
        None => pending.failure(TransportFailure::Dns, now),
        Some(ServerReply::Failure { name }) => {
            let failure: Result<TransportFailure, _> = name.parse();
            pending.failure(
                failure.unwrap_or_else(|error| panic!("`{name}`: {error}")),
                now,
            )
        }
        Some(ServerReply::Ftp { code }) => pending.ftp_reply(*code, now),
        Some(ServerReply::FtpFile { body }) => pending.ftp_file(body.clone(), BodyEnd::Whole, now),
        Some(reply @ ServerReply::Http { status, body, .. }) => {
            let headers = header_map(reply);
            let conditions = &pending.request().conditions;
            let condition = |name: &str| Some(conditions.get(name)?.as_bytes());
            let (status, body) = if reply.is_unchanged_for(condition) {
                (304, Vec::new())
            } else {
                (*status, body.clone())
            };
            let response = Response {
                status,
                headers: &headers,
                body: body.into(),
                body_end: BodyEnd::Whole,
            };
            pending.response(response, now)
        }
    }
}

pub fn header_map(reply: &ServerReply) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in reply.header_fields() {
        let name: HeaderName = name.parse().unwrap();
        headers.append(name, value.parse().unwrap());
    }
    headers
}

/// Returns the time `at` seconds after time zero.
pub fn time(at: i64) -> Timestamp {
    Timestamp::from_unix_seconds(u64::try_from(TIME_ZERO + at).unwrap())
}
