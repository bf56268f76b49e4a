//! `--max-states`: how much a question about sets of URLs may cost.

use clap::Args;
use verger_compare::Budget;

/// How much a question about sets of URLs may cost.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BudgetArguments {
    /// Give up a question after this many states, and say that it is not decided
    #[arg(long, value_name = "N", default_value_t = Budget::default().states())]
    #[arg(hide_short_help = true)]
    max_states: u64,
}

impl BudgetArguments {
    pub(crate) fn budget(self) -> Budget {
        Budget::of_states(self.max_states)
    }
}
