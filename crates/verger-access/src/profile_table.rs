//! `ProfileTable`: a table that compares profiles.

use std::fmt;

use core::time::Duration;

use verger::Clause;

use crate::consequence::{Consequence, Treatment};
use crate::freshness::ConditionalRequests;
use crate::outage_policy::{OutagePhase, OutagePolicy, OutageRule, OutageStance};
use crate::profile::{DisallowedHops, Following, MissingPages, Profile};

/// A table with a row for each choice and a column for each profile. Its `Display` writes Markdown with aligned
/// columns.
///
/// ```
/// use verger_access::{Profile, ProfileTable};
///
/// let table = ProfileTable::new(Profile::ALL).to_string();
/// assert!(table.starts_with("| what happened"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileTable {
    rows: Vec<Vec<String>>,
}

/// A choice of a profile: the consequence of an event, or a duration.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProfileChoice {
    /// The event, or the subject of the choice, in words.
    pub what: &'static str,
    /// The choice in a few words.
    pub chosen: String,
    /// The clause of the choice, if it has one.
    pub clause: Option<Clause>,
}

type Row = (&'static str, fn(&Profile) -> Cell);

/// A choice in a few words, and its clause, if any.
struct Cell {
    text: String,
    clause: Option<Clause>,
}

const OUTAGE_PHASES: Clause = Clause::new("V-60");
const LIFETIME_MAX: Clause = Clause::new("V-66");
const LIFETIME_MIN: Clause = Clause::new("V-67");
const RETRY: Clause = Clause::new("V-71");
const RETRY_AFTER: Clause = Clause::new("V-72");

const REPLIES: [Row; 20] = [
    ("what happened", |it| plain(it.name.to_string())),
    ("dialect of the body", |it| {
        plain(it.reading.dialect().to_string())
    }),
    ("2xx", |it| shown(it, it.replies.success)),
    ("2xx with a body that is not legible", |it| {
        shown(it, it.replies.illegible)
    }),
    ("206 that states a part of the file", |it| {
        shown(it, it.replies.part_of_file)
    }),
    ("redirects followed", |it| {
        plain(it.redirects.followed_max.to_string())
    }),
    ("one more, or a loop", |it| shown(it, it.redirects.too_many)),
    ("redirect to another host", |it| {
        following(it, it.redirects.other_host)
    }),
    ("redirect from https to http", |it| {
        following(it, it.redirects.downgrade)
    }),
    ("other scheme, bad port, refused address", |it| {
        shown(it, it.redirects.refused)
    }),
    ("3xx without usable Location, unasked 304", |it| {
        shown(it, it.redirects.unusable)
    }),
    ("hop disallowed by its own robots.txt", |it| {
        match it.redirects.disallowed_hop {
            DisallowedHops::NotAsked => plain("not asked".to_owned()),
            DisallowedHops::Asked(consequence) => shown(it, consequence),
        }
    }),
    ("404, 410; FTP 550, 553", |it| {
        shown(it, it.replies.not_found)
    }),
    ("401, 403; FTP 530", |it| shown(it, it.replies.denied)),
    ("429", |it| shown(it, it.replies.too_many_requests)),
    ("other 4xx", |it| shown(it, it.replies.other_client_error)),
    ("5xx", |it| shown(it, it.replies.server_error)),
    ("5xx (not 503) whose page says not found", |it| {
        match it.replies.missing_page {
            MissingPages::NotRecognised => shown(it, it.replies.server_error),
            MissingPages::Recognised(consequence) => shown(it, consequence),
        }
    }),
    ("no whole reply", |it| shown(it, it.replies.network)),
    ("no known status", |it| {
        shown(it, it.replies.undefined_status)
    }),
];

const TIMES: [Row; 14] = [
    ("unreachable with copy, at first", |it| {
        with_copy(it, OutagePhase::Early)
    }),
    ("unreachable with copy, later", |it| {
        with_copy(it, OutagePhase::Middle)
    }),
    ("unreachable with copy, at last", |it| {
        with_copy(it, OutagePhase::Late)
    }),
    ("unreachable without copy, at first", |it| {
        without_copy(it, OutagePhase::Early)
    }),
    ("unreachable without copy, later", |it| {
        without_copy(it, OutagePhase::Middle)
    }),
    ("unreachable without copy, at last", |it| {
        without_copy(it, OutagePhase::Late)
    }),
    ("later begins, at last begins", |it| {
        let outage = &it.outage;
        let (later, last) = (duration(outage.early_until), duration(outage.late_from));
        chosen(format!("{later}, {last}"), OUTAGE_PHASES)
    }),
    ("lifetime where none is stated", |it| {
        lasting(it, it.freshness.default_lifetime)
    }),
    ("lifetime at most", |it| {
        chosen(duration(it.freshness.lifetime_max), LIFETIME_MAX)
    }),
    ("lifetime at least", |it| {
        chosen(duration(it.freshness.lifetime_min), LIFETIME_MIN)
    }),
    ("a failure decides for", |it| {
        chosen(duration(it.freshness.failure_lifetime), OUTAGE_PHASES)
    }),
    ("conditional requests", |it| {
        match it.freshness.conditional_requests {
            ConditionalRequests::Sent => plain("yes".to_owned()),
            ConditionalRequests::NotSent => plain("no".to_owned()),
        }
    }),
    ("retry, doubling up to; after 503", |it| {
        let (first, longest) = (duration(it.retry.first), duration(it.retry.longest));
        let after_503 = duration(it.retry.longest_after_503);
        chosen(format!("{first}, {longest}; {after_503}"), RETRY)
    }),
    ("Retry-After between", |it| {
        let (min, max) = (it.retry.retry_after_min, it.retry.retry_after_max);
        chosen(
            format!("{} and {}", duration(min), duration(max)),
            RETRY_AFTER,
        )
    }),
];

impl ProfileTable {
    /// Makes the table of the given profiles.
    #[must_use]
    pub fn new(profiles: &[Profile]) -> Self {
        let row = |(head, cell): &Row| {
            let cells = profiles.iter().map(|profile| cell(profile).text);
            std::iter::once((*head).to_owned()).chain(cells).collect()
        };
        Self {
            rows: REPLIES.iter().chain(&TIMES).map(row).collect(),
        }
    }

    /// Makes the table of one profile, with the clause of each choice.
    #[must_use]
    pub fn with_clauses(profile: &Profile) -> Self {
        let row = |(head, cell): &Row| {
            let Cell { text, clause } = cell(profile);
            let clause = clause.map(|clause| clause.to_string());
            vec![(*head).to_owned(), text, clause.unwrap_or_default()]
        };
        let mut rows: Vec<Vec<String>> = REPLIES.iter().chain(&TIMES).map(row).collect();
        if let Some(head) = rows.first_mut().and_then(|row| row.last_mut()) {
            "clause".clone_into(head);
        }
        Self { rows }
    }

    /// Returns the clauses of the choices of a profile, row by row.
    #[must_use]
    pub fn clauses(profile: &Profile) -> Vec<Clause> {
        let rows = REPLIES.iter().chain(&TIMES);
        rows.filter_map(|(_, cell)| cell(profile).clause).collect()
    }

    /// Returns the choices of a profile, row by row.
    #[must_use]
    pub fn choices(profile: &Profile) -> Vec<ProfileChoice> {
        // The first row has the profile's name.
        let rows = REPLIES.iter().skip(1).chain(&TIMES);
        let choice = |&(what, cell): &Row| {
            let Cell {
                text: chosen,
                clause,
            } = cell(profile);
            ProfileChoice {
                what,
                chosen,
                clause,
            }
        };
        rows.map(choice).collect()
    }

    /// Returns the rows. The first row has the column heads. The first cell of each row is its head.
    #[must_use]
    pub fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }
}

impl fmt::Display for ProfileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.first().map_or(0, Vec::len);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(String::len).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            for (cell, &width) in row.iter().zip(&widths) {
                write!(f, "| {cell:width$} ")?;
            }
            f.write_str("|\n")?;
            if number == 0 {
                for width in &widths {
                    write!(f, "|{:-<1$}", "", width + 2)?;
                }
                f.write_str("|\n")?;
            }
        }
        Ok(())
    }
}

fn plain(text: String) -> Cell {
    Cell { text, clause: None }
}

/// Makes a cell of a choice of Verger, because the documents give no number.
fn chosen(text: String, choice: Clause) -> Cell {
    Cell {
        text,
        clause: Some(choice),
    }
}

/// Returns a consequence in a word. If all phases of an outage have the same stance without a copy, "unreachable" is
/// shown as that stance.
fn shown(profile: &Profile, consequence: Consequence) -> Cell {
    let [early, middle, late] = profile.outage.without_copy.map(|rule| rule.stance);
    let text = match consequence.treatment {
        Treatment::Rules => "rules".to_owned(),
        Treatment::Open => "open".to_owned(),
        Treatment::OpenUnlessCopyYoungerThan(age) => {
            format!("open, copy until {}", duration(age))
        }
        Treatment::Closed => "closed".to_owned(),
        Treatment::Unreachable if early == middle && middle == late => rule(early).to_owned(),
        Treatment::Unreachable => "unreachable".to_owned(),
    };
    let clause = Some(consequence.clause);
    Cell { text, clause }
}

fn following(profile: &Profile, following: Following) -> Cell {
    match following {
        Following::Followed => plain("follow".to_owned()),
        Following::Refused(consequence) => shown(profile, consequence),
    }
}

fn lasting(profile: &Profile, lifetime: Duration) -> Cell {
    Cell {
        text: duration(lifetime),
        clause: Some(profile.freshness.clause),
    }
}

fn with_copy(profile: &Profile, phase: OutagePhase) -> Cell {
    of_outage_rule(OutagePolicy::rule(&profile.outage.with_copy, phase))
}

fn without_copy(profile: &Profile, phase: OutagePhase) -> Cell {
    of_outage_rule(OutagePolicy::rule(&profile.outage.without_copy, phase))
}

fn of_outage_rule(OutageRule { stance, clause }: OutageRule) -> Cell {
    Cell {
        text: rule(stance).to_owned(),
        clause: Some(clause),
    }
}

fn rule(stance: OutageStance) -> &'static str {
    match stance {
        OutageStance::Copy => "copy",
        OutageStance::FreshCopyElseDefer => "fresh copy, else defer",
        OutageStance::FreshCopyElseClosed => "fresh copy, else closed",
        OutageStance::Open => "open",
        OutageStance::OpenIfRestOfSiteIsUp => "open if the rest is up",
        OutageStance::Closed => "closed",
        OutageStance::Defer => "defer",
    }
}

/// Formats a duration in the largest unit of which it is a multiple. Days start at 2 d and minutes at 2 min, so 24 h
/// are not written as 1 d.
fn duration(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [(24 * 60 * 60, 2, "d"), (60 * 60, 1, "h"), (60, 2, "min")];
    for (unit, count_min, name) in units {
        if seconds.is_multiple_of(unit) && seconds / unit >= count_min {
            return format!("{} {name}", seconds / unit);
        }
    }
    format!("{seconds} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_the_units_of_the_documents() {
        let text = |seconds| duration(Duration::from_secs(seconds));
        let texts = [10, 60, 90, 900, 3600, 43_200, 86_400, 604_800, 2_592_000].map(text);
        assert_eq!(
            texts,
            [
                "10 s", "60 s", "90 s", "15 min", "1 h", "12 h", "24 h", "7 d", "30 d"
            ]
        );
    }

    #[test]
    fn the_table_of_one_profile_has_its_clauses() {
        let table = ProfileTable::with_clauses(&Profile::KOSTER1996);
        let row = |topic| table.rows().iter().find(|row| row[0] == topic).unwrap();
        assert_eq!(row("what happened")[1..], ["koster1996", "clause"]);
        assert_eq!(
            row("401, 403; FTP 530")[1..],
            ["closed", "Koster 1996, 3.1"]
        );
        assert_eq!(row("429")[1..], ["defer", "Koster 1996, 3.1"]);
        assert_eq!(row("redirects followed")[1..], ["20", ""]);
    }

    #[test]
    fn a_table_of_no_profile_has_only_the_heads_of_its_rows() {
        let table = ProfileTable::new(&[]);
        assert!(table.rows().iter().all(|row| row.len() == 1));
        assert!(table.to_string().starts_with("| what happened"));
    }
}
