//! The comparison of RFC 9309 and of draft 2019: percent-encoded bytes, in which a reserved
//! character equals its `%XX` unless it is a delimiter in its component.
//!
//! Delimiters are `/` and the first `?` in the path, and `&` and `=` in the query. A rule's `*` can
//! cross the `?`, so the component of the target's byte decides each pair.

use super::percent_bytes::{self, Written, hex_value};
use super::wildcard::{End, Step, matches};

/// How the comparison form writes a byte: raw or as `%XX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Literal(u8),
    Encoded(u8),
}

/// The component of a target's byte. The `?` in between belongs to the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Component {
    Path,
    Query,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    form: Form,
    component: Component,
    /// The byte that the sent URL has as an escape here.
    sent_escape: Option<u8>,
}

/// Returns the target in the comparison form, the third column of the RFC's table of examples.
///
/// Non-ASCII bytes and reserved data are encoded, and encoded unreserved bytes are decoded.
/// R9309-2.2.2-9, -10
pub(super) fn units(target: &[u8]) -> Vec<Unit> {
    let mut component = Component::Path;
    let mut units = Vec::new();
    for written in percent_bytes::read(target) {
        let form = match (written, component) {
            (Written::Raw(byte) | Written::Encoded(byte), _) if is_unreserved(byte) => {
                Form::Literal(byte)
            }
            (Written::Raw(byte @ (b'/' | b'?')), Component::Path)
            | (Written::Raw(byte @ (b'&' | b'=')), Component::Query) => Form::Literal(byte),
            (Written::Raw(byte) | Written::Encoded(byte), _) => Form::Encoded(byte),
        };
        let sent_escape = match written {
            Written::Encoded(byte) => Some(byte).filter(|byte| !is_unreserved(*byte)),
            // Clients escape controls, spaces and non-ASCII bytes, and no others.
            Written::Raw(byte) => Some(byte).filter(|byte| !(0x21..=0x7E).contains(byte)),
        };
        units.push(Unit {
            form,
            component,
            sent_escape,
        });
        if form == Form::Literal(b'?') {
            component = Component::Query;
        }
    }
    units
}

/// Returns `true` if the target is `/robots.txt` in the comparison form, without a query.
pub(super) fn is_robots_txt(target: &[u8]) -> bool {
    units(target) == units(b"/robots.txt")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Form(Form),
    /// A raw `/`, `?`, `&` or `=`: a delimiter if the target has it as one, else data.
    Delimiter(u8),
    /// A `%` and perhaps a hex digit, at the end of the rule or before a `*`.      V-97
    EscapeStart(Option<u8>),
}

impl Wanted {
    /// Returns the least number of units that this takes at the start of some.
    fn taken(self, units: &[Unit]) -> Option<usize> {
        let (unit, after) = units.split_first()?;
        let Wanted::EscapeStart(digit) = self else {
            return self.equals(*unit).then_some(1);
        };
        let begins = |byte: u8| digit.is_none_or(|digit| hex_value(digit) == Some(byte / 16));
        if unit.sent_escape.is_some_and(begins) {
            return Some(1);
        }
        match (unit.form, digit) {
            (Form::Encoded(b'%'), None) => Some(1),
            (Form::Encoded(b'%'), Some(digit)) => {
                (after.first()?.form == Form::Literal(digit)).then_some(2)
            }
            _ => None,
        }
    }

    fn equals(self, unit: Unit) -> bool {
        match self {
            Wanted::EscapeStart(_) => false,
            Wanted::Form(form) => form == unit.form,
            Wanted::Delimiter(raw) => match (unit.form, unit.component) {
                (Form::Literal(byte), _) => byte == raw,
                // Its encoded form is the same data only if the raw byte would be data.
                (Form::Encoded(byte), Component::Query) => {
                    byte == raw && matches!(raw, b'/' | b'?')
                }
                (Form::Encoded(byte), Component::Path) => byte == raw && matches!(raw, b'&' | b'='),
            },
        }
    }
}

#[derive(Debug)]
pub(super) struct PathPattern {
    steps: Vec<Step<Wanted>>,
    end: End,
    /// The rule in the comparison form, with its `*` and its last `$`.
    canonical: String,
}

impl PathPattern {
    /// Compiles a rule's value. Returns `None` if the value matches nothing, because it is empty or
    /// starts with neither `/` nor `*`. D00-2.2-7, R9309-5.1-2
    pub(super) fn compile(value: &[u8]) -> Option<Self> {
        if !matches!(value.first(), Some(b'/' | b'*')) {
            return None;
        }
        let (value, end) = match value.strip_suffix(b"$") {
            Some(value) => (value, End::AtTargetEnd),
            None => (value, End::Anywhere),
        };
        let mut steps = Vec::new();
        let mut canonical = String::new();
        let mut component = Component::Path;
        let written = percent_bytes::read(value);
        let mut rest = &written[..];
        while let [written, after @ ..] = rest {
            rest = after;
            if let (Written::Raw(b'%'), Some(Wanted::EscapeStart(digit))) =
                (*written, escape_start(after, end))
            {
                steps.push(Step::One(Wanted::EscapeStart(digit)));
                canonical.push_str("%25");
                canonical.extend(digit.map(char::from));
                rest = &after[digit.map_or(0, |_| 1)..];
                continue;
            }
            match *written {
                Written::Raw(b'*') => {
                    steps.push(Step::AnyRun);
                    canonical.push('*');
                }
                Written::Raw(byte) | Written::Encoded(byte) if is_unreserved(byte) => {
                    steps.push(Step::One(Wanted::Form(Form::Literal(byte))));
                    canonical.push(char::from(byte));
                }
                Written::Raw(byte @ (b'/' | b'?' | b'&' | b'=')) => {
                    steps.push(Step::One(Wanted::Delimiter(byte)));
                    let delimits = (component == Component::Path) == matches!(byte, b'/' | b'?');
                    if delimits {
                        canonical.push(char::from(byte));
                    } else {
                        push_encoded(&mut canonical, byte);
                    }
                    if byte == b'?' {
                        component = Component::Query;
                    }
                }
                Written::Raw(byte) | Written::Encoded(byte) => {
                    steps.push(Step::One(Wanted::Form(Form::Encoded(byte))));
                    push_encoded(&mut canonical, byte);
                }
            }
        }
        if end == End::AtTargetEnd {
            canonical.push('$');
        }
        Some(Self {
            steps,
            end,
            canonical,
        })
    }

    /// "The match that has the most octets", measured in the comparison form, so equivalent rules
    /// are equally specific. `*` and `$` have length one. R9309-2.2.2-4, V-34
    pub(super) fn specificity(&self) -> usize {
        self.canonical.len()
    }

    pub(super) fn matches(&self, target: &[Unit]) -> bool {
        matches(&self.steps, self.end, target, |wanted, units| {
            wanted.taken(units)
        })
    }
}

/// Reads a hex digit or nothing after a `%`, and then the end of the rule or a `*`.
fn escape_start(after_percent: &[Written], end: End) -> Option<Wanted> {
    let ends = |rest: &[Written]| match rest.first() {
        None => end == End::Anywhere,
        Some(next) => *next == Written::Raw(b'*'),
    };
    match after_percent {
        rest if ends(rest) => Some(Wanted::EscapeStart(None)),
        [Written::Raw(digit), rest @ ..] if ends(rest) && hex_value(*digit).is_some() => {
            Some(Wanted::EscapeStart(Some(*digit)))
        }
        _ => None,
    }
}

fn push_encoded(canonical: &mut String, byte: u8) {
    canonical.push('%');
    for digit in [byte / 16, byte % 16] {
        canonical.push(char::from(b"0123456789ABCDEF"[usize::from(digit)]));
    }
}

/// "unreserved = ALPHA / DIGIT / "-" / "." / "_" / "~"", RFC 3986 2.3.
fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_rules_and_specificity() {
        let vectors: [(&str, &str, usize); 20] = [
            ("/fish", "/fish", 5),
            ("/fish*", "/fish*", 6),
            ("/$", "/$", 2),
            ("/*.htm", "/*.htm", 6),
            ("/*.ph", "/*.ph", 5),
            ("*.gif$", "*.gif$", 6),
            ("/ツ", "/%E3%83%84", 10),
            ("/%e3%83%84", "/%E3%83%84", 10),
            ("/%62%61%7A", "/baz", 4),
            ("/a:b", "/a%3Ab", 6),
            ("/a%3Ab", "/a%3Ab", 6),
            (
                "/den/cat?owl=http://den.cat",
                "/den/cat?owl=http%3A%2F%2Fden.cat",
                33,
            ),
            ("/100%", "/100%25", 7),
            ("/%2562", "/%2562", 6),
            ("/a%4", "/a%254", 6),
            ("/a b", "/a%20b", 6),
            ("/*?*x=", "/*?*x=", 6),
            ("/*=1", "/*%3D1", 6),
            ("/tide/den-$x", "/tide/den-%24x", 14),
            ("/x?u=a?b", "/x?u=a%3Fb", 10),
        ];
        for (value, canonical, specificity) in vectors {
            let pattern = PathPattern::compile(value.as_bytes()).expect("a path-pattern");
            assert_eq!(pattern.canonical, canonical);
            assert_eq!(pattern.specificity(), specificity, "{value}");
        }
    }

    #[test]
    fn a_value_without_slash_or_star_is_no_path_pattern() {
        for value in ["", "$", "foo", "http://h/x", "%2Fa"] {
            assert!(PathPattern::compile(value.as_bytes()).is_none(), "{value}");
        }
    }

    #[test]
    fn robots_txt_is_itself_in_any_spelling_of_unreserved_bytes() {
        assert!(is_robots_txt(b"/robots.txt"));
        assert!(is_robots_txt(b"/%72obots%2Etxt"));
        for target in [
            "/Robots.txt",
            "/robots.txt?",
            "/robots.txt/",
            "/robots.tx",
            "//robots.txt",
        ] {
            assert!(!is_robots_txt(target.as_bytes()), "{target}");
        }
    }
}
