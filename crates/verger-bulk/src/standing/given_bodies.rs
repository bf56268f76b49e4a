//! Bodies without server responses.

use std::sync::Arc;

use verger_inputs::RuleSource;

use super::known_standing::{Standing, StandingRules};
use super::standing_source::{StandingSource, When};

impl StandingSource for RuleSource {
    fn standing(&self, authority: &str, _when: When) -> Arc<Standing> {
        Standing::always(StandingRules::Given(self.found(authority)))
    }

    fn of_all(&self) -> Option<Arc<Standing>> {
        let found = Arc::clone(RuleSource::of_all(self)?);
        Some(Standing::always(StandingRules::Given(found)))
    }

    fn profile(&self) -> Option<&str> {
        None
    }
}
