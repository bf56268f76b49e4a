use super::path::rule_value;
use super::rng::Rng;

const LINE_ENDS: [&[u8]; 5] = [b"\n", b"\r\n", b"\r", b"\n\r", b"\r\r\n"];

const USER_AGENT_KEYS: [&[u8]; 6] = [
    b"useragent",
    b"user agent",
    b"User-agents",
    b"User-agent*",
    b"user_agent",
    b"User-agen",
];

const RULE_KEYS: [&[u8]; 15] = [
    b"dissallow",
    b"dissalow",
    b"disalow",
    b"diasllow",
    b"disallaw",
    b"Disallowed",
    b"Disallow-x",
    b"Disallow /a",
    b"Allowed",
    b"Allow-from",
    b"disallo",
    b"disalllow",
    b"alow",
    b"dis-allow",
    b"allaw",
];

const OTHER_LINES: [&[u8]; 15] = [
    b"Sitemap: https://h.example/s.xml",
    b"site-map: /s.xml",
    b"Sitemap https://h.example/s.xml",
    b"Crawl-delay: 5",
    b"Crawl-delay 5",
    b"two words",
    b"User-agent FooBot BarBot",
    b"Request-rate: 1/5",
    b"Host: h.example",
    b"Clean-param: a /b",
    b"Noindex: /a",
    b"Content-Usage: train-ai=n",
    b"unknown: /a",
    b": /a",
    b"<html><body>Not Found</body></html>",
];

/// Names as sites write them. Generated agents come from the same list.
const NAMES: [&[u8]; 21] = [
    b"*",
    b"*",
    b"*",
    b"*",
    b"*",
    b"*",
    b"*",
    b"*",
    b"FooBot",
    b"FooBot",
    b"FooBot",
    b"FooBot",
    b"FooBot",
    b"BarBot",
    b"Foo",
    b"FooBot-News",
    b"Foo_Bot",
    b"MJ12bot",
    b"F.com",
    b"360Spider",
    b"x",
];

const AFFIXES: [(&[u8], &[u8]); 12] = [
    (b"", b"/2.1"),
    (b"", b"/2.1 (+http://h.example)"),
    (b"", b" Bar"),
    (b"", b", BarBot"),
    (b"", b"*"),
    (b"", b" foo"),
    (b"", b"\tfoo"),
    (b"", b"\x0Bfoo"),
    (b"*", b""),
    (b"\"", b"\""),
    (b"", b"\xC3\xA9"),
    (b"", b"12"),
];

/// Generates a body of up to about thirty lines, usually untidy.
pub fn body(rng: &mut Rng) -> Vec<u8> {
    let tidy = rng.one_in(5);
    let mut bytes = if tidy { Vec::new() } else { mark(rng) };
    let usual_end = rng.pick(&LINE_ENDS[..3]);
    let lines = match rng.below(8) {
        0 => rng.below(3),
        1 => 10 + rng.below(25),
        _ => 2 + rng.below(12),
    };
    for number in 0..lines {
        // Most bodies start with one or two user-agent lines.
        let line = if number < 2 && !rng.one_in(6 - 4 * number) {
            user_agent_line(rng, tidy)
        } else if tidy {
            tidy_line(rng)
        } else {
            line(rng)
        };
        bytes.extend(line);
        let end = if !tidy && rng.one_in(6) {
            rng.pick(&LINE_ENDS)
        } else {
            usual_end
        };
        let is_last = number + 1 == lines;
        if !(is_last && rng.one_in(3)) {
            bytes.extend_from_slice(end);
        }
    }
    if !tidy && rng.one_in(60) {
        return utf16(rng, &bytes);
    }
    bytes
}

/// Generates a body around the limit of 512,000 bytes, with a rule that the limit cuts, ends at or
/// leaves.
pub fn body_at_limit(rng: &mut Rng) -> Vec<u8> {
    const LIMIT: usize = 512_000;
    let mut bytes = b"User-agent: *\nAllow: /a\n".to_vec();
    let mut last = line_with(rng, b"Disallow".to_vec(), b"/b/ab".to_vec(), true);
    last.extend_from_slice(rng.pick(&LINE_ENDS));
    last.extend(rule_line(rng, true));
    // The limit falls somewhere in the last lines, or up to two bytes around them.
    let overhang = rng.below(last.len() + 5);
    let filler = (LIMIT + overhang).saturating_sub(bytes.len() + last.len() + 2);
    bytes.push(b'#');
    bytes.resize(bytes.len() + filler.saturating_sub(2), b'x');
    bytes.push(b'\n');
    bytes.extend(last);
    bytes
}

fn mark(rng: &mut Rng) -> Vec<u8> {
    let mark: &[u8] = match rng.below(24) {
        0..3 => b"\xEF\xBB\xBF",
        3 => b"\xEF\xBB",
        4 => b"\xEF",
        5 => b"\xEF\xBB\xBF\xEF\xBB\xBF",
        6 => b"\xBB\xBF",
        _ => b"",
    };
    mark.to_vec()
}

fn tidy_line(rng: &mut Rng) -> Vec<u8> {
    match rng.below(8) {
        0 | 1 => user_agent_line(rng, true),
        2 => Vec::new(),
        3 => b"# comment".to_vec(),
        _ => rule_line(rng, true),
    }
}

fn line(rng: &mut Rng) -> Vec<u8> {
    let mut line = match rng.below(40) {
        0..8 => user_agent_line(rng, false),
        8..28 => rule_line(rng, false),
        28..31 => rng.pick(&OTHER_LINES).to_vec(),
        31..34 => comment(rng),
        34 | 35 => Vec::new(),
        36 | 37 => white_space(rng, 3),
        38 => noise(rng),
        _ => {
            return if rng.one_in(3) {
                long_line(rng)
            } else {
                noise(rng)
            };
        }
    };
    if rng.one_in(10) {
        line.extend(comment(rng));
    }
    if rng.one_in(50) {
        let control = rng.pick(&[b"\0", b"\x01", b"\x0B", b"\x0C", b"\x1F", b"\x7F"]);
        line.insert(rng.below(line.len() + 1), control[0]);
    }
    line
}

fn user_agent_line(rng: &mut Rng, tidy: bool) -> Vec<u8> {
    let key = if !tidy && rng.one_in(14) {
        rng.pick(&USER_AGENT_KEYS).to_vec()
    } else {
        b"User-agent".to_vec()
    };
    let mut name = rng.pick(&NAMES).to_vec();
    if rng.one_in(4) {
        name = odd_case(rng, name);
    }
    if !tidy && rng.one_in(7) {
        let (ahead, after) = AFFIXES[rng.below(AFFIXES.len())];
        name = [ahead, &name, after].concat();
    }
    if !tidy && rng.one_in(24) {
        name.clear();
    }
    line_with(rng, key, name, tidy)
}

fn rule_line(rng: &mut Rng, tidy: bool) -> Vec<u8> {
    let key = if !tidy && rng.one_in(14) {
        rng.pick(&RULE_KEYS)
    } else if rng.one_in(3) {
        &b"Allow"[..]
    } else {
        b"Disallow"
    };
    let value = rule_value(rng);
    line_with(rng, key.to_vec(), value, tidy)
}

fn line_with(rng: &mut Rng, key: Vec<u8>, value: Vec<u8>, tidy: bool) -> Vec<u8> {
    if tidy {
        return [&key, &b": "[..], &value].concat();
    }
    let key = if rng.one_in(4) {
        odd_case(rng, key)
    } else {
        key
    };
    let separator: &[u8] = match rng.below(60) {
        0 | 5 | 6 => b" ",
        1 => b"\t ",
        2 => b"",
        3 => b"::",
        4 => b"\x0B",
        _ => b":",
    };
    let ahead = white_space_at_times(rng);
    let before_separator = white_space_at_times(rng);
    let after_separator = if rng.one_in(3) {
        white_space(rng, 2)
    } else {
        b" ".to_vec()
    };
    let after = white_space_at_times(rng);
    [
        ahead,
        key,
        before_separator,
        separator.to_vec(),
        after_separator,
        value,
        after,
    ]
    .concat()
}

fn white_space_at_times(rng: &mut Rng) -> Vec<u8> {
    if rng.one_in(8) {
        white_space(rng, 2)
    } else {
        Vec::new()
    }
}

/// Returns up to `bytes_max` bytes, usually spaces and tabs. Only Google's library treats VT and FF
/// as white space.
fn white_space(rng: &mut Rng, bytes_max: usize) -> Vec<u8> {
    let kinds: &[&[u8; 1]] = if rng.one_in(15) {
        &[b" ", b"\x0B", b"\x0C"]
    } else {
        &[b" ", b"\t"]
    };
    (0..rng.below(bytes_max + 1))
        .map(|_| rng.pick(kinds)[0])
        .collect()
}

fn odd_case(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for byte in &mut bytes {
        if rng.one_in(2) {
            *byte ^= if byte.is_ascii_alphabetic() { 0x20 } else { 0 };
        }
    }
    bytes
}

fn comment(rng: &mut Rng) -> Vec<u8> {
    let comments: [&[u8]; 6] = [
        b"#",
        b"# c",
        b" # Disallow: /",
        b"\t#\x01 \0 c",
        b"# \xE9",
        b" ## User-agent: FooBot",
    ];
    rng.pick(&comments).to_vec()
}

fn noise(rng: &mut Rng) -> Vec<u8> {
    (0..rng.below(8))
        .map(|_| rng.draw().to_le_bytes()[0])
        .collect()
}

/// Returns a rule whose line ends within four bytes of Google's 16,663, or well beyond.
fn long_line(rng: &mut Rng) -> Vec<u8> {
    let mut line = b"Disallow: /".to_vec();
    let filler: &[u8] = rng.pick(&[&b"a"[..], b"ab", b"%61", b"\xC3\xA9", b"a*"]);
    let length = match rng.below(4) {
        0 => 20_000,
        _ => 16_659 + rng.below(9),
    };
    while line.len() + filler.len() <= length {
        line.extend_from_slice(filler);
    }
    line.resize(length, b'b');
    if rng.one_in(2) {
        line[length - 1] = b'$';
    }
    line
}

fn utf16(rng: &mut Rng, bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let mark = if rng.one_in(4) { "" } else { "\u{FEFF}" };
    let units = mark.encode_utf16().chain(text.encode_utf16());
    if rng.one_in(2) {
        units.flat_map(u16::to_le_bytes).collect()
    } else {
        units.flat_map(u16::to_be_bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(count: u64) -> Vec<Vec<u8>> {
        (0..count).map(|seed| body(&mut Rng::new(seed))).collect()
    }

    #[test]
    fn the_same_seed_gives_the_same_body() {
        assert_eq!(bodies(50), bodies(50));
    }

    #[test]
    fn every_hard_thing_occurs() {
        let bodies = bodies(4_000);
        let occurs = |wanted: &[u8]| {
            bodies
                .iter()
                .any(|body| body.windows(wanted.len()).any(|window| window == wanted))
        };
        let wanted: [&[u8]; 28] = [
            b"\xEF\xBB\xBFUser",
            b"\xEF\xBBUser",
            b"\n\r",
            b"\0",
            b"\x0B",
            b"\x0C",
            b"* foo",
            b"disalow",
            b"user agent",
            b"User-agent FooBot",
            b"disalow /",
            b"FooBot/2.1",
            b"MJ12bot",
            b"F.com",
            b"%2f",
            b"%3F",
            b"%26",
            b"%3D",
            b"%25",
            b"%2A",
            b"%24",
            b"%zz",
            b"\xE9",
            b"\xE3\x83\x84",
            b"index.html",
            b"**",
            b"D\0i\0s\0a\0l\0l\0o\0w\0",
            b"\n\n",
        ];
        for wanted in wanted {
            assert!(occurs(wanted), "{:?}", String::from_utf8_lossy(wanted));
        }
        assert!(bodies.iter().any(Vec::is_empty));
        assert!(bodies.iter().any(|body| body.len() > 16_700));
    }

    #[test]
    fn bodies_at_the_limit_lie_on_both_sides_of_it() {
        let lengths: Vec<usize> = (0..60)
            .map(|seed| body_at_limit(&mut Rng::new(seed)).len())
            .collect();
        assert!(lengths.iter().any(|&length| length <= 512_000));
        assert!(lengths.iter().any(|&length| length > 512_000));
        assert!(
            lengths
                .iter()
                .all(|&length| length.abs_diff(512_000) < 21_000)
        );
    }
}
