//! One pass gives the same answers as the tree at the borders of windows, blocks and prefixes.

use crate::ways::ask_every_way;
use verger::dialect::{AgentList, AllowLines, EncodingMismatch, LenientLines};
use verger::scan::effect_for_crawler;
use verger::{Crawler, Dialect, Effect, Reading, Star, TargetPath};
use verger_testkit::generate::{Rng, agent, body, url_for};

const KEYS: [&[u8]; 16] = [
    b"Disallow",
    b"Disallow",
    b"Disallow",
    b"Disallow",
    b"disallow",
    b"Allow",
    b"Allow",
    b"ALLOW",
    b"User-agent",
    b"User-agent",
    b"user-agent",
    b"useragent",
    b"Dissallow",
    b"Sitemap",
    b"Disallo",
    b"User-agents",
];

const NAMES: [&[u8]; 9] = [
    b"*",
    b"*",
    b"FooBot",
    b"foobot",
    b"Foo",
    b"BarBot",
    b"FooBot-News",
    b"* x",
    b"Fo",
];

/// Parts of paths. Many are longer than the prefix that is compared.
const PARTS: [&[u8]; 24] = [
    b"a",
    b"b",
    b"/",
    b"/ab",
    b"index.html",
    b"/index.htm",
    b"?q=",
    b"&x",
    b"*",
    b"*",
    b"$",
    b"%2F",
    b"%61",
    b"%c3%A9",
    b"\xC3\xA9",
    b"%",
    b"abcdefgh",
    b"/a/b/c/d/e/f/g/h/",
    b"{",
    b"=",
    b"0123456789abcdef",
    b"(a)",
    b"aa",
    b"$a",
];

fn path(rng: &mut Rng, parts_max: usize) -> Vec<u8> {
    let mut path = if rng.one_in(6) {
        b"*".to_vec()
    } else {
        b"/".to_vec()
    };
    for _ in 0..rng.below(parts_max + 1) {
        path.extend_from_slice(rng.pick(&PARTS));
    }
    path
}

/// Generates the path of a rule: often the target's, or a prefix of it.
fn rule_path(rng: &mut Rng, target: &[u8]) -> Vec<u8> {
    if rng.one_in(3) {
        return path(rng, 5);
    }
    let end = rng.below(target.len() + 1);
    let mut path = target[..end].to_vec();
    match rng.below(6) {
        0 => path.push(b'$'),
        1 => {
            // Leave out a part of the target.
            path.push(b'*');
            let start = end + rng.below(target.len() - end + 1);
            let end = start + rng.below(target.len() - start + 1);
            path.extend_from_slice(&target[start..end]);
        }
        2 => path.extend_from_slice(rng.pick(&PARTS)),
        _ => {}
    }
    path
}

fn white(rng: &mut Rng) -> Vec<u8> {
    match rng.below(12) {
        0..6 => b" ".to_vec(),
        6 => b"\t".to_vec(),
        7 => b" ".repeat(rng.below(70)),
        8 => b"\x0B \x0C".to_vec(),
        _ => Vec::new(),
    }
}

fn line(rng: &mut Rng, target: &[u8]) -> Vec<u8> {
    if rng.one_in(5) {
        // Lines that shift the following ones relative to the borders of blocks.
        return [&b"#"[..], &b"x".repeat(rng.below(80))].concat();
    }
    let key = rng.pick(&KEYS);
    let value = if key[0] | 0x20 == b'u' {
        rng.pick(&NAMES).to_vec()
    } else {
        rule_path(rng, target)
    };
    let indent = if rng.one_in(8) {
        white(rng)
    } else {
        Vec::new()
    };
    let after = if rng.one_in(6) {
        white(rng)
    } else {
        Vec::new()
    };
    let separator: &[u8] = if rng.one_in(12) { b" " } else { b":" };
    let mut line = [&indent, key, separator, &white(rng), &value, &after].concat();
    match rng.below(40) {
        0 => line.push(b'#'),
        1 => line.extend_from_slice(b" # \x01 why"),
        2 => line.insert(
            rng.below(line.len() + 1),
            rng.pick(&[b"\x01", b"\0", b"\x0B"])[0],
        ),
        3 => line.extend_from_slice(&b"b".repeat(rng.below(60))),
        4 if rng.one_in(8) => {
            let missing = 16_663_usize.saturating_sub(line.len());
            line.extend_from_slice(&b"a".repeat((missing + 3).saturating_sub(rng.below(7))));
        }
        _ => {}
    }
    line
}

fn body_of_borders(rng: &mut Rng, target: &[u8]) -> Vec<u8> {
    let mut body = if rng.one_in(12) {
        b"\xEF\xBB\xBF".to_vec()
    } else {
        Vec::new()
    };
    if !rng.one_in(6) {
        body.extend_from_slice(b"User-agent: *\n");
    }
    let end = rng.pick(&[&b"\n"[..], b"\n", b"\r\n", b"\r"]);
    let lines = if rng.one_in(20) { 150 } else { 16 };
    for _ in 0..rng.below(lines) {
        body.extend(line(rng, target));
        if rng.one_in(12) {
            body.extend_from_slice(end);
        }
        body.extend_from_slice(end);
    }
    if rng.one_in(3) {
        body.pop();
    }
    body
}

fn readings() -> impl Iterator<Item = Reading> {
    Dialect::ALL
        .iter()
        .copied()
        .map(Reading::new)
        .flat_map(|reading| {
            [
                reading,
                reading.with_agent_list(AgentList::CommaSeparated),
                reading.with_allow_lines(AllowLines::Ignored),
                reading.with_lenient_lines(LenientLines::Read),
            ]
        })
}

fn assert_as_the_tree_says(body: &[u8], url: &[u8], names: &[&str]) {
    for reading in readings() {
        let Ok(target) = TargetPath::new(url, reading) else {
            continue;
        };
        let mut crawlers: Vec<Crawler> = names
            .iter()
            .filter_map(|name| Crawler::named(name, reading).ok())
            .collect();
        crawlers.extend(Crawler::named_in_order(names.iter().copied(), reading));
        crawlers.extend(Crawler::union(names.iter().copied(), reading));
        crawlers.push(Crawler::unnamed());
        crawlers.extend(Crawler::named(names[0], reading).map(|one| one.star(Star::Ignored)));
        for crawler in &crawlers {
            ask_every_way(body, crawler, &target, reading);
        }
        let (url, shown) = (url.escape_ascii(), body.escape_ascii());
        for (name, crawler) in names.iter().zip(&crawlers) {
            let of_name = verger::scan::effect_for_name(body, name, &target, reading);
            let of_crawler = verger::scan::effect_for_crawler(body, crawler, &target, reading);
            assert_eq!(
                of_name,
                Ok(of_crawler),
                "{name}, {reading:?} {url}\n{shown}"
            );
            let of_name = verger::scan::verdict_for_name(body, name, &target, reading);
            let of_crawler = verger::scan::verdict_for_crawler(body, crawler, &target, reading);
            assert_eq!(
                of_name,
                Ok(of_crawler),
                "{name}, {reading:?} {url}\n{shown}"
            );
        }
    }
}

fn seeds() -> std::ops::Range<u64> {
    let count = std::env::var("VERGER_ONE_PASS_SEEDS");
    0..count
        .ok()
        .and_then(|count| count.parse().ok())
        .unwrap_or(3_000)
}

#[test]
fn where_lines_and_values_meet_borders() {
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let mut url = path(&mut rng, 7);
        if url[0] == b'*' {
            url[0] = b'/';
        }
        let body = body_of_borders(&mut rng, &url);
        assert_as_the_tree_says(&body, &url, &["FooBot", "BarBot", "Foo"]);
    }
}

#[test]
fn on_generated_bodies() {
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let body = body(&mut rng);
        let names = [agent(&mut rng), agent(&mut rng), agent(&mut rng)];
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        assert_as_the_tree_says(&body, &url_for(&mut rng, &body), &names);
    }
}

/// A rule is found wherever it is, and whatever comes after it.
#[test]
fn at_every_place_of_a_block() {
    for bytes in 0..200 {
        for end in ["", "\n", "\r\n", "\r"] {
            for rule in [
                "Disallow: /a",
                "Disallow: /*b",
                "Disallow:/a/",
                "  disallow: /a  # x",
            ] {
                let filler = "#".repeat(bytes);
                let body = format!("{filler}\nUser-agent: *\n{filler}\n{rule}{end}");
                assert_as_the_tree_says(body.as_bytes(), b"/a/b", &["FooBot"]);
            }
        }
    }
}

#[test]
fn a_group_whose_first_rules_are_absent_goes_on() {
    for absent in [
        "Disallow: /\u{1}",
        "Disallow: /x\u{1}\nAllow: /y\u{2}",
        "Disallow: /\0",
    ] {
        for named in ["User-agent: FooBot", "User-agent: BarBot", "user-agent: *"] {
            let body = format!("User-agent: *\n{absent}\n{named}\nDisallow: /b");
            assert_as_the_tree_says(body.as_bytes(), b"/b", &["FooBot", "BarBot"]);
        }
    }
}

#[test]
fn any_number_of_names_is_asked_for() {
    let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
    for count in [1, 15, 16, 17, 513] {
        let names: Vec<String> = (0..count)
            .map(|nth| format!("bot-{}", letters(nth)))
            .collect();
        let body = format!(
            "User-agent: {}\nAllow: /\n\nUser-agent: {}\nDisallow: /\n\nUser-agent: *\nDisallow: /a",
            names[0].to_uppercase(),
            names[count - 1],
        );
        let all_at_once =
            Crawler::named_in_order(names.iter().map(String::as_str), Dialect::Rfc9309);
        let effect = verger::scan::effect_for_crawler(
            &body,
            &all_at_once.unwrap(),
            &target,
            Dialect::Rfc9309,
        );
        assert_eq!(effect, Effect::Allow, "the first of {count} names decides");
    }
}

/// Writes a number in letters, for use in a product token.
fn letters(number: usize) -> String {
    let digits = number.to_string().into_bytes();
    digits
        .iter()
        .map(|digit| char::from(digit - b'0' + b'a'))
        .collect()
}

#[test]
fn a_bridged_body_is_asked_as_it_is_read() {
    let target = TargetPath::new("/a", Dialect::Rfc9309).unwrap();
    let crawlers = ["bot-g", "bot-h"].map(|name| Crawler::named(name, Dialect::Rfc9309).unwrap());
    let body = "User-agent: BOT-H\nDisallow: /";
    let bridging = Reading::default().with_encoding_mismatch(EncodingMismatch::Bridge);
    let utf16: Vec<u8> = format!("\u{FEFF}{body}")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let answers =
        [0, 1].map(|nth: usize| effect_for_crawler(&utf16, &crawlers[nth], &target, bridging));
    assert_eq!(answers, [Effect::Allow, Effect::Disallow]);
}

/// After many wildcard rules, further ones are ruled out by the bytes and pairs of the target.
#[test]
fn behind_many_wildcard_rules_each_one_counts() {
    for earlier in [9, 10, 11, 255, 256, 257, 300] {
        let rules: Vec<String> = (0..earlier)
            .map(|nth| format!("Disallow: /a*z{}", letters(nth)))
            .collect();
        let rules = rules.join("\n");
        for last in [
            "Disallow: /a*b$",
            "Disallow: /a*c$",
            "Disallow: /a*\nAllow: /a*/index.html",
            "Allow: /a*/index.htm\nDisallow: /a",
            "Disallow: /a*/\nallow: /a*b/index.html$",
        ] {
            let body = format!("User-agent: *\n{rules}\n{last}\n");
            for url in ["/a-b", "/a-b/", "/a/b/", "/ab/index.html"] {
                assert_as_the_tree_says(body.as_bytes(), url.as_bytes(), &["FooBot"]);
            }
        }
    }
}

/// The pair after a `*` is found at every position of targets shorter and longer than a block.
#[test]
fn a_pair_is_found_at_every_place_of_a_target() {
    let body = b"User-agent: *\nDisallow: /*xy\n";
    for length in [31, 32, 33, 63, 64, 65, 95, 96, 97, 98, 128, 129, 161] {
        for place in 1..length - 1 {
            let mut url = vec![b'a'; length];
            url[0] = b'/';
            url[place..place + 2].copy_from_slice(b"xy");
            let target = TargetPath::new(&url, Dialect::Rfc9309).unwrap();
            let effect = verger::scan::effect_for_crawler(
                body,
                &Crawler::unnamed(),
                &target,
                Dialect::Rfc9309,
            );
            assert_eq!(effect, Effect::Disallow, "{place} of {length}");
        }
    }
}

/// The shortest form of a question gives the same answer as the longer ones.
#[test]
fn allowed_is_the_effect_for_one_token() {
    let mut rng = Rng::new(22);
    let mut allowed = 0;
    for _ in 0..2000 {
        let body = body(&mut rng);
        let url = url_for(&mut rng, &body);
        let Ok(target) = TargetPath::new(&url, Dialect::Rfc9309) else {
            assert!(verger::allowed(&body, "FooBot", &url).is_err());
            continue;
        };
        for (token, crawler) in [
            (
                "FooBot",
                Crawler::named("FooBot", Dialect::Rfc9309).unwrap(),
            ),
            ("*", Crawler::unnamed()),
        ] {
            let effect =
                verger::scan::effect_for_crawler(&body, &crawler, &target, Dialect::Rfc9309);
            let answer = verger::allowed(&body, token, &url).unwrap();
            assert_eq!(
                answer,
                effect == Effect::Allow,
                "{token} {}",
                body.escape_ascii()
            );
            allowed += usize::from(answer);
        }
    }
    assert!((100..3900).contains(&allowed), "{allowed}");
}

/// After hundreds of wildcard rules, short ones are ruled out by the bytes of the target. No
/// matching rule is.
#[test]
fn a_short_rule_that_matches_is_found_behind_hundreds_of_others() {
    for pattern in ["/*yz", "/*y*z", "/*yz$", "/x*z", "/x*q", "/*zy"] {
        // The target has the pairs of each rule, in sequence or not.
        let others = (0..400).map(|number| {
            let ends = ["xy*xy", "wx*wx", "vw*vw*vw"][number % 3];
            format!("Disallow: /*{ends}*{ends}\n")
        });
        let others: String = others.collect();
        let text = format!("User-agent: *\n{others}Disallow: {pattern}\n");
        for url in ["/vwxyz", "/xvwxyz", "/vwxyzq", "/xq"] {
            assert_as_the_tree_says(text.as_bytes(), url.as_bytes(), &["FooBot"]);
        }
        let target = TargetPath::new("/xvwxyz", Dialect::Rfc9309).unwrap();
        let effect =
            verger::scan::effect_for_crawler(&text, &Crawler::unnamed(), &target, Dialect::Rfc9309);
        let matches = !matches!(pattern, "/x*q" | "/*zy");
        assert_eq!(effect == Effect::Disallow, matches, "{pattern}");
    }
}
