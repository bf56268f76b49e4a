//! `--max-states`: the cost limit of proofs about sets of URLs.

use clap::Args;
use verger_compare::Budget;

/// The cost limit of proofs about sets of URLs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct BudgetArguments {
    /// Leave a question undecided after this many states
    #[arg(long, value_name = "N", default_value_t = Budget::default().states())]
    #[arg(hide_short_help = true)]
    max_states: u64,
}

impl BudgetArguments {
    pub(crate) fn budget(self) -> Budget {
        Budget::from_states(self.max_states)
    }
}
