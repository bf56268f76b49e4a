//! `ProfileTable`: profiles side by side, as people compare them.

use std::fmt;

use core::time::Duration;

use crate::consequence::{Consequence, Treatment};
use crate::freshness::ConditionalRequests;
use crate::ladder::{Ladder, RungStance, Stretch};
use crate::profile::{DisallowedHops, Following, MissingPages, Profile};

/// A table with a row a question and a column a profile. Displayed, it is Markdown whose columns
/// are aligned.
///
/// ```
/// use verger_access::{Profile, ProfileTable};
///
/// let table = ProfileTable::of(&Profile::ALL).to_string();
/// assert!(table.starts_with("| what happened"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileTable {
    rows: Vec<Vec<String>>,
}

/// What a row asks, and how a profile answers.
type Question = (&'static str, fn(&Profile) -> String);

const REPLIES: [Question; 17] = [
    ("what happened", |it| it.name.to_string()),
    ("dialect of the body", |it| it.dialect.to_string()),
    ("2xx", |it| shown(it, it.replies.success)),
    ("redirects followed", |it| {
        it.redirects.followed_max.to_string()
    }),
    ("one more, or a circle", |it| {
        shown(it, it.redirects.too_many)
    }),
    ("redirect to another host", |it| {
        following(it, it.redirects.other_host)
    }),
    ("redirect from https to http", |it| {
        following(it, it.redirects.downgrade)
    }),
    ("other scheme, refused address", |it| {
        shown(it, it.redirects.refused)
    }),
    ("3xx without usable Location, unasked 304", |it| {
        shown(it, it.redirects.unusable)
    }),
    ("hop disallowed by its own robots.txt", |it| {
        match it.redirects.disallowed_hop {
            DisallowedHops::NotAsked => "not asked".to_owned(),
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
    ("5xx whose page says \"not found\"", |it| {
        match it.replies.missing_page {
            MissingPages::NotRecognised => shown(it, it.replies.server_error),
            MissingPages::Recognised(consequence) => shown(it, consequence),
        }
    }),
    ("no whole reply, no known status", |it| {
        let (network, undefined) = (it.replies.network, it.replies.undefined_status);
        either(shown(it, network), &shown(it, undefined))
    }),
];

const TIMES: [Question; 13] = [
    ("unreachable with copy, at first", |it| {
        with_copy(it, Stretch::Early)
    }),
    ("unreachable with copy, later", |it| {
        with_copy(it, Stretch::Middle)
    }),
    ("unreachable with copy, at last", |it| {
        with_copy(it, Stretch::Late)
    }),
    ("unreachable without copy, at first", |it| {
        without_copy(it, Stretch::Early)
    }),
    ("unreachable without copy, later", |it| {
        without_copy(it, Stretch::Middle)
    }),
    ("unreachable without copy, at last", |it| {
        without_copy(it, Stretch::Late)
    }),
    ("later begins, at last begins", |it| {
        let ladder = &it.ladder;
        format!(
            "{}, {}",
            duration(ladder.early_until),
            duration(ladder.late_from)
        )
    }),
    ("lifetime where none is stated", |it| {
        duration(it.freshness.default_lifetime)
    }),
    ("lifetime at most", |it| duration(it.freshness.lifetime_max)),
    ("lifetime at least", |it| {
        duration(it.freshness.lifetime_min)
    }),
    ("conditional requests", |it| {
        match it.freshness.conditional_requests {
            ConditionalRequests::Sent => "yes".to_owned(),
            ConditionalRequests::NotSent => "no".to_owned(),
        }
    }),
    ("retry, doubling up to; after 503", |it| {
        let (first, longest) = (duration(it.retry.first), duration(it.retry.longest));
        format!(
            "{first}, {longest}; {}",
            duration(it.retry.longest_after_503)
        )
    }),
    ("Retry-After between", |it| {
        let (min, max) = (it.retry.retry_after_min, it.retry.retry_after_max);
        format!("{} and {}", duration(min), duration(max))
    }),
];

impl ProfileTable {
    /// The table of these profiles.
    #[must_use]
    pub fn of(profiles: &[Profile]) -> Self {
        let questions = REPLIES.iter().chain(&TIMES);
        let row = |(topic, answer): &Question| {
            let answers = profiles.iter().map(answer);
            std::iter::once((*topic).to_owned())
                .chain(answers)
                .collect()
        };
        Self {
            rows: questions.map(row).collect(),
        }
    }

    /// The rows, the first of them the heads of the columns; the first cell of each says what it
    /// is about.
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

/// A consequence in a word. Where every rung without a copy says the same, "unreachable" is that.
fn shown(profile: &Profile, consequence: Consequence) -> String {
    let [early, middle, late] = profile.ladder.without_copy.map(|rung| rung.stance);
    match consequence.treatment {
        Treatment::Rules => "rules".to_owned(),
        Treatment::Open => "open".to_owned(),
        Treatment::OpenUnlessCopyYoungerThan(age) => {
            format!("open, copy until {}", duration(age))
        }
        Treatment::Closed => "closed".to_owned(),
        Treatment::Unreachable if early == middle && middle == late => rung(early).to_owned(),
        Treatment::Unreachable => "unreachable".to_owned(),
    }
}

fn following(profile: &Profile, following: Following) -> String {
    match following {
        Following::Followed => "follow".to_owned(),
        Following::Refused(consequence) => shown(profile, consequence),
    }
}

fn either(one: String, other: &str) -> String {
    if one == other {
        one
    } else {
        format!("{one}; {other}")
    }
}

fn with_copy(profile: &Profile, stretch: Stretch) -> String {
    rung(Ladder::rung(&profile.ladder.with_copy, stretch).stance).to_owned()
}

fn without_copy(profile: &Profile, stretch: Stretch) -> String {
    rung(Ladder::rung(&profile.ladder.without_copy, stretch).stance).to_owned()
}

fn rung(stance: RungStance) -> &'static str {
    match stance {
        RungStance::Copy => "copy",
        RungStance::FreshCopyElseDefer => "fresh copy, else defer",
        RungStance::FreshCopyElseClosed => "fresh copy, else closed",
        RungStance::Open => "open",
        RungStance::OpenIfRestOfSiteIsUp => "open if the rest is up",
        RungStance::Closed => "closed",
        RungStance::Defer => "defer",
    }
}

/// In the largest unit that tells it whole, where there are enough of them to be told so: 24 h are
/// not 1 d, nor are 60 s 1 min.
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
    fn durations_are_told_as_the_documents_tell_them() {
        let told = |seconds| duration(Duration::from_secs(seconds));
        let all = [10, 60, 90, 900, 3600, 43_200, 86_400, 604_800, 2_592_000].map(told);
        assert_eq!(
            all,
            [
                "10 s", "60 s", "90 s", "15 min", "1 h", "12 h", "24 h", "7 d", "30 d"
            ]
        );
    }

    #[test]
    fn a_table_of_none_has_topics_alone() {
        let table = ProfileTable::of(&[]);
        assert!(table.rows().iter().all(|row| row.len() == 1));
        assert!(table.to_string().starts_with("| what happened"));
    }
}
