//! Answers as JSON Lines, schema `verger.check/1`.

use std::borrow::Cow;
use std::io::{self, BufWriter, StdoutLock, Write};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Serialize;
use verger::{Clause, Effect};

use super::answer::{Answer, Rendering};
use super::explanation::{Candidate, OtherAnswer};
use super::finding::Finding;
use super::lookup::Lookup;
use crate::access_keys::AccessKeys;
use crate::asked_crawler::AskedCrawler;
use crate::decision::{Decision, GroupName};
use crate::octet_text::json_text;

const SCHEMA: &str = "verger.check/1";

/// Writes one JSON object a line.
pub(super) struct JsonLines {
    output: BufWriter<StdoutLock<'static>>,
}

impl JsonLines {
    pub(super) fn new() -> Self {
        let output = BufWriter::new(io::stdout().lock());
        Self { output }
    }
}

/// One line.
#[derive(Serialize)]
struct Line<'a> {
    schema: &'static str,
    agent: &'a str,
    crawler: &'a AskedCrawler,
    #[serde(flatten)]
    url: Url<'a>,
    #[serde(flatten)]
    decision: FindingKeys<'a>,
    #[serde(flatten)]
    access: Option<WebKeys<'a>>,
    #[serde(flatten)]
    explanation: Option<ExplanationKeys<'a>>,
}

/// What came out, under the same keys whatever decided.
#[derive(Serialize)]
#[serde(untagged)]
enum FindingKeys<'a> {
    Rules(Decision<'a>),
    WithoutRules {
        allowed: Option<bool>,
        reason: &'static str,
        line: (),
        rule: (),
        group: (),
        dialect: &'static str,
    },
}

/// What is known about the authority, where the body was not given.
#[derive(Serialize)]
struct WebKeys<'a> {
    #[serde(flatten)]
    access: AccessKeys<'a>,
    last_known: Option<Decision<'a>>,
}

/// The URL as asked, in base64 where it is not UTF-8.
#[derive(Serialize)]
enum Url<'a> {
    #[serde(rename = "url")]
    Text(&'a str),
    #[serde(rename = "url_base64")]
    Base64(String),
}

#[derive(Serialize)]
struct ExplanationKeys<'a> {
    candidates: Vec<CandidateShape<'a>>,
    other_dialects: Vec<OtherShape<'a>>,
}

/// A rule that matches.
#[derive(Serialize)]
struct CandidateShape<'a> {
    line: u32,
    rule: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_base64: Option<String>,
    effect: &'static str,
    octets: u32,
    decides: bool,
    why: String,
}

/// A dialect that answers otherwise, or cannot be asked.
#[derive(Serialize)]
struct OtherShape<'a> {
    dialect: &'static str,
    allowed: Option<bool>,
    reason: Option<&'static str>,
    line: Option<u32>,
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_base64: Option<&'a str>,
    group: Option<GroupName>,
    why: String,
    clause: Option<&'static str>,
}

impl Rendering for JsonLines {
    fn answer(&mut self, answer: &Answer<'_>) -> io::Result<()> {
        let explanation = answer.explanation.as_ref();
        let line = Line {
            schema: SCHEMA,
            agent: &answer.asked.crawler.name,
            crawler: &answer.asked.crawler,
            url: Url::of(answer.question.url()),
            decision: FindingKeys::of(answer),
            access: answer.lookup.map(|lookup| WebKeys::of(answer, lookup)),
            explanation: explanation.map(|explanation| ExplanationKeys {
                candidates: explanation.candidates.iter().map(candidate).collect(),
                other_dialects: explanation.others.iter().map(other).collect(),
            }),
        };
        serde_json::to_writer(&mut self.output, &line)?;
        self.output.write_all(b"\n")
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

impl<'a> FindingKeys<'a> {
    fn of(answer: &'a Answer<'_>) -> Self {
        let robots = &answer.subject.robots;
        let without = |reason| Self::WithoutRules {
            allowed: answer.finding.effect().map(|it| it == Effect::Allow),
            reason,
            line: (),
            rule: (),
            group: (),
            dialect: robots.dialect().as_str(),
        };
        match &answer.finding {
            Finding::Rules(verdict) => Self::Rules(Decision::with_octets(verdict, robots)),
            Finding::Stance { .. } => without("stance"),
            Finding::Unknown => without("unknown"),
        }
    }
}

impl<'a> WebKeys<'a> {
    fn of(answer: &'a Answer<'_>, lookup: &'a Lookup) -> Self {
        let last_known = match &answer.finding {
            Finding::Stance { last_known, .. } => *last_known,
            Finding::Rules(_) | Finding::Unknown => None,
        };
        let robots = &answer.subject.robots;
        Self {
            access: AccessKeys::of(&lookup.profile, lookup.sighting.as_ref()),
            last_known: last_known.map(|verdict| Decision::with_octets(&verdict, robots)),
        }
    }
}

impl<'a> Url<'a> {
    fn of(octets: &'a [u8]) -> Self {
        match std::str::from_utf8(octets) {
            Ok(text) => Self::Text(text),
            Err(_) => Self::Base64(BASE64_STANDARD.encode(octets)),
        }
    }
}

fn candidate<'a>(candidate: &Candidate<'a>) -> CandidateShape<'a> {
    let (rule, rule_base64) = json_text(candidate.text);
    CandidateShape {
        line: candidate.line.get(),
        rule,
        rule_base64,
        effect: candidate.effect.as_str(),
        octets: candidate.octets,
        decides: candidate.standing.decides(),
        why: candidate.standing.to_string(),
    }
}

fn other<'a>(other: &'a OtherAnswer<'_>) -> OtherShape<'a> {
    let decision = other.decision.as_ref();
    OtherShape {
        dialect: other.dialect.as_str(),
        allowed: decision.map(|decision| decision.allowed),
        reason: decision.map(|decision| decision.reason.as_str()),
        line: decision.and_then(|decision| decision.line),
        rule: decision.and_then(|decision| decision.rule.as_deref()),
        rule_base64: decision.and_then(|decision| decision.rule_base64.as_deref()),
        group: decision.and_then(|decision| decision.group),
        why: other.difference.to_string(),
        clause: other.difference.clause().map(Clause::id),
    }
}
