//! Captures of generated histories: `bulk check` answers like the oracle.

use std::collections::BTreeMap;
use std::time::Duration;

use verger_access::{Profile, Timestamp};
use verger_testkit::access_oracle::{AccessOracle, History, history_of_captures, hold_histories};
use verger_testkit::scenario::{FetchWhen, ServerReply, TIME_ZERO};

use crate::profiles::{answers, index_of, written};
use crate::warc::record_at;

/// Paths that the files of histories may disallow.
const PATHS: [&str; 5] = ["/p0", "/p1", "/c1", "/l", "/x"];

/// The answers at an event: the stance, and which of [`PATHS`] are allowed.
type Answered = (String, [bool; PATHS.len()]);

fn told(history: &History) -> Vec<Answered> {
    let mut oracle = AccessOracle::of_captures(history.hold);
    let events = history.events.iter().map(|event| {
        let (told, _) = oracle.event(event);
        let disallows = |body: &str, path: &str| {
            let mut rules = body
                .lines()
                .filter_map(|line| line.strip_prefix("Disallow: "));
            rules.any(|rule| path.starts_with(rule))
        };
        let is_allowed = |path| match &told.body {
            Some(body) => !disallows(body, path),
            None => told.stance == "open",
        };
        let stance = told.outcome.as_ref().map_or("unknown", |_| &*told.stance);
        (stance.to_owned(), PATHS.map(is_allowed))
    });
    events.collect()
}

/// Returns a record of a server reply.
fn record(url: &str, reply: Option<&ServerReply>, at: Timestamp) -> Vec<u8> {
    let (status, headers, body) = match reply {
        Some(ServerReply::Http {
            status,
            headers,
            body,
        }) => (*status, headers.as_slice(), body.as_slice()),
        Some(other) => panic!("{other:?}"),
        None => (502, &[][..], &[][..]),
    };
    let fields = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"));
    let head = format!("HTTP/1.1 {status} X\r\n{}\r\n", fields.collect::<String>());
    let block = [head.as_bytes(), body].concat();
    record_at(&at.to_string(), "response", url, "", &block)
}

fn time(seconds: u64) -> Timestamp {
    Timestamp::from_unix_seconds(TIME_ZERO.unsigned_abs()).after(Duration::from_secs(seconds))
}

/// Returns all requests of a history as a WARC file.
fn captured(history: &History) -> Vec<u8> {
    let mut oracle = AccessOracle::of_captures(None);
    let mut web = BTreeMap::new();
    let mut warc = Vec::new();
    for event in &history.events {
        let changes = event.changes.iter();
        web.extend(changes.map(|change| (change.page.to_string(), change.reply.served())));
        let (_, mut requests) = oracle.event(event);
        if event.question.fetch == FetchWhen::Never {
            continue;
        }
        requests.sort_unstable();
        requests.dedup();
        let records = requests
            .iter()
            .map(|url| record(url, web.get(url), time(event.at)));
        warc.extend(records.flatten());
    }
    warc
}

fn answered(history: &History) -> Vec<Answered> {
    let Some(first) = history.events.first() else {
        return Vec::new();
    };
    let (_folder, path) = written(&captured(history));
    let profile: Profile = first.question.profile.as_str().parse().unwrap();
    let profile = match history.hold {
        Some(hold) => profile.with_lifetime(Duration::from_secs(hold)),
        None => profile,
    };
    let urls = history.events.iter().flat_map(|event| {
        let site = event.question.site.robots().to_string();
        let site = site.trim_end_matches("/robots.txt").to_owned();
        let at = i64::try_from(time(event.at).unix_seconds()).unwrap();
        PATHS.map(|path| (format!("{site}{path}"), Some(at)))
    });
    let answers = answers(index_of(&path), &profile, urls);
    let answers = answers.chunks_exact(PATHS.len()).map(|of_event| {
        let stance = of_event[0]["stance"].as_str().unwrap_or("unknown");
        let is_allowed = |nth: usize| of_event[nth]["allowed"] == true;
        (stance.to_owned(), std::array::from_fn(is_allowed))
    });
    answers.collect()
}

/// V-60.
#[test]
fn captures_answer_generated_histories_as_the_oracle_does() {
    hold_histories(300, history_of_captures, told, answered);
}
