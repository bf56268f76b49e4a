//! `Alphabet`: the symbols of which comparison forms consist, and which of them a target may have.
//!
//! In units a symbol is a unit: an octet, or the three octets of an escape. In the draft of 1996 a
//! symbol is a decoded octet, an escaped slash, or the first raw `?`. In Google's comparison it is
//! an octet. What a target may have at a place is asked of the engine once
//! ([`TargetPath::of_form`]), so that it is said in one place only: what clients send, which in
//! Google's comparison has no space, no control and no octet from 0x80 on.

use std::sync::OnceLock;

use verger::{Comparison, TargetPath};

/// One symbol of a comparison form: an octet, or 256 more for an escape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Symbol(u16);

/// What is added to the octet of an escape.
const ESCAPED: u16 = 256;

impl Symbol {
    /// How many symbols there are.
    pub(crate) const COUNT: usize = 512;

    pub(crate) const SLASH: Self = Self(b'/' as u16);

    fn all() -> impl Iterator<Item = Self> {
        (0..2 * ESCAPED).map(Self)
    }

    fn octet(octet: u8) -> Self {
        Self(u16::from(octet))
    }

    fn escaped(octet: u8) -> Self {
        Self(ESCAPED + u16::from(octet))
    }

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The part of a target that a symbol belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Component {
    /// Before the first raw `?`, and that `?` itself.
    Path,
    /// After it.
    Query,
}

impl Component {
    pub(crate) const ALL: [Self; 2] = [Self::Path, Self::Query];
}

/// The symbols of one comparison.
#[derive(Debug)]
pub(crate) struct Alphabet {
    comparison: Comparison,
    /// By component and symbol, the octets that it takes in a written URL; 0 where no target has it.
    octets: [Vec<u8>; 2],
    /// The symbols that targets have, by component: those that take few octets first, and of these
    /// those that read best.
    preferred: [Vec<Symbol>; 2],
}

impl Alphabet {
    pub(crate) fn of(comparison: Comparison) -> &'static Self {
        static ALPHABETS: [OnceLock<Alphabet>; 3] = [const { OnceLock::new() }; 3];
        let index = match comparison {
            Comparison::Units => 0,
            Comparison::Octets => 1,
            Comparison::DecodedOctets => 2,
        };
        ALPHABETS[index].get_or_init(|| Self::new(comparison))
    }

    fn new(comparison: Comparison) -> Self {
        let mut alphabet = Self {
            comparison,
            octets: [vec![0; Symbol::COUNT], vec![0; Symbol::COUNT]],
            preferred: [Vec::new(), Vec::new()],
        };
        for component in Component::ALL {
            for symbol in Symbol::all() {
                let octets = alphabet.octets_by_engine(symbol, component);
                alphabet.octets[component as usize][symbol.index()] = octets;
            }
            let octets = &alphabet.octets[component as usize];
            let of_targets = |symbol: &Symbol| octets[symbol.index()] > 0;
            let mut symbols: Vec<Symbol> = Symbol::all().filter(of_targets).collect();
            symbols.sort_by_key(|&symbol| (octets[symbol.index()], legibility(symbol), symbol));
            alphabet.preferred[component as usize] = symbols;
        }
        alphabet
    }

    /// How many octets a URL has for this symbol after a path of one slash, or after `/?`.
    fn octets_by_engine(&self, symbol: Symbol, component: Component) -> u8 {
        let mut symbols = vec![Symbol::SLASH];
        match (component, self.query_delimiter()) {
            (Component::Path, _) => {}
            (Component::Query, Some(delimiter)) => symbols.push(delimiter),
            (Component::Query, None) => return 0,
        }
        let before = symbols.len();
        symbols.push(symbol);
        let Some(target) = self.target(&symbols) else {
            return 0;
        };
        let written = octets_of(&target) - u32::try_from(before).unwrap_or(0);
        u8::try_from(written).unwrap_or(u8::MAX)
    }

    /// The symbol that ends the path, where the comparison knows one.
    pub(crate) fn query_delimiter(&self) -> Option<Symbol> {
        match self.comparison {
            Comparison::Units => Some(Symbol::octet(b'?')),
            Comparison::Octets => None,
            Comparison::DecodedOctets => Some(Symbol::escaped(b'?')),
        }
    }

    /// The component of what follows `symbol`.
    pub(crate) fn component_after(&self, component: Component, symbol: Symbol) -> Component {
        if Some(symbol) == self.query_delimiter() {
            Component::Query
        } else {
            component
        }
    }

    /// The octets of a URL that the symbol takes there; `None` where no target has it.
    pub(crate) fn written_octets(&self, component: Component, symbol: Symbol) -> Option<u32> {
        let octets = self.octets[component as usize][symbol.index()];
        (octets > 0).then_some(u32::from(octets))
    }

    /// The symbols that targets have there, the best to read first.
    pub(crate) fn preferred(&self, component: Component) -> &[Symbol] {
        &self.preferred[component as usize]
    }

    /// The symbols of a comparison form.
    pub(crate) fn symbols(&self, form: &[u8]) -> Vec<Symbol> {
        let mut symbols = Vec::with_capacity(form.len());
        let mut rest = form;
        while let [first, after @ ..] = rest {
            let (symbol, octets) = match self.comparison {
                Comparison::Units => unit(*first, after),
                Comparison::Octets => (Symbol::octet(*first), 1),
                Comparison::DecodedOctets => decoded(*first, after),
            };
            symbols.push(symbol);
            rest = rest.get(octets..).unwrap_or_default();
        }
        symbols
    }

    /// The target that has these symbols, if one does.
    pub(crate) fn target(&self, symbols: &[Symbol]) -> Option<TargetPath<'static>> {
        let mut form = Vec::with_capacity(symbols.len());
        for &Symbol(symbol) in symbols {
            let octet = symbol.to_le_bytes()[0];
            match (self.comparison, symbol < ESCAPED) {
                (Comparison::Units, false) => form.extend(format!("%{octet:02X}").into_bytes()),
                (Comparison::Octets, false) => return None,
                (Comparison::DecodedOctets, false) => match octet {
                    b'/' => form.extend(b"\0s"),
                    b'?' => form.extend(b"\0q"),
                    _ => return None,
                },
                (Comparison::DecodedOctets, true) if octet == 0 => form.extend(b"\0\0"),
                (_, true) => form.push(octet),
            }
        }
        TargetPath::of_form(&form, self.comparison)
    }
}

/// The octets of a target as clients send it.
pub(crate) fn octets_of(target: &TargetPath<'_>) -> u32 {
    u32::try_from(target.as_bytes().len()).unwrap_or(u32::MAX)
}

/// The unit at the start of a form in units, and its octets.
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
    (Symbol::octet(first), 1)
}

/// The symbol at the start of a decoded form, and its octets.
fn decoded(first: u8, after: &[u8]) -> (Symbol, usize) {
    match (first, after.first()) {
        (0, Some(b's')) => (Symbol::escaped(b'/'), 2),
        (0, Some(b'q')) => (Symbol::escaped(b'?'), 2),
        (0, Some(0)) => (Symbol::octet(0), 2),
        _ => (Symbol::octet(first), 1),
    }
}

/// Letters first, then digits, then what else a URL has.
fn legibility(symbol: Symbol) -> u8 {
    match symbol.to_octet() {
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
    /// The octet that it is, unless it is an escape.
    fn to_octet(self) -> Option<u8> {
        u8::try_from(self.0).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_read_as_they_are_written() {
        for comparison in [
            Comparison::Units,
            Comparison::Octets,
            Comparison::DecodedOctets,
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

    #[test]
    fn a_target_has_what_the_engine_says_it_has() {
        let has = |comparison, component, text: &[u8]| {
            let alphabet = Alphabet::of(comparison);
            let symbol = alphabet.symbols(text)[0];
            alphabet.written_octets(component, symbol)
        };
        let (path, query) = (Component::Path, Component::Query);
        assert_eq!(has(Comparison::Units, path, b"%2F"), Some(3));
        assert_eq!(has(Comparison::Units, query, b"%2F"), None);
        assert_eq!(has(Comparison::Units, query, b"?"), Some(1));
        assert_eq!(has(Comparison::Units, path, b" "), None);
        assert_eq!(has(Comparison::Octets, path, b"%"), Some(1));
        assert_eq!(has(Comparison::Octets, path, b" "), None);
        assert_eq!(has(Comparison::Octets, path, b"\xc3"), None);
        assert_eq!(has(Comparison::Octets, path, b"#"), None);
        assert_eq!(has(Comparison::Octets, path, b"\0"), None);
        assert_eq!(has(Comparison::DecodedOctets, path, b"\0q"), Some(1));
        assert_eq!(has(Comparison::DecodedOctets, query, b"\0q"), None);
        assert_eq!(has(Comparison::DecodedOctets, query, b"?"), Some(1));
        assert_eq!(has(Comparison::DecodedOctets, path, b"?"), Some(3));
    }
}
