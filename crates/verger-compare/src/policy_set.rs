//! `PolicySet`: a policy as the set of the targets that it disallows.

use verger::{Effect, Policy, Reason, RuleId, TargetPath};

use crate::alphabet::Alphabet;
use crate::pattern::{Pattern, ROBOTS_TXT};

/// So many rules with a `*` make a decision cost one state more. Mostly the engine skips such rules by what a
/// target must have: with 10,000 of them a decision took 0.3 to 10 µs. Where it has to try each one, it took
/// 26 ns a rule, as long as a state (20 to 40 ns). So a budget may take up to 16 times as long as its states
/// alone; a smaller number would leave ordinary files undecided.
const WILDCARDS_OF_A_STATE: usize = 16;

/// A policy as the set of the targets that it disallows, ready to be asked about.
///
/// Its universe is every target that a client can send, but `/robots.txt` itself where the dialect
/// allows it whatever the rules say (RFC 9309 2.2.2). In `google` a rule with a space can match none
/// of them: spaces are escaped before they are sent.
///
/// Making one takes about a microsecond and a few hundred bytes a rule.
#[derive(Clone, Debug)]
pub struct PolicySet<'p> {
    policy: &'p Policy,
    alphabet: &'static Alphabet,
    /// Those that take precedence first.
    rules: Vec<ComparedRule>,
    /// By id: the place among these.
    places: Vec<usize>,
    /// What no rule decides about.
    robots_txt_itself: Option<Pattern>,
    /// A decision costs as much as visiting so many states.
    decision_states: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct ComparedRule {
    pub(crate) id: RuleId,
    pub(crate) effect: Effect,
    pub(crate) pattern: Pattern,
    pub(crate) specificity: u32,
    /// A target that it matches has at least so many bytes in a URL.
    pub(crate) least_bytes: u32,
}

impl<'p> PolicySet<'p> {
    /// Prepares the rules of a policy.
    #[must_use]
    pub fn new(policy: &'p Policy) -> Self {
        let alphabet = Alphabet::of(policy.comparison());
        let rules = policy.rule_ids().zip(policy.rules());
        let rules = rules.filter_map(|(id, rule)| {
            let form = policy.path_pattern(id)?;
            let pattern = Pattern::of(&form, alphabet);
            Some(ComparedRule {
                id,
                effect: rule.effect,
                least_bytes: pattern.least_bytes(alphabet),
                pattern,
                specificity: form.specificity().bytes(),
            })
        });
        let rules: Vec<_> = rules.collect();
        let mut places = vec![0; rules.len()];
        for (place, rule) in rules.iter().enumerate() {
            places[rule.id.index()] = place;
        }
        let wildcards = rules.iter().filter(|rule| rule.pattern.has_wildcard());
        Self {
            policy,
            alphabet,
            decision_states: wildcards.count() / WILDCARDS_OF_A_STATE,
            rules,
            places,
            robots_txt_itself: robots_txt_itself(policy, alphabet),
        }
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &'p Policy {
        self.policy
    }

    pub(crate) fn alphabet(&self) -> &'static Alphabet {
        self.alphabet
    }

    pub(crate) fn rules(&self) -> &[ComparedRule] {
        &self.rules
    }

    pub(crate) fn rule(&self, id: RuleId) -> Option<&ComparedRule> {
        self.rules.get(self.place(id)?)
    }

    /// The place of a rule in the order of precedence.
    pub(crate) fn place(&self, id: RuleId) -> Option<usize> {
        self.places.get(id.index()).copied()
    }

    /// A decision of the engine costs as much as visiting so many states.
    pub(crate) fn decision_states(&self) -> usize {
        self.decision_states
    }

    pub(crate) fn robots_txt_itself(&self) -> Option<&Pattern> {
        self.robots_txt_itself.as_ref()
    }
}

/// `/robots.txt`, where the policy exempts it.
fn robots_txt_itself(policy: &Policy, alphabet: &Alphabet) -> Option<Pattern> {
    let target = TargetPath::of_form(ROBOTS_TXT, policy.comparison())?;
    let is_exempt = policy.decide(&target).reason() == Reason::RobotsTxtItself;
    is_exempt.then(|| Pattern::of_target(alphabet.symbols(ROBOTS_TXT)))
}
