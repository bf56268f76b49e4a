//! `PolicySet`: a policy as the set of the targets that it disallows.

use verger::{Effect, Policy, Reason, RuleId, TargetPath};

use crate::alphabet::Alphabet;
use crate::pattern::{Pattern, ROBOTS_TXT};

/// A policy as the set of the targets that it disallows, ready to be asked about.
///
/// Its universe is every target that starts with `/`, but `/robots.txt` itself where the dialect
/// allows it whatever the rules say (RFC 9309 2.2.2).
///
/// Making one takes about a microsecond and a few hundred octets a rule.
#[derive(Clone, Debug)]
pub struct PolicySet<'p> {
    policy: &'p Policy,
    alphabet: &'static Alphabet,
    /// Those that take precedence first.
    rules: Vec<ComparedRule>,
    /// What no rule decides about.
    robots_txt_itself: Option<Pattern>,
}

#[derive(Clone, Debug)]
pub(crate) struct ComparedRule {
    pub(crate) effect: Effect,
    pub(crate) pattern: Pattern,
    pub(crate) specificity: u32,
    /// A target that it matches has at least so many octets in a URL.
    pub(crate) least_octets: u32,
}

impl<'p> PolicySet<'p> {
    /// Prepares the rules of a policy.
    #[must_use]
    pub fn new(policy: &'p Policy) -> Self {
        let alphabet = Alphabet::of(policy.comparison());
        let rules = policy.rule_ids().zip(policy.rules());
        let rules = rules.filter_map(|(id, rule)| {
            let form = policy.rule_form(id)?;
            let pattern = Pattern::of(&form, alphabet);
            Some(ComparedRule {
                effect: rule.effect,
                least_octets: pattern.least_octets(alphabet),
                pattern,
                specificity: form.specificity().octets(),
            })
        });
        Self {
            policy,
            alphabet,
            rules: rules.collect(),
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
        self.rules.get(id.index())
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
