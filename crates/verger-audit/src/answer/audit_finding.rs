use std::fmt;

use verger_answer::HumanCountOf;

use super::audit_answer::AuditAnswer;
use crate::identity::RequestCheck;
use crate::tally::CrawlerTally;

/// A possible finding of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditFinding {
    /// A verified or unverifiable crawler made a disallowed request outside the grace period.
    Disallowed,
    /// A client used the name of a crawler that it is not.
    Impostor,
    /// The server refused a crawler's request for robots.txt.
    Refused,
    /// A crawler made a request sooner than the Crawl-delay allows.
    Delay,
}

impl AuditFinding {
    /// All findings.
    pub const ALL: &'static [Self] =
        &[Self::Disallowed, Self::Impostor, Self::Refused, Self::Delay];

    /// Returns the name: `disallowed`, `impostor`, `refused` or `delay`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Disallowed => "disallowed",
            Self::Impostor => "impostor",
            Self::Refused => "refused",
            Self::Delay => "delay",
        }
    }

    /// Returns the finding as a phrase.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Disallowed => {
                "A disallowed request outside the grace period, by a verified or unverifiable crawler"
            }
            Self::Impostor => "A request by a client that pretends to be a crawler",
            Self::Refused => "A crawler's request for robots.txt that the server refused",
            Self::Delay => "A crawler's request sooner than the Crawl-delay allows",
        }
    }
}

impl AuditAnswer<'_> {
    /// Returns whether the finding occurred. Requests of impostors are not findings about a
    /// crawler.
    #[must_use]
    pub fn has(&self, what: AuditFinding) -> bool {
        self.rows.iter().any(|row| {
            let (tally, is_own) = (row.tally, row.check != RequestCheck::Impostor);
            match what {
                AuditFinding::Disallowed => is_own && tally.disallowed > 0,
                AuditFinding::Impostor => !is_own,
                AuditFinding::Refused => is_own && tally.robots.refused > 0,
                AuditFinding::Delay => is_own && tally.pace.early > 0,
            }
        })
    }

    /// Returns what could not be judged about a finding, or `None` if everything was judged.
    #[must_use]
    pub fn undecided(&self, what: AuditFinding) -> Option<Undecided> {
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
            AuditFinding::Disallowed | AuditFinding::Delay => {
                undecided.unjudged = sum(|tally| tally.unjudged);
                if what == AuditFinding::Delay {
                    undecided.unpaced = sum(|tally| tally.unpaced);
                }
                let is_none = requests > 0 && sum(|tally| tally.unknown) == requests;
                undecided.nothing =
                    is_none.then_some("no request went to a site with a known robots.txt");
            }
            AuditFinding::Refused => {}
            AuditFinding::Impostor => {
                undecided.unchecked = sum(|tally| tally.unchecked);
                let is_none = requests > 0 && !self.has_evidence;
                undecided.nothing = is_none.then_some(
                    "there are no address ranges or host names: use `--update-checks` or `--resolve` to get them",
                );
            }
        }
        let unread = unread + undecided.without_target;
        let counted = undecided.unjudged + undecided.unpaced + undecided.unchecked + unread;
        let is_undecided = counted > 0 || undecided.nothing.is_some();
        is_undecided.then_some(undecided)
    }
}

/// Why a finding is undecided: not every request could be judged.
#[derive(Clone, Debug)]
pub struct Undecided {
    what: AuditFinding,
    /// Requests for which no rules are known.
    unjudged: u64,
    /// Requests whose preceding request is unknown.
    unpaced: u64,
    /// Requests that could not be checked.
    unchecked: u64,
    /// Lines that cannot be read.
    unread: u64,
    /// Lines of crawlers without a path.
    without_target: u64,
    /// Why no request could be judged at all.
    nothing: Option<&'static str>,
}

impl fmt::Display for Undecided {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = self.what.as_str();
        write!(
            f,
            "`--fail-on {what}` is undecided because not everything could be judged"
        )?;
        let requests = |count| HumanCountOf(count, "request", "requests");
        let mut separator = ": ";
        for (count, said) in [
            (self.unjudged, "without known rules"),
            (self.unpaced, "whose preceding request is unknown"),
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
                "that cannot be read and may be from known crawlers",
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
