//! `Budget`: how much work a question may take.

/// How many states a question may visit before it is given up.
///
/// A place of the search counts as one state for each rule in it, and a decision of the engine as
/// one state for every 16 rules with a `*`. Ordinary files take some thousands of states. A hostile
/// file with many wildcards can need more than any machine has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    states: u64,
}

impl Budget {
    /// Creates a budget of this number of states.
    #[must_use]
    pub const fn from_states(states: u64) -> Self {
        Self { states }
    }

    /// Returns the number of states.
    #[must_use]
    pub const fn states(self) -> u64 {
        self.states
    }
}

impl Default for Budget {
    /// Returns a budget of four million states.
    fn default() -> Self {
        Self::from_states(4_000_000)
    }
}

#[derive(Debug)]
pub(crate) struct Remaining(u64);

#[derive(Debug)]
pub(crate) struct UsedUp;

impl Remaining {
    pub(crate) fn of(budget: Budget) -> Self {
        Self(budget.states)
    }

    pub(crate) fn visit(&mut self, states: usize) -> Result<(), UsedUp> {
        let states = u64::try_from(states).map_err(|_| UsedUp)?;
        self.0 = self.0.checked_sub(states).ok_or(UsedUp)?;
        Ok(())
    }
}
