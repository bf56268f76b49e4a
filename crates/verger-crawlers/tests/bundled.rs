//! The bundled registry parses, is sorted, and agrees with the operators.

use verger::{Dialect, ProductToken, Star};
use verger_crawlers::{CrawlDelay, Day, Evidence, KnownCrawler, Obeys, Purpose, Registry};

fn known(name: &str) -> &'static KnownCrawler {
    Registry::bundled()
        .by_name(name)
        .unwrap_or_else(|| panic!("{name} is not in the registry"))
}

fn tokens(crawler: &KnownCrawler) -> Vec<&str> {
    crawler.tokens().iter().map(ProductToken::as_str).collect()
}

#[test]
fn holds_many_crawlers_of_many_operators() {
    let registry = Registry::bundled();
    assert!(registry.len() >= 200, "{}", registry.len());
    assert!(!registry.is_empty());
    assert_eq!(registry.into_iter().count(), registry.len());
    let mut operators: Vec<&str> = registry.iter().map(KnownCrawler::operator).collect();
    operators.dedup();
    assert!(operators.len() >= 100, "{}", operators.len());
}

#[test]
fn the_file_is_sorted_by_operator_then_name() {
    let lines = include_str!("../data/crawlers.toml").lines();
    let names = lines.filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    let keys = names.map(|name| (known(name).operator().to_lowercase(), name));
    let keys: Vec<(String, &str)> = keys.collect();
    assert_eq!(keys.len(), Registry::bundled().len());
    for pair in keys.windows(2) {
        assert!(
            pair[0] < pair[1],
            "{:?} must come after {:?}",
            pair[0],
            pair[1]
        );
    }
}

/// Lists of crawlers are cut after twelve names.
#[test]
fn crawlers_that_owners_look_for_come_first() {
    let names = Registry::bundled().iter().map(KnownCrawler::name);
    let first: Vec<&str> = names.take(12).collect();
    assert_eq!(
        first,
        [
            "googlebot",
            "bingbot",
            "gptbot",
            "oai-searchbot",
            "chatgpt-user",
            "claudebot",
            "google-extended",
            "perplexitybot",
            "applebot",
            "duckduckbot",
            "yandexbot",
            "baiduspider",
        ]
    );
    for (place, crawler) in Registry::bundled().iter().enumerate() {
        assert_eq!(crawler.place(), place);
    }
    let of_openai = Registry::bundled().by_operator("openai");
    assert_eq!(of_openai.map(KnownCrawler::name).next(), Some("gptbot"));
    // The others are in file order.
    let after = Registry::bundled().iter().find(|it| it.name() == "008");
    assert!(after.is_some_and(|it| it.place() > 30));
}

#[test]
fn an_operator_is_spelled_one_way() {
    let mut spellings: Vec<&str> = Registry::bundled()
        .iter()
        .map(KnownCrawler::operator)
        .collect();
    spellings.sort_unstable();
    spellings.dedup();
    let mut folded: Vec<String> = spellings.iter().map(|name| name.to_lowercase()).collect();
    folded.sort_unstable();
    folded.dedup();
    assert_eq!(folded.len(), spellings.len());
}

#[test]
fn every_crawler_is_found_by_its_name_and_by_its_token() {
    for crawler in Registry::bundled() {
        let token = crawler.own_token().as_str();
        for name in [
            crawler.name(),
            token,
            &token.to_ascii_uppercase(),
            &crawler.name().to_uppercase(),
        ] {
            assert_eq!(known(name).name(), crawler.name(), "{name}");
        }
        assert!(!crawler.source().is_empty());
        assert!(!crawler.purposes().is_empty());
    }
    assert!(Registry::bundled().by_name("examplebot").is_none());
    assert!(Registry::bundled().by_name("*").is_none());
    assert!(Registry::bundled().by_name("").is_none());
}

/// RFC 9309 allows letters, `_` and `-` only, but sites write these tokens.
#[test]
fn tokens_outside_the_grammar_of_rfc_9309_are_these() {
    let odd: Vec<&str> = Registry::bundled()
        .iter()
        .map(KnownCrawler::own_token)
        .filter(|token| !token.is_identifier())
        .map(ProductToken::as_str)
        .collect();
    let expected = [
        "008",
        "AI2Bot",
        "AI2Bot-DeepResearchEval",
        "Ai2Bot-Dolma",
        "img2dataset",
        "archive.org_bot",
        "MJ12bot",
        "search.marginalia.nu",
        "panscient.com",
        "peer39_crawler",
        "360Spider",
        "Mail.RU_Bot",
    ];
    let sorted = |mut tokens: Vec<&'static str>| {
        tokens.sort_unstable();
        tokens
    };
    assert_eq!(sorted(odd), sorted(expected.to_vec()));
}

/// Names with spaces are header names, never tokens.
#[test]
fn names_with_spaces_are_header_names() {
    for (name, token, header) in [
        (
            "screaming-frog-seo-spider",
            "Screaming",
            "Screaming Frog SEO Spider",
        ),
        ("sogou-web-spider", "Sogou", "Sogou web spider"),
        ("linguee-bot", "Linguee", "Linguee Bot"),
    ] {
        assert_eq!(known(name).own_token().as_str(), token);
        assert_eq!(known(name).header_name(), header);
    }
    assert_eq!(known("gptbot").header_name(), "GPTBot");
}

/// Google's crawlers, their tokens in order, and whether `*` comes after them.
#[test]
fn google_selects_as_documented() {
    use Star::{Honoured, Ignored};
    let table: [(&str, &[&str], Star); 17] = [
        ("googlebot", &["Googlebot"], Honoured),
        (
            "googlebot-image",
            &["Googlebot-Image", "Googlebot"],
            Honoured,
        ),
        (
            "googlebot-video",
            &["Googlebot-Video", "Googlebot"],
            Honoured,
        ),
        ("googlebot-news", &["Googlebot-News", "Googlebot"], Honoured),
        ("storebot-google", &["Storebot-Google"], Honoured),
        (
            "google-inspectiontool",
            &["Google-InspectionTool", "Googlebot"],
            Honoured,
        ),
        ("googleother", &["GoogleOther"], Honoured),
        (
            "googleother-image",
            &["GoogleOther-Image", "GoogleOther"],
            Honoured,
        ),
        (
            "googleother-video",
            &["GoogleOther-Video", "GoogleOther"],
            Honoured,
        ),
        (
            "google-cloudvertexbot",
            &["Google-CloudVertexBot", "Googlebot"],
            Honoured,
        ),
        ("google-extended", &["Google-Extended"], Honoured),
        ("apis-google", &["APIs-Google"], Ignored),
        ("adsbot-google", &["AdsBot-Google"], Ignored),
        ("adsbot-google-mobile", &["AdsBot-Google-Mobile"], Ignored),
        ("mediapartners-google", &["Mediapartners-Google"], Ignored),
        (
            "adsbot-google-mobile-apps",
            &["AdsBot-Google-Mobile-Apps", "AdsBot-Google"],
            Ignored,
        ),
        ("duplexweb-google", &["DuplexWeb-Google"], Ignored),
    ];
    for (name, expected, star) in table {
        let crawler = known(name);
        assert_eq!(tokens(crawler), expected, "{name}");
        assert_eq!(crawler.star(), star, "{name}");
        let asked = crawler.crawler();
        assert_eq!(asked.tokens(), crawler.tokens(), "{name}");
        assert_eq!(asked.honours_star(), star == Honoured, "{name}");
        assert_ne!(crawler.obeys(), Obeys::No, "{name}");
    }
}

/// G-1-2.
#[test]
fn google_fetchers_for_users_and_for_safety_ignore_robots_txt() {
    for name in [
        "google-safety",
        "googleweblight",
        "feedfetcher-google",
        "google-site-verification",
        "google-read-aloud",
        "google-agent",
        "google-gemininotebook",
        "google-notebooklm",
        "google-pinpoint",
        "googleproducer",
        "googlemessages",
        "google-cws",
    ] {
        assert_eq!(known(name).obeys(), Obeys::No, "{name}");
        assert_eq!(known(name).star(), Star::Ignored, "{name}");
    }
}

#[test]
fn other_operators_fall_back_as_documented() {
    for (name, expected) in [
        ("bingbot", &["bingbot", "msnbot"][..]),
        ("applebot", &["Applebot", "Googlebot"]),
        ("kagibot", &["Kagibot", "Googlebot"]),
        ("yandexbot", &["YandexBot", "Yandex"]),
        ("yandeximages", &["YandexImages", "Yandex"]),
        ("yandexadditional", &["YandexAdditional", "Yandex"]),
        ("yandexadditionalbot", &["YandexAdditionalBot", "Yandex"]),
        (
            "yandexrenderresourcesbot",
            &["YandexRenderResourcesBot", "Yandex"],
        ),
        ("coccocbot-image", &["coccocbot-image", "coccocbot"]),
        ("ccbot", &["CCBot"]),
        ("gptbot", &["GPTBot"]),
    ] {
        assert_eq!(tokens(known(name)), expected, "{name}");
        assert_eq!(known(name).star(), Star::Honoured, "{name}");
    }
    assert_eq!(known("yandexdirect").star(), Star::Ignored);
}

#[test]
fn tokens_for_rules_only_are_these() {
    let names: Vec<&str> = Registry::bundled()
        .iter()
        .filter(|crawler| crawler.is_control_only())
        .map(KnownCrawler::name)
        .collect();
    assert_eq!(names, ["google-extended", "applebot-extended", "yandex"]);
}

#[test]
fn googles_crawlers_read_as_its_library_does_and_others_by_the_standard() {
    for crawler in Registry::bundled() {
        let expected = match crawler.operator() {
            "Google" => Dialect::Google,
            _ => Dialect::Rfc9309,
        };
        assert_eq!(crawler.dialect(), expected, "{}", crawler.name());
    }
}

#[test]
fn facts_are_typed() {
    let gptbot = known("GPTBot");
    assert_eq!(gptbot.operator(), "OpenAI");
    assert_eq!(gptbot.purposes(), [Purpose::AiTrain]);
    assert_eq!(gptbot.obeys(), Obeys::Yes);
    assert_eq!(gptbot.crawl_delay(), None);
    assert_eq!(gptbot.ip_ranges(), ["https://openai.com/gptbot.json"]);
    assert!(!gptbot.is_retired());
    assert!(known("anthropic-ai").is_retired());
    assert!(known("facebookbot").is_retired());
    assert_eq!(
        known("semrushbot").crawl_delay(),
        Some(CrawlDelay::Honoured)
    );
    assert_eq!(
        known("amzn-searchbot").ip_ranges(),
        ["https://developer.amazon.com/amazonbot/searchbot-ip-addresses/"]
    );
    assert!(known("claude-web").is_retired());
    assert_eq!(known("claudebot").crawl_delay(), Some(CrawlDelay::Honoured));
    assert_eq!(known("yandexbot").crawl_delay(), Some(CrawlDelay::Ignored));
    assert_eq!(known("bingbot").reverse_dns(), ["search.msn.com"]);
    assert!(known("chatgpt-user").note().is_some());
    assert!(known("ccbot").docs().is_some());
    assert_eq!(
        known("google-read-aloud").header_aliases(),
        ["google-speakr"]
    );
}

#[test]
fn enums_are_read_as_they_are_written() {
    for &purpose in Purpose::ALL {
        assert_eq!(purpose.as_str().parse(), Ok(purpose));
        assert_eq!(purpose.to_string(), purpose.as_str());
    }
    for &obeys in Obeys::ALL {
        assert_eq!(obeys.as_str().parse(), Ok(obeys));
        assert_eq!(obeys.to_string(), obeys.as_str());
    }
    for &evidence in Evidence::ALL {
        assert_eq!(evidence.as_str().parse(), Ok(evidence));
        assert_eq!(evidence.to_string(), evidence.as_str());
    }
    for &delay in CrawlDelay::ALL {
        assert_eq!(delay.as_str().parse(), Ok(delay));
        assert_eq!(delay.to_string(), delay.as_str());
    }
    assert!(Purpose::ALL.is_sorted_by_key(|purpose| purpose.as_str()));
}

#[test]
fn suggests_what_may_have_been_meant() {
    let registry = Registry::bundled();
    assert_eq!(registry.suggest("googelbot").first(), Some(&"googlebot"));
    assert_eq!(registry.suggest("GPTBott").first(), Some(&"gptbot"));
    assert_eq!(
        registry.suggest("archive.org-bot").first(),
        Some(&"archive-org-bot")
    );
    assert!(registry.suggest("adsbot").contains(&"adsbot-google"));
    assert!(registry.suggest("google").len() <= 8);
    assert!(registry.suggest("qqqqqqqqqq").is_empty());
    assert!(registry.suggest("").is_empty());
}

#[test]
fn crawlers_are_found_by_purpose_and_by_operator() {
    let registry = Registry::bundled();
    for &purpose in Purpose::ALL {
        let in_use = registry.by_purpose(purpose).filter(|it| !it.is_retired());
        assert!(in_use.count() > 0, "{purpose}");
    }
    let names: Vec<_> = registry
        .by_operator("openai")
        .map(KnownCrawler::name)
        .collect();
    assert!(names.contains(&"gptbot") && names.contains(&"oai-searchbot"));
    assert_eq!(registry.by_operator("OpenAI").count(), names.len());
    assert_eq!(registry.by_operator("").count(), 0);
    let operators = registry.operators();
    assert!(operators.is_sorted() && operators.contains(&"OpenAI"));
    assert_eq!(registry.suggest_operators("OpnAI"), ["OpenAI"]);
    for (name, meant) in [
        ("ai-trian", "ai-train"),
        ("AI-Train", "ai-train"),
        ("training", "ai-train"),
        ("archives", "archive"),
        ("triggered", "user-triggered"),
    ] {
        assert_eq!(Purpose::suggest(name), [meant], "{name}");
    }
    assert!(Purpose::suggest("nothing").is_empty());
    let of_all = operators
        .iter()
        .map(|name| registry.by_operator(name).count());
    // Names of operators that differ in case only would be one operator.
    assert_eq!(of_all.sum::<usize>(), registry.len());
    let unknown = "ai".parse::<Purpose>().unwrap_err();
    assert!(
        unknown
            .to_string()
            .starts_with("unknown name `ai`: use one of ads, ai-input, ai-train,")
    );
}

/// Facts known only from a list or quotation are never presented as the operator's.
#[test]
fn what_rests_on_lists_is_second_hand() {
    for crawler in Registry::bundled() {
        let source = crawler.source();
        let names_a_list = [
            "ai.robots.txt list",
            "crawler-user-agents list",
            "common in",
        ];
        if names_a_list.iter().any(|list| source.starts_with(list)) || source.contains("quote") {
            assert_eq!(crawler.evidence(), Evidence::SecondHand, "{crawler:?}");
        }
        if crawler.evidence() == Evidence::Operator {
            assert!(crawler.docs().is_some(), "{crawler:?}");
        }
    }
    assert_eq!(known("googlebot").evidence(), Evidence::Operator);
}

#[test]
fn sources_were_read_since_the_registry_exists() {
    let first: Day = "2026-11-20".parse().expect("a day");
    for crawler in Registry::bundled() {
        assert!(crawler.read_on() >= first, "{crawler:?}");
    }
}

/// The number of crawlers that the project's README states.
#[test]
fn the_readme_counts_them() {
    let readme = include_str!("../../../README.md");
    let count = Registry::bundled().len();
    assert!(readme.contains(&format!("registry of {count} known crawlers")));
}

#[test]
fn serializes_with_stable_keys() {
    let value = toml::Value::try_from(known("applebot-extended")).expect("serializes");
    let table = value.as_table().expect("a table");
    assert_eq!(table["name"].as_str(), Some("applebot-extended"));
    assert_eq!(table["tokens"][0].as_str(), Some("Applebot-Extended"));
    assert_eq!(table["purposes"][0].as_str(), Some("ai-train"));
    assert_eq!(table["star"].as_str(), Some("honoured"));
    assert_eq!(table["obeys"].as_str(), Some("yes"));
    assert_eq!(table["control_only"].as_bool(), Some(true));
    assert_eq!(table["retired"].as_bool(), Some(false));
    assert_eq!(table["evidence"].as_str(), Some("second-hand"));
    assert_eq!(table["read"].as_str(), Some("2026-11-20"));
    assert_eq!(table["reverse_dns"].as_array().map(Vec::len), Some(0));
    // TOML has no null. In JSON these keys are present.
    assert!(!table.contains_key("user_agent"));
}
