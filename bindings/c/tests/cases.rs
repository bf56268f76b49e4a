//! The cases of `testdata/`, asked through the C ABI: by the program `tests/driver.c`, which `cargo xtask c` compiles
//! against the installed library.

use std::path::Path;

use verger_testkit::case::{
    AnswerCase, Case, Corpus, FieldName, Listing, PreferenceCase, QuestionName, Target, Token,
    Value,
};
use verger_testkit::case::{load_all, testdata_dir};
use verger_testkit::fields::{self, Record, record};
use verger_testkit::subject::DialectName;

/// A question, and what is wrong about its answer, if something is.
type Held = (Record, Box<dyn Fn(&Record) -> Option<String>>);

/// Asks everything, and compares.
fn main() -> Result<(), String> {
    let corpus = load_all(&testdata_dir()).map_err(|error| error.to_string())?;
    let driver = std::env::var_os("VERGER_C_DRIVER");
    let driver = driver
        .ok_or("VERGER_C_DRIVER names no program: `cargo xtask c` compiles it, and runs this")?;
    let (with_option, plain): (Vec<&Case>, Vec<&Case>) =
        corpus.cases.iter().partition(|it| it.option.is_some());
    let cases: Vec<Held> = plain.iter().flat_map(|case| of_case(case)).collect();
    let (answers, of_cases) = (cases.len(), plain.len());
    let held: Vec<Held> = cases.into_iter().chain(of_tables(&corpus)).collect();
    let questions: Vec<Record> = held.iter().map(|(question, _)| question.clone()).collect();
    let got = fields::ask(Path::new(&driver), &questions)?;
    let wrong: Vec<String> = held
        .iter()
        .zip(&got)
        .filter_map(|((_, problem), answer)| problem(answer))
        .collect();
    if !wrong.is_empty() {
        return Err(wrong.join("\n"));
    }
    println!(
        "corpus: {answers} answers in {of_cases} cases, and {} of the other tables; not asked: {} \
         cases with an option, of which the C ABI has none",
        held.len() - answers,
        with_option.len()
    );
    Ok(())
}

fn of_tables(corpus: &Corpus) -> impl Iterator<Item = Held> {
    let targets = corpus.targets.iter().flat_map(of_target);
    let tokens = corpus.tokens.iter().map(of_token);
    let listings = corpus.listings.iter().flat_map(of_listing);
    let values = corpus.values.iter().filter_map(of_value);
    let answers = corpus.answers.iter().map(of_answer);
    let preferences = corpus.preferences.iter().flat_map(of_preference);
    let answers = answers.chain(preferences);
    let tables = targets.chain(tokens).chain(listings).chain(values);
    tables.chain(answers)
}

fn of_case(case: &Case) -> Vec<Held> {
    let mut held = Vec::new();
    for ask in &case.asks {
        for (dialect, verdict) in &ask.verdicts {
            let fixed = [b"ask", dialect.as_str().as_bytes(), &case.robots, &ask.url];
            let agents = ask.agents.iter().map(String::as_bytes);
            let question = record(fixed.into_iter().chain(agents));
            let group = ask.groups.get(dialect).map(ToString::to_string);
            let expected = (verdict.to_string(), group);
            let at = format!("{} in {}: {:?}", case.id, dialect.as_str(), ask.agents);
            let problem = move |answer: &Record| {
                let verdict = answer.first().map(|it| text(it));
                let group = answer.get(1).map(|it| text(it));
                let is_verdict = verdict.as_deref() == Some(expected.0.as_str());
                let is_group = expected.1.is_none() || expected.1 == group;
                (!(is_verdict && is_group))
                    .then(|| format!("{at}: expected {expected:?}, got {verdict:?} {group:?}"))
            };
            held.push((question, Box::new(problem) as _));
        }
    }
    held
}

fn of_target(target: &Target) -> Vec<Held> {
    let of_dialect = |dialect: DialectName| -> Held {
        let question = record([b"target", dialect.as_str().as_bytes(), &target.url]);
        let expected = match dialect {
            DialectName::Google => Some(target.google.clone()),
            _ => target.other.clone().filter(|_| !target.cannot_be_asked),
        };
        equal(&target.id, question, expected.into_iter().collect())
    };
    DialectName::ALL.map(of_dialect).into()
}

fn of_token(token: &Token) -> Held {
    let question = record([&b"token"[..], token.text.as_bytes()]);
    let (identifier, accepted) = (token.identifier, token.accepted);
    let (id, likely) = (token.id.clone(), token.likely.clone());
    let problem = move |answer: &Record| {
        let flag = |nth: usize| answer.get(nth).is_some_and(|it| it == b"1");
        let message = answer.get(2).map(|it| text(it)).unwrap_or_default();
        let names_it = likely
            .as_ref()
            .is_none_or(|likely| message.contains(&format!("`{likely}`")));
        let is_said = accepted == message.is_empty();
        let is_right = flag(0) == identifier && flag(1) == accepted && names_it && is_said;
        (!is_right).then(|| format!("{id}: {answer:?}, {message}"))
    };
    (question, Box::new(problem))
}

fn of_listing(listing: &Listing) -> Vec<Held> {
    let mut held = Vec::new();
    for dialect in &listing.dialects {
        let question = |kind: &str| {
            record([
                kind.as_bytes(),
                dialect.as_str().as_bytes(),
                &listing.robots,
            ])
        };
        if let Some(groups) = &listing.groups {
            let mut expected = Vec::new();
            for (number, group) in groups.iter().enumerate() {
                for agent in &group.agents {
                    expected.extend(["agent".to_owned(), number.to_string(), agent.clone()]);
                }
                for rule in &group.rules {
                    let (effect, pattern) = rule.split_once(' ').unwrap_or((rule, ""));
                    expected.extend([effect, &number.to_string(), pattern].map(str::to_owned));
                }
            }
            held.push(equal(&listing.id, question("groups"), expected));
        }
        if let Some(sitemaps) = &listing.sitemaps {
            held.push(equal(&listing.id, question("sitemaps"), of_urls(sitemaps)));
        }
    }
    held
}

fn of_value(value: &Value) -> Option<Held> {
    let agent = value.agent.as_deref().unwrap_or("*").as_bytes();
    match value.field {
        FieldName::CrawlDelay => {
            let question = record([&b"delay"[..], &value.robots, agent]);
            let milliseconds = |seconds: &String| {
                let (whole, part) = seconds.split_once('.').unwrap_or((seconds, ""));
                let digits = format!("{whole}{part:0<3}");
                let is_zero = digits.bytes().all(|digit| digit == b'0');
                let digits = digits.trim_start_matches('0');
                if is_zero { "0" } else { digits }.to_owned()
            };
            let expected = value.expect.iter().map(milliseconds).collect();
            Some(equal(&value.id, question, expected))
        }
        FieldName::Sitemap => {
            let question = record([&b"sitemaps"[..], b"rfc9309", &value.robots]);
            Some(equal(&value.id, question, of_urls(&value.expect)))
        }
        FieldName::RequestRate => Some(stated("rates", value, agent)),
        FieldName::VisitTime => Some(stated("visits", value, agent)),
        FieldName::ContentSignal => Some(of_signals(value, agent)),
        _ => None,
    }
}

fn of_answer(case: &AnswerCase) -> Held {
    // A history has no settings.
    let settings = if case.with_facts {
        "facts"
    } else {
        &case.settings
    };
    let (settings, head) = match case.question {
        QuestionName::Page => (
            case.html.as_deref().unwrap_or_default(),
            case.head.as_deref(),
        ),
        _ => (settings, case.site.as_deref()),
    };
    let sign = if case.with_lines { "+" } else { "" };
    let since = format!("{sign}{}", case.since);
    let number = |it: Option<u64>| it.map_or_else(String::new, |it| it.to_string());
    let (until, states) = (number(case.until), number(case.max_states));
    let fixed = [
        &b"answer"[..],
        case.question.as_str().as_bytes(),
        case.dialect.map_or("", |it| it.as_str()).as_bytes(),
        &case.robots,
        &case.new,
        head.unwrap_or_default().as_bytes(),
        settings.as_bytes(),
        case.url.as_bytes(),
        case.export.as_bytes(),
        since.as_bytes(),
        until.as_bytes(),
        states.as_bytes(),
    ];
    let agents = case.agents.iter().map(String::as_bytes);
    let question = record(fixed.into_iter().chain(agents));
    equal(&case.id, question, vec![case.expect.clone()])
}

/// An explanation for each dialect, whose JSON has the preferences of the case. Only one name is explained.
fn of_preference(case: &PreferenceCase) -> Vec<Held> {
    let [agent] = &case.agents[..] else {
        return Vec::new();
    };
    let keys = |value: &String| {
        let [line, kind, pair] = value.splitn(3, ' ').collect::<Vec<_>>().try_into().ok()?;
        let (key, value): (&str, &str) = str::split_once(pair, '=')?;
        Some(format!(
            r#"{{"line":{line},"kind":"{kind}","key":"{key}","value":"{value}"}}"#
        ))
    };
    let values: Vec<String> = case.values.iter().filter_map(keys).collect();
    let [search, ai_input, ai_train] = case.words();
    let expected = format!(
        r#","preferences":{{"search":"{search}","ai_input":"{ai_input}","ai_train":"{ai_train}","values":[{}]}},"#,
        values.join(",")
    );
    let of_dialect = |dialect: &DialectName| -> Held {
        let (id, expected) = (
            format!("{} in {}", case.id, dialect.as_str()),
            expected.clone(),
        );
        let is_stated = !case.values.is_empty();
        let problem = move |answer: &Record| {
            let json = answer.first().map(|it| text(it)).unwrap_or_default();
            let is_absent = json.contains(r#""candidates""#) && !json.contains(r#""preferences""#);
            let is_right = if is_stated {
                json.contains(&expected)
            } else {
                is_absent
            };
            (!is_right).then(|| format!("{id}: {expected} is not in {json}"))
        };
        let fixed: [&[u8]; 4] = [
            b"answer",
            b"explain",
            dialect.as_str().as_bytes(),
            &case.robots,
        ];
        let rest: [&[u8]; 9] = [
            b"",
            b"",
            b"",
            case.url.as_bytes(),
            b"",
            b"0",
            b"",
            b"",
            agent.as_bytes(),
        ];
        (record(fixed.into_iter().chain(rest)), Box::new(problem))
    };
    case.dialects.iter().map(of_dialect).collect()
}

/// A question whose answer has the fields that the case expects.
fn stated(kind: &str, value: &Value, agent: &[u8]) -> Held {
    let question = record([kind.as_bytes(), &value.robots, agent]);
    equal(&value.id, question, value.expect.clone())
}

/// `key=value` of each pair, as the case writes them in one text: keys and signals in lower case.
fn of_signals(value: &Value, agent: &[u8]) -> Held {
    let question = record([&b"signals"[..], &value.robots, agent]);
    let (id, expected) = (value.id.clone(), value.expect.concat());
    let problem = move |answer: &Record| {
        let shown = |pair: &[Vec<u8>]| {
            let [key, value, signal] = [0, 1, 2].map(|nth| text(&pair[nth]));
            let said = if signal.is_empty() { value } else { signal };
            format!("{}={said}", key.to_lowercase())
        };
        let got = answer.chunks_exact(3).map(shown).collect::<Vec<_>>();
        let got = got.join(", ");
        (got != expected).then(|| format!("{id}: expected {expected:?}, got {got:?}"))
    };
    (question, Box::new(problem))
}

/// The records of sitemaps, each URL once.
fn of_urls(urls: &[String]) -> Vec<String> {
    let mut seen: Vec<&String> = Vec::new();
    for url in urls {
        if !seen.contains(&url) {
            seen.push(url);
        }
    }
    let records = seen.into_iter();
    let records = records.flat_map(|url| ["sitemap".to_owned(), "0".to_owned(), url.clone()]);
    records.collect()
}

/// A question whose answer has these fields.
fn equal(id: &str, question: Record, expected: Vec<String>) -> Held {
    let id = id.to_owned();
    let problem = move |answer: &Record| {
        let got: Vec<String> = answer.iter().map(|field| text(field)).collect();
        (got != expected).then(|| format!("{id}: expected {expected:?}, got {got:?}"))
    };
    (question, Box::new(problem))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
