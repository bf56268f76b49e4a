//! The cases of `testdata/` through `verger check --batch`: one process, which is asked and
//! answers in turn.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use verger_testkit::case::{CaseOption, Failure, check, check_case, load_all, testdata_dir};
use verger_testkit::subject::{Answer, DialectName, GroupName, Question, ReasonName, Subject};

use crate::verger::command;

/// A running batch.
struct Batch(RefCell<Conversation>);

struct Conversation {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    fn start(option: Option<CaseOption>) -> Self {
        let option = option.map(|option| match option {
            CaseOption::OtherRecordsLenient => "--reading=lenient-other-records",
            CaseOption::LenientLines => "--reading=lenient-lines",
            CaseOption::IgnoreAllow => "--reading=ignore-allow",
            CaseOption::Bridge => "--reading=bridge-encodings",
            CaseOption::CommaAgents => "--reading=comma-agents",
        });
        let mut child = command()
            .args(["check", "--batch", "-"])
            .args(option)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self(RefCell::new(Conversation {
            questions: child.stdin.take(),
            answers: BufReader::new(child.stdout.take().unwrap()),
            child,
        }))
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        self.questions = None;
        let _ = self.child.wait();
    }
}

impl Subject for Batch {
    fn name(&self) -> &'static str {
        "verger check --batch"
    }

    fn answer(&self, question: &Question<'_>) -> Result<Answer, String> {
        let mut line = json!({
            "robots_base64": BASE64_STANDARD.encode(question.robots),
            "url_base64": BASE64_STANDARD.encode(question.url),
            "dialect": question.dialect.as_str(),
        });
        match question.agents {
            [agent] => line["agent"] = json!(agent),
            agents => line["agents"] = json!(agents),
        }
        let mut batch = self.0.borrow_mut();
        writeln!(batch.questions.as_mut().unwrap(), "{line}").unwrap();
        let mut answer = String::new();
        batch.answers.read_line(&mut answer).unwrap();
        read_answer(&serde_json::from_str(&answer).unwrap())
    }
}

fn read_answer(answer: &Value) -> Result<Answer, String> {
    if let Some(error) = answer["error"].as_str() {
        return Err(error.to_owned());
    }
    let line = |value: &Value| value.as_u64().map(|line| u32::try_from(line).unwrap());
    let group = &answer["group"];
    Ok(Answer {
        allowed: answer["allowed"].as_bool().unwrap(),
        reason: match answer["reason"].as_str().unwrap() {
            "rule" => ReasonName::Rule,
            "no-rule" => ReasonName::NoRule,
            "no-group" => ReasonName::NoGroup,
            "robots-txt" => ReasonName::RobotsTxt,
            other => panic!("{other}"),
        },
        line: line(&answer["line"]),
        group: line(&group["line"]).map(|line| GroupName {
            line,
            named: group["named"].as_bool().unwrap(),
        }),
    })
}

fn assert_none(failures: &[Failure]) {
    let report: Vec<_> = failures.iter().map(ToString::to_string).collect();
    assert!(report.is_empty(), "{}", report.join("\n"));
}

#[test]
fn a_batch_answers_every_case() {
    let corpus = load_all(&testdata_dir()).unwrap();
    assert!(corpus.plain_cases().count() > 100);
    assert_none(&check(&corpus, &Batch::start(None), &DialectName::ALL));
}

#[test]
fn a_batch_with_an_option_answers_its_cases() {
    let corpus = load_all(&testdata_dir()).unwrap();
    for option in CaseOption::ALL {
        let batch = Batch::start(Some(option));
        for case in corpus.cases_with(option) {
            assert_none(&check_case(case, &batch, &DialectName::ALL));
        }
    }
}
