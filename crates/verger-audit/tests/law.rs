//! A log line gets the verdict of `verger check`, for every body of `testdata/`. The agents of
//! cases are renamed to registry crawlers. The oracle is the same as for the command.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::time::Duration;
use verger_store::StoreError;

use verger::{Dialect, RobotsTxt, TargetPath};
use verger_access::{Authority, Timestamp};
use verger_audit::{
    Audit, AuditSettings, LogFormat, LogLine, LogReader, RequestChecks, RulesHistory, RulesInForce,
    RulesSource,
};
use verger_crawlers::{KnownCrawler, Registry};
use verger_testkit::case::{Case, load_all, testdata_dir};
use verger_testkit::oracle::Oracle;
use verger_testkit::subject::{Question, Subject as _};

/// Registry names that replace the agents of cases.
const CRAWLERS: [&str; 5] = ["gptbot", "ccbot", "claudebot", "amazonbot", "bingbot"];

/// Number of bodies audited together. Their rules must fit into the limit of counted rules.
const BODIES: usize = 30;

/// Bodies by host.
struct Bodies {
    dialect: Dialect,
    bodies: BTreeMap<String, Vec<u8>>,
}

impl RulesSource for &Bodies {
    fn history(
        &self,
        authority: Option<&Authority>,
        _during: Range<Timestamp>,
    ) -> Result<RulesHistory, StoreError> {
        let body = &self.bodies[&authority.unwrap().to_string()];
        let robots = RobotsTxt::parse(body.as_slice(), self.dialect);
        Ok(RulesHistory::always(RulesInForce::from_robots(robots)))
    }

    fn needs_authority(&self) -> bool {
        true
    }

    fn needs_time(&self) -> bool {
        false
    }
}

/// Returns the body of a case with renamed crawlers, and its questions about them.
fn renamed(case: &Case) -> (Vec<u8>, Vec<(&'static KnownCrawler, Vec<u8>)>) {
    let (mut body, mut named, mut questions) = (case.robots.clone(), Vec::new(), Vec::new());
    for ask in &case.asks {
        let [agent] = ask.agents.as_slice() else {
            continue;
        };
        let place = named.iter().position(|name| name == agent);
        let place = place.unwrap_or_else(|| {
            named.push(agent.clone());
            named.len() - 1
        });
        let Some(name) = CRAWLERS.get(place) else {
            continue;
        };
        let crawler = Registry::bundled().by_name(name).unwrap();
        if agent != "*" && !agent.is_empty() {
            body = replaced(
                &body,
                agent.as_bytes(),
                crawler.own_token().as_str().as_bytes(),
            );
        }
        questions.push((crawler, ask.url.clone()));
    }
    (body, questions)
}

fn replaced(body: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let (mut replaced, mut rest) = (Vec::new(), body);
    while let Some(&first) = rest.first() {
        if rest.len() >= from.len() && rest[..from.len()].eq_ignore_ascii_case(from) {
            replaced.extend_from_slice(to);
            rest = &rest[from.len()..];
        } else {
            replaced.push(first);
            rest = &rest[1..];
        }
    }
    replaced
}

/// Escapes a target as servers write it into their logs.
fn logged(target: &[u8]) -> String {
    let mut text = String::new();
    for &byte in target {
        if byte.is_ascii_alphanumeric() || b"/?=&%*$.-_~".contains(&byte) {
            text.push(char::from(byte));
        } else {
            write!(text, "\\x{byte:02X}").unwrap();
        }
    }
    text
}

/// The verdicts of an audit: allowed requests, and disallowed ones by host and line.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdicts {
    allowed: BTreeMap<String, u64>,
    disallowed: BTreeMap<(String, String, u32), u64>,
}

fn audited(bodies: &Bodies, lines: &[String]) -> Verdicts {
    let mut settings = AuditSettings::new(bodies.dialect);
    settings.grace = Duration::ZERO;
    let mut audit = Audit::new(settings, RequestChecks::default(), bodies);
    let mut reader = LogReader::new("vhost-combined".parse::<LogFormat>().unwrap());
    for (number, line) in (1..).zip(lines) {
        let bytes = Some(line.as_bytes());
        audit
            .count("log", &LogLine { number, bytes }, &mut reader)
            .unwrap();
    }
    let (totals, crawlers) = audit.counted();
    assert_eq!(totals.of_crawlers, lines.len() as u64, "{totals:?}");
    let mut verdicts = Verdicts::default();
    for counted in crawlers {
        let (name, tally) = (counted.crawler.name(), counted.tally);
        assert_eq!((tally.unknown, tally.lines.others()), (0, 0), "{name}");
        if tally.allowed > 0 {
            verdicts.allowed.insert(name.to_owned(), tally.allowed);
        }
        for line in tally.lines.by_requests() {
            let key = (name.to_owned(), line.authority.clone(), line.line.unwrap());
            verdicts.disallowed.insert(key, line.requests);
        }
    }
    verdicts
}

#[test]
fn a_line_of_a_log_gets_the_verdict_of_a_check() {
    let corpus = load_all(&testdata_dir()).unwrap();
    let cases: Vec<_> = corpus.plain_cases().map(renamed).collect();
    let (mut allowed, mut disallowed) = (0, 0);
    for name in verger_testkit::subject::DialectName::ALL {
        let dialect: Dialect = name.as_str().parse().unwrap();
        for some in cases.chunks(BODIES) {
            let (mut expected, mut lines) = (Verdicts::default(), Vec::new());
            let mut bodies = Bodies {
                dialect,
                bodies: BTreeMap::new(),
            };
            for (nth, (body, questions)) in some.iter().enumerate() {
                let host = format!("c{nth}.example");
                bodies
                    .bodies
                    .insert(format!("https://{host}"), body.clone());
                for (crawler, url) in questions {
                    let Ok(target) = TargetPath::as_sent(url, dialect) else {
                        continue;
                    };
                    if target.is_robots_txt() {
                        continue;
                    }
                    let target = target.as_bytes();
                    let agents: Vec<_> = crawler.tokens().iter().map(ToString::to_string).collect();
                    let question = Question {
                        dialect: name,
                        robots: body,
                        agents: &agents,
                        url: target,
                    };
                    let answer = Oracle.answer(&question).unwrap();
                    let crawler_name = crawler.name().to_owned();
                    let counted = if answer.allowed {
                        allowed += 1;
                        expected.allowed.entry(crawler_name).or_default()
                    } else {
                        disallowed += 1;
                        let key = (
                            crawler_name,
                            format!("https://{host}"),
                            answer.line.unwrap(),
                        );
                        expected.disallowed.entry(key).or_default()
                    };
                    *counted += 1;
                    let (target, token) = (logged(target), crawler.own_token().as_str());
                    lines.push(format!(
                        "{host}:443 192.0.2.1 - - [20/Nov/2026:10:00:00 +0000] \"GET {target} HTTP/1.1\" 200 0 \"-\" \"{token}/1.0\""
                    ));
                }
            }
            assert_eq!(audited(&bodies, &lines), expected, "{}", name.as_str());
        }
    }
    assert!(allowed > 500 && disallowed > 500, "{allowed} {disallowed}");
}
