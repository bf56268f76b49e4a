//! The errors for an invalid registry file.
#![cfg(feature = "toml")]

use verger_crawlers::{EntryProblem, KnownCrawler, Registry, RegistryError};

/// A valid entry, to be modified.
fn entry(name: &str, token: &str, more: &str) -> String {
    format!(
        "[[crawler]]\nname = \"{name}\"\noperator = \"Example\"\ntokens = [\"{token}\"]\n\
         purposes = [\"search\"]\nstar = \"honoured\"\nobeys = \"yes\"\nsource = \"a test\"\n\
         evidence = \"operator\"\nread = \"2026-11-22\"\n{more}\n"
    )
}

fn message(text: &str) -> String {
    Registry::from_toml(text)
        .expect_err("a wrong file")
        .to_string()
}

#[test]
fn a_good_entry_is_accepted() {
    let registry =
        Registry::from_toml(&entry("examplebot", "ExampleBot", "")).expect("a good file");
    assert_eq!(registry.len(), 1);
    assert_eq!(
        registry.by_name("EXAMPLEBOT").map(KnownCrawler::operator),
        Some("Example")
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, or one run after the other")]
fn an_entry_that_is_wrong_is_named() {
    let good = entry("examplebot", "ExampleBot", "");
    for (from, to, expected) in [
        (
            "\"ExampleBot\"",
            "\"Example Bot\"",
            "in `tokens`, `Example Bot` is not a product token: use `Example`",
        ),
        (
            "\"ExampleBot\"",
            "\"*\"",
            "in `tokens`, `*` is not a product token: use only letters, digits, `_`, `-` and `.`",
        ),
        ("\"ExampleBot\"", "\"A\", \"a\"", "`tokens` has `a` twice"),
        ("[\"ExampleBot\"]", "[]", "`tokens` is missing or empty"),
        ("[\"search\"]", "[]", "`purposes` is missing or empty"),
        (
            "\"search\"",
            "\"search\", \"search\"",
            "`purposes` has `search` twice",
        ),
        (
            "operator = \"Example\"\n",
            "",
            "`operator` is missing or empty",
        ),
        (
            "source = \"a test\"",
            "source = \" \"",
            "`source` is missing or empty",
        ),
        (
            "evidence = \"operator\"\n",
            "",
            "`evidence` is missing or empty",
        ),
        (
            "\"operator\"",
            "\"hearsay\"",
            "`evidence` cannot be `hearsay`: use one of operator, second-hand",
        ),
        ("read = \"2026-11-22\"\n", "", "`read` is missing or empty"),
        (
            "2026-11-22",
            "2026-11-31",
            "`read` must be a day such as 2026-11-22, not `2026-11-31`",
        ),
        ("star = \"honoured\"\n", "", "`star` is missing or empty"),
        (
            "\"honoured\"",
            "\"honored\"",
            "`star` cannot be `honored`: use one of honoured, ignored",
        ),
        (
            "\"yes\"",
            "\"maybe\"",
            "`obeys` cannot be `maybe`: use one of yes, no, unclear",
        ),
        (
            "\"a test\"",
            "\"a test\"\ndialect = \"bing\"",
            "`dialect` cannot be `bing`: use one of rfc9309, google, draft2019, koster1996",
        ),
        (
            "\"a test\"",
            "\"a test\"\ncrawl_delay = \"10\"",
            "`crawl_delay` cannot be `10`: use one of honoured, ignored",
        ),
        (
            "\"a test\"",
            "\"a test\"\nuser_agent = \"\"",
            "`user_agent` is missing or empty",
        ),
        (
            "\"a test\"",
            "\"a test\"\nheader_aliases = [\"examplebot\"]",
            "`header_aliases` has `examplebot` twice",
        ),
        (
            "\"a test\"",
            "\"a test\"\ndocs = \"example.com\"",
            "`docs` must be an http or https URL, not `example.com`",
        ),
        (
            "\"a test\"",
            "\"a test\"\nip_ranges = [\"ftp://x\"]",
            "`ip_ranges` must be an http or https URL, not `ftp://x`",
        ),
        (
            "\"a test\"",
            "\"a test\"\nreverse_dns = [\".example.com\"]",
            "`reverse_dns` must be lower-case host names without a leading dot, not `.example.com`",
        ),
    ] {
        let worse = good.replacen(from, to, 1);
        assert_ne!(worse, good, "{from}");
        assert_eq!(message(&worse), format!("crawler examplebot: {expected}"));
    }
}

#[test]
fn an_unknown_purpose_is_told_the_known_ones() {
    let text = entry("examplebot", "ExampleBot", "").replacen("search", "training", 1);
    let message = message(&text);
    assert!(
        message.starts_with(
            "crawler examplebot: `purposes` cannot be `training`: use one of ads, ai-input"
        ),
        "{message}"
    );
}

#[test]
fn registry_names_are_plain() {
    for name in [
        "ExampleBot",
        "example bot",
        "-example",
        "example-",
        "example.bot",
        "éxample",
    ] {
        assert_eq!(
            message(&entry(name, "ExampleBot", "")),
            format!(
                "crawler {name}: `name` may contain only lower-case letters, digits and inner hyphens"
            )
        );
    }
    assert_eq!(
        message(&entry("", "ExampleBot", "")),
        "crawler number 1: `name` is missing or empty"
    );
}

#[test]
fn a_name_finds_one_crawler_only() {
    let first = entry("one", "OneBot", "");
    for (second, expected) in [
        (
            entry("one", "TwoBot", ""),
            "crawler one: another entry has this name",
        ),
        (
            entry("two", "onebot", ""),
            "crawler two: `onebot` already belongs to the entry `one`",
        ),
        (
            entry("onebot", "TwoBot", ""),
            "crawler onebot: `onebot` already belongs to the entry `one`",
        ),
        (
            entry("two", "One", ""),
            "crawler two: `One` already belongs to the entry `one`",
        ),
        (
            entry("two", "TwoBot", "header_aliases = [\"OneBot\"]"),
            "crawler two: the header name `OneBot` already belongs to the entry `one`",
        ),
    ] {
        assert_eq!(message(&format!("{first}{second}")), expected);
    }
}

#[test]
fn a_problem_can_be_matched() {
    let error = Registry::from_toml(&entry("a", "B", "").replacen("\"yes\"", "\"\"", 1))
        .expect_err("wrong");
    assert_eq!(
        error,
        RegistryError::Entry {
            entry: "a".to_owned(),
            problem: EntryProblem::Missing { key: "obeys" }
        }
    );
    assert!(std::error::Error::source(&error).is_some());
}

#[test]
fn what_is_not_a_registry_file_is_told_where() {
    let unknown_key = message(&entry("a", "B", "colour = \"red\""));
    assert!(
        unknown_key.starts_with("not a registry file: TOML parse error at line 11"),
        "{unknown_key}"
    );
    assert!(unknown_key.contains("colour"), "{unknown_key}");
    let wrong_type = message(&entry("a", "B", "retired = \"yes\""));
    assert!(wrong_type.contains("line 11"), "{wrong_type}");
    for text in ["", "crawler = 1", "[[crawlers]]", "[[crawler]", "\u{0}"] {
        assert!(
            matches!(Registry::from_toml(text), Err(RegistryError::Syntax { .. })),
            "{text:?}"
        );
    }
    assert!(
        Registry::from_toml("crawler = []")
            .expect("an empty registry")
            .is_empty()
    );
}

#[test]
fn what_comes_first_is_an_entry_once() {
    let entries = entry("abot", "ABot", "") + &entry("bbot", "BBot", "");
    let text = |first: &str| format!("first = [{first}]\n{entries}");
    let registry = Registry::from_toml(&text("\"bbot\"")).expect("a good file");
    let names: Vec<&str> = registry.iter().map(KnownCrawler::name).collect();
    assert_eq!(names, ["bbot", "abot"]);
    for (first, name) in [("\"cbot\"", "cbot"), ("\"abot\", \"abot\"", "abot")] {
        let said = message(&text(first));
        assert_eq!(
            said,
            format!("first: `{name}` must be the name of exactly one entry and appear once")
        );
    }
}
