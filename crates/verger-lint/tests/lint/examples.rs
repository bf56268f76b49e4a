//! Every lint finds something in its bad example and nothing in its good one.

use verger_lint::{Example, Lint, Linted, Served, Severity, all};
use verger_testkit::case::{load_all, testdata_dir};

fn codes(example: &Example) -> Vec<&'static str> {
    let file = Linted::new(example.body(), &example.served());
    file.findings().iter().map(|finding| finding.code).collect()
}

/// The lints of files. `about_pages` tests the others.
fn of_files() -> impl Iterator<Item = &'static Lint> {
    all().iter().filter(|lint| !lint.is_about_pages())
}

#[test]
fn a_wrong_example_is_found_and_a_right_one_is_not() {
    let mut wrong = Vec::new();
    for lint in of_files() {
        if !codes(lint.wrong_example()).contains(&lint.code()) {
            wrong.push(format!("{} finds nothing", lint.code()));
        }
        if codes(lint.right_example()).contains(&lint.code()) {
            wrong.push(format!(
                "{} finds something in the right example",
                lint.code()
            ));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_right_example_has_no_other_fault() {
    let mut wrong = Vec::new();
    for lint in of_files() {
        let example = lint.right_example();
        let file = Linted::new(example.body(), &example.served());
        let faults = file.findings().iter();
        let faults = faults.filter(|finding| finding.severity >= Severity::Warning);
        // The opposite of disallowing everything for one crawler is disallowing it for none.
        wrong.extend(faults.map(|finding| format!("{}: {}", lint.code(), finding.message)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn codes_are_unique_kebab_case_names() {
    let mut seen = std::collections::BTreeSet::new();
    for lint in all() {
        let code = lint.code();
        let is_kebab =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!(code.bytes().all(is_kebab), "{code}");
        assert!(seen.insert(code), "{code}");
    }
}

#[test]
fn the_examples_of_the_documents_cause_no_alarm() {
    let corpus = load_all(&testdata_dir()).unwrap();
    let is_of_documents = |clauses: &[String]| {
        clauses.iter().any(|id| {
            id.starts_with("R9309-5") || id.starts_with("D00-3") || id.starts_with("R9309-2.2.1")
        })
    };
    let examples = corpus
        .cases
        .iter()
        .filter(|case| case.file.ends_with("examples.toml"));
    let mut checked = 0;
    for case in examples.filter(|case| is_of_documents(&case.clauses)) {
        checked += 1;
        let file = Linted::new(&*case.robots, &Served::default());
        let alarms = file
            .findings()
            .iter()
            .filter(|it| it.severity >= Severity::Warning);
        let alarms: Vec<_> = alarms.map(|it| (it.code, &it.message)).collect();
        assert!(alarms.is_empty(), "{}: {alarms:?}", case.id);
    }
    assert!(checked >= 4, "{checked}");
}

#[test]
fn an_unknown_key_is_never_an_error() {
    for key in [
        "LLM-Policy",
        "Agentmap",
        "Comment",
        "x",
        "Disallowance",
        "Robot-version",
    ] {
        let body = format!("User-agent: *\nDisallow: /private\n{key}: value\n");
        let file = Linted::new(body, &Served::default());
        let worst = file.findings().iter().map(|finding| finding.severity).max();
        assert!(worst < Some(Severity::Error), "{key}");
    }
}
