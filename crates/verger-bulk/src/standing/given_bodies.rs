//! Bodies without server responses.

use std::sync::Arc;

use verger_inputs::RuleSource;

use super::known_standing::Standing;
use super::standing_source::{StandingSource, When};

impl StandingSource for RuleSource {
    fn standing(&self, authority: &str, _when: When) -> Arc<Standing> {
        Standing::always(self.found(authority))
    }

    fn of_all(&self) -> Option<Arc<Standing>> {
        Some(Standing::always(Arc::clone(RuleSource::of_all(self)?)))
    }

    fn profile(&self) -> Option<&str> {
        None
    }
}
