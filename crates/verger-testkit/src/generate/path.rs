use super::rng::Rng;

/// The usual pieces of paths.
const PLAIN: [&[u8]; 6] = [b"/", b"a", b"b", b"/a", b"/b", b"ab"];

/// Difficult pieces: valid and broken escapes, reserved and non-ASCII bytes, queries.
const HARD: [&[u8]; 46] = [
    b"?",
    b"&",
    b"=",
    b"?a=b",
    b"&b=a",
    b"%61",
    b"%62",
    b"%41",
    b"%2F",
    b"%2f",
    b"%3F",
    b"%3f",
    b"%26",
    b"%3D",
    b"%3d",
    b"%25",
    b"%2561",
    b"%2A",
    b"%2a",
    b"%24",
    b"%7E",
    b"~",
    b"%",
    b"%4",
    b"%zz",
    b"%00",
    b"%C3%A9",
    b"%c3%a9",
    b"%E9",
    b"\xC3\xA9",
    b"\xE9",
    b"\xE3\x83\x84",
    b"%E3%83%84",
    b":",
    b";",
    b"+",
    b"!",
    b" ",
    b"<",
    b"\\",
    b"\x7F",
    b".",
    b"..",
    b"index.html",
    b"/index.htm",
    b".gif",
];

/// Operators of a rule, sometimes literal.
const OPERATORS: [&[u8]; 5] = [b"*", b"*", b"**", b"$", b"$a"];

pub(super) fn pieces(rng: &mut Rng, pieces_max: usize, operators: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for _ in 0..rng.below(pieces_max + 1) {
        let piece = if operators && rng.one_in(5) {
            rng.pick(&OPERATORS)
        } else if rng.one_in(3) {
            rng.pick(&HARD)
        } else {
            rng.pick(&PLAIN)
        };
        bytes.extend_from_slice(piece);
    }
    bytes
}

/// Returns the value of an allow or disallow line, usually a path-pattern.
pub(super) fn rule_value(rng: &mut Rng) -> Vec<u8> {
    let mut value = match rng.below(24) {
        0 => return Vec::new(),
        1 => Vec::new(),
        2 | 3 => b"*".to_vec(),
        4 => b"http://h.example/".to_vec(),
        5 => b"/robots.txt".to_vec(),
        _ => b"/".to_vec(),
    };
    value.extend(pieces(rng, 5, true));
    if rng.one_in(8) {
        value.push(b'$');
    }
    value
}
