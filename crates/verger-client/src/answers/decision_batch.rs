use std::collections::HashMap;
use std::sync::Arc;

use verger::{RuleId, TargetPath};

use crate::answers::decision::Decision;
use crate::answers::held_policy::HeldPolicy;

/// Decides about many URLs in bounded memory. Decisions share whole policies as long as those fit.
/// Later ones keep only the rule that decided.
pub(crate) struct DecisionBatch {
    bytes_left: usize,
    last: Option<LastPolicy>,
}

struct LastPolicy {
    whole: Arc<HeldPolicy>,
    /// Policies cut down to one rule, by rule. `None` while the whole policy fits.
    parts: Option<HashMap<Option<RuleId>, Arc<HeldPolicy>>>,
}

impl DecisionBatch {
    pub(crate) fn new(bytes_max: usize) -> Self {
        Self {
            bytes_left: bytes_max,
            last: None,
        }
    }

    /// Decides about a target. Callers pass all targets of one authority in a row.
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
