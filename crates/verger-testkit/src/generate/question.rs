use super::path::pieces;
use super::rng::Rng;

const AGENTS: [&str; 18] = [
    "FooBot",
    "FooBot",
    "FooBot",
    "FooBot",
    "FooBot",
    "foobot",
    "FOOBOT",
    "BarBot",
    "Foo",
    "FooBot-News",
    "Foo_Bot",
    "x",
    "MJ12bot",
    "MJ",
    "F.com",
    "F",
    "*",
    "Nobody",
];

/// Returns a product token valid in every dialect. `*` is a crawler that no group names.
pub fn agent(rng: &mut Rng) -> String {
    rng.pick(&AGENTS).to_owned()
}

/// Returns a URL or request target that a rule of `body` usually matches or nearly matches.
/// Occasionally it is valid only in the dialect `google`.
pub fn url_for(rng: &mut Rng, body: &[u8]) -> Vec<u8> {
    let values = rule_values(body);
    let mut target = match rng.below(24) {
        0 => robots_txt(rng),
        1..4 => pieces(rng, 6, false),
        _ if values.is_empty() => pieces(rng, 6, false),
        _ => {
            let value = values[rng.below(values.len())].clone();
            from_rule_value(rng, &value)
        }
    };
    if rng.one_in(40) {
        let byte = rng.pick(&[b"\0", b"\x01", b"\t", b"\x7F"])[0];
        target.insert(rng.below(target.len() + 1), byte);
    }
    if rng.one_in(12) {
        target.extend_from_slice(rng.pick(&[&b"#"[..], b"#f", b"#/a?b"]));
    }
    wrapped(rng, target)
}

fn rule_values(body: &[u8]) -> Vec<Vec<u8>> {
    let is_line_end = |&byte: &u8| byte == b'\n' || byte == b'\r';
    let mut values = Vec::new();
    for line in body.split(is_line_end) {
        let text = line.split(|&byte| byte == b'#').next().unwrap_or_default();
        let is_separator = |&byte: &u8| matches!(byte, b':' | b' ' | b'\t');
        let Some(at) = text.iter().position(is_separator) else {
            continue;
        };
        let key = text[..at].to_ascii_lowercase();
        if key
            .windows(3)
            .any(|window| window == b"all" || window == b"alo")
        {
            let value = text[at..].trim_ascii();
            let value = value.strip_prefix(b":").unwrap_or(value).trim_ascii();
            values.push(value.to_vec());
        }
    }
    values
}

fn from_rule_value(rng: &mut Rng, value: &[u8]) -> Vec<u8> {
    let value = match value.strip_suffix(b"$") {
        Some(value) if !rng.one_in(5) => value,
        _ => value,
    };
    let toggling = rng.one_in(2);
    let mut target = Vec::new();
    let mut at = 0;
    while at < value.len() {
        let escape = value.get(at..at + 3).and_then(escaped_byte);
        match (value[at], escape) {
            (b'*', _) if rng.one_in(2) => target.extend(pieces(rng, 2, false)),
            (_, Some(byte)) if toggling && rng.one_in(4) => target.push(byte),
            (_, Some(byte)) if toggling && rng.one_in(3) => escape_into(rng, &mut target, byte),
            (byte, None) if toggling && rng.one_in(6) => escape_into(rng, &mut target, byte),
            (_, Some(_)) => target.extend_from_slice(&value[at..at + 3]),
            (byte, None) => target.push(byte),
        }
        at += if escape.is_some() { 3 } else { 1 };
    }
    if rng.one_in(2) && (target.ends_with(b"%") || target.ends_with(b"%4")) {
        target.extend_from_slice(rng.pick(&[&b"2F"[..], b"C3%A9", b"0", b"F"]));
    }
    match rng.below(12) {
        0..3 => target.extend(pieces(rng, 2, false)),
        3 => target.push(b'?'),
        4 => target.truncate(target.len().saturating_sub(1)),
        5 => {
            if let Some(page) = target.windows(5).rposition(|window| window == b"index") {
                target.truncate(page);
            }
        }
        6 if !target.is_empty() => {
            let changed = rng.below(target.len());
            target[changed] = b'a';
        }
        _ => {}
    }
    target
}

fn escaped_byte(escape: &[u8]) -> Option<u8> {
    let digits = escape.strip_prefix(b"%")?;
    let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
    let digits = std::str::from_utf8(digits).ok().filter(|_| is_hex)?;
    u8::from_str_radix(digits, 16).ok()
}

fn escape_into(rng: &mut Rng, target: &mut Vec<u8>, byte: u8) {
    let escape = if rng.one_in(2) {
        format!("%{byte:02x}")
    } else {
        format!("%{byte:02X}")
    };
    target.extend(escape.into_bytes());
}

fn robots_txt(rng: &mut Rng) -> Vec<u8> {
    let spellings: [&[u8]; 6] = [
        b"/robots.txt",
        b"/robots.txt",
        b"/robots.txt?",
        b"/robots.txt/",
        b"/Robots.txt",
        b"//robots.txt",
    ];
    rng.pick(&spellings).to_vec()
}

fn wrapped(rng: &mut Rng, mut target: Vec<u8>) -> Vec<u8> {
    let starts_path = matches!(target.first(), Some(b'/'));
    if !starts_path && !rng.one_in(16) {
        target.insert(0, b'/');
    }
    let origin: &[u8] = match rng.below(24) {
        0..8 => b"https://h.example",
        8 => b"HTTP://user@h.example:8080",
        9 => b"ftp://h.example",
        10 => b"foo+x://h",
        11 => b"//h.example",
        12 if rng.one_in(4) => b"http://",
        13 if rng.one_in(4) => b"h.example",
        _ => b"",
    };
    if origin.ends_with(b"example") && rng.one_in(20) {
        // A query directly after the authority, or no path at all.
        target.retain(|&byte| byte != b'/');
        target.splice(0..0, rng.pick(&[&b"?"[..], b""]).iter().copied());
    }
    [origin, &target].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::body;
    use crate::oracle::Oracle;
    use crate::subject::{DialectName, Question, ReasonName, Subject};

    #[test]
    fn verdicts_of_every_kind_come_out_of_every_dialect() {
        for dialect in DialectName::ALL {
            let mut rng = Rng::new(9);
            let mut by_rule = 0;
            let (mut allowed, mut refused, mut unasked) = (0, 0, 0);
            for _ in 0..400 {
                let robots = body(&mut rng);
                for _ in 0..5 {
                    let question = Question {
                        dialect,
                        robots: &robots,
                        agents: &[agent(&mut rng)],
                        url: &url_for(&mut rng, &robots),
                    };
                    match Oracle.answer(&question) {
                        Ok(answer) => {
                            by_rule += u32::from(answer.reason == ReasonName::Rule);
                            allowed += u32::from(answer.allowed);
                            refused += u32::from(!answer.allowed);
                        }
                        Err(_) => unasked += 1,
                    }
                }
            }
            assert!(by_rule > 150, "{dialect:?}: {by_rule} by a rule");
            assert!(
                refused > 100 && allowed > 500,
                "{dialect:?}: {refused}, {allowed}"
            );
            assert!(unasked < 200, "{dialect:?}: {unasked}");
        }
    }
}
