//! `SiteMetrics`: the gauges of a watched or probed site.

use std::fmt::Write as _;

use verger_access::{Stance, Timestamp};
use verger_lint::Severity;
use verger_watch::SiteState;

/// A site and its labels.
pub(crate) struct SiteMetrics<'m> {
    /// `None` before the first look.
    pub(crate) state: Option<&'m SiteState>,
    /// The label `site`. A site that is not in the list has none.
    pub(crate) site: Option<String>,
    /// When the last event was seen, for a watched site.
    pub(crate) last_event: Option<Timestamp>,
}

type Values = Vec<(Option<(&'static str, &'static str)>, u64)>;

/// A gauge: its name, its description, and its values for a site, given the time of the last event.
type Gauge = (&'static str, &'static str, ValuesOf);
type ValuesOf = fn(&SiteState, Option<Timestamp>) -> Values;

/// The gauge of sites that were never looked at.
const NEXT_LOOK: &str = "next_look_seconds";

const GAUGES: &[Gauge] = &[
    ("up", "0 while robots.txt is unreachable.", |it, _| {
        one(it.unreachable_since.is_none().into())
    }),
    (
        "unreachable_since_seconds",
        "Unix time of the start of the outage, or 0.",
        |it, _| one(seconds(it.unreachable_since)),
    ),
    ("stance", "1 for the stance of crawlers.", |it, _| {
        let value = |stance: &Stance| u64::from(it.stance == *stance);
        let stances = Stance::ALL.iter();
        let stances = stances.map(|it| (Some(("stance", it.as_str())), value(it)));
        stances.collect()
    }),
    (
        "last_look_seconds",
        "Unix time of the last fetch.",
        |it, _| one(it.at.unix_seconds()),
    ),
    (
        NEXT_LOOK,
        "Unix time of the next fetch, or 0 before the first.",
        |it, _| one(it.next.unix_seconds()),
    ),
    (
        "last_change_seconds",
        "Unix time of the last event, or 0.",
        |_, last_event| one(seconds(last_event)),
    ),
    (
        "search_closed",
        "Search engines that may not fetch the site. Absent in an outage.",
        |it, _| {
            if it.is_outage() {
                return Vec::new();
            }
            one(it.search_closed.len() as u64)
        },
    ),
    (
        "claims_failed",
        "Claims that fail. Absent in an outage.",
        |it, _| {
            let failed = it.claims_failed.as_ref();
            failed.map_or_else(Vec::new, |it| one(it.len() as u64))
        },
    ),
    (
        "differs_from_file",
        "1 if the served file differs from the expected one.",
        |it, _| {
            let differs = it.differs_from_file;
            differs.map_or_else(Vec::new, |it| one(it.into()))
        },
    ),
    ("findings", "Findings of lint.", |it, _| {
        let findings = Severity::ALL.iter().zip(it.findings);
        let findings = findings.map(|(it, count)| (Some(("severity", it.as_str())), count as u64));
        findings.collect()
    }),
];

fn one(value: u64) -> Values {
    vec![(None, value)]
}

fn seconds(time: Option<Timestamp>) -> u64 {
    time.map_or(0, Timestamp::unix_seconds)
}

/// Appends the gauges of these sites.
pub(crate) fn write_site_metrics(output: &mut String, sites: &[SiteMetrics<'_>]) {
    for (name, help, values) in GAUGES {
        let _ = writeln!(
            output,
            "# HELP verger_site_{name} {help}\n# TYPE verger_site_{name} gauge"
        );
        for site in sites {
            let own = site.site.as_deref().map(|it| ("site", it));
            let values = match site.state {
                Some(state) => values(state, site.last_event),
                None if *name == NEXT_LOOK => one(0),
                None => Values::new(),
            };
            for (label, value) in values {
                let labels: Vec<String> = own.into_iter().chain(label).map(label_text).collect();
                let labels = if labels.is_empty() {
                    String::new()
                } else {
                    format!("{{{}}}", labels.join(","))
                };
                let _ = writeln!(output, "verger_site_{name}{labels} {value}");
            }
        }
    }
}

fn label_text((name, value): (&str, &str)) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("{name}=\"{}\"", value.replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_that_was_never_looked_at_is_due() {
        let mut text = String::new();
        let site = SiteMetrics {
            state: None,
            site: Some("https://h.example".to_owned()),
            last_event: None,
        };
        write_site_metrics(&mut text, &[site]);
        let samples: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(
            samples,
            ["verger_site_next_look_seconds{site=\"https://h.example\"} 0"]
        );
    }
}
