//! `Automaton`: a pattern as a deterministic automaton over symbols, built on demand.
//!
//! A state is the progress of a match: the current fragment, and for each of its prefixes one bit
//! that says whether the symbols just read are that prefix. Always taking the first end of a
//! fragment is enough, because whether a fragment matches at a place depends only on the target
//! there. So there are at most twice as many states as the pattern has symbols.
//!
//! ```text
//! head:      k of its symbols were read             a ─→ k + 1, or Failed
//! fragment:  bits of the prefixes that match        a ─→ (bits << 1 | 1) & places of a; at the last
//!                                                        bit the next fragment begins
//! ```
//!
//! A fragment that ends with the beginning of an escape has the places of two fragments: with
//! `%25` and the digit, and with one symbol, which a client sends as an escape. The end of either
//! ends the fragment.
//!
//! A bit stands for a place in the fragment, in either form. A symbol of the path is compared with
//! the path form, and a symbol of the query with the query form. A prefix that extends from one
//! into the other has its `?` where the target has its own.

use std::collections::BTreeMap;

use verger::{EscapeStart, FragmentPlace};

use crate::alphabet::{Component, Symbol};
use crate::pattern::{Fragment, Pattern};

/// The number of a class of symbols that a search distinguishes.
pub(crate) type Class = u16;

/// The properties that the symbols of a class share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClassOfSent {
    /// The class of their forms.
    pub(crate) form: Class,
    /// The first four bits of the byte that they escape, if patterns distinguish that.
    pub(crate) escapes: Option<u8>,
}

pub(crate) type StateId = u32;

/// Every continuation fails.
pub(crate) const FAILED: StateId = 0;
/// Every continuation matches.
pub(crate) const MATCHED: StateId = 1;

const NOT_YET_KNOWN: StateId = StateId::MAX;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Failed,
    Matched,
    /// This number of symbols of the head were read.
    Head(usize),
    /// This fragment is being matched, and these of its prefixes were just read.
    Fragment(usize, Box<[u64]>),
}

impl State {
    fn bytes(&self) -> usize {
        match self {
            Self::Failed | Self::Matched | Self::Head(_) => 0,
            Self::Fragment(_, bits) => size_of_val(&**bits),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Automaton<'c> {
    head: Vec<Class>,
    fragments: Vec<Places>,
    anchored: bool,
    classes: &'c [ClassOfSent],
    states: Vec<State>,
    ids: BTreeMap<State, StateId>,
    /// The next state, by state, component and class.
    next: Vec<StateId>,
    /// Number of bytes written since [`Automaton::take_work`].
    work: usize,
}

/// For each symbol, its places in a fragment.
#[derive(Debug)]
struct Places {
    len: usize,
    by_class: [BTreeMap<Class, Box<[u64]>>; 2],
    /// The beginning of an escape, and the first place of the second of two fragments.
    escape: Option<(EscapeStart, usize)>,
    place: FragmentPlace,
}

impl Places {
    fn new(fragment: &Fragment, class: impl Fn(Symbol) -> Class) -> Self {
        let second = fragment.len();
        let len = fragment
            .escape
            .map_or(second, |_| second + fragment.shortest_len());
        let words = len.div_ceil(64);
        let by_class = [0, 1].map(|component| {
            let mut places: BTreeMap<Class, Box<[u64]>> = BTreeMap::new();
            let symbols = fragment.forms[component].iter().enumerate();
            // The last place of the second fragment has no symbol of its own.
            let again = symbols
                .clone()
                .map(|(place, symbol)| (second + place, symbol));
            let again = again.take_while(|(place, _)| place + 1 < len);
            for (place, &symbol) in symbols.chain(again) {
                let bits = places
                    .entry(class(symbol))
                    .or_insert_with(|| vec![0; words].into());
                set(bits, place);
            }
            places
        });
        Self {
            len,
            by_class,
            escape: fragment.escape.map(|escape| (escape, second)),
            place: fragment.place,
        }
    }

    fn nothing_read(&self) -> Box<[u64]> {
        vec![0; self.len.div_ceil(64)].into()
    }

    /// Returns the prefixes that match after one more symbol.
    fn continued(&self, bits: &[u64], component: Component, class: ClassOfSent) -> Box<[u64]> {
        let mut next = self.nothing_read();
        if self.place == FragmentPlace::AfterWildcard || bits.iter().all(|&word| word == 0) {
            set(&mut next, 0);
            self.escape.inspect(|(_, second)| set(&mut next, *second));
        }
        let mut carry = 0;
        for (next, &word) in next.iter_mut().zip(bits) {
            *next |= word << 1 | carry;
            carry = word >> 63;
        }
        let places = self.by_class[component as usize].get(&class.form);
        let mut places = places.map_or_else(|| self.nothing_read(), Clone::clone);
        if let (Some((escape, _)), Some(byte)) = (self.escape, class.escapes)
            && escape.begins_escape_of(byte)
        {
            set(&mut places, self.len - 1);
        }
        next.iter_mut()
            .zip(places)
            .for_each(|(next, places)| *next &= places);
        next
    }

    fn has_end(&self, bits: &[u64]) -> bool {
        has(bits, self.len - 1) || self.escape.is_some_and(|(_, second)| has(bits, second - 1))
    }
}

impl<'c> Automaton<'c> {
    /// Creates the automaton of `pattern`. `class` returns the class of a form.
    pub(crate) fn new(
        pattern: &Pattern,
        classes: &'c [ClassOfSent],
        class: impl Fn(Symbol) -> Class,
    ) -> Self {
        let fragments = pattern.fragments.iter();
        let mut automaton = Self {
            head: pattern.head.iter().map(|&symbol| class(symbol)).collect(),
            fragments: fragments.map(|it| Places::new(it, &class)).collect(),
            anchored: pattern.anchored,
            classes,
            states: Vec::new(),
            ids: BTreeMap::new(),
            next: Vec::new(),
            work: 0,
        };
        automaton.id(State::Failed);
        automaton.id(State::Matched);
        automaton
    }

    pub(crate) fn start(&mut self) -> StateId {
        let state = self.in_head(0);
        self.id(state)
    }

    /// Returns the state after one more symbol.
    pub(crate) fn step(&mut self, state: StateId, component: Component, class: Class) -> StateId {
        if state <= MATCHED {
            return state;
        }
        let row = state as usize * 2 + component as usize;
        let at = row * self.classes.len() + usize::from(class);
        if self.next[at] == NOT_YET_KNOWN {
            let next = self.after(state, component, class);
            self.work += next.bytes();
            self.next[at] = self.id(next);
        }
        self.next[at]
    }

    /// Returns whether a target that ends here matches.
    pub(crate) fn accepts(&self, state: StateId) -> bool {
        match &self.states[state as usize] {
            State::Failed => false,
            State::Matched => true,
            State::Head(read) => {
                self.anchored && self.fragments.is_empty() && *read == self.head.len()
            }
            State::Fragment(index, bits) => {
                let is_last = *index + 1 == self.fragments.len();
                is_last && self.anchored && has(bits, self.fragments[*index].len - 1)
            }
        }
    }

    /// Returns the number of bytes written for states since the last call, as a measure of cost.
    pub(crate) fn take_work(&mut self) -> usize {
        std::mem::take(&mut self.work)
    }

    fn after(&self, state: StateId, component: Component, class: Class) -> State {
        let class = self.classes[usize::from(class)];
        match &self.states[state as usize] {
            State::Failed => State::Failed,
            State::Matched => State::Matched,
            State::Head(read) => match self.head.get(*read) {
                Some(&expected) if expected == class.form => self.in_head(read + 1),
                _ => State::Failed,
            },
            State::Fragment(index, bits) => {
                let fragment = &self.fragments[*index];
                let bits = fragment.continued(bits, component, class);
                let must_end = *index + 1 == self.fragments.len() && self.anchored;
                if fragment.has_end(&bits) && !must_end {
                    self.at_fragment(index + 1)
                } else if fragment.place == FragmentPlace::AfterHead
                    && bits.iter().all(|&it| it == 0)
                {
                    State::Failed
                } else {
                    State::Fragment(*index, bits)
                }
            }
        }
    }

    fn in_head(&self, read: usize) -> State {
        if read < self.head.len() || self.fragments.is_empty() && self.anchored {
            State::Head(read)
        } else {
            self.at_fragment(0)
        }
    }

    fn at_fragment(&self, index: usize) -> State {
        match self.fragments.get(index) {
            // An empty fragment is the last one, and matches whatever follows.
            None | Some(Places { len: 0, .. }) => State::Matched,
            Some(fragment) => State::Fragment(index, fragment.nothing_read()),
        }
    }

    fn id(&mut self, state: State) -> StateId {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        self.work += 2 * (state.bytes() + self.classes.len() * size_of::<StateId>());
        let id = StateId::try_from(self.states.len()).unwrap_or(FAILED);
        self.states.push(state.clone());
        self.ids.insert(state, id);
        self.next
            .resize(self.states.len() * 2 * self.classes.len(), NOT_YET_KNOWN);
        id
    }
}

fn set(bits: &mut [u64], place: usize) {
    bits[place / 64] |= 1 << (place % 64);
}

fn has(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}
