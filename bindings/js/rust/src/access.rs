//! Fetching and access profiles. The module stores nothing about one fetch. Each call passes all
//! events so far and replays the machine, so a trap loses no fetch. It stores only sessions, for
//! which the caller has a separate instance.

mod address;
mod asked;
mod checked;
mod session;
mod snapshot;

use http::{HeaderMap, HeaderName, HeaderValue};
use serde::Serialize;
use serde_json::{Value as Json, json};
use url::Url;
use verger_access::{
    Action, Attempt, Authority, BodyEnd, Hop, HopVerdict, Jitter, Knowledge, PendingRequest,
    Profile, Response, Timestamp, Warning, begin, requested_target,
};
use verger_answer::{AccessKeys, AuthorityState, ProfileLine};

use self::asked::{located, text};
use self::snapshot::Kept;
use crate::argument::{Argument, Bytes, Event, unknown};
use crate::failure::Failure;

/// Answers a query as JSON. The bytes are a snapshot, and for a fetch also the last response's
/// body.
pub(crate) fn answer(name: &[u8], of: &Argument, bytes: Bytes<'_>) -> Result<String, Failure> {
    match (name, bytes) {
        (b"access.authority", []) => authority(of),
        (b"access.fetch", [snapshot, body]) => step(of, snapshot, body),
        (b"access.answer", [snapshot]) => answered(of, snapshot),
        (b"access.hop", [snapshot]) => hop_verdict(of, snapshot),
        (b"access.check", [snapshot]) => checked::check(of, Some(snapshot)),
        (b"access.check", []) => checked::check(of, None),
        (b"access.session", []) => session::report(of),
        (b"access.address", []) => address::refusal(of),
        (b"access.profiles", []) => {
            let lines = Profile::ALL.iter().map(ProfileLine::new);
            text(&lines.collect::<Vec<_>>())
        }
        _ => Err(unknown(name)),
    }
}

/// Returns the authority of a URL. With a profile, fails if a client cannot request the URL.
fn authority(asked: &Argument) -> Result<String, Failure> {
    if !asked.profile.is_empty() {
        requested_target(asked.url.as_bytes(), asked.profile()?.reading)?;
    }
    text(&located(&asked.authority()?))
}

/// Returns the next action.
fn step(asked: &Argument, snapshot: &[u8], body: &[u8]) -> Result<String, Failure> {
    let (profile, authority) = (asked.profile()?, asked.authority()?);
    let known = asked.known(&profile, snapshot)?;
    let mut action = begin(&authority, &profile, known.copy.as_ref());
    for (left, event) in (0..asked.events.len()).rev().zip(&asked.events) {
        let body = if left == 0 { body } else { &[] };
        action = match (action, event.kind.as_str()) {
            (Action::Send(pending), _) => arrive(pending, event, body)?,
            (Action::AskAboutHop(question), "hop") => {
                question.answer(match event.verdict.as_str() {
                    "allowed" => HopVerdict::Allowed,
                    "disallowed" => HopVerdict::Disallowed,
                    _ => HopVerdict::Unknown,
                })
            }
            _ => return Err(Failure::internal("an event matches no action")),
        };
    }
    text(&match action {
        Action::Send(pending) => {
            let request = pending.request();
            let conditions = request.conditions.iter();
            let conditions = conditions.map(|(name, value)| (name.as_str(), latin1(value)));
            let headers: Vec<_> = conditions.collect();
            json!({ "do": "send", "url": request.url.as_str(), "headers": headers })
        }
        Action::AskAboutHop(question) => {
            json!({ "do": "ask", "url": question.url().as_str() })
        }
        Action::Done(attempt) => ended(asked, &profile, &authority, &known, &attempt),
    })
}

fn arrive(pending: PendingRequest, event: &Event, body: &[u8]) -> Result<Action, Failure> {
    let time = Timestamp::from_unix_seconds(event.at);
    let body_end = if event.is_cut {
        BodyEnd::CutAtLimit
    } else {
        BodyEnd::Whole
    };
    Ok(match event.kind.as_str() {
        "response" => {
            let headers = header_map(&event.headers);
            let response = Response {
                status: event.status,
                headers: &headers,
                body: body.into(),
                body_end,
            };
            pending.response(response, time)
        }
        "ftp-file" => pending.ftp_file(body, body_end, time),
        "ftp-reply" => pending.ftp_reply(event.code, time),
        "failure" => {
            let failure = event.failure.parse().map_err(Failure::internal)?;
            pending.failure(failure, time)
        }
        _ => return Err(Failure::internal("an event matches no action")),
    })
}

/// Skips invalid fields, which the platform has read differently.
fn header_map(fields: &[(String, String)]) -> HeaderMap {
    let field = |(name, value): &(String, String)| {
        let bytes: Option<Vec<u8>> = value.chars().map(|it| u8::try_from(it).ok()).collect();
        let value = HeaderValue::from_bytes(&bytes?).ok()?;
        Some((name.parse::<HeaderName>().ok()?, value))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in fields.iter().filter_map(field) {
        headers.append(name, value);
    }
    headers
}

fn latin1(value: &HeaderValue) -> String {
    value
        .as_bytes()
        .iter()
        .map(|byte| char::from(*byte))
        .collect()
}

#[derive(Serialize)]
struct WarningKeys {
    kind: &'static str,
    message: String,
    clause: &'static str,
}

#[derive(Serialize)]
struct HopKeys<'a> {
    #[serde(flatten)]
    hop: &'a Hop,
    detail: &'a Option<String>,
}

/// Returns the result of a fetch. The caller builds the snapshot from `record`, a line end, and
/// `bytes` bytes of the body that was `received`, or `kept` from the previous snapshot.
fn ended(
    asked: &Argument,
    profile: &Profile,
    authority: &Authority,
    before: &Knowledge,
    attempt: &Attempt,
) -> Json {
    let mut known = before.clone();
    known.record(attempt, profile, Jitter::from_thousandths(asked.jitter));
    let body = known.copy.as_ref().map(|copy| &copy.body);
    let body_before = before.copy.as_ref().map(|copy| &copy.body);
    let is_kept = body
        .zip(body_before)
        .is_some_and(|(it, before)| std::sync::Arc::ptr_eq(it, before));
    let asked_about_hop = asked.events.iter().any(|event| event.kind == "hop");
    let agents = asked_about_hop.then(|| asked.known_for.clone());
    let warning = |warning: &Warning| WarningKeys {
        kind: warning.as_str(),
        message: warning.to_string(),
        clause: warning.clause().id(),
    };
    let requests = asked.events.iter().filter(|event| event.kind != "hop");
    let hops = attempt.hops.iter().zip(requests);
    let hops = hops.map(|(hop, Event { detail, .. })| HopKeys { hop, detail });
    json!({
        "do": "done",
        "record": Kept::line(authority, profile, agents, &known),
        "body": body.map(|_| if is_kept { "kept" } else { "received" }),
        "bytes": body.map_or(0, |body| body.len()),
        "is_about_the_site": attempt.last.outcome.is_about_the_site(),
        "outcome": attempt.last.outcome.code(),
        "what": attempt.last.outcome.to_string(),
        "hops": hops.collect::<Vec<_>>(),
        "warnings": attempt.warnings.iter().map(warning).collect::<Vec<_>>(),
    })
}

#[derive(Serialize)]
struct AnswerKeys<'a> {
    authority: String,
    robots_url: String,
    dialect: &'static str,
    #[serde(flatten)]
    access: AccessKeys<'a>,
    /// The times of `access` in seconds since 1970.
    due_at: u64,
    holds_until: u64,
    has_body: bool,
}

/// Returns the state under the profile.
fn answered(asked: &Argument, snapshot: &[u8]) -> Result<String, Failure> {
    let (profile, authority) = (asked.profile()?, asked.authority()?);
    let known = asked.known(&profile, snapshot)?;
    let answer = asked.answer(&known, &profile);
    let state = AuthorityState::new(known, answer.clone());
    let mut access = AccessKeys::new(&profile.name, state.as_ref());
    // Set even if nothing is known yet.
    access.stance = Some(answer.stance().as_str());
    access.clause = Some(answer.clause().id());
    access.missing = answer.missing().map(|missing| missing.to_string());
    text(&AnswerKeys {
        authority: authority.to_string(),
        robots_url: authority.robots_url().to_string(),
        dialect: answer.dialect().as_str(),
        access,
        due_at: answer.ask_again_at().unix_seconds(),
        holds_until: answer.holds_until().unix_seconds(),
        has_body: answer.body().is_some(),
    })
}

/// Decides whether a redirect target is allowed by the robots.txt of its own authority.
fn hop_verdict(asked: &Argument, snapshot: &[u8]) -> Result<String, Failure> {
    let profile = asked.profile()?;
    let known = asked.known(&profile, snapshot)?;
    let answer = asked.answer(&known, &profile);
    let crawler = asked.crawler_of_tokens(profile.reading)?;
    let verdict = asked.url.parse::<Url>().map_or(HopVerdict::Unknown, |url| {
        HopVerdict::new(&answer, crawler.crawler(), &url)
    });
    text(match verdict {
        HopVerdict::Allowed => &"allowed",
        HopVerdict::Disallowed => &"disallowed",
        HopVerdict::Unknown => &"unknown",
    })
}
