//! Compares robots.txt policies as sets of URLs, exactly.
//!
//! A [`PolicySet`] answers questions about one policy: whether it disallows everything, nothing or
//! some ([`Extent`]), and whether a rule ever decides ([`RuleUse`]). A [`Difference`] compares two
//! policies. Each answer is a [`Witness`], which is a target that the engine decides this way, or a
//! proof that there is none, or the result that the [`Budget`] ran out first. Nothing is guessed by
//! trying URLs. All answers are about targets that a client can send: they start with `/`, and
//! bytes that requests cannot contain are escaped ([`verger::TargetPath::as_sent`]).
//!
//! ```text
//! Policy ─→ rules as patterns of symbols ─→ automata ─→ shortest target ─→ the engine decides
//!                                              ↑                            │ as required: witness
//!                                              └─ the deciding rule joins ──┘ no target left: proven
//! ```
//!
//! # What it does not do
//!
//! It does not read files, and it does not match URLs itself. The engine does that, and this crate
//! uses its comparison forms ([`verger::PathPattern`], [`verger::TargetPath::comparison_form`]).
//!
//! # Modules, in reading order
//!
//! | module | one line |
//! |---|---|
//! | `alphabet` | the symbols of comparison forms, and where a target may have them |
//! | `pattern`, `automaton` | a rule as symbols, and as a deterministic automaton |
//! | `budget`, `search` | the shortest target that some patterns match and others do not |
//! | `refine` | a target that policies decide as required, without running every rule |
//! | `witness`, `policy_set` | a target that proves an answer, and a policy prepared for questions
//! |
//! | `extent`, `rule_use` | questions about one policy |
//! | `common_rules`, `head_index`, `difference` | questions about two policies |

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
