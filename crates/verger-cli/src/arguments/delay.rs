use std::time::Duration;

use clap::Args;
use verger_answer::PacingBounds;
use verger_store::length;

/// The caller's own limits on the delay between requests.
#[derive(Args, Clone, Debug)]
pub(crate) struct DelayArguments {
    /// Shortest delay between requests, even if the site asks for less
    #[arg(long, value_name = "DURATION", value_parser = length, default_value = "0s", hide_short_help = true)]
    min_delay: Duration,

    /// Longest delay between requests, even if the site asks for more
    #[arg(long, value_name = "DURATION", value_parser = length, default_value = "1d", hide_short_help = true)]
    max_delay: Duration,
}

impl DelayArguments {
    /// Returns the first option that changes a limit.
    #[cfg(feature = "web")]
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let (bounds, default) = (self.bounds(), PacingBounds::default());
        let max = (bounds.max != default.max).then_some("--max-delay");
        (bounds.min != default.min).then_some("--min-delay").or(max)
    }

    pub(crate) fn bounds(&self) -> PacingBounds {
        let (min, max) = (self.min_delay, self.max_delay);
        PacingBounds { min, max }
    }
}
