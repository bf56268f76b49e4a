use verger::{Clause, InvalidLine, Line, LineKind, Record, RecordKind, Span};

use super::missing_colon::end_of_key;
use super::misspelt_key;
use crate::example::Example;
use crate::finding::{Draft, Findings};
use crate::fix::{Edit, Fix, Meaning};
use crate::lint::Lint;
use crate::part::{around, part};
use crate::severity::Severity;
use crate::subject::Subject;

pub(super) const LINT: Lint = Lint {
    code: "invisible-character",
    severity: Severity::Error,
    summary: "a line has an invisible character, or a look-alike of a space, colon or slash",
    explanation: "\
Text copied from a page or a word processor may contain zero-width spaces, no-break spaces, text direction marks
and full-width colons. An editor shows nothing unusual, but for a crawler the key is unknown, the line has no
colon, or the path or the name is different. The message names the character and its position. Zero-width
joiners between letters of a path (several scripts need them) and full-width characters inside a path are not
reported. A line with only such characters is a note. Other lints skip these lines.",
    wrong: Example::of(b"User-agent: *\nDisallow: \xE2\x80\x8B/private\nDisallow\xEF\xBC\x9A /tmp\n"),
    right: Example::of(b"User-agent: *\nDisallow: /private\nDisallow: /tmp\n"),
    clauses: &[Clause::new("R9309-2.2-5"), Clause::new("V-33"), Clause::new("V-5")],
    check,
};

/// The apparent meaning of an odd character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Look {
    Nothing,
    Space,
    Ascii(u8),
}

/// An easily overlooked character: its name and its apparent meaning.
fn odd(character: char) -> Option<(&'static str, Look)> {
    Some(match character {
        '\u{a0}' | '\u{202f}' => ("a no-break space", Look::Space),
        '\u{2000}'..='\u{200a}' | '\u{205f}' => ("a space of unusual width", Look::Space),
        '\u{3000}' => ("an ideographic space", Look::Space),
        '\u{ad}' => ("a soft hyphen", Look::Nothing),
        '\u{200b}' => ("a zero-width space", Look::Nothing),
        '\u{200c}' => ("a zero-width non-joiner", Look::Nothing),
        '\u{200d}' => ("a zero-width joiner", Look::Nothing),
        '\u{200e}' => ("a left-to-right mark", Look::Nothing),
        '\u{200f}' => ("a right-to-left mark", Look::Nothing),
        '\u{2028}' | '\u{2029}' => ("a separator of lines or paragraphs", Look::Nothing),
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            ("a text direction mark", Look::Nothing)
        }
        '\u{2060}' => ("a word joiner", Look::Nothing),
        '\u{feff}' => ("a byte order mark", Look::Nothing),
        '\u{ff0a}' => ("a full-width asterisk", Look::Ascii(b'*')),
        '\u{ff0f}' => ("a full-width slash", Look::Ascii(b'/')),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => ("a look-alike of a hyphen", Look::Ascii(b'-')),
        '\u{ff1a}' => ("a full-width colon", Look::Ascii(b':')),
        _ => return None,
    })
}

/// An odd character in a line.
#[derive(Clone, Copy, Debug)]
struct Odd {
    span: Span,
    character: char,
    name: &'static str,
    look: Look,
}

fn check(file: &Subject<'_>, found: &mut Findings) {
    if file.is_page() {
        return;
    }
    for line in file.robots.lines().filter(|line| !line.bytes().is_ascii()) {
        match line.kind() {
            LineKind::Record(record) => found.extend(of_record(file, &record)),
            LineKind::Invalid(InvalidLine::NoSeparator) => found.extend(of_invalid(file, &line)),
            _ => {}
        }
    }
}

/// Finds odd characters in a line with a colon.
fn of_record(file: &Subject<'_>, record: &Record<'_>) -> Option<Draft> {
    let (key, value) = (record.key_span(), record.value_span());
    let in_key = odd_in(file, key);
    if record.kind() == RecordKind::Other {
        let is_known = misspelt_key::is_known(shown(record.key()).trim_ascii());
        let first = in_key.first().filter(|_| is_known)?;
        return Some(draft(
            first,
            "so crawlers do not know the key and ignore the line",
            fix(file, &in_key, key),
        ));
    }
    let mut in_value = odd_in(file, value);
    let is_name = record.kind() == RecordKind::UserAgent;
    in_value.retain(|odd| {
        let [before, _] = around(value, odd.span);
        // After the first word, a dash is part of a title.
        let is_in_title = odd.look == Look::Ascii(b'-') && file.bytes(before).contains(&b' ');
        (is_name && !is_in_title) || !may_be_meant(file, odd, value)
    });
    let first = in_value.first()?;
    let why = match record.kind() {
        RecordKind::UserAgent => "so the line names another crawler, or none",
        RecordKind::Allow | RecordKind::Disallow => "so the rule matches other URLs, or none",
        _ => "so the value is different",
    };
    Some(draft(first, why, fix(file, &in_value, value)))
}

/// Returns whether a record contains such a character.
pub(super) fn is_in(file: &Subject<'_>, record: &Record<'_>) -> bool {
    !file.bytes(record.span()).is_ascii() && of_record(file, record).is_some()
}

/// Returns whether another line looks like a user-agent line.
pub(super) fn looks_like_agent(line: &Line<'_>) -> bool {
    let is_lost = match line.kind() {
        LineKind::Record(record) => record.kind() == RecordKind::Other,
        LineKind::Invalid(kind) => kind == InvalidLine::NoSeparator,
        _ => false,
    };
    is_lost && !line.bytes().is_ascii() && {
        let shown = shown(line.bytes());
        let key = shown.split(|it| *it == b':').next().unwrap_or_default();
        key.len() < shown.len() && key.trim_ascii().eq_ignore_ascii_case(b"user-agent")
    }
}

/// Finds odd characters in a line without a colon.
fn of_invalid(file: &Subject<'_>, line: &Line<'_>) -> Option<Draft> {
    let mut span = line.span();
    if let Some(comment) = line.comment_span() {
        span.end = comment.start;
    }
    let all = odd_in(file, span);
    let first = all.first()?;
    let shown = shown(file.bytes(span));
    if shown.trim_ascii().is_empty() {
        return Some(draft(first, "and the line has nothing else", None).severity(Severity::Note));
    }
    let key = shown
        .iter()
        .position(|it| *it == b':')
        .or_else(|| end_of_key(&shown));
    let has_key = key.is_some_and(|end| misspelt_key::is_known(shown[..end].trim_ascii()));
    has_key.then(|| {
        draft(
            first,
            "so the line has no colon and crawlers ignore it",
            fix(file, &all, span),
        )
    })
}

/// Returns the odd characters of a place.
fn odd_in(file: &Subject<'_>, place: Span) -> Vec<Odd> {
    let mut start = 0;
    let mut all = Vec::new();
    for chunk in file.bytes(place).utf8_chunks() {
        for (at, character) in chunk.valid().char_indices() {
            let bytes = start + at..start + at + character.len_utf8();
            all.extend(odd(character).map(|(name, look)| Odd {
                span: part(place, bytes),
                character,
                name,
                look,
            }));
        }
        start += chunk.valid().len() + chunk.invalid().len();
    }
    all
}

/// Returns the text as it looks.
fn shown(text: &[u8]) -> Vec<u8> {
    let mut shown = Vec::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match odd(character).map(|(_, look)| look) {
                None => shown.extend(character.encode_utf8(&mut [0; 4]).bytes()),
                Some(Look::Nothing) => {}
                Some(Look::Space) => shown.push(b' '),
                Some(Look::Ascii(byte)) => shown.push(byte),
            }
        }
        shown.extend(chunk.invalid());
    }
    shown
}

/// Returns whether a character of a value may be intended: a joiner after a letter of another
/// script, a full-width character after the first, or part of a doubly encoded letter, such as the
/// soft hyphen after the `\u{c3}` that `\u{ed}` becomes, also in lower case.
fn may_be_meant(file: &Subject<'_>, odd: &Odd, value: Span) -> bool {
    let [before, after] = around(value, odd.span).map(|it| file.bytes(it));
    match (odd.character, before, after) {
        (
            '\u{a0}' | '\u{ad}',
            [.., 0xC3, 0x82 | 0x83 | 0xA2 | 0xA3] | [.., 0xC2, 0x80..=0xBF],
            _,
        )
        | ('\u{a0}' | '\u{ad}', [.., 0xC3, 0x82..=0xB4], [0xC2, ..]) => true,
        ('\u{200c}' | '\u{200d}', [.., last], _) => !last.is_ascii(),
        (_, before, _) => matches!(odd.look, Look::Ascii(_)) && !before.is_empty(),
    }
}

fn help(look: Look) -> &'static str {
    match look {
        Look::Nothing => "delete it",
        Look::Space => "delete it, or type a space",
        Look::Ascii(_) => "type the character that it looks like",
    }
}

fn draft(odd: &Odd, why: &str, fix: Option<Fix>) -> Draft {
    let Odd {
        span,
        character,
        name,
        ..
    } = odd;
    let message = format!("{name} (U+{:04X}) is here, {why}", u32::from(*character));
    Draft::new(*span, message).help(help(odd.look)).fix(fix)
}

/// Replaces the odd characters of a key, value or line with the intended text. A space inside it
/// may stand for several things.
fn fix(file: &Subject<'_>, odd: &[Odd], place: Span) -> Option<Fix> {
    let edits = odd.iter().map(|odd| {
        let is_blank = |it: Span| shown(file.bytes(it)).trim_ascii().is_empty();
        let text = match odd.look {
            Look::Space if !around(place, odd.span).into_iter().any(is_blank) => return None,
            Look::Space | Look::Nothing => Vec::new(),
            Look::Ascii(byte) => vec![byte],
        };
        Some(Edit::new(odd.span, text))
    });
    let edits = edits.collect::<Option<_>>()?;
    Some(Fix::new(help(odd.first()?.look), Meaning::Changed, edits))
}
