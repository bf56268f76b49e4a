//! Compares robots.txt policies as sets of URLs, exactly.
//!
//! A [`PolicySet`] is one policy: everything, nothing or some is disallowed ([`Extent`]), and a rule
//! decides somewhere or never ([`RuleUse`]). A [`Difference`] is what two policies decide
//! differently. Each answer is a [`Witness`], a target about which the engine decides so, or a proof
//! that there is none; or that a [`Budget`] was used up before it was known. Nothing is guessed by
//! trying URLs. All of it is about the targets that a client can send: they start with `/`, and
//! bytes that no request has are escaped ([`verger::TargetPath::as_sent`]).
//!
//! ```text
//! Policy ─→ rules as patterns of symbols ─→ automata ─→ shortest target ─→ the engine decides
//!                                              ↑                            │ as wanted: witness
//!                                              └─ the rule in the way joins ┘ none left: proven
//! ```
//!
//! # What it does not do
//!
//! It reads no file and matches no URL against a policy itself; that is the engine, whose comparison
//! forms it takes ([`verger::PathPattern`], [`verger::TargetPath::comparison_form`]).
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `alphabet` | the symbols of comparison forms, and which of them a target may have where |
//! | `pattern`, `automaton` | a rule as symbols, and as a deterministic automaton |
//! | `budget`, `search` | the shortest target that some patterns match and others do not |
//! | `refine` | a target that policies decide about as is wanted, without running every rule |
//! | `witness`, `policy_set` | a target that proves an answer; a policy ready to be asked about |
//! | `extent`, `rule_use` | what is asked of one policy |
//! | `common_rules`, `head_index`, `difference` | what is asked of two |

mod alphabet;
mod automaton;
mod budget;
mod common_rules;
mod difference;
mod extent;
mod head_index;
mod pattern;
mod policy_set;
#[cfg(doctest)]
mod readme;
mod refine;
mod rule_use;
mod search;
mod witness;

pub use budget::Budget;
pub use difference::{Difference, DifferentComparisons};
pub use extent::{Extent, ExtentClass};
pub use policy_set::PolicySet;
pub use rule_use::RuleUse;
pub use witness::{EXAMPLE_SITE, Found, Witness};
