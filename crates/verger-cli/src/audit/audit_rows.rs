//! `AuditRows`: what was counted, in the order in which it is shown.

use std::cmp::Reverse;
use std::fmt;
use std::time::Duration;

use clap::ValueEnum;
use verger_audit::{Audit, CountedCrawler, CrawlerTally, LogTotals, RequestCheck, RulesSource};

use super::checks::RangeAges;
use crate::count_of::HumanCountOf;

/// What was counted: of all lines, and of each crawler by how it was checked.
pub(super) struct AuditRows<'a> {
    pub(super) totals: &'a LogTotals,
    /// When the address ranges were read that requests were checked with.
    pub(super) ages: &'a RangeAges,
    pub(super) grace: Duration,
    /// Whether there were address ranges or names of addresses to check requests with.
    pub(super) has_evidence: bool,
    /// Those with the most disallowed requests first.
    pub(super) rows: Vec<CountedCrawler<'a>>,
}

impl<'a> AuditRows<'a> {
    pub(super) fn of<S: RulesSource>(
        audit: &'a Audit<S>,
        ages: &'a RangeAges,
        grace: Duration,
    ) -> Self {
        let (totals, mut rows) = audit.counted();
        rows.sort_by_key(|row| {
            let tally = row.tally;
            let is_impostor = row.check == RequestCheck::Impostor;
            (
                is_impostor,
                Reverse(tally.disallowed),
                Reverse(tally.requests),
            )
        });
        Self {
            totals,
            ages,
            grace,
            has_evidence: audit.checks().has_evidence(),
            rows,
        }
    }

    /// Whether requests for robots.txt are known that may be those of a row's crawler: a crawler may ask for it
    /// from one address and for pages from others, so that all its rows count but those of impostors.
    pub(super) fn may_have_asked(&self, row: &CountedCrawler<'_>) -> bool {
        self.rows.iter().any(|other| {
            let is_same = other.crawler.name() == row.crawler.name();
            is_same && other.check != RequestCheck::Impostor && other.tally.robots.total() > 0
        })
    }

    /// What could not be judged of what makes the command end with 1; `None` where everything was.
    pub(super) fn undecided(&self, what: FailOn) -> Option<Undecided> {
        let own = || {
            self.rows
                .iter()
                .filter(|row| row.check != RequestCheck::Impostor)
        };
        let sum = |count: fn(&CrawlerTally) -> u64| own().map(|row| count(row.tally)).sum::<u64>();
        let (requests, unread) = (sum(|tally| tally.requests), self.totals.unread_of_crawlers);
        let mut undecided = Undecided {
            what,
            unjudged: 0,
            unpaced: 0,
            unchecked: 0,
            unread,
            without_target: self.totals.without_target,
            nothing: None,
        };
        match what {
            FailOn::Disallowed | FailOn::Delay => {
                undecided.unjudged = sum(|tally| tally.unjudged);
                if what == FailOn::Delay {
                    undecided.unpaced = sum(|tally| tally.unpaced);
                }
                let is_none = requests > 0 && sum(|tally| tally.unknown) == requests;
                undecided.nothing =
                    is_none.then_some("no request was to a site whose robots.txt is known");
            }
            FailOn::Refused => {}
            FailOn::Impostor => {
                undecided.unchecked = sum(|tally| tally.unchecked);
                let is_none = requests > 0 && !self.has_evidence;
                undecided.nothing = is_none.then_some(
                    "there are no address ranges and no names of addresses: `--update-checks` and `--resolve` \
                     get them",
                );
            }
        }
        let unread = unread + undecided.without_target;
        let counted = undecided.unjudged + undecided.unpaced + undecided.unchecked + unread;
        let is_undecided = counted > 0 || undecided.nothing.is_some();
        is_undecided.then_some(undecided)
    }

    /// Whether there is what makes the command end with 1. Impostors are no crawlers.
    pub(super) fn has(&self, what: FailOn) -> bool {
        self.rows.iter().any(|row| {
            let (tally, is_own) = (row.tally, row.check != RequestCheck::Impostor);
            match what {
                FailOn::Disallowed => is_own && tally.disallowed > 0,
                FailOn::Impostor => !is_own,
                FailOn::Refused => is_own && tally.robots.refused > 0,
                FailOn::Delay => is_own && tally.pace.early > 0,
            }
        })
    }
}

/// Why `--fail-on` is not decided: nothing was found, and not everything could be judged.
pub(super) struct Undecided {
    what: FailOn,
    /// Requests about which no rules are known.
    unjudged: u64,
    /// Requests of which it is not known what came before them.
    unpaced: u64,
    /// Requests that could not be checked.
    unchecked: u64,
    /// Lines that cannot be read.
    unread: u64,
    /// Lines of crawlers without a path.
    without_target: u64,
    /// Whether nothing was there that the requests could have been held to.
    nothing: Option<&'static str>,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what.to_possible_value();
        let what = what.as_ref().map_or("", |value| value.get_name());
        write!(
            f,
            "`--fail-on {what}` is not decided, since not everything could be judged"
        )?;
        let requests = |count| HumanCountOf(count, "request", "requests");
        let mut separator = ": ";
        for (count, said) in [
            (self.unjudged, "about which no rules are known"),
            (
                self.unpaced,
                "to hosts after so many others that it is not known what came before",
            ),
            (self.unchecked, "that could not be checked"),
        ] {
            if count > 0 {
                write!(f, "{separator}{} of known crawlers {said}", requests(count))?;
                separator = "; ";
            }
        }
        for (count, said) in [
            (
                self.unread,
                "that cannot be read and may be of known crawlers",
            ),
            (self.without_target, "of known crawlers without a path"),
        ] {
            if count > 0 {
                let lines = HumanCountOf(count, "line", "lines");
                write!(f, "{separator}{lines} {said}")?;
                separator = "; ";
            }
        }
        match self.nothing {
            Some(nothing) => write!(f, "{separator}{nothing}"),
            None => Ok(()),
        }
    }
}

/// What makes the command end with 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// A request that was disallowed, not within grace, by a crawler that is verified or unverifiable
    Disallowed,
    /// A request under the name of a crawler that is not its own
    Impostor,
    /// A request of a crawler for robots.txt that the server refused
    Refused,
    /// A request of a crawler sooner than the Crawl-delay allows
    Delay,
}

/// What it is for, as the registry has it: `ai-train`, or several with spaces between them.
pub(super) fn purposes(row: &CountedCrawler<'_>) -> String {
    let purposes = row.crawler.purposes().iter();
    let purposes: Vec<_> = purposes.map(|purpose| purpose.as_str()).collect();
    purposes.join(" ")
}

/// Whether its operator says that it obeys.
pub(super) fn obeys(row: &CountedCrawler<'_>) -> &'static str {
    row.crawler.obeys().as_str()
}
