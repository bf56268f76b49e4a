use std::borrow::Cow;
use std::io;

use serde::{Serialize, Serializer};
use verger::{Clause, LineNumber, TargetPath};

use crate::access::authority_lookup::AuthorityLookup;
use crate::access::keys::AccessKeys;
use crate::check_answer::CheckAnswer;
use crate::check_answer::preference_answer::PreferenceAnswer;
use crate::check_result::CheckResult;
use crate::checked_file::{CheckedFile, Explaining, Readings};
use crate::delay::Delay;
use crate::explanation::{Candidate, Explanation, OtherAnswer};
use crate::file_warning::FileWarning;
use crate::json;
use crate::other_limit::BodyLimitKeys;
use crate::page::page_answer::PageAnswer;
use crate::result_keys::{ResultKeys, UrlKey};
use crate::robots_file::RobotsFile;
use crate::text::json_text;
use crate::verdict_keys::{GroupKeys, VerdictKeys};
use verger_crawlers::ResolvedCrawler;

const SCHEMA: &str = "verger.check/1";

/// An answer as a line of JSON (`verger.check/1` in `docs/json.md`).
#[derive(Debug, Serialize)]
pub struct CheckLine<'a> {
    #[serde(flatten)]
    head: HeadKeys<'a>,
    #[serde(flatten)]
    url: UrlKey<'a>,
    #[serde(flatten)]
    file: FileKeys<'a>,
    #[serde(flatten)]
    result: ResultKeys<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    preferences: Option<&'a PreferenceAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<&'a PageAnswer>,
    #[serde(flatten)]
    delay: Option<Delay>,
    #[serde(flatten)]
    access: Option<WebKeys<'a>>,
    #[serde(flatten)]
    explanation: Option<ExplanationKeys<'a>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct HeadKeys<'a> {
    schema: &'static str,
    agent: &'a str,
    crawler: &'a ResolvedCrawler,
}

/// Keys from the file, besides the verdict.
#[derive(Debug, Serialize)]
pub(crate) struct FileKeys<'a> {
    sent_as: Option<&'a str>,
    ignored_star: Option<u32>,
    body_limit: Option<BodyLimitKeys<'a>>,
    warnings: &'a [FileWarning],
}

/// The state of the authority, unless the body was given.
#[derive(Debug, Serialize)]
pub(crate) struct WebKeys<'a> {
    #[serde(flatten)]
    access: AccessKeys<'a>,
    last_known: Option<VerdictKeys<'a>>,
}

#[derive(Debug, Serialize)]
struct ExplanationKeys<'a> {
    candidates: Vec<CandidateKeys<'a>>,
    other_dialects: Vec<OtherKeys<'a>>,
}

/// A rule that matches.
#[derive(Debug, Serialize)]
struct CandidateKeys<'a> {
    line: u32,
    rule: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_base64: Option<String>,
    effect: &'static str,
    bytes: u32,
    decides: bool,
    why: String,
}

/// A dialect with another answer, or in which the question is invalid.
#[derive(Debug, Serialize)]
struct OtherKeys<'a> {
    dialect: &'static str,
    allowed: Option<bool>,
    reason: Option<&'static str>,
    line: Option<u32>,
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_base64: Option<&'a str>,
    group: Option<GroupKeys>,
    why: String,
    clause: Option<&'static str>,
}

/// Returns the explained answer as a `verger.check/1` line. `target` is the target of `url` in the
/// dialect of the file. This parses the body four more times.
///
/// # Errors
///
/// Returns an error if serialization fails, which is not known to happen.
pub fn explanation_json(
    file: &RobotsFile,
    crawler: &ResolvedCrawler,
    url: &[u8],
    target: &TargetPath<'_>,
) -> io::Result<String> {
    let readings = Readings::new(file.reading(), Explaining::Yes);
    let crawlers = std::slice::from_ref(crawler);
    let checked = CheckedFile::new(file.body().to_vec(), &readings, crawlers);
    json::line_of(&CheckLine::new(&checked.answer(0, url, target)))
}

impl Serialize for CheckAnswer<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        CheckLine::new(self).serialize(serializer)
    }
}

impl<'a> CheckLine<'a> {
    /// Creates the line of an answer.
    #[must_use]
    pub fn new(answer: &'a CheckAnswer<'_>) -> Self {
        Self {
            head: HeadKeys::of(answer.crawler.resolved()),
            url: UrlKey::of(answer.url),
            file: FileKeys {
                sent_as: answer.sent_as.as_deref(),
                ignored_star: answer.ignored_star.map(LineNumber::get),
                body_limit: answer.at_other_limit.as_ref().map(BodyLimitKeys::of),
                ..FileKeys::of_file(answer.file)
            },
            result: result_keys(answer),
            preferences: answer.preferences.as_ref(),
            page: answer.page.as_ref(),
            delay: answer.crawler.delay(),
            access: WebKeys::of(answer),
            explanation: answer.explanation.as_ref().map(ExplanationKeys::of),
        }
    }
}

impl<'a> HeadKeys<'a> {
    pub(crate) fn of(crawler: &'a ResolvedCrawler) -> Self {
        Self {
            schema: SCHEMA,
            agent: crawler.name(),
            crawler,
        }
    }
}

impl<'a> FileKeys<'a> {
    /// Returns the keys that are the same for all questions.
    pub(crate) fn of_file(file: &'a CheckedFile) -> Self {
        Self {
            sent_as: None,
            ignored_star: None,
            body_limit: None,
            warnings: file.warnings(),
        }
    }
}

/// Returns the keys of the decision. If no rules decide, the reason is a code for the source.
pub(crate) fn result_keys<'a>(answer: &'a CheckAnswer<'_>) -> ResultKeys<'a> {
    let robots = answer.file.robots();
    let without_rules =
        |reason| ResultKeys::without_rules(answer.result.effect(), reason, robots.dialect());
    match &answer.result {
        CheckResult::Rules(verdict) => ResultKeys::Rules(VerdictKeys::new(verdict, robots)),
        CheckResult::Stance { .. } => without_rules("stance"),
        CheckResult::Unknown => without_rules("unknown"),
    }
}

impl<'a> WebKeys<'a> {
    fn of(answer: &'a CheckAnswer<'_>) -> Option<Self> {
        let lookup = answer.lookup?;
        let last_known = match &answer.result {
            CheckResult::Stance { last_known, .. } => *last_known,
            CheckResult::Rules(_) | CheckResult::Unknown => None,
        };
        let robots = answer.file.robots();
        Some(Self {
            last_known: last_known.map(|verdict| VerdictKeys::new(&verdict, robots)),
            ..Self::of_lookup(lookup)
        })
    }

    pub(crate) fn of_lookup(lookup: &'a AuthorityLookup) -> Self {
        Self {
            access: AccessKeys::new(&lookup.profile, lookup.state.as_ref()),
            last_known: None,
        }
    }
}

impl<'a> ExplanationKeys<'a> {
    fn of(explanation: &'a Explanation<'_>) -> Self {
        let candidates = explanation.candidates.iter();
        let others = explanation.others.iter();
        Self {
            candidates: candidates.map(CandidateKeys::of).collect(),
            other_dialects: others.map(OtherKeys::of).collect(),
        }
    }
}

impl<'a> CandidateKeys<'a> {
    fn of(candidate: &Candidate<'a>) -> Self {
        let (rule, rule_base64) = json_text(candidate.text);
        Self {
            line: candidate.line.get(),
            rule,
            rule_base64,
            effect: candidate.effect.as_str(),
            bytes: candidate.bytes,
            decides: candidate.status.decides(),
            why: candidate.status.to_string(),
        }
    }
}

impl<'a> OtherKeys<'a> {
    fn of(other: &'a OtherAnswer<'_>) -> Self {
        let keys = other.keys.as_ref();
        Self {
            dialect: other.dialect.as_str(),
            allowed: keys.map(|keys| keys.allowed),
            reason: keys.map(|keys| keys.reason),
            line: keys.and_then(|keys| keys.line),
            rule: keys.and_then(|keys| keys.rule.as_deref()),
            rule_base64: keys.and_then(|keys| keys.rule_base64.as_deref()),
            group: keys.and_then(|keys| keys.group),
            why: other.difference.to_string(),
            clause: other.difference.clause().map(Clause::id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use verger::{Dialect, Reading};

    fn line(body: &[u8], name: &str, url: &[u8], explaining: Explaining) -> String {
        let own = Reading::new(Dialect::Rfc9309);
        let readings = Readings::new(own, explaining);
        let crawler = ResolvedCrawler::from_name(name, own).unwrap();
        let file = CheckedFile::new(body.to_vec(), &readings, &[crawler]);
        let target = TargetPath::new(url, own).unwrap();
        serde_json::to_string(&CheckLine::new(&file.answer(0, url, &target))).unwrap()
    }

    #[test]
    fn a_line_has_its_keys_in_the_documented_order() {
        let body = b"User-agent: *\nDisallow: /a\n";
        let expected = concat!(
            r#"{"schema":"verger.check/1","agent":"x","#,
            r#""crawler":{"registry_name":null,"tokens":["x"],"star":"honoured","obeys":null},"#,
            r#""url_base64":"L2HpYg==","sent_as":null,"ignored_star":null,"#,
            r#""body_limit":null,"warnings":[],"allowed":false,"reason":"rule","line":2,"#,
            r#""rule":"Disallow: /a","group":{"line":1,"named":false},"dialect":"rfc9309"}"#,
        );
        assert_eq!(line(body, "x", b"/a\xe9b", Explaining::No), expected);
    }

    #[test]
    fn an_explained_line_has_candidates_and_other_dialects() {
        let body = b"User-agent: *\n\nDisallow: /a\nAllow: /\n";
        let line = line(body, "x", b"/a", Explaining::Yes);
        let (_, explanation) = line.split_once(r#""candidates":"#).unwrap();
        let expected = concat!(
            r#"[{"line":3,"rule":"Disallow: /a","effect":"disallow","bytes":2,"decides":true,"#,
            r#""why":"decides"},{"line":4,"rule":"Allow: /","effect":"allow","bytes":1,"#,
            r#""decides":false,"why":"line 3 is more specific"}],"#,
            r#""other_dialects":[{"dialect":"koster1996","allowed":true,"reason":"no-group","#,
            r#""line":null,"rule":null,"group":null,"#,
            r#""why":"line 2 is blank and ends the record","clause":"K96-3.2-1"}]}"#,
        );
        assert_eq!(explanation, expected);
    }

    #[test]
    fn an_explained_line_loses_no_byte_of_a_rule() {
        let body = b"User-agent: *\nAllow: /\xe9\nDisallow: /\xe9a\n";
        let line = line(body, "x", b"/%E9a", Explaining::Yes);
        let line: serde_json::Value = serde_json::from_str(&line).unwrap();
        let [allow, disallow] = ["QWxsb3c6IC/p", "RGlzYWxsb3c6IC/pYQ=="];
        assert_eq!(line["rule_base64"], disallow);
        assert_eq!(line["candidates"][0]["rule_base64"], disallow);
        let others = line["other_dialects"].as_array().unwrap();
        let other = others.iter().find(|it| it["dialect"] == "koster1996");
        assert_eq!(other.unwrap()["rule_base64"], allow);
    }

    mod of_authorities {
        use std::time::Duration;

        use verger_access::{
            Authority, Knowledge, LastAttempt, Outcome, Profile, Timestamp, TransportFailure,
        };

        use crate::access::lazy_hash::LazyHash;
        use crate::access::looked_up::{NOW, attempt, fetched, lookup};
        use crate::check_parts::CheckParts;

        use super::*;

        /// Returns the line for a URL whose authority has only this attempt.
        fn line(attempt: Option<LastAttempt>, url: &str) -> String {
            let knowledge = Knowledge {
                last: attempt,
                copy: None,
                streak: None,
            };
            line_of(knowledge, NOW, url)
        }

        fn line_of(knowledge: Knowledge, now: Timestamp, url: &str) -> String {
            let authority = Authority::from_url(url).unwrap();
            let mut lookup = lookup(authority, knowledge, &Profile::RFC9309, now);
            if let Some(state) = &mut lookup.state {
                state.hash = LazyHash::by(|body| format!("hash of {} bytes", body.len()));
            }
            let readings = Readings::new(Dialect::Rfc9309.into(), Explaining::No);
            let crawlers = [ResolvedCrawler::unnamed()];
            let file = CheckedFile::from_authority(&lookup, &readings, &crawlers);
            let target = TargetPath::new(url, Dialect::Rfc9309).unwrap();
            let answer = file.answer_of_authority(0, url.as_bytes(), &target, &lookup);
            let line = json::to_string(&CheckLine::new(&answer)).unwrap();
            let parts = CheckParts::of(&file, 0, &lookup).unwrap();
            // The second run uses the cache.
            for _ in 0..2 {
                let mut copied = b"before".to_vec();
                parts.append_line(&mut copied, &answer).unwrap();
                assert_eq!(copied, format!("before{line}").into_bytes());
            }
            line
        }

        #[test]
        fn preferences_follow_the_verdict() {
            let signals = "Content-Signal: ai-train=no\nContent-Usage: /a search=n\n";
            let body = format!("User-agent: *\n{signals}Disallow: /b\n");
            for (path, count) in [("a", 2), ("b", 1), ("c", 1), ("\u{e9}", 1)] {
                let url = format!("https://h.example/{path}");
                let line = line_of(fetched(body.as_bytes()), NOW, &url);
                assert_eq!(line.matches(r#""kind":"content-"#).count(), count, "{line}");
            }
        }

        #[test]
        fn an_unknown_authority_allows_only_its_robots_txt() {
            let unknown = line(None, "https://h.example/a");
            let keys = concat!(
                r#""allowed":null,"reason":"unknown","line":null,"rule":null,"group":null,"#,
                r#""dialect":"rfc9309","profile":"rfc9309","stance":null,"access_result":null"#,
            );
            assert!(unknown.contains(keys), "{unknown}");
            let itself = line(None, "https://h.example/robots.txt");
            let keys = r#""allowed":true,"reason":"robots-txt""#;
            assert!(itself.contains(keys), "{itself}");
        }

        #[test]
        fn an_unreachable_authority_is_closed_and_says_why() {
            let timeout = attempt(Outcome::Failed(TransportFailure::Timeout));
            let closed = line(Some(timeout), "https://h.example/a");
            for keys in [
                r#""allowed":false,"reason":"stance","line":null"#,
                r#""stance":"closed","access_result":{"result":"unreachable","what":""#,
                r#""clause":"R9309-2.3.1.4-1""#,
                r#""seen_at":"2027-01-15T08:00:00Z","body_seen_at":null,"snapshot":null"#,
                r#""body_sha256":null,"last_known":null}"#,
            ] {
                assert!(closed.contains(keys), "{keys} in {closed}");
            }
        }

        #[test]
        fn rules_decide_until_they_expire_and_are_shown_as_the_last_known_then() {
            let url = "https://h.example/a";
            let knowledge = fetched(b"User-agent: *\nDisallow: /a\n");
            for url in [
                "/b",
                "/a?q=\"\\",
                "/\u{e9}",
                "/\u{7f}",
                "/robots.txt",
                "/a b",
            ] {
                line_of(knowledge.clone(), NOW, &format!("https://h.example{url}"));
            }
            let decides = line_of(knowledge.clone(), NOW, url);
            for keys in [
                r#""allowed":false,"reason":"rule","line":2,"rule":"Disallow: /a""#,
                r#""stance":"rules""#,
                r#""body_seen_at":"2027-01-15T08:00:00Z""#,
                r#""body_sha256":"hash of 27 bytes","last_known":null}"#,
            ] {
                assert!(decides.contains(keys), "{keys} in {decides}");
            }
            let later = NOW.after(Duration::from_secs(30 * 24 * 60 * 60));
            let expired = line_of(knowledge, later, url);
            for keys in [
                r#""allowed":false,"reason":"stance","line":null"#,
                r#""stance":"defer""#,
                r#""body_sha256":null,"last_known":{"allowed":false,"reason":"rule","line":2,"#,
            ] {
                assert!(expired.contains(keys), "{keys} in {expired}");
            }
        }
    }
}
