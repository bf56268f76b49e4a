//! `Alphabet`: the symbols of comparison forms, and which of them a target may have.
//!
//! In units a symbol is a unit: a byte, or the three bytes of an escape. In the draft of 1996 it is
//! a decoded byte, an escaped slash, or the first raw `?`. In Google's comparison it is a byte. A
//! target in units may also spell a symbol differently, such as `%26` for `&` in the path. The
//! engine alone defines what clients send, so each symbol is checked with it once
//! ([`TargetPath::from_form`]). In Google's comparison, for example, no target has a space, a control
//! or a byte from 0x80 on.

use std::sync::OnceLock;

use verger::dialect::Comparison;
use verger::{Dialect, TargetPath};

/// A symbol of a comparison form: a byte, plus 256 for an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u16);

/// The number added to the byte of an escape.
const ESCAPED: u16 = 256;

impl Symbol {
    pub(crate) const COUNT: usize = 512;

    pub(crate) const SLASH: Self = Self(b'/' as u16);

    fn all() -> impl Iterator<Item = Self> {
        (0..2 * ESCAPED).map(Self)
    }

    fn byte(byte: u8) -> Self {
        Self(u16::from(byte))
    }

    fn escaped(byte: u8) -> Self {
        Self(ESCAPED + u16::from(byte))
    }

    /// Returns the first four bits of the byte of an escape.
    pub(crate) fn escapes(self) -> Option<u8> {
        let [byte, escaped] = self.0.to_le_bytes();
        (escaped > 0).then_some(byte & 0xF0)
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The part of a target that a symbol belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Component {
    /// The part up to the first raw `?`, inclusive.
    Path,
    /// The part after it.
    Query,
}

impl Component {
    pub(crate) const ALL: [Self; 2] = [Self::Path, Self::Query];
}

#[derive(Debug)]
pub(crate) struct Alphabet {
    comparison: Comparison,
    /// The number of bytes of each symbol in a URL, by component. 0 if no target has the symbol.
    bytes: [Vec<u8>; 2],
    /// The symbols that targets have, by component: first those of few bytes, and among equals the
    /// most legible.
    preferred: [Vec<Symbol>; 2],
}

impl Alphabet {
    pub(crate) fn of(comparison: Comparison) -> &'static Self {
        static ALPHABETS: [OnceLock<Alphabet>; 3] = [const { OnceLock::new() }; 3];
        let index = match comparison {
            Comparison::Units => 0,
            Comparison::Bytes => 1,
            Comparison::DecodedBytes => 2,
        };
        ALPHABETS[index].get_or_init(|| Self::new(comparison))
    }

    fn new(comparison: Comparison) -> Self {
        let mut alphabet = Self {
            comparison,
            bytes: [vec![0; Symbol::COUNT], vec![0; Symbol::COUNT]],
            preferred: [Vec::new(), Vec::new()],
        };
        for component in Component::ALL {
            for symbol in Symbol::all() {
                let bytes = alphabet.bytes_by_engine(symbol, component);
                alphabet.bytes[component as usize][symbol.index()] = bytes;
            }
            let bytes = &alphabet.bytes[component as usize];
            let of_targets = |symbol: &Symbol| bytes[symbol.index()] > 0;
            let mut symbols: Vec<Symbol> = Symbol::all().filter(of_targets).collect();
            symbols.sort_by_key(|&symbol| (bytes[symbol.index()], legibility(symbol), symbol));
            alphabet.preferred[component as usize] = symbols;
        }
        alphabet
    }

    /// Returns how many bytes a URL has for this symbol after a path of one slash, or after `/?`.
    fn bytes_by_engine(&self, symbol: Symbol, component: Component) -> u8 {
        let mut symbols = vec![Symbol::SLASH];
        match (component, self.query_delimiter()) {
            (Component::Path, _) => {}
            (Component::Query, Some(delimiter)) => symbols.push(delimiter),
            (Component::Query, None) => return 0,
        }
        let before = symbols.len();
        symbols.push(symbol);
        let target = self.target(&symbols);
        let has_form = |target: &TargetPath<'_>| {
            self.symbols(&target.comparison_form(self.comparison)) == symbols
        };
        let Some(target) = target.filter(has_form) else {
            return 0;
        };
        let written = bytes_of(&target) - u32::try_from(before).unwrap_or(0);
        u8::try_from(written).unwrap_or(u8::MAX)
    }

    /// Returns the symbol that ends the path, if the comparison distinguishes one.
    pub(crate) fn query_delimiter(&self) -> Option<Symbol> {
        match self.comparison {
            Comparison::Units => Some(Symbol::byte(b'?')),
            Comparison::Bytes => None,
            Comparison::DecodedBytes => Some(Symbol::escaped(b'?')),
        }
    }

    pub(crate) fn component_after(&self, component: Component, symbol: Symbol) -> Component {
        if Some(symbol) == self.query_delimiter() {
            Component::Query
        } else {
            component
        }
    }

    /// Returns how many bytes the symbol takes in a URL, or `None` if no target has it in this
    /// component.
    pub(crate) fn written_bytes(&self, component: Component, symbol: Symbol) -> Option<u32> {
        let bytes = self.bytes[component as usize][symbol.index()];
        (bytes > 0).then_some(u32::from(bytes))
    }

    /// Returns the symbols that targets have in this component, in order of preference.
    pub(crate) fn preferred(&self, component: Component) -> &[Symbol] {
        &self.preferred[component as usize]
    }

    pub(crate) fn symbols(&self, form: &[u8]) -> Vec<Symbol> {
        let mut symbols = Vec::with_capacity(form.len());
        let mut rest = form;
        while let [first, after @ ..] = rest {
            let (symbol, bytes) = match self.comparison {
                Comparison::Units => unit(*first, after),
                Comparison::Bytes => (Symbol::byte(*first), 1),
                Comparison::DecodedBytes => decoded(*first, after),
            };
            symbols.push(symbol);
            rest = rest.get(bytes..).unwrap_or_default();
        }
        symbols
    }

    /// Returns the symbols that targets have in another spelling than in their form, and their
    /// forms. They matter only for the beginning of an escape ([`verger::EscapeStart`]).
    pub(crate) fn respelled(&self, component: Component) -> impl Iterator<Item = (Symbol, Symbol)> {
        let forms = self.preferred(component).iter();
        let both = forms.map(|&form| (Symbol(form.0 ^ ESCAPED), form));
        both.filter(move |&(symbol, _)| {
            let [byte, escaped] = symbol.0.to_le_bytes();
            let is_distinct = match escaped {
                0 => byte.is_ascii_graphic() && byte != b'#',
                _ => !byte.is_ascii_alphanumeric() && !b"-._~".contains(&byte),
            };
            is_distinct && self.written_bytes(component, symbol).is_none()
        })
    }

    /// Returns the target with these symbols, if there is one.
    pub(crate) fn target(&self, symbols: &[Symbol]) -> Option<TargetPath<'static>> {
        let is_units = self.comparison == Comparison::Units;
        let mut form = Vec::with_capacity(symbols.len());
        for &Symbol(symbol) in symbols {
            let byte = symbol.to_le_bytes()[0];
            // Two raw digits would make an escape of a stray `%`.
            let is_digit = is_units && byte.is_ascii_hexdigit() && form.ends_with(b"%");
            match (self.comparison, symbol < ESCAPED && !is_digit) {
                (Comparison::Units, false) => form.extend(format!("%{byte:02X}").into_bytes()),
                (Comparison::Bytes, false) => return None,
                (Comparison::DecodedBytes, false) => match byte {
                    b'/' => form.extend(b"\0s"),
                    b'?' => form.extend(b"\0q"),
                    _ => return None,
                },
                (Comparison::DecodedBytes, true) if byte == 0 => form.extend(b"\0\0"),
                (_, true) => form.push(byte),
            }
        }
        if is_units {
            let target = TargetPath::new(&form, Dialect::Rfc9309).ok()?;
            return Some(target.into_owned());
        }
        TargetPath::from_form(&form, self.comparison)
    }
}

/// Returns the length of a target as clients send it, in bytes.
pub(crate) fn bytes_of(target: &TargetPath<'_>) -> u32 {
    u32::try_from(target.as_bytes().len()).unwrap_or(u32::MAX)
}

/// Returns the unit at the start of a form in units, and its length in bytes.
fn unit(first: u8, after: &[u8]) -> (Symbol, usize) {
    let digit = |digit: u8| {
        char::from(digit)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
    };
    if let (b'%', [high, low, ..]) = (first, after)
        && let (Some(high), Some(low)) = (digit(*high), digit(*low))
    {
        return (Symbol::escaped(high << 4 | low), 3);
    }
    (Symbol::byte(first), 1)
}

/// Returns the symbol at the start of a decoded form, and its length in bytes.
fn decoded(first: u8, after: &[u8]) -> (Symbol, usize) {
    match (first, after.first()) {
        (0, Some(b's')) => (Symbol::escaped(b'/'), 2),
        (0, Some(b'q')) => (Symbol::escaped(b'?'), 2),
        (0, Some(0)) => (Symbol::byte(0), 2),
        _ => (Symbol::byte(first), 1),
    }
}

/// Ranks symbols by legibility: lower-case letters, digits, capitals, then other characters of
/// URLs.
fn legibility(symbol: Symbol) -> u8 {
    match symbol.to_byte() {
        Some(b'a'..=b'z') => 0,
        Some(b'0'..=b'9') => 1,
        Some(b'A'..=b'Z') => 2,
        Some(b'-' | b'_' | b'.' | b'~') => 3,
        Some(b'/') => 4,
        Some(b'=' | b'&') => 5,
        _ => 6,
    }
}

impl Symbol {
    /// Returns the byte of the symbol, unless it is an escape.
    fn to_byte(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verger::PathPattern;

    #[test]
    fn symbols_are_read_as_they_are_written() {
        for comparison in [
            Comparison::Units,
            Comparison::Bytes,
            Comparison::DecodedBytes,
        ] {
            let alphabet = Alphabet::of(comparison);
            for component in Component::ALL {
                for &symbol in alphabet.preferred(component) {
                    let mut symbols = vec![Symbol::SLASH];
                    if component == Component::Query {
                        symbols.extend(alphabet.query_delimiter());
                    }
                    symbols.push(symbol);
                    let target = alphabet.target(&symbols).unwrap();
                    let form = target.comparison_form(comparison);
                    assert_eq!(
                        alphabet.symbols(&form),
                        symbols,
                        "{comparison:?} {symbol:?}"
                    );
                }
            }
        }
    }

    /// Symbols of one byte that have one form are told apart by a rule that begins an escape.
    #[test]
    fn symbols_are_respelled_if_the_engine_tells_them_apart() {
        let alphabet = Alphabet::of(Comparison::Units);
        for (component, start) in [(Component::Path, "/"), (Component::Query, "/?")] {
            let respelled: Vec<_> = alphabet.respelled(component).collect();
            for byte in 0..=u8::MAX {
                let before = alphabet.symbols(start.as_bytes());
                let begins = format!("{start}%{:X}", byte >> 4);
                let begins = PathPattern::new(&begins, Dialect::Rfc9309).unwrap();
                let of = |symbol| {
                    let target = alphabet.target(&[&*before, &[symbol]].concat()).unwrap();
                    let form = target.comparison_form(Comparison::Units).into_owned();
                    (form, begins.matches(&target))
                };
                let [raw, escaped] = [Symbol::byte(byte), Symbol::escaped(byte)];
                let (of_raw, of_escaped) = (of(raw), of(escaped));
                let is_distinct = of_raw.0 == of_escaped.0 && of_raw.1 != of_escaped.1;
                for both in [(raw, escaped), (escaped, raw)] {
                    let is_form = alphabet.written_bytes(component, both.1).is_some();
                    assert_eq!(respelled.contains(&both), is_distinct && is_form, "{byte}");
                }
            }
        }
    }

    #[test]
    fn a_target_has_what_the_engine_says_it_has() {
        let has = |comparison, component, text: &[u8]| {
            let alphabet = Alphabet::of(comparison);
            let symbol = alphabet.symbols(text)[0];
            alphabet.written_bytes(component, symbol)
        };
        let (path, query) = (Component::Path, Component::Query);
        assert_eq!(has(Comparison::Units, path, b"%2F"), Some(3));
        assert_eq!(has(Comparison::Units, query, b"%2F"), None);
        assert_eq!(has(Comparison::Units, query, b"?"), Some(1));
        assert_eq!(has(Comparison::Units, path, b" "), None);
        assert_eq!(has(Comparison::Bytes, path, b"%"), Some(1));
        assert_eq!(has(Comparison::Bytes, path, b" "), None);
        assert_eq!(has(Comparison::Bytes, path, b"\xc3"), None);
        assert_eq!(has(Comparison::Bytes, path, b"#"), None);
        assert_eq!(has(Comparison::Bytes, path, b"\0"), None);
        assert_eq!(has(Comparison::DecodedBytes, path, b"\0q"), Some(1));
        assert_eq!(has(Comparison::DecodedBytes, query, b"\0q"), None);
        assert_eq!(has(Comparison::DecodedBytes, query, b"?"), Some(1));
        assert_eq!(has(Comparison::DecodedBytes, path, b"?"), Some(3));
    }
}
