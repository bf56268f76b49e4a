//! The crawler that a User-Agent header names.

use verger_crawlers::{KnownCrawler, Registry, UserAgentHeader};

fn named(header: &str) -> Option<&'static str> {
    Registry::bundled()
        .named_by(&UserAgentHeader::new(header))
        .map(KnownCrawler::name)
}

fn product_names(header: &str) -> Vec<String> {
    UserAgentHeader::new(header)
        .product_names()
        .map(str::to_owned)
        .collect()
}

/// The crawler, then a header that names it.
const HEADERS: &str = "\
googlebot-image | Mozilla/5.0 (compatible; Googlebot-Image/1.0)
googlebot-image | Googlebot-Image/1.0
googlebot | Googlebot/2.1 (+http://www.google.com/bot.html)
googlebot | Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
adsbot-google-mobile | Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36 (compatible; AdsBot-Google-Mobile; +http://www.google.com/mobile/adsbot.html)
adsbot-google | AdsBot-Google (+http://www.google.com/adsbot.html)
feedfetcher-google | FeedFetcher-Google; (+http://www.google.com/feedfetcher.html)
storebot-google | Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/79.0 Safari/537.36
gptbot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.3; +https://openai.com/gptbot)
chatgpt-user | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot
claudebot | Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)
applebot | Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)
yandexbot | Mozilla/5.0 (compatible; YandexBot/3.0; MirrorDetector; +http://yandex.com/bots)
slurp | Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)
screaming-frog-seo-spider | Screaming Frog SEO Spider/5.1
sogou-web-spider | Sogou web spider/4.0(+http://www.sogou.com/docs/help/webmasters.htm#07)
mail-ru-bot | Mozilla/5.0 (compatible; Linux x86_64; Mail.RU_Bot/2.0; +http://go.mail.ru/help/robots)
archive-org-bot | Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)
baiduspider | Mozilla/5.0 (compatible; Baiduspider-render/2.0; +http://www.baidu.com/search/spider.html)
baiduspider-image | Baiduspider-image+(+http://www.baidu.com/search/spider.htm)
360spider | Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.1 (KHTML, like Gecko) Chrome/21.0 Safari/537.1; 360Spider(compatible; HaosouSpider)
facebookexternalhit | facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)
ccbot | CCBot/2.0 (https://commoncrawl.org/faq/)
semrushbot | Mozilla/5.0 (compatible; SemrushBot/7~bl; +http://www.semrush.com/bot.html)
slackbot-linkexpanding | Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)
panscient | panscient.com
pinterestbot | Pinterest/0.2 (+http://www.pinterest.com/bot.html)
bingbot | Mozilla/5.0+(compatible;+bingbot/2.0;++http://www.bing.com/bingbot.htm)
googlebot | gOOGLEbOT/2.1
googlebot | Googlebot.";

#[test]
fn headers_name_crawlers() {
    for row in HEADERS.lines() {
        let (name, header) = row.split_once(" | ").expect("a name and a header");
        assert_eq!(named(header), Some(name), "{header}");
    }
}

#[test]
fn the_longest_name_decides() {
    assert_eq!(
        named("Googlebot/2.1 (compatible; Googlebot-Image/1.0)"),
        Some("googlebot-image")
    );
    assert_eq!(
        named("Mozilla/5.0 facebookexternalhit/1.1 Facebot Twitterbot/1.0"),
        Some("facebookexternalhit")
    );
}

#[test]
fn a_part_of_a_longer_name_names_nothing() {
    for header in [
        "Googlebot-Imaginary/1.0",
        "NotGooglebot/1.0",
        "My-Googlebot/1.0",
        "Googlebot2/1.0",
        "Googlebot_x",
        "Googlebot.example/1.0",
        "xGPTBot",
    ] {
        assert_eq!(named(header), None, "{header}");
    }
}

#[test]
fn browsers_and_strangers_name_nothing() {
    for header in [
        "",
        " ",
        "-",
        "Mozilla/5.0 (compatible; ExampleBot/0.1)",
        "Mozilla/5.0 (compatible; ExampleBot/0.1; +http://www.google.com/bot.html)",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
        "curl/8.5.0",
    ] {
        assert_eq!(named(header), None, "{header}");
    }
}

#[test]
fn contacts_name_nothing() {
    for header in [
        "ExampleBot (+https://openai.com/gptbot)",
        "ExampleBot (+https://example.com/why-not-GPTBot)",
        "ExampleBot (https://example.com/?x=1+Googlebot)",
        "ExampleBot (www.example.com/Googlebot)",
        "ExampleBot (example.com/gptbot)",
        "ExampleBot (+search.marginalia.nu)",
        "ExampleBot (mailto:googlebot)",
        "ExampleBot (googlebot@example.com)",
        "ExampleBot (claudebot@anthropic.com)",
        "ExampleBot+http://example.com/googlebot",
    ] {
        assert_eq!(named(header), None, "{header}");
    }
    assert_eq!(named("GPTBot+http://example.com/googlebot"), Some("gptbot"));
}

#[test]
fn likenesses_and_versions_name_nothing() {
    assert_eq!(named("TelegramBot (like TwitterBot)"), Some("telegrambot"));
    assert_eq!(
        named(
            "Feedly/1.0 (+http://www.feedly.com/fetcher.html; 1 subscribers; like FeedFetcher-Google)"
        ),
        Some("feedly")
    );
    assert_eq!(named("ExampleBot/1.0 (like+Googlebot/2.1)"), None);
    assert_eq!(
        named("ExampleBot/1.0 (like; Googlebot/2.1)"),
        Some("googlebot")
    );
    assert_eq!(named("ExampleBot/Googlebot"), None);
    let app = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 [Pinterest/iOS]";
    assert_eq!(named(app), None);
}

#[test]
fn a_log_may_write_a_plus_for_each_space() {
    for line in HEADERS.lines() {
        let (name, header) = line.split_once(" | ").unwrap();
        let written = header.replace(' ', "+");
        assert_eq!(named(&written), Some(name), "{written}");
    }
}

#[test]
fn a_header_may_claim_a_token_that_sends_no_requests() {
    let header = UserAgentHeader::new("Mozilla/5.0 (compatible; Google-Extended/1.0)");
    let claimed = Registry::bundled()
        .named_by(&header)
        .expect("a known token");
    assert_eq!(claimed.name(), "google-extended");
    assert!(claimed.is_control_only());
}

#[test]
fn every_crawler_is_named_by_its_own_names() {
    for crawler in Registry::bundled() {
        let aliases = crawler.header_aliases().iter().map(String::as_str);
        for name in aliases.chain([crawler.header_name()]) {
            for header in [
                format!("{name}/1.0"),
                format!("Mozilla/5.0 (compatible; {name}; +https://example.com/)"),
            ] {
                assert_eq!(named(&header), Some(crawler.name()), "{header}");
            }
        }
    }
}

#[test]
fn product_names_are_what_may_be_a_token() {
    assert_eq!(
        product_names("Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)"),
        ["ExampleBot"]
    );
    assert_eq!(product_names("ExampleBot"), ["ExampleBot"]);
    assert_eq!(
        product_names("Mozilla/5.0 (compatible; Yahoo! Slurp/3.0)"),
        ["Yahoo", "Slurp"]
    );
    assert_eq!(product_names("SemrushBot/7~bl"), ["SemrushBot"]);
    assert_eq!(product_names("360Spider"), ["360Spider"]);
    assert_eq!(product_names("Mail.RU_Bot/2.0."), ["Mail.RU_Bot"]);
    assert_eq!(product_names("Ünïcode Bot/1.0"), ["Bot"]);
    assert_eq!(
        product_names(
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)"
        ),
        ["ClaudeBot"]
    );
    assert!(product_names("").is_empty());
    assert!(
        product_names("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
            .is_empty()
    );
}

#[test]
fn any_text_is_a_header() {
    for text in [
        "",
        "(((",
        "+++",
        "://",
        "like",
        "a://b",
        "é+é@/.",
        "/Googlebot",
        "like like Googlebot",
    ] {
        let header = UserAgentHeader::new(text);
        assert_eq!(header.as_str(), text);
        assert_eq!(header.to_string(), text);
        assert_eq!(
            Registry::bundled()
                .named_by(&header)
                .map(KnownCrawler::name),
            None,
            "{text}"
        );
        let _ = header.product_names().count();
    }
}
