//! `--offline`, `--refresh` and `--at`: which time is asked about, and whether anything is fetched.

use clap::Args;
use verger_access::Timestamp;

use crate::arguments::time::past_time;

/// Which time is asked about, and whether anything is fetched.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "How robots.txt is fetched")]
pub(crate) struct WhenArguments {
    /// Fetch nothing; answer from the store
    #[arg(long, hide_short_help = true)]
    offline: bool,

    /// Fetch each robots.txt once, even if the stored one is still fresh
    #[arg(long, conflicts_with_all = ["offline", "at"], hide_short_help = true)]
    refresh: bool,

    /// Fetch nothing; answer from what the store had at that time: 2026-11-20T17:02:11Z, 2026-11-20,
    /// 7d (before now), yesterday or @1795194131
    #[arg(long, value_name = "TIME", value_parser = past_time)]
    at: Option<Timestamp>,
}

/// What a run answers from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// What is known now; fetched where that is due.
    Now,
    /// What is known now, each robots.txt fetched in this run.
    Refreshed,
    /// What is in the store now.
    Offline,
    /// What was in the store then.
    At(Timestamp),
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

    /// The first of the options that is given, as it is written.
    pub(crate) fn first_given(&self) -> Option<&'static str> {
        let at = self.at.map(|_| "--at");
        let offline = at.or(self.offline.then_some("--offline"));
        offline.or(self.refresh.then_some("--refresh"))
    }
}
