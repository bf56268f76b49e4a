//! `--offline`, `--refresh` and `--at`: the time that is asked about, and whether anything is fetched.

use clap::Args;
use verger_access::Timestamp;

use crate::arguments::time::past_time;

/// The time that is asked about, and whether anything is fetched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How robots.txt is fetched")]
pub(crate) struct WhenArguments {
    /// Answer from the store, and fetch nothing
    #[arg(long, hide_short_help = true)]
    offline: bool,

    /// Fetch each robots.txt, even if the stored one is still fresh
    #[arg(long, conflicts_with_all = ["offline", "at"], hide_short_help = true)]
    refresh: bool,

    /// Answer from the store as of 2026-11-20, 7d or yesterday
    ///
    /// Fetches nothing. `7d` is seven days before now. Other forms are 2026-11-20T17:02:11Z and @1795194131, in seconds since 1970.
    #[arg(long, value_name = "TIME", value_parser = past_time, hide_short_help = true)]
    pub(super) at: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Facts of now, fetched if due.
    Now,
    /// Facts of now, each robots.txt fetched in this run.
    Refreshed,
    /// The store as it is now.
    Offline,
    /// The store as it was then.
    At(Timestamp),
}

impl When {
    pub(super) fn fetches(self) -> bool {
        matches!(self, Self::Now | Self::Refreshed)
    }
}

impl WhenArguments {
    pub(crate) fn when(&self) -> When {
        match (self.at, self.offline, self.refresh) {
            (Some(time), _, _) => When::At(time),
            (None, true, _) => When::Offline,
            (None, false, true) => When::Refreshed,
            (None, false, false) => When::Now,
        }
    }

    /// Returns the first option that is given.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let at = self.at.map(|_| "--at");
        let offline = at.or(self.offline.then_some("--offline"));
        offline.or(self.refresh.then_some("--refresh"))
    }
}
