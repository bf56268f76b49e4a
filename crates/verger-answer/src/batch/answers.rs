//! Answers the questions of a line. Parses the body once per dialect, and shares rules among
//! crawlers with the same groups.

use crate::read_error::ReadError;
use std::collections::BTreeMap;
use std::fmt;
use std::iter;

use serde::Serialize;
use serde_json::value::RawValue;
use verger::{Dialect, GroupIndex, Reading, RobotsTxt};
use verger_extensions::has_preferences;

use crate::batch::policy_cache::PolicyCache;
use crate::batch::preference_cache::PreferenceCache;
use crate::batch::request::{Agent, Question, Request, RequestError, Url, id_of};
use crate::check_answer::preference_answer::PreferenceAnswer;
use crate::file_warning::FileWarning;
use crate::given_body::GivenBody;
use crate::other_limit::{BodyLimitKeys, OtherLimitAnswer, read_otherwise};
use crate::verdict_keys::VerdictKeys;

/// The settings of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Batch<R, F> {
    dialect: Dialect,
    reading_of: R,
    read_file: F,
}

/// An output line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// A JSON object, without a line end.
    pub json: String,
    /// Whether the line reports an error.
    pub is_error: bool,
}

/// The answers to one line, in the order of its questions.
pub struct Answers<'l, R> {
    id: Option<&'l RawValue>,
    input_line: u64,
    state: State<'l, R>,
}

enum State<'l, R> {
    Open {
        file: ParsedFile<R>,
        questions: iter::Enumerate<Box<dyn Iterator<Item = Result<Question, RequestError>> + 'l>>,
    },
    /// The line cannot be answered. `None` after the error was returned.
    Refused(Option<RequestError>),
}

/// Rejects every file. Use it for batches from another machine, which must not read local files.
///
/// # Errors
///
/// Always returns an error.
pub fn no_files(_path: &str) -> Result<Vec<u8>, ReadError> {
    Err("robots_path is not available here: use robots or robots_base64".into())
}

impl<R, F> Batch<R, F>
where
    R: Fn(Dialect) -> Reading,
    F: Fn(&str) -> Result<Vec<u8>, ReadError>,
{
    /// Creates a batch. `dialect` is the default, `reading_of` returns the reading of a dialect,
    /// and `read_file` reads a `robots_path`.
    pub fn new(dialect: Dialect, reading_of: R, read_file: F) -> Self {
        Self {
            dialect,
            reading_of,
            read_file,
        }
    }

    /// Answers a line. `input_line`, counted from 1, appears in errors.
    pub fn answer<'l>(&self, line: &'l [u8], input_line: u64) -> Answers<'l, &R> {
        let (id, request) = match read_request(line) {
            Ok(request) => (request.id, Ok(request)),
            Err(error) => (id_of(line), Err(error)),
        };
        let state = request.and_then(|request| self.open(request));
        Answers {
            id,
            input_line,
            state: state.unwrap_or_else(|error| State::Refused(Some(error))),
        }
    }

    /// Rejects a line that is longer than the caller reads.
    pub fn refuse_long_line<'l>(&self, bytes_max: usize, input_line: u64) -> Answers<'l, &R> {
        Answers {
            id: None,
            input_line,
            state: State::Refused(Some(RequestError::TooLong(bytes_max))),
        }
    }

    fn open<'l>(&self, mut request: Request<'l>) -> Result<State<'l, &R>, RequestError> {
        let body = match request.take_body()? {
            GivenBody::Bytes(bytes) => bytes,
            GivenBody::Path(path) => (self.read_file)(&path).map_err(RequestError::Unreadable)?,
        };
        let dialect = request.dialect(self.dialect)?;
        let questions = request.questions(dialect)?;
        let questions: Box<dyn Iterator<Item = _>> = Box::new(questions);
        Ok(State::Open {
            file: ParsedFile {
                body,
                reading_of: &self.reading_of,
                readings: BTreeMap::new(),
                policies: PolicyCache::default(),
                other_policies: PolicyCache::default(),
                preferences: PreferenceCache::default(),
            },
            questions: questions.enumerate(),
        })
    }
}

fn read_request(bytes: &[u8]) -> Result<Request<'_>, RequestError> {
    let line = std::str::from_utf8(bytes).map_err(RequestError::NotUtf8)?;
    Request::read(line)
}

impl<R: Fn(Dialect) -> Reading> Iterator for Answers<'_, R> {
    type Item = Result<Response, serde_json::Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (id, input_line) = (self.id, self.input_line);
        let refused = |query, why: RequestError| NoAnswer {
            id,
            query,
            why: why.to_string(),
            input_line,
        };
        Some(match &mut self.state {
            State::Refused(error) => refused(None, error.take()?).response(),
            State::Open { file, questions } => {
                let (query, question) = questions.next()?;
                let answered = question.and_then(|question| {
                    let decision = file.decide(&question)?;
                    Ok(Answer {
                        id,
                        query,
                        agent: &question.agent,
                        url: &question.url,
                        decision: &decision.verdict,
                        preferences: decision.preferences,
                        body_limit: decision.body_limit,
                        warnings: decision.warnings,
                    }
                    .response())
                });
                answered.unwrap_or_else(|why| refused(Some(query), why).response())
            }
        })
    }
}

impl<R> fmt::Debug for Answers<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_refused = matches!(self.state, State::Refused(_));
        f.debug_struct("Answers")
            .field("id", &self.id.map(RawValue::get))
            .field("input_line", &self.input_line)
            .field("is_refused", &is_refused)
            .finish_non_exhaustive()
    }
}

struct ParsedFile<R> {
    body: Vec<u8>,
    reading_of: R,
    readings: BTreeMap<Dialect, ReadFile>,
    policies: PolicyCache,
    /// Policies under the other size limit.
    other_policies: PolicyCache,
    preferences: PreferenceCache,
}

/// A body in one dialect.
struct ReadFile {
    index: GroupIndex,
    warnings: Vec<FileWarning>,
    /// The body under the other size limit, if that makes a difference.
    other_limit: Option<GroupIndex>,
    has_preferences: bool,
}

impl ReadFile {
    fn of(robots: RobotsTxt) -> Self {
        Self {
            warnings: FileWarning::all_of(&robots),
            other_limit: read_otherwise(&robots).map(GroupIndex::new),
            has_preferences: has_preferences(&robots),
            index: GroupIndex::new(robots),
        }
    }
}

struct Decided<'f> {
    verdict: VerdictKeys<'f>,
    preferences: Option<PreferenceAnswer>,
    body_limit: Option<BodyLimitKeys<'f>>,
    warnings: &'f [FileWarning],
}

impl<R: Fn(Dialect) -> Reading> ParsedFile<R> {
    fn decide(&mut self, question: &Question) -> Result<Decided<'_>, RequestError> {
        let dialect = question.dialect;
        let reading = (self.reading_of)(dialect);
        let target = question.url.target(reading)?;
        let read = self.readings.entry(dialect).or_insert_with(|| {
            let robots = RobotsTxt::parse(self.body.as_slice(), reading);
            ReadFile::of(robots)
        });
        let crawler = question.agent.crawler(reading)?;
        let verdict = self.policies.of(&crawler, &read.index).decide(&target);
        let other = read.other_limit.as_ref().and_then(|other| {
            let policy = self.other_policies.of(&crawler, other);
            OtherLimitAnswer::of(other.robots(), policy, &target, verdict)
        });
        let robots = read.index.robots();
        let preferences = read.has_preferences.then(|| {
            let stated = self.preferences.of(&question.agent, &crawler, robots);
            stated.about(&target, verdict.effect())
        });
        Ok(Decided {
            verdict: VerdictKeys::in_batch(&verdict, robots),
            preferences: preferences.and_then(|stated| PreferenceAnswer::new(None, stated)),
            body_limit: other.as_ref().map(BodyLimitKeys::in_batch),
            warnings: &read.warnings,
        })
    }
}

/// An answer. The order of the keys is fixed.
#[derive(Serialize)]
struct Answer<'a> {
    id: Option<&'a RawValue>,
    query: usize,
    agent: &'a Agent,
    #[serde(flatten)]
    url: &'a Url,
    #[serde(flatten)]
    decision: &'a VerdictKeys<'a>,
    // Most answers have only the keys above.
    #[serde(skip_serializing_if = "Option::is_none")]
    preferences: Option<PreferenceAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    body_limit: Option<BodyLimitKeys<'a>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [FileWarning],
}

#[derive(Serialize)]
struct NoAnswer<'a> {
    id: Option<&'a RawValue>,
    query: Option<usize>,
    #[serde(rename = "error")]
    why: String,
    input_line: u64,
}

impl Answer<'_> {
    fn response(&self) -> Result<Response, serde_json::Error> {
        Ok(Response {
            json: crate::json::to_string(self)?,
            is_error: false,
        })
    }
}

impl NoAnswer<'_> {
    fn response(&self) -> Result<Response, serde_json::Error> {
        Ok(Response {
            json: crate::json::to_string(self)?,
            is_error: true,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(line: &str) -> Vec<(String, bool)> {
        let batch = Batch::new(Dialect::Rfc9309, Reading::new, |path: &str| match path {
            "there" => Ok(b"User-agent: *\nDisallow: /".to_vec()),
            _ => Err(format!("there is no {path}").into()),
        });
        let responses = batch.answer(line.as_bytes(), 7);
        let responses = responses.map(|it| it.map(|it| (it.json, it.is_error)));
        responses.collect::<Result<_, _>>().unwrap()
    }

    fn error(line: &str, query: &str, why: &str) {
        let id = if line.contains("\"id\"") {
            "1.50"
        } else {
            "null"
        };
        let json = format!(r#"{{"id":{id},"query":{query},"error":"{why}","input_line":7}}"#);
        assert_eq!(answers(line), [(json, true)], "{line}");
    }

    #[test]
    fn a_line_that_cannot_be_answered_says_why_once() {
        for (line, why) in [
            ("x", "not JSON: expected value, at column 1"),
            ("[1]", "not a JSON object"),
            (r#"{"id":1.50,"robots":7}"#, "robots must be a string"),
            (r#"{"id":1.50,"id":1.50}"#, "the key `id` appears twice"),
            (
                r#"{"id":1.50,"agent":"a","url":"/"}"#,
                "no body: give one of robots, robots_base64, robots_path",
            ),
            (
                r#"{"id":1.50,"robots_path":"gone","agent":"a","url":"/"}"#,
                "there is no gone",
            ),
            (
                r#"{"id":1.50,"robots":"","agent":"a","queries":[]}"#,
                "both a question and queries: move the question into queries",
            ),
        ] {
            if line.contains("\"id\":1.50,\"id\"") {
                let (json, is_error) = answers(line).remove(0);
                assert!(is_error && json.contains(why), "{json}");
            } else {
                error(line, "null", why);
            }
        }
        for (keys, why) in [
            (
                r#""robots":"","robots_path":"x""#,
                "several bodies: give only one of robots, robots_base64, robots_path",
            ),
            (
                r#""robots":"","dialect":"""#,
                "`` is not a dialect: expected one of rfc9309, google, draft2019, koster1996",
            ),
            (
                r#""robots":5,"r\u006fbots":"""#,
                "the key `robots` appears twice",
            ),
        ] {
            error(
                &format!(r#"{{"id":1.50,{keys},"agent":"a","url":"/"}}"#),
                "null",
                why,
            );
        }
        error(
            r#"{"id":1.50,"robots":"","queries":{}}"#,
            "null",
            "queries must be a list of objects",
        );
    }

    #[test]
    fn a_question_that_cannot_be_answered_says_why() {
        for (keys, why) in [
            (r#""url":"/""#, "no crawler: give agent or agents"),
            (r#""agent":"a""#, "no URL: give url or url_base64"),
            (
                r#""agent":"a","agents":["a"],"url":"/""#,
                "several crawlers: give only one of agent and agents",
            ),
            (
                r#""agent":"a","url":"/","url_base64":"Lw==""#,
                "several URLs: give only one of url and url_base64",
            ),
            (
                r#""agents":[],"url":"/""#,
                "agents is empty: use `*` for a crawler that no group names",
            ),
            (
                r#""queries":[{"agents":["a",1],"url":"/"}]"#,
                "agents must be a list of strings",
            ),
            (
                r#""queries":[{"agent":"a","agent":"b","url":"/"}]"#,
                "the key `agent` appears twice",
            ),
            (r#""queries":[["a"]]"#, "not a JSON object"),
        ] {
            error(&format!(r#"{{"id":1.50,"robots":"",{keys}}}"#), "0", why);
        }
    }

    #[test]
    fn an_id_is_echoed_as_written_and_unknown_keys_are_ignored() {
        for id in [
            "1e400",
            "12345678901234567890123",
            r#"{"b":[1.0,null],"a":"\u00e9"}"#,
            "false",
        ] {
            let line = format!(
                r#"{{"robots":"","agent":"a","url":"/","x":1,"x":{{"robots":2}},"id":{id}}}"#
            );
            let start = format!(r#"{{"id":{id},"query":0,"#);
            assert!(answers(&line)[0].0.starts_with(&start), "{id}");
        }
    }

    #[test]
    fn an_answer_about_an_odd_file_says_so_and_others_have_no_more_keys() {
        let plain = answers(r#"{"robots":"Allow: /","agent":"a","url":"/"}"#);
        assert!(plain[0].0.ends_with(r#""dialect":"rfc9309"}"#), "{plain:?}");
        let line = r#"{"robots":"<html>\nnonsense\n","queries":[{"agent":"a","url":"/"},
            {"agent":"a","url":"/","dialect":"google"}]}"#;
        for (json, _) in answers(&line.replace('\n', "")) {
            let json: serde_json::Value = serde_json::from_str(&json).unwrap();
            let warnings = json["warnings"].as_array().unwrap();
            let kinds: Vec<_> = warnings.iter().map(|it| &it["kind"]).collect();
            assert_eq!(kinds, ["looks-like-html", "invalid-lines"]);
            assert_eq!(warnings[1]["count"], 2);
            assert!(json.get("body_limit").is_none());
        }
    }

    #[test]
    fn a_rule_after_the_limit_is_seen() {
        let body = format!(
            "User-agent: *\\n{}Disallow: /x",
            "#123456789\\n".repeat(60_000)
        );
        let line = format!(
            r#"{{"robots":"{body}","queries":[{{"agent":"a","url":"/x"}},{{"agent":"a","url":"/y"}},
            {{"agent":"a","url":"/x","dialect":"google"}}]}}"#
        );
        let answers = answers(&line.replace('\n', ""));
        let limits = answers.iter().map(|(json, _)| {
            let json: serde_json::Value = serde_json::from_str(json).unwrap();
            json["body_limit"].clone()
        });
        let limits: Vec<_> = limits.collect();
        assert_eq!(limits[0]["applies"], true);
        assert_eq!(limits[0]["otherwise"]["line"], 60_002);
        assert!(limits[1].is_null());
        assert_eq!(limits[2]["applies"], false);
        assert_eq!(limits[2]["otherwise"]["reason"], "no-rule");
    }

    #[test]
    fn a_batch_from_another_machine_names_no_files() {
        let batch = Batch::new(Dialect::Rfc9309, Reading::new, no_files);
        let line = br#"{"robots_path":"/robots.txt","agent":"a","url":"/"}"#;
        let responses: Vec<_> = batch.answer(line, 7).map(Result::unwrap).collect();
        let why = "robots_path is not available here: use robots or robots_base64";
        let expected = format!(r#"{{"id":null,"query":null,"error":"{why}","input_line":7}}"#);
        assert_eq!(responses.len(), 1);
        assert!(responses[0].is_error);
        assert_eq!(responses[0].json, expected);
    }

    #[test]
    fn any_key_of_a_question_beside_queries_is_refused() {
        for key in [
            r#""agent":"a""#,
            r#""agents":["a"]"#,
            r#""url":"/""#,
            r#""url_base64":"Lw""#,
        ] {
            error(
                &format!(r#"{{"id":1.50,"robots":"",{key},"queries":[]}}"#),
                "null",
                "both a question and queries: move the question into queries",
            );
        }
    }

    #[test]
    fn each_query_has_the_rules_of_its_own_crawler() {
        let line = r#"{"robots":"User-agent: a\nDisallow: /a\nUser-agent: *\nDisallow: /b",
            "queries":[{"agent":"a","url":"/a"},{"agent":"a","url":"/b"},{"agent":"c","url":"/b"},
            {"agents":["c","a"],"url":"/a"}]}"#;
        let answers = answers(&line.replace('\n', ""));
        let decisions = [
            r#""allowed":false,"reason":"rule","line":2,"#,
            r#""allowed":true,"reason":"no-rule","line":null,"#,
            r#""allowed":false,"reason":"rule","line":4,"#,
            r#""allowed":false,"reason":"rule","line":2,"#,
        ];
        assert_eq!(answers.len(), decisions.len());
        for ((json, _), decision) in answers.iter().zip(decisions) {
            assert!(json.contains(decision), "{decision} in {json}");
        }
    }

    #[test]
    fn each_query_has_its_answer_in_its_place() {
        let line = r#"{"robots_path":"there","queries":[{"agent":"a","url":"/x"},{"agent":"a"},
            {"agents":["b","a"],"url_base64":"L3JvYm90cy50eHQ","dialect":"google"}]}"#
            .replace('\n', "");
        let answers = answers(&line);
        let starts = [
            r#"{"id":null,"query":0,"agent":"a","url":"/x","allowed":false,"reason":"rule","#,
            r#"{"id":null,"query":1,"error":"no URL: give url or url_base64","#,
            r#"{"id":null,"query":2,"agent":["b","a"],"url_base64":"L3JvYm90cy50eHQ","#,
        ];
        assert_eq!(answers.len(), starts.len());
        for ((json, is_error), start) in answers.iter().zip(starts) {
            assert!(json.starts_with(start), "{json}");
            assert_eq!(*is_error, json.contains("error"), "{json}");
        }
    }
}
