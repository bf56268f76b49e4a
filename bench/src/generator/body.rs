//! Generated bodies.

use std::fmt::Write as _;

use super::randomness::Randomness;
use super::rule::{self, Depth};
use super::vocabulary::{segment, word};

/// The file of a small site: 22 rules for `*`, five with wildcards, and some crawlers disallowed.
pub(super) const WORDPRESS: &str = "\
# Robots of www.example.com
User-agent: *
Disallow: /wp-admin/
Disallow: /wp-includes/
Disallow: /wp-content/plugins/
Disallow: /wp-content/cache/
Disallow: /wp-content/themes/
Disallow: /wp-login.php
Disallow: /xmlrpc.php
Disallow: /readme.html
Disallow: /cgi-bin/
Disallow: /trackback/
Disallow: /comments/
Disallow: /feed/
Disallow: /*/feed/
Disallow: /*/trackback/
Disallow: /*?s=
Disallow: /*?replytocom=
Disallow: /*.bak$
Disallow: /author/
Disallow: /search/
Disallow: /internal/drafts
Allow: /wp-admin/admin-ajax.php
Allow: /wp-content/uploads/
Crawl-delay: 5

# Pictures are welcome everywhere
User-agent: ExamplePictureBot
Disallow:
Allow: /wp-content/uploads/

# These ask too often
User-agent: HastyBot
User-agent: GreedyBot
User-agent: NoisySpider
Disallow: /

User-agent: CopyBot
Disallow: /

User-agent: TrainingBot
Disallow: /

User-agent: MirrorBot
Disallow: /

User-agent: OldBot
Disallow: /

Sitemap: https://www.example.com/sitemap.xml
Sitemap: https://www.example.com/news.xml
";

/// A typical site: 5 to 9 rules for `*`, two with wildcards, some crawlers disallowed, and sitemaps.
#[cfg(feature = "client")]
pub(super) fn site(randomness: &mut Randomness, number: usize) -> Vec<u8> {
    const NAMES: [&str; 8] = [
        "CopyBot",
        "TrainingBot",
        "MirrorBot",
        "OldBot",
        "HastyBot",
        "GreedyBot",
        "NoisySpider",
        "ExamplePictureBot",
    ];
    let mut body = "User-agent: *\n".to_owned();
    for nth in 0..5 + randomness.below(5) {
        body.push_str(&rule::line(randomness, nth % 4 == 2, Depth(2)));
    }
    for _ in 0..2 + randomness.below(3) {
        let name = randomness.pick(&NAMES);
        let _ = write!(body, "\nUser-agent: {name}\nDisallow: /\n");
    }
    let _ = write!(
        body,
        "\nSitemap: https://www.host-{number}.example/sitemap_index.xml\n"
    );
    body.push_str("# ---------------------------\n# Written by the site's own tool\n");
    while body.len() < 440 {
        let word = word(randomness);
        let _ = writeln!(
            body,
            "Sitemap: https://www.host-{number}.example/{word}.xml"
        );
    }
    body.into_bytes()
}

pub(super) const HOSTILE: &str = "User-agent: *\nDisallow: /*a*a*a*a*a*b\n";

/// Generates `count` rules for all crawlers, with the given percentage of wildcards.
pub(super) fn rules(
    randomness: &mut Randomness,
    (count, wild_percent): (usize, usize),
    depth: Depth,
) -> Vec<u8> {
    let mut body = "User-agent: *\n".to_owned();
    for _ in 0..count {
        let is_wild = randomness.percent(wild_percent);
        body.push_str(&rule::line(randomness, is_wild, depth));
    }
    body.into_bytes()
}

/// Generates `count` rules for all crawlers that share a prefix.
pub(super) fn area(randomness: &mut Randomness, count: usize) -> Vec<u8> {
    let mut body = "User-agent: *\n".to_owned();
    for nth in 0..count {
        let _ = writeln!(body, "Disallow: /catalog/{nth}/{}", word(randomness));
    }
    body.into_bytes()
}

/// A shop: 250 rules in commented sections, 150 with wildcards or anchors.
pub(super) fn ecommerce(randomness: &mut Randomness) -> Vec<u8> {
    let mut body =
        "# Shop rules\n# Ask the search team before changing\n\nUser-agent: *\n".to_owned();
    for nth in 0..250 {
        if nth % 20 == 0 {
            let _ = write!(
                body,
                "\n# --- part {}: {} ---\n",
                nth / 20,
                word(randomness)
            );
        }
        body.push_str(&rule::line(randomness, nth % 5 < 3, Depth(6)));
    }
    body.push_str("\nSitemap: https://shop.example.co.uk/sitemap.xml\n");
    body.into_bytes()
}

/// A hundred crawlers disallowed one by one, a third with two more rules, and a dozen rules for `*`.
pub(super) fn ai_list(randomness: &mut Randomness) -> Vec<u8> {
    const FIRST: [&str; 20] = [
        "Amber", "Birch", "Cedar", "Delta", "Ember", "Fjord", "Grove", "Heron", "Iris", "Juniper",
        "Kestrel", "Lumen", "Maple", "Nimbus", "Onyx", "Prism", "Quartz", "Raven", "Slate",
        "Tulip",
    ];
    const LAST: [&str; 5] = ["Bot", "-AI", "Crawler", "-Training", "-User"];
    let mut body = "# No training on our texts, please\n".to_owned();
    for nth in 0..100 {
        let (first, last) = (FIRST[nth % FIRST.len()], LAST[nth / FIRST.len()]);
        let _ = write!(body, "\nUser-agent: {first}{last}\nDisallow: /\n");
        if nth % 3 == 1 {
            let _ = writeln!(body, "Disallow: /{}/", word(randomness));
            let _ = writeln!(body, "Allow: /{}/public/", word(randomness));
        }
    }
    body.push_str("\nUser-agent: *\n");
    for _ in 0..12 {
        body.push_str(&rule::line(randomness, false, Depth(2)));
    }
    body.into_bytes()
}

/// Generates `count` rules full of stars, none of which matches a run of `a`.
pub(super) fn hostile(randomness: &mut Randomness, count: usize) -> Vec<u8> {
    const ENDS: [&str; 5] = ["b", "ab", "ba", "c", "$x"];
    let mut body = "User-agent: *\n".to_owned();
    for _ in 0..count {
        let stars = "*a".repeat(6 + randomness.below(25));
        let end = randomness.pick(&ENDS);
        let star = if end.starts_with('$') { "" } else { "*" };
        let _ = writeln!(body, "Disallow: /{stars}{star}{end}");
    }
    body.into_bytes()
}

pub(super) fn html(randomness: &mut Randomness) -> Vec<u8> {
    let mut body = "<!DOCTYPE html>\n<html lang=\"en\">\n<title>Not found</title>\n".to_owned();
    while body.len() < 512_000 {
        let (class, text) = (word(randomness), segment(randomness));
        let (first, last) = (segment(randomness), segment(randomness));
        let _ = writeln!(
            body,
            "  <li class=\"{class}\"><a href=\"https://www.example.com/{first}/{last}\">{text}</a></li>"
        );
        if randomness.percent(30) {
            body.push_str("<p>");
            for _ in 0..10 + randomness.below(50) {
                body.push_str(word(randomness));
                body.push(' ');
            }
            body.push_str("</p>\n");
        }
    }
    body.truncate(512_000);
    body.into_bytes()
}

pub(super) fn binary(randomness: &mut Randomness) -> Vec<u8> {
    (0..64_000)
        .flat_map(|_| randomness.next().to_le_bytes())
        .collect()
}
