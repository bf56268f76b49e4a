//! The questions of a site's owner in `testdata/answers.toml`, as Python, C and Ruby answer them too.

use verger_testkit::case::{AnswerCase, QuestionName, load_all, testdata_dir};

use crate::verger::{file, verger};

fn on_file(case: &AnswerCase, name: &str, content: &[u8]) -> String {
    let path = file(&format!("{}{name}", case.id), content);
    path.to_str().unwrap().to_owned()
}

fn page_arguments(case: &AnswerCase) -> Vec<String> {
    let robots = format!("--robots={}", on_file(case, ".txt", &case.robots));
    let mut arguments = vec!["check".to_owned(), robots, case.url.clone()];
    for (option, text) in [("page-head", &case.head), ("page-file", &case.html)] {
        arguments.extend(text.as_ref().map(|text| {
            let path = on_file(case, &format!(".{option}"), text.as_bytes());
            format!("--{option}={path}")
        }));
    }
    arguments
}

/// Returns the output of the command for a case.
fn printed(case: &AnswerCase) -> String {
    let on_file = |name: &str, content: &[u8]| on_file(case, name, content);
    let named = |option: &str, value: Option<String>| value.map(|it| format!("--{option}={it}"));
    let agents = case.agents.iter();
    let mut input = case.robots.as_slice();
    let mut arguments = match case.question {
        QuestionName::Who => vec!["who".to_owned(), "-".to_owned()],
        QuestionName::Diff => {
            input = &case.new;
            vec![
                "diff".to_owned(),
                on_file(".txt", &case.robots),
                "-".to_owned(),
            ]
        }
        QuestionName::Lint => {
            let settings = on_file(".toml", case.settings.as_bytes());
            let arguments = [
                "lint".to_owned(),
                format!("--config={settings}"),
                "-".to_owned(),
            ];
            arguments
                .into_iter()
                .chain(named("site", case.site.clone()))
                .collect()
        }
        QuestionName::Parse => vec!["parse".to_owned(), "-".to_owned()],
        QuestionName::Page => page_arguments(case),
        QuestionName::Explain => {
            let robots = format!("--robots={}", on_file(".txt", &case.robots));
            vec![
                "check".to_owned(),
                "--explain".to_owned(),
                robots,
                case.url.clone(),
            ]
        }
        QuestionName::History => {
            let store = on_file(".db", b"");
            std::fs::remove_file(&store).unwrap();
            let store = format!("--store={store}");
            verger(["store", "import", &store, "-"], &case.export);
            let second = |it: u64| format!("@{it}");
            let arguments = ["history".to_owned(), store, case.url.clone()].into_iter();
            let arguments = arguments.chain(named("since", Some(second(case.since))));
            let arguments = arguments.chain(named("until", case.until.map(second)));
            arguments
                .chain(case.with_lines.then(|| "--diff".to_owned()))
                .chain(case.with_facts.then(|| "--facts".to_owned()))
                .collect()
        }
    };
    arguments.push("--json".to_owned());
    if !matches!(case.question, QuestionName::Lint | QuestionName::History) {
        let dialect = case.dialect.map(|it| it.as_str().to_owned());
        arguments.extend(named("dialect", dialect));
    }
    arguments.extend(named(
        "max-states",
        case.max_states.map(|it| it.to_string()),
    ));
    let option = match case.question {
        QuestionName::Explain => "token",
        _ => "agent",
    };
    arguments.extend(agents.map(|agent| format!("--{option}={agent}")));
    verger(arguments, input).stdout
}

#[test]
fn the_command_answers_every_question_as_its_case_says() {
    let answers = load_all(&testdata_dir()).unwrap().answers;
    assert!(answers.len() > 12);
    // Without files, the command would fetch the page.
    let is_given = |it: &AnswerCase| {
        it.question != QuestionName::Page || it.head.is_some() || it.html.is_some()
    };
    for case in answers.into_iter().filter(is_given) {
        assert_eq!(printed(&case), case.expect, "{}", case.id);
    }
}
