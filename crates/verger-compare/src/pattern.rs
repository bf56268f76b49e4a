//! `Pattern`: the comparison form of a rule as symbols.

use verger::{EscapeStart, FragmentPlace, PathPattern, TargetPath};

use crate::alphabet::{Alphabet, Component, Symbol};

/// The path of the robots.txt itself.
pub(crate) const ROBOTS_TXT: &[u8] = b"/robots.txt";

/// A pattern matches a target that starts with the head and then contains each fragment somewhere
/// after the one before. If `anchored`, the last one must be at the end.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Pattern {
    pub(crate) head: Vec<Symbol>,
    pub(crate) fragments: Vec<Fragment>,
    pub(crate) anchored: bool,
}

/// The symbols between two `*`. Both forms have the same number of symbols, and they are equal
/// after the first `?` of the form that starts in the path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fragment {
    /// The forms by [`Component`] of the symbol that is compared. The beginning of an escape is
    /// written out: `%25` and the digit.
    pub(crate) forms: [Vec<Symbol>; 2],
    /// The beginning of an escape at the end, which one symbol may also match.
    pub(crate) escape: Option<EscapeStart>,
    pub(crate) place: FragmentPlace,
}

impl Fragment {
    pub(crate) fn len(&self) -> usize {
        self.forms[0].len()
    }

    /// Returns the number of symbols if one symbol matches the beginning of an escape.
    pub(crate) fn shortest_len(&self) -> usize {
        let digit = self.escape.and_then(EscapeStart::digit);
        self.len() - usize::from(digit.is_some())
    }
}

impl Pattern {
    pub(crate) fn of(form: &PathPattern, alphabet: &Alphabet) -> Self {
        let fragments = form.fragments().map(|fragment| {
            let escape = fragment.escape.map_or(Vec::new(), |escape| {
                b"%25".iter().copied().chain(escape.digit()).collect()
            });
            let forms = [fragment.in_path, fragment.in_query];
            Fragment {
                forms: forms.map(|form| alphabet.symbols(&[form, &*escape].concat())),
                escape: fragment.escape,
                place: fragment.place,
            }
        });
        Self {
            head: alphabet.symbols(form.head()),
            fragments: fragments.collect(),
            anchored: form.is_anchored(),
        }
    }

    pub(crate) fn of_target(symbols: Vec<Symbol>) -> Self {
        Self {
            head: symbols,
            fragments: Vec::new(),
            anchored: true,
        }
    }

    /// Returns whether the pattern has a `*` before its end.
    pub(crate) fn has_wildcard(&self) -> bool {
        !self.fragments.is_empty()
    }

    /// Iterates over the symbols of the pattern, with repetitions.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Symbol> {
        let fragments = self.fragments.iter();
        let in_fragments = fragments.flat_map(|fragment| fragment.forms.iter().flatten());
        self.head.iter().chain(in_fragments).copied()
    }

    /// Returns a target that the pattern matches, if there is one without further symbols apart
    /// from the initial slash.
    pub(crate) fn plain_target(&self, alphabet: &Alphabet) -> Option<TargetPath<'static>> {
        let mut symbols = self.head.clone();
        let first = self
            .fragments
            .first()
            .and_then(|first| first.forms[0].first());
        if symbols.is_empty() && first != Some(&Symbol::SLASH) {
            symbols.push(Symbol::SLASH);
        }
        let mut component = symbols.iter().fold(Component::Path, |component, &symbol| {
            alphabet.component_after(component, symbol)
        });
        for fragment in &self.fragments {
            for place in 0..fragment.len() {
                let symbol = fragment.forms[component as usize][place];
                component = alphabet.component_after(component, symbol);
                symbols.push(symbol);
            }
        }
        alphabet.target(&symbols)
    }

    /// Returns a lower bound for the length of a matching target in a URL, in bytes.
    pub(crate) fn least_bytes(&self, alphabet: &Alphabet) -> u32 {
        let cheapest = |forms: [Symbol; 2]| {
            let bytes = Component::ALL.into_iter().zip(forms);
            let bytes = bytes.filter_map(|(at, symbol)| alphabet.written_bytes(at, symbol));
            bytes.min().unwrap_or(1)
        };
        let of_head = self.head.iter().map(|&symbol| cheapest([symbol; 2]));
        let of_fragments = self.fragments.iter().flat_map(|fragment| {
            let [in_path, in_query] = &fragment.forms;
            in_path
                .iter()
                .zip(in_query)
                .take(fragment.shortest_len())
                .map(|(&path, &query)| cheapest([path, query]))
        });
        of_head.chain(of_fragments).fold(0, u32::saturating_add)
    }
}
