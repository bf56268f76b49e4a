//! The cases of `testdata/` give the same answers through a checker as through other interfaces.

use serde_json::Value;
use verger::{Crawler, Dialect, NamedBy, Reading, RobotsTxt, TargetPath};
use verger_access::{Profile, requested_target};
use verger_bulk::{
    AccessSource, CaptureIndexBuilder, CapturedKnowledge, Checker, StandingSource, When,
};
use verger_extensions::ContentUse;
use verger_inputs::RuleSource;
use verger_inputs::rulebook::{Keeping, RulesMaker, authority_of};
use verger_testkit::case::{check, load_all, testdata_dir};
use verger_testkit::oracle::Oracle;
use verger_testkit::subject::{Answer, DialectName, GroupName, Question, ReasonName, Subject};

use crate::captured::{lines, rows};

struct BulkCheck;

fn answered(source: &dyn StandingSource, reading: Reading, url: &[u8]) -> Value {
    let checker = Checker::new(source, vec!["x".into()], reading, When::Newest);
    lines(&checker, &rows([(url, None)])).remove(0)
}

impl Subject for BulkCheck {
    fn name(&self) -> &'static str {
        "bulk check"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        if question.agents.is_empty() {
            return Err("the question names no crawler".to_owned());
        }
        let dialect = Dialect::ALL
            .iter()
            .copied()
            .find(|dialect| dialect.as_str() == question.dialect.as_str());
        let reading = Reading::new(dialect.unwrap());
        let names = question.agents.iter().map(String::as_str);
        let crawler = Crawler::named_in_order(names, reading).map_err(|error| error.to_string())?;
        let maker = RulesMaker::new(vec![crawler.clone()], reading, Keeping::Rules);
        let given = RuleSource::one(maker.rules(question.robots));
        let line = answered(&given, reading, question.url);
        if let Ok(authority) = authority_of(question.url) {
            let captured = captured(&authority, question.robots, maker, reading);
            let of_capture = answered(&captured, reading, question.url);
            for key in [
                "allowed",
                "reason",
                "line",
                "rule",
                "group_line",
                "group_named",
            ] {
                assert_eq!(of_capture[key], line[key], "{key}");
            }
        }
        let target = TargetPath::new(question.url, reading);
        if target.is_ok() && requested_target(question.url, reading).is_err() {
            // The library accepts any text. Columns are about URLs that a client can request. V-37.
            assert_eq!(line["reason"], "not-a-url");
            return Oracle.answer(question);
        }
        let sent = TargetPath::as_sent(question.url, reading);
        if let (Ok(target), Ok(sent)) = (target, sent)
            && target.as_bytes() != sent.as_bytes()
        {
            return Ok(as_sent(question, &crawler, reading, &line));
        }
        read_answer(&line)
    }
}

/// Bytes that no client sends unchanged are answered as the client would send them (V-40), as in
/// `verger filter`. Returns the answer about the bytes themselves.
fn as_sent(question: &Question<'_>, crawler: &Crawler, reading: Reading, line: &Value) -> Answer {
    let policy = RobotsTxt::parse(question.robots, reading).policy(crawler);
    let sent = TargetPath::as_sent(question.url, reading).unwrap();
    let verdict = policy.decide(&sent);
    assert_eq!(line["allowed"], verdict.is_allowed());
    assert_eq!(line["reason"], verdict.reason().as_str());
    let verdict = policy.decide(&TargetPath::new(question.url, reading).unwrap());
    let allowed = verdict.is_allowed();
    let line = verdict.line().map(verger::LineNumber::get);
    let group = verdict.group().map(|group| GroupName {
        line: group.line.get(),
        named: group.named_by == NamedBy::Token,
    });
    let reason = reason(verdict.reason().as_str());
    Answer {
        allowed,
        reason,
        line,
        group,
    }
}

fn reason(word: &str) -> ReasonName {
    match word {
        "rule" => ReasonName::Rule,
        "no-rule" => ReasonName::NoRule,
        "no-group" => ReasonName::NoGroup,
        "robots-txt" => ReasonName::RobotsTxt,
        other => panic!("{other}"),
    }
}

/// A capture of the body, under a profile with this reading.
fn captured(
    authority: &str,
    body: &[u8],
    maker: RulesMaker,
    reading: Reading,
) -> AccessSource<CapturedKnowledge> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("captures.parquet");
    let row = crate::captured::Row {
        authority: authority.to_owned(),
        time: 1_790_000_000,
        outcome: "successful http 200",
        body: Some(body.to_vec()),
    };
    crate::captured::write_captures(&path, &[row]);
    let mut index = CaptureIndexBuilder::new().unwrap();
    index.add_file(&path).unwrap();
    let rfc9309: Profile = "rfc9309".parse().unwrap();
    let profile = Profile { reading, ..rfc9309 };
    let knowledge = CapturedKnowledge::new(index.finish().unwrap());
    AccessSource::new(knowledge, profile, maker, None)
}

fn read_answer(line: &Value) -> Result<Answer, String> {
    let number = |value: &Value| value.as_u64().map(|line| u32::try_from(line).unwrap());
    let Some(allowed) = line["allowed"].as_bool() else {
        return Err(line["reason"].to_string());
    };
    Ok(Answer {
        allowed,
        reason: reason(line["reason"].as_str().unwrap()),
        line: number(&line["line"]),
        group: number(&line["group_line"]).map(|of_group| GroupName {
            line: of_group,
            named: line["group_named"].as_bool().unwrap(),
        }),
    })
}

#[test]
fn every_case_has_its_answer() {
    let corpus = load_all(&testdata_dir()).unwrap();
    assert!(corpus.plain_cases().count() > 100);
    let failures = check(&corpus, &BulkCheck, &DialectName::ALL);
    let report: Vec<_> = failures.iter().map(ToString::to_string).collect();
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// The columns of one use have what the case states, for crawlers that share a policy too.
#[test]
fn every_preference_about_a_use_of_content_is_stated() {
    let corpus = load_all(&testdata_dir()).unwrap();
    for case in &corpus.preferences {
        for name in &case.dialects {
            let reading = Reading::new(name.as_str().parse::<Dialect>().unwrap());
            let tokens = case.agents.iter().map(String::as_str);
            let crawler = Crawler::named_in_order(tokens, reading).unwrap();
            let url = format!("https://h.example{}", case.url);
            for (nth, asked) in ContentUse::ALL.into_iter().enumerate() {
                for crawlers in [
                    vec![crawler.clone()],
                    vec![crawler.clone(), Crawler::unnamed()],
                ] {
                    let names = vec!["x".to_owned(); crawlers.len()];
                    let maker = RulesMaker::new(crawlers, reading, Keeping::Rules);
                    let rules = maker.with_preferences().rules(&case.robots);
                    let given = RuleSource::one(rules);
                    let checker = Checker::new(&given, names, reading, When::Newest);
                    let checker = checker.about(Some(asked));
                    let line = lines(&checker, &rows([(url.as_bytes(), None)])).remove(0);
                    let word = case.words()[nth];
                    assert_eq!(line["preference"], word, "{} in {}", case.id, name.as_str());
                    let says = |value: &&String| {
                        let pair = value.split_once('=').unwrap();
                        let key = pair.0.rsplit(' ').next().unwrap();
                        [asked.as_str(), asked.label()].contains(&key)
                            && pair.1.starts_with(&word[..1])
                    };
                    let number =
                        |value: &String| value.split(' ').next().unwrap().parse::<u32>().unwrap();
                    let expected = case.values.iter().find(says).map(number);
                    assert_eq!(
                        line["preference_line"],
                        serde_json::json!(expected),
                        "{}",
                        case.id
                    );
                }
            }
        }
    }
}

#[test]
fn a_preference_about_an_unknown_site_is_null_and_no_option_adds_no_column() {
    let reading = Reading::new(Dialect::Rfc9309);
    let maker = RulesMaker::new(vec![Crawler::unnamed()], reading, Keeping::Rules);
    let given = RuleSource::one(
        maker
            .with_preferences()
            .rules("User-agent: *\nContent-Usage: search=n"),
    );
    let rows = rows([(&b"https://h.example/"[..], None), (b"no URL", None)]);
    let checker = Checker::new(&given, vec!["x".into()], reading, When::Newest);
    let without = lines(&checker, &rows);
    assert!(without.iter().all(|line| line.get("preference").is_none()));
    let with = lines(&checker.about(Some(ContentUse::Search)), &rows);
    assert_eq!(
        (&with[0]["preference"], &with[0]["preference_line"]),
        (&"no".into(), &2.into())
    );
    assert_eq!(with[1]["allowed"], Value::Null);
    assert_eq!(
        (&with[1]["preference"], &with[1]["preference_line"]),
        (&Value::Null, &Value::Null)
    );
}
