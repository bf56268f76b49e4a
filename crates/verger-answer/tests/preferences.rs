//! What a file states about the uses of content: the engine's join, as JSON, agrees with the cases
//! and with the oracle, which was written separately.

use serde_json::Value;
use verger::{Crawler, Dialect, Reading, RobotsTxt, TargetPath};
use verger_answer::batch::{Batch, no_files};
use verger_answer::{
    CheckLine, CheckedFile, Explaining, PreferenceAnswer, Readings, ResolvedCrawler,
};
use verger_extensions::{ContentUse, StatedPreferences, stated_preferences};
use verger_testkit::case::{PreferenceCase, load_all, testdata_dir};
use verger_testkit::generate::Rng;
use verger_testkit::oracle::{Oracle, Preferences};
use verger_testkit::subject::{DialectName, Question};

/// The words for `search`, `ai-input` and `ai-train`, and the values as the cases write them.
type Answer = (Vec<String>, Vec<String>);

/// Reads the key `preferences` of an answer.
fn read(answer: &Value) -> Answer {
    let Some(preferences) = answer.get("preferences") else {
        return (vec!["unstated".to_owned(); 3], Vec::new());
    };
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let value = |it: &Value| {
        let [kind, key, value] = ["kind", "key", "value"].map(|key| text(&it[key]));
        format!("{} {kind} {key}={value}", it["line"])
    };
    let words = ["search", "ai_input", "ai_train"].map(|key| text(&preferences[key]));
    let values = preferences["values"].as_array().unwrap().iter();
    let values: Vec<_> = values.map(value).collect();
    assert!(!values.is_empty(), "the key is absent if nothing is stated");
    (words.into(), values)
}

fn expected(words: [&str; 3], values: &[String]) -> Answer {
    (words.map(str::to_owned).into(), values.to_vec())
}

fn dialect_of(name: DialectName) -> Dialect {
    name.as_str().parse().unwrap()
}

/// Asks the batch, which takes tokens in order.
fn in_batch(robots: &[u8], agents: &[String], url: &str, dialect: DialectName) -> Answer {
    use base64::Engine as _;
    let line = serde_json::json!({
        "robots_base64": base64::engine::general_purpose::STANDARD.encode(robots),
        "agents": agents, "url": url, "dialect": dialect.as_str(),
    });
    let batch = Batch::new(Dialect::Rfc9309, Reading::new, no_files);
    let line = line.to_string();
    let answer = batch.answer(line.as_bytes(), 1).next().unwrap().unwrap();
    assert!(!answer.is_error, "{}", answer.json);
    read(&serde_json::from_str(&answer.json).unwrap())
}

fn checked(case: &PreferenceCase, dialect: Dialect, asked: Option<ContentUse>) -> Value {
    let readings = Readings::new(dialect.into(), Explaining::No);
    let crawler = ResolvedCrawler::from_token(&case.agents[0], dialect.into()).unwrap();
    let file = CheckedFile::new(case.robots.clone(), &readings, &[crawler]).with_use(asked);
    let target = TargetPath::new(&case.url, dialect).unwrap();
    let answer = file.answer(0, case.url.as_bytes(), &target);
    serde_json::to_value(CheckLine::new(&answer)).unwrap()
}

#[test]
fn every_case_is_answered_as_stated() {
    let corpus = load_all(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"));
    assert!(!corpus.preferences.is_empty());
    for case in &corpus.preferences {
        for &name in &case.dialects {
            let at = format!("{} in {}", case.id, name.as_str());
            let expected = expected(case.words(), &case.values);
            assert_eq!(
                in_batch(&case.robots, &case.agents, &case.url, name),
                expected,
                "{at}"
            );
            let question = Question {
                dialect: name,
                robots: &case.robots,
                agents: &case.agents,
                url: case.url.as_bytes(),
            };
            let Preferences { words, values } = Oracle.preferences(&question).unwrap();
            assert_eq!(self::expected(words, &values), expected, "{at}: oracle");
            if case.agents.len() == 1 {
                let dialect = dialect_of(name);
                assert_eq!(read(&checked(case, dialect, None)), expected, "{at}");
                one_use_is_picked(case, dialect);
            }
        }
    }
}

/// With one use asked about, the key is always there and has no other use. The rest of the answer
/// stays the same.
fn one_use_is_picked(case: &PreferenceCase, dialect: Dialect) {
    let mut all = checked(case, dialect, None);
    all.as_object_mut().unwrap().remove("preferences");
    for (nth, asked) in ContentUse::ALL.into_iter().enumerate() {
        let mut answer = checked(case, dialect, Some(asked));
        let preferences = answer
            .as_object_mut()
            .unwrap()
            .remove("preferences")
            .unwrap();
        assert_eq!(answer, all);
        let keys: Vec<&String> = preferences.as_object().unwrap().keys().collect();
        let key = asked.as_str().replace('-', "_");
        assert_eq!(keys, [&key, "values"]);
        assert_eq!(preferences[&key], case.words()[nth], "{}", case.id);
        for value in preferences["values"].as_array().unwrap() {
            let names = [asked.as_str(), asked.label(), "use"];
            assert!(names.contains(&value["key"].as_str().unwrap()), "{value}");
        }
    }
}

const PIECES: [&str; 22] = [
    "User-agent: *",
    "User-agent: FooBot",
    "User-agent: FooBot",
    "User-agent: BarBot",
    "Allow: /",
    "Disallow: /a",
    "Disallow: /a/b",
    "",
    "Sitemap: https://h.example/s",
    "Content-Signal: search=yes, ai-train=no",
    "Content-Signal: ai-input=yes,use=full, ai-train=yes",
    "content-signal : Search=no , x=y",
    "Content-Signal ai-input=no",
    "Content-Usage: train-ai=n",
    "Content-Usage: train-ai=y, search=y",
    "Content-Usage: /a train-ai=y",
    "Content-Usage: /a\tai-use=n;p=1, search=x",
    "Content-Usage: /a/b search=n, search=y",
    "Content-Usage: /*b$ ai-use=y",
    "Content-Usage: /%61/ train-ai=n",
    "Content-Usage: /a",
    "CONTENT-USAGE:Search=n",
];

/// The body is long enough to have several groups, and short enough that all lines meet.
#[test]
fn generated_bodies_are_joined_as_the_oracle_joins_them() {
    let agents = [vec!["FooBot"], vec!["BarBot", "FooBot"], vec!["x"]];
    let agents = agents.map(|it| it.into_iter().map(str::to_owned).collect::<Vec<_>>());
    let mut stated = 0;
    for seed in 0..2_000 {
        let mut rng = Rng::new(seed);
        let lines = 2 + rng.below(12);
        let lines: Vec<&str> = (0..lines).map(|_| rng.pick(&PIECES)).collect();
        let body = lines.join("\n");
        let url = rng.pick(&["/", "/a", "/a/b", "/a/c", "/robots.txt", "/b?a"]);
        for dialect in DialectName::ALL {
            for agents in &agents {
                let question = Question {
                    dialect,
                    robots: body.as_bytes(),
                    agents,
                    url: url.as_bytes(),
                };
                let Preferences { words, values } = Oracle.preferences(&question).unwrap();
                let found = in_batch(body.as_bytes(), agents, url, dialect);
                stated += usize::from(!values.is_empty());
                let expected = expected(words, &values);
                assert_eq!(found, expected, "{agents:?} {url} {dialect:?}\n{body}");
            }
        }
    }
    assert!(stated > 4_000, "{stated}");
}

/// A hostile file cannot make answers long, and its text is not in them.
#[test]
fn an_answer_has_at_most_fifteen_values_however_many_lines_there_are() {
    let lines = "Content-Signal: search=yes,search=no,ai-input=yes,ai-input=no,ai-train=yes,ai-train=no,\
                 use=immediate,use=reference,use=full,use=OBEY,OBEY=yes\n\
                 Content-Usage: search=y, ai-use=y, train-ai=y, obey=y\n\
                 Content-Usage: search=n, ai-use=n, train-ai=n\n";
    let body = format!("User-agent: *\nAllow: /\n{}", lines.repeat(2_000));
    let robots = RobotsTxt::parse(body.as_str(), Dialect::Rfc9309);
    let crawler = Crawler::unnamed();
    let target = TargetPath::new("/", Dialect::Rfc9309).unwrap();
    let effect = robots.policy(&crawler).decide(&target).effect();
    let stated = stated_preferences(&robots, &crawler).about(&target, effect);
    assert_eq!(stated.values().len(), 15);
    let answer = PreferenceAnswer::new(None, stated).unwrap();
    let json = serde_json::to_string(&answer).unwrap();
    assert!(
        json.len() < 1_200 && !json.to_lowercase().contains("obey"),
        "{json}"
    );
    let expected = "search: no by line 3, ai-input: no by line 3, ai-train: no by line 3";
    assert_eq!(answer.to_string(), expected);
}

#[test]
fn a_body_is_only_parsed_if_it_may_state_something() {
    let read = |body: &str| {
        let stated = StatedPreferences::read(body.as_bytes(), &Crawler::unnamed(), Dialect::Google);
        stated.map(|it| it.len())
    };
    assert_eq!(
        read("User-agent: *\nDisallow: /content-signal\n# Content-Signal: x\n"),
        None
    );
    assert_eq!(read("User-agent: a\nContent-Usage: train-ai=n\n"), None);
    assert_eq!(
        read("\u{feff}User-agent: *\r \tcontent-USAGE: train-ai=n"),
        Some(1)
    );
    assert_eq!(
        read("User-agent: *\nContent-Signal: search=no, use=full, x=y"),
        Some(2)
    );
}
