//! Page directives: the cases of the documents, and the join of robots.txt, response and directives compared with the
//! slow oracle, which was written separately.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use verger::{Dialect, Reading, TargetPath};
use verger_access::{Stance, Timestamp};
use verger_answer::{
    CheckResult, CheckedFile, CrawlerQuery, Explaining, PageFacts, ReadAs, Readings,
    ResolvedCrawler, ResponseHead,
};
use verger_extensions::{DIRECTIVE_BYTES_MAX, ImagePreview};
use verger_testkit::case::{ExpectedPage, load_all, testdata_dir};
use verger_testkit::page_oracle::{
    Convention, Fetched, PageQuestion, PageReading, RobotsAnswer, generated_page, read_page,
    seconds,
};

fn dialect(convention: Convention) -> Dialect {
    match convention {
        Convention::Google => Dialect::Google,
        Convention::RepExt => Dialect::Rfc9309,
    }
}

fn crawler(name: &str, dialect: Dialect) -> ResolvedCrawler {
    let by_name = CrawlerQuery::Name(name.to_owned()).resolve(ReadAs::default());
    match by_name {
        Ok(mut found) => found.remove(0),
        Err(_) => ResolvedCrawler::from_token(name, dialect.into()).unwrap(),
    }
}

fn facts(question: &PageQuestion<'_>) -> PageFacts {
    let mut facts = match question.fetched {
        Fetched::No => PageFacts::not_fetched("nobody asked"),
        Fetched::Failed => PageFacts::failed("reset"),
        Fetched::Status(status) => {
            let headers = question.headers.iter();
            let fields = headers.map(|(name, value, _)| (name.clone().into_bytes(), value.clone()));
            PageFacts::of_response(ResponseHead::new(status, fields))
        }
    };
    let has_page = facts.head().is_some();
    for (name, content, line, is_in_head) in question.metas.iter().filter(|_| has_page) {
        let line = u32::try_from(*line).unwrap();
        facts.add_meta(name, content, line, *is_in_head);
    }
    facts
}

/// Returns the key `page` of the answer.
fn answer(question: &PageQuestion<'_>) -> Value {
    let dialect = dialect(question.convention);
    let robots = match question.robots {
        RobotsAnswer::Disallowed => {
            "User-agent: *\nDisallow: /\n\nUser-agent: AdsBot-Google\nDisallow: /\n"
        }
        _ => "",
    };
    let readings = Readings::new(Reading::new(dialect), Explaining::No);
    let crawler = crawler(&question.crawlers[0], dialect);
    let file = CheckedFile::new(robots.into(), &readings, &[crawler]);
    let target = TargetPath::new("/a", dialect).unwrap();
    let mut answer = file.answer(0, b"/a", &target);
    match question.robots {
        RobotsAnswer::Unknown => answer.result = CheckResult::Unknown,
        RobotsAnswer::ForNow => {
            let (stance, last_known) = (Stance::Defer, None);
            answer.result = CheckResult::Stance { stance, last_known };
        }
        RobotsAnswer::Allowed | RobotsAnswer::Disallowed => {}
    }
    let at = Timestamp::from_unix_seconds(u64::try_from(question.now).unwrap());
    let before = serde_json::to_value(&answer).unwrap();
    let (reader, facts) = (answer.page_reader(None), facts(question));
    let mut after = serde_json::to_value(answer.with_page(&facts, at)).unwrap();
    let mut page = after.as_object_mut().unwrap().remove("page").unwrap();
    assert_eq!(after, before, "the page changes nothing else");
    // Not part of the answer.
    if page["directives"]
        .as_array()
        .unwrap()
        .iter()
        .any(|it| it["applies"] == true)
    {
        let rules = facts.directives().rules_for(&reader);
        page["nofollow"] = rules.nofollow.is_some().into();
        let sizes = [
            (ImagePreview::None, "none"),
            (ImagePreview::Standard, "standard"),
            (ImagePreview::Large, "large"),
        ];
        let sizes = BTreeMap::from(sizes);
        page["image_preview"] = rules
            .image_preview
            .and_then(|(size, _)| sizes.get(&size).copied())
            .into();
    }
    page
}

fn text(directive: &Value) -> String {
    let key = |key: &str| directive[key].as_str().unwrap_or_default().to_owned();
    let value = directive["value"].as_str().map(|it| format!("={it}"));
    let agent = match &*key("agent") {
        "*" => String::new(),
        agent => format!(" for {agent}"),
    };
    let name = key("name").to_ascii_lowercase();
    format!(
        "{} {name}{}{agent}",
        key("source"),
        value.unwrap_or_default()
    )
}

fn texts(page: &Value, applies: bool) -> Vec<String> {
    let mut texts = Vec::new();
    for directive in page["directives"].as_array().unwrap() {
        let text = text(directive);
        if directive["applies"] == applies && !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts
}

#[test]
fn every_case_is_answered_as_stated() {
    let corpus = load_all(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"));
    let mut wrong = Vec::new();
    for case in &corpus.pages {
        let (headers, metas) = (case.header_fields(), case.meta_elements());
        for &convention in &case.conventions {
            let page = answer(&case.question(convention, &headers, &metas, DIRECTIVE_BYTES_MAX));
            let word = |key: &str| page[key].as_str().unwrap().to_owned();
            let expected = case.expected(convention).clone();
            let found = ExpectedPage {
                state: format!("{} {}", word("state"), word("reason")),
                applies: texts(&page, true),
                ignored: texts(&page, false),
                nofollow: page["nofollow"] == true,
                max_snippet: page["max_snippet"].as_i64(),
                image_preview: page["image_preview"].as_str().map(str::to_owned),
                ai_input: word("ai_input"),
                ai_train: word("ai_train"),
                // The state shows its effect.
                unavailable_after: expected.unavailable_after.clone(),
            };
            if found != expected {
                wrong.push(format!(
                    "{} {convention:?}: {found:#?}, not {expected:#?}",
                    case.id
                ));
            }
        }
    }
    assert!(corpus.pages.len() > 90);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const CRAWLERS: [&[&str]; 11] = [
    &["Googlebot"],
    &["Googlebot-News", "Googlebot"],
    &["Googlebot-Image", "Googlebot"],
    &["AdsBot-Google"],
    &["bingbot"],
    &["ExampleBot"],
    &["GPTBot"],
    &["YandexBot", "Yandex"],
    &["Applebot", "Googlebot"],
    &["Amazonbot"],
    &["Google-InspectionTool", "Googlebot"],
];

/// The parts of an answer that the oracle also gives.
fn compared(page: &Value) -> String {
    let keys = [
        "state",
        "reason",
        "otherwise",
        "max_snippet",
        "image_preview",
        "ai_input",
        "ai_train",
    ];
    let mut text = keys.map(|key| page[key].to_string()).join(" ");
    write!(text, " {}", page["nofollow"] == true).unwrap();
    for directive in page["directives"].as_array().unwrap() {
        let line = format!(
            "\n{} {} {}",
            directive["applies"],
            directive["line"],
            self::text(directive)
        );
        text.push_str(&line);
    }
    text
}

fn expected(reading: &PageReading, otherwise: &PageReading) -> String {
    let other = (otherwise.state != reading.state).then_some(otherwise.state);
    let directives = reading.tags.iter().map(|it| {
        serde_json::json!({
            "name": it.name, "value": it.value, "agent": it.agent, "source": it.source.as_str(),
            "line": it.line, "applies": it.applies,
        })
    });
    compared(&serde_json::json!({
        "state": reading.state, "reason": reading.reason, "otherwise": other,
        "max_snippet": reading.max_snippet, "image_preview": reading.image_preview,
        "nofollow": reading.nofollow, "ai_input": reading.ai_input, "ai_train": reading.ai_train,
        "directives": directives.collect::<Vec<_>>(),
    }))
}

/// `VERGER_TEST_PAGES=100000` sets the number of pages.
#[test]
fn generated_pages_are_answered_as_the_oracle_answers_them() {
    let pages = std::env::var("VERGER_TEST_PAGES").ok();
    let pages = pages.map_or(3000, |it| it.parse().expect("a number"));
    let mut states: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..pages {
        let page = generated_page(seed);
        let nth = usize::try_from(seed).unwrap() % CRAWLERS.len();
        let crawlers: Vec<String> = CRAWLERS[nth].iter().map(|it| (*it).to_owned()).collect();
        for convention in [Convention::Google, Convention::RepExt] {
            let question = |it| page.question(it, &crawlers, DIRECTIVE_BYTES_MAX);
            let other = match convention {
                Convention::Google => Convention::RepExt,
                Convention::RepExt => Convention::Google,
            };
            let reading = read_page(&question(convention));
            let expected = expected(&reading, &read_page(&question(other)));
            let found = compared(&answer(&question(convention)));
            assert_eq!(
                found, expected,
                "{seed} {crawlers:?} {convention:?}\n{page:#?}"
            );
            *states
                .entry(format!("{} {}", reading.state, reading.reason))
                .or_default() += 1;
        }
    }
    assert_eq!(states.len(), 9, "{states:?}");
    assert!(
        states.values().all(|it| u64::from(*it) > pages / 200),
        "{states:?}"
    );
}

/// The dates of both readings agree, not only around the dates of the cases.
#[test]
fn dates_are_read_as_the_oracle_reads_them() {
    for day in (0..40_000).step_by(97) {
        let at = i64::from(day) * 86_400 + 3_661;
        let time = Timestamp::from_unix_seconds(u64::try_from(at).unwrap()).to_string();
        assert_eq!(seconds(&time, 0), Some(at), "{time}");
        for (now, state) in [(at, "indexable"), (at + 1, "not-indexed")] {
            let question = PageQuestion {
                convention: Convention::Google,
                crawlers: &["Googlebot".to_owned()],
                robots: RobotsAnswer::Allowed,
                fetched: Fetched::Status(200),
                headers: &[],
                metas: &[(
                    "robots".to_owned(),
                    format!("unavailable_after: {time}"),
                    1,
                    true,
                )],
                now,
                limit: DIRECTIVE_BYTES_MAX,
            };
            assert_eq!(answer(&question)["state"], state, "{time}");
        }
    }
}
