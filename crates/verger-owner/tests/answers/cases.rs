//! The questions of `testdata/answers.toml` that this crate answers.

use verger::Dialect;
use verger_access::{Authority, Timestamp};
use verger_compare::Budget;
use verger_owner::{FileQuestion, HistoryDetail, history_json_of_export};
use verger_testkit::case::{AnswerCase, QuestionName, load_all, testdata_dir};

fn answer(case: &AnswerCase) -> Option<String> {
    let mut question = FileQuestion::default();
    if let Some(dialect) = case.dialect {
        let dialect: Dialect = dialect.as_str().parse().unwrap();
        question.read_as = dialect.into();
    }
    question.crawlers = case.agents.iter().map(|it| it.parse().unwrap()).collect();
    question.budget = case
        .max_states
        .map_or(Budget::default(), Budget::from_states);
    let robots = case.robots.as_slice();
    match case.question {
        QuestionName::Who => question.who_json(robots).ok(),
        QuestionName::Diff => question.diff_json(robots, case.new.as_slice()).ok(),
        QuestionName::Parse => question.parse_json(b"-", robots).ok(),
        QuestionName::History => {
            let site = Authority::from_url(&case.url).unwrap();
            let [since, until] = [case.since, case.until.unwrap_or(u64::MAX)];
            let during = Timestamp::from_unix_seconds(since)..Timestamp::from_unix_seconds(until);
            let export = case.export.as_bytes();
            let detail = HistoryDetail {
                diff: case.with_lines,
                facts: case.with_facts,
            };
            history_json_of_export(export, &site, during, detail).ok()
        }
        QuestionName::Lint | QuestionName::Explain | QuestionName::Page => None,
    }
}

#[test]
fn every_question_is_answered_as_its_case_says() {
    let mut asked = 0;
    for case in load_all(&testdata_dir()).unwrap().answers {
        let Some(answer) = answer(&case) else {
            let others = [
                QuestionName::Lint,
                QuestionName::Explain,
                QuestionName::Page,
            ];
            assert!(others.contains(&case.question), "{}", case.id);
            continue;
        };
        assert_eq!(answer, case.expect, "{}", case.id);
        asked += 1;
    }
    assert!(asked > 8);
}

#[test]
fn a_file_is_parsed_for_one_crawler_at_most() {
    let question = |names: &[&str]| {
        let mut question = FileQuestion::default();
        question.crawlers = names.iter().map(|name| name.parse().unwrap()).collect();
        question
    };
    let error = question(&["a", "b"]).parse_json(b"-", "").unwrap_err();
    assert!(error.to_string().contains("a, b"), "{error}");
    assert!(question(&["@openai"]).parse_json(b"-", "").is_err());
    assert!(question(&["a"]).parse_json(b"-", "").is_ok());
}

#[test]
fn what_is_no_export_has_no_history() {
    let site = Authority::from_url("https://example.com").unwrap();
    let during = Timestamp::default()..Timestamp::from_unix_seconds(1);
    let detail = HistoryDetail::default();
    let error = history_json_of_export(b"x\n", &site, during, detail).unwrap_err();
    let said = error.to_string();
    // The error must not quote any of the input.
    assert!(
        said.starts_with("line 1: ") && !said.contains("import"),
        "{said}"
    );
}
