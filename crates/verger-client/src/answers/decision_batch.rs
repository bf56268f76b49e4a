//! `DecisionBatch`: decisions about many URLs, in bounded memory.

use std::collections::HashMap;
use std::sync::Arc;

use verger::{RuleId, TargetPath};

use crate::answers::decision::Decision;
use crate::answers::held_policy::HeldPolicy;

/// Makes decisions that share the policies of their authorities while there is room for these; later ones
/// keep of a policy only what decided.
pub(crate) struct DecisionBatch {
    bytes_left: usize,
    /// The policy that decided last.
    last: Option<LastPolicy>,
}

struct LastPolicy {
    whole: Arc<HeldPolicy>,
    /// Where there is no room for the whole: what decided, by rule.
    parts: Option<HashMap<Option<RuleId>, Arc<HeldPolicy>>>,
}

impl DecisionBatch {
    /// Makes a batch whose decisions keep whole policies of at most so many bytes.
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_left: bytes_max,
            last: None,
        }
    }

    /// Decides about a target of an authority. Those of one authority come one after the other.
    pub(crate) fn decide(&mut self, held: &Arc<HeldPolicy>, target: &TargetPath<'_>) -> Decision {
        let last = self
            .last
            .take()
            .filter(|last| Arc::ptr_eq(&last.whole, held));
        let last = last.unwrap_or_else(|| {
            let left = self.bytes_left.checked_sub(held.bytes());
            self.bytes_left = left.unwrap_or(self.bytes_left);
            LastPolicy {
                whole: Arc::clone(held),
                parts: left.is_none().then(HashMap::new),
            }
        });
        let LastPolicy { parts, .. } = self.last.insert(last);
        let Some(parts) = parts else {
            return Decision::new(Arc::clone(held), target);
        };
        let verdict = held.policy.decide(target).verdict();
        let rule = verdict.and_then(|verdict| verdict.rule());
        let part = parts
            .entry(rule)
            .or_insert_with(|| Arc::new(held.only(rule)));
        Decision::new(Arc::clone(part), target)
    }
}
