//! Finds the shortest target that some patterns match and others do not.
//!
//! The automata of all patterns run side by side. A place of the search is one state of each, and
//! the component. Places are visited in the order of the length of their targets in a URL. Symbols
//! that occur in no pattern lead to the same states, so one of them is tried for all.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::rc::Rc;

use crate::alphabet::{Alphabet, Component, Symbol};
use crate::automaton::{Automaton, Class, ClassOfSent, FAILED, MATCHED, StateId};
use crate::budget::{Remaining, UsedUp};
use crate::pattern::Pattern;

/// Number of symbols in patterns that cost as much to prepare as visiting a state.
const SYMBOLS_OF_A_STATE: usize = 64;

/// Number of additional bytes in a state that cost as much as visiting another one.
const BYTES_OF_A_STATE: usize = 256;

/// Cost of a symbol that is not spelled as in its form, in bytes of a target. A raw `<` takes fewer
/// bytes than `%3C`, but clients usually send the latter.
const RESPELLED_BYTES: u32 = 3;

/// Returns the shortest target of less than `below` bytes that all of `matching` match and none of
/// `others` does.
pub(crate) fn shortest_target(
    alphabet: &Alphabet,
    matching: &[&Pattern],
    others: &[&Pattern],
    below: u32,
    remaining: &mut Remaining,
) -> Result<Option<Vec<Symbol>>, UsedUp> {
    let symbols = matching.iter().chain(others);
    let symbols: usize = symbols.map(|pattern| pattern.symbols().count()).sum();
    remaining.visit(symbols / SYMBOLS_OF_A_STATE)?;
    let classes = Classes::of(alphabet, matching.iter().chain(others).copied());
    let automata = matching.iter().chain(others);
    let automata = automata
        .map(|pattern| Automaton::new(pattern, &classes.of_sent, |form| classes.of_form(form)));
    let mut search = Search {
        automata: automata.collect(),
        matching: matching.len(),
        below,
        places: Vec::new(),
        reached: BTreeMap::new(),
        waiting: Vec::new(),
    };
    search.begin(alphabet, &classes);
    let (mut bytes, mut visited) = (0, 0);
    while let Some(waiting) = search.waiting.get(bytes) {
        let Some(&place) = waiting.get(visited) else {
            (bytes, visited) = (bytes + 1, 0);
            continue;
        };
        visited += 1;
        if search.is_outdated(place) {
            continue;
        }
        remaining.visit(search.automata.len().max(1))?;
        if search.is_sought(place) {
            return Ok(Some(search.target_of(place)));
        }
        search.go_on_from(place, alphabet, &classes);
        let bytes_written: usize = search.automata.iter_mut().map(Automaton::take_work).sum();
        remaining.visit(bytes_written / BYTES_OF_A_STATE)?;
    }
    Ok(None)
}

/// The classes of symbols that a search distinguishes.
struct Classes {
    /// The class of each form. Class 0 has the forms that occur in no pattern.
    of: Vec<Class>,
    of_sent: Vec<ClassOfSent>,
    /// For each component, the possible steps in the order in which they are tried.
    steps: [Vec<Step>; 2],
}

/// A step by one symbol, which stands for all of its class.
#[derive(Clone, Copy, Debug)]
struct Step {
    symbol: Symbol,
    class: Class,
    bytes: u32,
}

impl Classes {
    fn of<'p>(alphabet: &Alphabet, patterns: impl Iterator<Item = &'p Pattern> + Clone) -> Self {
        let mut fragments = patterns.clone().flat_map(|pattern| &pattern.fragments);
        let distinguishes_escapes = fragments.any(|fragment| fragment.escape.is_some());
        let mut of: Vec<Class> = vec![0; Symbol::COUNT];
        let mut count: Class = 1;
        let delimiters = [Some(Symbol::SLASH), alphabet.query_delimiter()];
        let symbols = patterns.flat_map(Pattern::symbols);
        for symbol in symbols.chain(delimiters.into_iter().flatten()) {
            let class = &mut of[symbol.index()];
            if *class == 0 {
                *class = count;
                count += 1;
            }
        }
        let kinds = if distinguishes_escapes { 1 + 16 } else { 1 };
        let mut of_sent = Vec::new();
        let mut numbers: Vec<Option<Class>> = vec![None; usize::from(count) * kinds];
        let steps = Component::ALL.map(|component| {
            let mut seen = vec![false; numbers.len()];
            let forms = alphabet.preferred(component).iter();
            let respelled = alphabet
                .respelled(component)
                .filter(|_| distinguishes_escapes);
            let symbols = forms.map(|&form| (form, form)).chain(respelled);
            let steps = symbols.filter_map(|(symbol, form)| {
                let class = ClassOfSent {
                    form: of[form.index()],
                    escapes: symbol.escapes().filter(|_| distinguishes_escapes),
                };
                let kind = class.escapes.map_or(0, |byte| 1 + usize::from(byte >> 4));
                let key = usize::from(class.form) * kinds + kind;
                if std::mem::replace(&mut seen[key], true) {
                    return None;
                }
                let number = Class::try_from(of_sent.len()).ok()?;
                Some(Step {
                    symbol,
                    class: *numbers[key].get_or_insert_with(|| {
                        of_sent.push(class);
                        number
                    }),
                    bytes: alphabet
                        .written_bytes(component, symbol)
                        .unwrap_or(RESPELLED_BYTES),
                })
            });
            steps.collect()
        });
        Self { of, of_sent, steps }
    }

    fn of_form(&self, form: Symbol) -> Class {
        self.of[form.index()]
    }
}

struct Search<'c> {
    /// The automata that must match, then the automata that must not.
    automata: Vec<Automaton<'c>>,
    matching: usize,
    below: u32,
    places: Vec<Place>,
    /// For each situation, the place that reached it with the fewest bytes.
    reached: BTreeMap<Rc<Situation>, u32>,
    /// Places to visit, by number of bytes.
    waiting: Vec<Vec<u32>>,
}

/// Everything that continuations depend on.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Situation {
    component: Component,
    states: Box<[StateId]>,
}

struct Place {
    situation: Rc<Situation>,
    bytes: u32,
    symbol: Symbol,
    before: Option<u32>,
}

impl Search<'_> {
    /// Starts with the slash with which every target begins.
    fn begin(&mut self, alphabet: &Alphabet, classes: &Classes) {
        let starts = self.automata.iter_mut().map(Automaton::start);
        let situation = Situation {
            component: Component::Path,
            states: starts.collect(),
        };
        let of_path = &classes.steps[Component::Path as usize];
        if let Some(&slash) = of_path.iter().find(|step| step.symbol == Symbol::SLASH) {
            self.step(&situation, slash, 0, None, alphabet);
        }
    }

    fn go_on_from(&mut self, place: u32, alphabet: &Alphabet, classes: &Classes) {
        let Place {
            situation, bytes, ..
        } = &self.places[place as usize];
        let (situation, bytes) = (Rc::clone(situation), *bytes);
        for &step in &classes.steps[situation.component as usize] {
            self.step(&situation, step, bytes, Some(place), alphabet);
        }
    }

    fn step(
        &mut self,
        from: &Situation,
        step: Step,
        bytes_before: u32,
        before: Option<u32>,
        alphabet: &Alphabet,
    ) {
        let bytes = bytes_before.saturating_add(step.bytes);
        if bytes >= self.below {
            return;
        }
        let mut states = Vec::with_capacity(self.automata.len());
        for (index, automaton) in self.automata.iter_mut().enumerate() {
            let state = automaton.step(from.states[index], from.component, step.class);
            let hopeless = if index < self.matching {
                FAILED
            } else {
                MATCHED
            };
            if state == hopeless {
                return;
            }
            states.push(state);
        }
        let situation = Rc::new(Situation {
            component: alphabet.component_after(from.component, step.symbol),
            states: states.into(),
        });
        let Ok(place) = u32::try_from(self.places.len()) else {
            return;
        };
        match self.reached.entry(Rc::clone(&situation)) {
            Entry::Occupied(reached) if self.places[*reached.get() as usize].bytes <= bytes => {
                return;
            }
            Entry::Occupied(mut reached) => {
                reached.insert(place);
            }
            Entry::Vacant(new) => {
                new.insert(place);
            }
        }
        self.places.push(Place {
            situation,
            bytes,
            symbol: step.symbol,
            before,
        });
        let bytes = bytes as usize;
        if self.waiting.len() <= bytes {
            self.waiting.resize_with(bytes + 1, Vec::new);
        }
        self.waiting[bytes].push(place);
    }

    /// Returns whether the same situation has been reached with fewer bytes.
    fn is_outdated(&self, place: u32) -> bool {
        self.reached.get(&self.places[place as usize].situation) != Some(&place)
    }

    fn is_sought(&self, place: u32) -> bool {
        let states = &self.places[place as usize].situation.states;
        let automata = self.automata.iter().zip(states).enumerate();
        automata
            .map(|(index, (automaton, &state))| (index < self.matching, automaton.accepts(state)))
            .all(|(to_match, accepts)| to_match == accepts)
    }

    fn target_of(&self, place: u32) -> Vec<Symbol> {
        let mut symbols = Vec::new();
        let mut at = Some(place);
        while let Some(place) = at {
            let Place { symbol, before, .. } = self.places[place as usize];
            symbols.push(symbol);
            at = before;
        }
        symbols.reverse();
        symbols
    }
}
