//! `PolicySet`: a policy as the set of targets that it disallows.

use verger::{Effect, Policy, Reason, RuleId, TargetPath};

use crate::alphabet::Alphabet;
use crate::pattern::{Pattern, ROBOTS_TXT};

/// Number of rules with a `*` that make a decision cost one more state. The engine usually skips
/// such rules because the target lacks something: with 10,000 of them a decision took 0.3 to 10 µs.
/// When it had to try each one, it took 26 ns a rule, about as long as a state (20 to 40 ns). So a
/// budget may take up to 16 times as long as its states alone. A smaller number would leave
/// ordinary files undecided.
const WILDCARDS_OF_A_STATE: usize = 16;

/// A policy as the set of targets that it disallows, prepared for questions.
///
/// Its universe is every target that a client can send, except `/robots.txt` itself if the dialect
/// always allows it (RFC 9309 2.2.2). In `google` a rule with a space cannot match any of them,
/// because clients escape spaces.
///
/// Making one takes about a microsecond and a few hundred bytes for each rule.
#[derive(Clone, Debug)]
pub struct PolicySet<'p> {
    policy: &'p Policy,
    alphabet: &'static Alphabet,
    /// The rules in order of precedence.
    rules: Vec<ComparedRule>,
    /// The place of each rule in `rules`, by id.
    places: Vec<usize>,
    /// The pattern of `/robots.txt`, if no rule decides about it.
    robots_txt_itself: Option<Pattern>,
    /// Cost of a decision, in states.
    decision_states: usize,
}

#[derive(Clone, Debug)]
pub(crate) struct ComparedRule {
    pub(crate) id: RuleId,
    pub(crate) effect: Effect,
    pub(crate) pattern: Pattern,
    pub(crate) specificity: u32,
    /// Minimum length in a URL of a target that the rule matches, in bytes.
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

    /// Returns the policy.
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

    pub(crate) fn place(&self, id: RuleId) -> Option<usize> {
        self.places.get(id.index()).copied()
    }

    /// Returns the cost of a decision of the engine, in states.
    pub(crate) fn decision_states(&self) -> usize {
        self.decision_states
    }

    pub(crate) fn robots_txt_itself(&self) -> Option<&Pattern> {
        self.robots_txt_itself.as_ref()
    }
}

/// Returns the pattern of `/robots.txt` if the policy exempts it.
fn robots_txt_itself(policy: &Policy, alphabet: &Alphabet) -> Option<Pattern> {
    let target = TargetPath::from_form(ROBOTS_TXT, policy.comparison())?;
    let is_exempt = policy.decide(&target).reason() == Reason::RobotsTxtItself;
    is_exempt.then(|| Pattern::of_target(alphabet.symbols(ROBOTS_TXT)))
}
