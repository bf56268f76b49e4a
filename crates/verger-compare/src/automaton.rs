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
//! A bit stands for a place in the fragment, in either form. A symbol of the path is compared with
//! the path form, and a symbol of the query with the query form. A prefix that extends from one
//! into the other has its `?` where the target has its own.

use std::collections::BTreeMap;

use crate::alphabet::Component;
use crate::pattern::Pattern;

/// The number of a class of symbols that a search distinguishes.
pub(crate) type Class = u16;

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
pub(crate) struct Automaton {
    head: Vec<Class>,
    fragments: Vec<Places>,
    anchored: bool,
    classes: usize,
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
    words: usize,
    by_class: [BTreeMap<Class, Box<[u64]>>; 2],
}

impl Automaton {
    /// Creates the automaton of `pattern`. Every symbol must have a class below `classes`.
    pub(crate) fn new(
        pattern: &Pattern,
        classes: usize,
        class: impl Fn(crate::alphabet::Symbol) -> Class,
    ) -> Self {
        let mut automaton = Self {
            head: pattern.head.iter().map(|&symbol| class(symbol)).collect(),
            fragments: Vec::with_capacity(pattern.fragments.len()),
            anchored: pattern.anchored,
            classes,
            states: Vec::new(),
            ids: BTreeMap::new(),
            next: Vec::new(),
            work: 0,
        };
        for fragment in &pattern.fragments {
            let words = fragment.len().div_ceil(64);
            let by_class = [0, 1].map(|component| {
                let mut places: BTreeMap<Class, Box<[u64]>> = BTreeMap::new();
                for (place, &symbol) in fragment.forms[component].iter().enumerate() {
                    let bits = places
                        .entry(class(symbol))
                        .or_insert_with(|| vec![0; words].into());
                    bits[place / 64] |= 1 << (place % 64);
                }
                places
            });
            automaton.fragments.push(Places {
                len: fragment.len(),
                words,
                by_class,
            });
        }
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
        let at = row * self.classes + usize::from(class);
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
        match &self.states[state as usize] {
            State::Failed => State::Failed,
            State::Matched => State::Matched,
            State::Head(read) => match self.head.get(*read) {
                Some(&expected) if expected == class => self.in_head(read + 1),
                _ => State::Failed,
            },
            State::Fragment(index, bits) => {
                let fragment = &self.fragments[*index];
                let places = fragment.by_class[component as usize].get(&class);
                let bits = continued(bits, places.map(|places| &**places));
                let ends_here = has(&bits, fragment.len - 1);
                let must_end = *index + 1 == self.fragments.len() && self.anchored;
                if ends_here && !must_end {
                    self.at_fragment(index + 1)
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
            Some(fragment) => State::Fragment(index, vec![0; fragment.words].into()),
        }
    }

    fn id(&mut self, state: State) -> StateId {
        if let Some(&id) = self.ids.get(&state) {
            return id;
        }
        self.work += 2 * (state.bytes() + self.classes * size_of::<StateId>());
        let id = StateId::try_from(self.states.len()).unwrap_or(FAILED);
        self.states.push(state.clone());
        self.ids.insert(state, id);
        self.next
            .resize(self.states.len() * 2 * self.classes, NOT_YET_KNOWN);
        id
    }
}

/// Returns the prefixes that match after one more symbol, which the fragment has at `places`.
fn continued(bits: &[u64], places: Option<&[u64]>) -> Box<[u64]> {
    let Some(places) = places else {
        return vec![0; bits.len()].into();
    };
    let mut carry = 1;
    let words = bits.iter().zip(places).map(|(&word, &places)| {
        let shifted = word << 1 | carry;
        carry = word >> 63;
        shifted & places
    });
    words.collect()
}

fn has(bits: &[u64], place: usize) -> bool {
    bits[place / 64] >> (place % 64) & 1 == 1
}
