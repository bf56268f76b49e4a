//! For whom a rule is, and how all rules together are combined.

use super::date::seconds;
use super::question::{Convention, PageQuestion};
use super::reading::{PageReading, PageTag, TagSource};

/// Whether a crawler is of Google.
fn is_of_google(token: &str) -> bool {
    token.starts_with("googlebot") || token.ends_with("-google") || token.starts_with("google-")
}

fn is_of_bing(token: &str) -> bool {
    ["bingbot", "msnbot"].contains(&token)
}

/// Returns whether the name of a rule addresses the crawler.
pub(super) fn is_for(question: &PageQuestion<'_>, agent: &str) -> bool {
    let tokens: Vec<String> = question
        .crawlers
        .iter()
        .map(|it| it.to_ascii_lowercase())
        .collect();
    let first = tokens.first().map_or("", String::as_str);
    // A crawler of another operator that follows the groups of Googlebot reads only its own name.
    let is_of_its_operator = is_of_google(agent) == is_of_google(first);
    let own = is_of_its_operator && tokens.iter().any(|it| it == agent);
    match question.convention {
        // "A restriction applied to the global `*` token applies to all accessors."            RX-3.1.1-5
        Convention::RepExt if tokens.iter().any(|it| is_of_bing(it)) => {
            agent == "*" || is_of_bing(agent)
        }
        Convention::RepExt => agent == "*" || own,
        Convention::Google => {
            if is_of_google(first) && tokens.iter().any(|it| it == "googlebot") {
                // "Google supports two user agent tokens [...]; other values are ignored."         GM-5
                agent == "*"
                    || agent == "googlebot"
                    || (agent == "googlebot-news" && first == agent)
            } else if is_of_google(first) {
                // "To block non-search crawlers [...] add rules targeted to the specific crawler." GM-2
                own
            } else {
                agent == "*" || own || (is_of_bing(agent) && tokens.iter().any(|it| is_of_bing(it)))
            }
        }
    }
}

/// Rules that Google lists.                                                        GM-12 to GM-23
pub(super) const OF_GOOGLE: [&str; 14] = [
    "all",
    "index",
    "follow",
    "noindex",
    "nofollow",
    "none",
    "nosnippet",
    "indexifembedded",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
    "notranslate",
    "noimageindex",
    "unavailable_after",
];

/// Rules that Microsoft's pages list, and `none`, which is short for two of them.    BM-2 to BM-9
const OF_BING: [&str; 13] = [
    "index",
    "noindex",
    "follow",
    "nofollow",
    "all",
    "none",
    "noarchive",
    "nocache",
    "nosnippet",
    "noodp",
    "max-snippet",
    "max-image-preview",
    "max-video-preview",
];

/// Rules that others list. Google ignores them.                                    GM-24, BM-4, BM-6
pub(super) const OF_OTHERS: [&str; 6] = [
    "noarchive",
    "nocache",
    "nositelinkssearchbox",
    "noodp",
    "noai",
    "noimageai",
];

/// Returns whether the crawler knows a rule and its value.
pub(super) fn is_known(question: &PageQuestion<'_>, tag: &PageTag) -> bool {
    let name = &&*tag.name;
    let is_bing = question
        .crawlers
        .iter()
        .any(|it| is_of_bing(&it.to_ascii_lowercase()));
    let is_known = match question.convention {
        Convention::Google => OF_GOOGLE.contains(name),
        Convention::RepExt if is_bing => OF_BING.contains(name),
        Convention::RepExt => OF_GOOGLE.contains(name) || OF_OTHERS.contains(name),
    };
    is_known
        && match &*tag.name {
            "max-snippet" | "max-video-preview" => limit(tag).is_some(),
            "max-image-preview" => size(tag).is_some(),
            "unavailable_after" => date(tag, question.now).is_some(),
            _ => tag.value.is_none(),
        }
}

/// "This rule is ignored if no parseable [number] is specified."                    GM-18, GM-20
fn limit(tag: &PageTag) -> Option<i64> {
    let text = tag.value.as_deref()?;
    let is_digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    (text == "-1" || is_digits)
        .then(|| text.parse().ok())?
        .filter(|it| *it <= i64::from(u32::MAX))
}

/// A size, the most restrictive one first.                                          GM-19, BM-8
const SIZES: [&str; 3] = ["none", "standard", "large"];

fn size(tag: &PageTag) -> Option<usize> {
    let text = tag.value.as_deref()?.to_ascii_lowercase();
    SIZES.iter().position(|it| *it == text)
}

fn date(tag: &PageTag, now: i64) -> Option<i64> {
    let text = tag.value.as_deref()?;
    match text.strip_prefix('@') {
        // A Date of RFC 9651 is a second since 1970.
        Some(second) if tag.source == TagSource::RobotsTag => second.parse().ok(),
        _ => seconds(text, now),
    }
}

/// Combines the rules that apply: each may only restrict further.                   GM-11, GM-26, RX-3.1.1-4
pub(super) fn combine(question: &PageQuestion<'_>, tags: &[PageTag], reading: &mut PageReading) {
    let applying: Vec<&PageTag> = tags.iter().filter(|it| it.applies).collect();
    let has = |names: &[&str]| applying.iter().any(|it| names.contains(&&*it.name));
    let of = |name: &'static str| applying.iter().filter(move |it| it.name == name);
    reading.noindex = has(&["noindex", "none"]);
    reading.nofollow = has(&["nofollow", "none"]);
    let limits = of("max-snippet").filter_map(|it| limit(it));
    let of_nosnippet = has(&["nosnippet"]).then_some(0);
    // -1 sets no limit, so any other number is lower.
    reading.max_snippet = limits.chain(of_nosnippet).filter(|it| *it >= 0).min();
    let smallest = of("max-image-preview").filter_map(|it| size(it)).min();
    reading.image_preview = smallest.map(|it| SIZES[it]);
    reading.unavailable_after = of("unavailable_after")
        .filter_map(|it| date(it, question.now))
        .min();
    let tokens: Vec<String> = question
        .crawlers
        .iter()
        .map(|it| it.to_ascii_lowercase())
        .collect();
    if tokens.iter().any(|it| is_of_bing(it)) {
        // "If content has both NOCACHE and NOARCHIVE tags, we will treat it as NOCACHE."    BM-11 to BM-13
        let word = match (has(&["nocache"]), has(&["noarchive"])) {
            (true, _) => "snippet",
            (false, true) => "no",
            (false, false) => "unstated",
        };
        (reading.ai_input, reading.ai_train) = (word, word);
    } else if tokens.first().is_some_and(|it| is_of_google(it))
        && tokens.iter().any(|it| it == "googlebot")
    {
        reading.ai_input = match reading.max_snippet {
            Some(0) => "no",
            Some(_) => "snippet",
            None => "unstated",
        };
    } else if has(&["noai"]) {
        // DeviantArt: "their content may not be used as input to AI models", nor "to train".
        (reading.ai_input, reading.ai_train) = ("no", "no");
    } else if has(&["noarchive"]) && tokens.iter().any(|it| it == "amazonbot") {
        // Amazon: "noarchive (do not use the page for model training)".
        reading.ai_train = "no";
    }
}
