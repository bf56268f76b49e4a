//! Extension values follow the cases of `testdata/`, and reading them never fails.

use proptest::prelude::*;
use verger::{Crawler, Dialect, RecordKind, RobotsTxt, Span, TargetPath};
use verger_extensions::{
    clean_params, content_signal, content_usage, content_usage_splits, crawl_delay,
    crawl_delay_or_star, host, licenses, noindex, request_rates, sitemaps, value_problems,
    visit_times,
};
use verger_testkit::case::{Corpus, FieldName, Value, load_all, testdata_dir};
use verger_testkit::subject::DialectName;

fn corpus() -> Corpus {
    load_all(&testdata_dir()).unwrap_or_else(|error| panic!("{error}"))
}

fn dialect_of(name: DialectName) -> Dialect {
    name.as_str().parse().expect("the dialects have one name")
}

/// Returns the engine's answer to a case, in the normal form of the case files.
fn texts(case: &Value, dialect: Dialect) -> Vec<String> {
    let robots = RobotsTxt::parse(case.robots.clone(), dialect);
    let crawler = case
        .agent
        .as_deref()
        .map_or_else(Crawler::unnamed, |agent| {
            Crawler::named(agent, dialect).expect("an agent is a product token")
        });
    texts_of(&robots, &crawler, case.field, case.target.as_deref())
}

fn texts_of(
    robots: &RobotsTxt,
    crawler: &Crawler,
    field: FieldName,
    target: Option<&str>,
) -> Vec<String> {
    match field {
        FieldName::CrawlDelay => all(crawl_delay(robots, crawler)),
        FieldName::RequestRate => all(request_rates(robots, crawler)),
        FieldName::VisitTime => all(visit_times(robots, crawler)),
        FieldName::Host => all(host(robots)),
        FieldName::CleanParam => all(clean_params(robots)),
        FieldName::Noindex => all(noindex(robots, crawler)),
        FieldName::ContentSignal => some(&content_signal(robots, crawler)),
        FieldName::License => all(licenses(robots)),
        FieldName::Sitemap => all(sitemaps(robots)),
        FieldName::ContentUsage => {
            let target = TargetPath::new(target.unwrap_or("/"), *robots.reading())
                .expect("a target starts with a slash");
            let policy = robots.policy(crawler);
            let usage = content_usage(robots, crawler);
            usage
                .preferences_under(&policy.decide(&target), &target)
                .map_or_else(Vec::new, |preferences| some(&preferences))
        }
    }
}

fn all<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}

/// Returns the text of a value that may be empty.
fn some(value: &impl ToString) -> Vec<String> {
    let text = value.to_string();
    if text.is_empty() { vec![] } else { vec![text] }
}

#[test]
fn every_value_is_read_as_the_cases_say() {
    let corpus = corpus();
    assert!(!corpus.values.is_empty());
    // Not `koster1996`, in which a group without a rule is not a record and the first match
    // decides.
    for dialect in [Dialect::Rfc9309, Dialect::Draft2019, Dialect::Google] {
        for case in &corpus.values {
            let found = texts(case, dialect);
            assert_eq!(
                found, case.expect,
                "{}: {} in {dialect}",
                case.file, case.id
            );
        }
    }
}

#[test]
fn every_listing_has_the_sitemaps_that_the_cases_say() {
    for listing in corpus().listings {
        let Some(expected) = &listing.sitemaps else {
            continue;
        };
        for &name in &listing.dialects {
            let robots = RobotsTxt::parse(listing.robots.clone(), dialect_of(name));
            let found = all(sitemaps(&robots));
            let id = &listing.id;
            assert_eq!(
                &found,
                expected,
                "{}: {id} in {}",
                listing.file,
                name.as_str()
            );
        }
    }
}

const KEYS: [&str; 11] = [
    "Sitemap",
    "Crawl-delay",
    "Request-rate",
    "Visit-time",
    "Host",
    "Clean-param",
    "Noindex",
    "Content-Signal",
    "Content-Usage",
    "License",
    "User-agent",
];

/// Reads everything that can be read of values.
fn ask_everything(body: &[u8]) {
    for &dialect in Dialect::ALL {
        let robots = RobotsTxt::parse(body, dialect);
        let named = Crawler::named("a", dialect).expect("a product token");
        for crawler in [Crawler::unnamed(), named] {
            for field in FieldName::ALL {
                texts_of(&robots, &crawler, field, Some("/a?b=c"));
            }
            let own = crawl_delay(&robots, &crawler);
            let with_star = crawl_delay_or_star(&robots, &crawler);
            assert!(own.is_none() || own == with_star);
        }
        for record in robots.records() {
            let problems = value_problems(&record);
            let is_other_record = record.kind().key().is_some()
                && !record.kind().is_rule()
                && record.kind() != RecordKind::UserAgent;
            assert!(problems.is_empty() || is_other_record);
            let value = record.value_span();
            let is_within = |span: Span| value.start <= span.start && span.end <= value.end;
            assert!(problems.iter().all(|it| is_within(it.span)));
        }
        assert!(content_usage_splits(&robots).len() <= robots.records().len());
    }
}

proptest! {
    #[test]
    fn no_value_is_fatal(
        lines in prop::collection::vec(
            (prop::sample::select(&KEYS[..]), "[-a-cy-z0-9:/.,;=&*$\"%@?()# \\\\é\t]{0,24}"),
            0..12,
        ),
    ) {
        let mut body = String::from("User-agent: *\n");
        for (key, value) in &lines {
            body.extend([key, ": ", value, "\n"]);
        }
        ask_everything(body.as_bytes());
    }

    #[test]
    fn no_bytes_are_fatal(
        key in prop::sample::select(&KEYS[..]),
        value in prop::collection::vec(any::<u8>(), 0..40),
    ) {
        let body = [b"User-agent: *\n", key.as_bytes(), b":", &value].concat();
        ask_everything(&body);
    }
}

/// With a reading that is not linear, this test would not end.
#[test]
fn long_values_are_read() {
    for (key, piece) in [
        ("Content-Signal", "search=x,"),
        ("Content-Signal", "a=b,"),
        ("Content-Usage", "a=y,"),
        ("Content-Usage", "a=((((,"),
        ("Content-Usage", "a=(1 2;b);c,"),
        ("Clean-param", "a&"),
        ("Crawl-delay", "9"),
        ("Request-rate", "1/"),
        ("Host", "a."),
        ("Sitemap", "://"),
    ] {
        let body = format!(
            "User-agent: *\n{key}: {}",
            piece.repeat(400_000 / piece.len())
        );
        ask_everything(body.as_bytes());
    }
    for line in [
        "Sitemap: https://h.example/s\n",
        "Content-Usage: /a*b a=y\n",
        "License: l\n",
    ] {
        let body = format!("User-agent: *\n{}", line.repeat(400_000 / line.len()));
        ask_everything(body.as_bytes());
    }
    let body = "User-agent: a\nContent-Usage: search=y\n".repeat(10_000);
    ask_everything(body.as_bytes());
}
